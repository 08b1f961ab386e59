/**
 * The simulated time of jobs against a static metric of their mappings (Pascual et al. 2010, figure 2): a point for each replication, with
 * Spearman's coefficient. Axes fit the values, for it is not their size that is asked for but whether they go together.
 */
import { largestOf, leastOf } from '../../model/lists.ts';
import { blockWords, isOfBlock, type ExperimentJson, type RowJson } from '../../experiments/results.ts';
import { countOf, formatNumber } from '../../model/quantities.ts';
import { bottomMargin, drawAxes, leftMarginOf, makeAxis, axisTitle, type Frame } from './axes.ts';
import { markerOf, nameOfMetric, stylist } from './curves.ts';
import { headHeight, figureHead, pageMargin, pageWidth, pixel, type Cell, type Figure } from './figure.ts';
import { figureLegend } from './legend.ts';

type Correlation = NonNullable<ExperimentJson['correlations']>[number];

/** One coefficient of a result, and what it is a figure of. */
interface ScatterChoice {
  /** As it is asked for: `makespan by averageHops`, `makespan by averageHops at background.rate 0.016`. */
  readonly name: string;
  /** Without what is varied. */
  readonly metric: string;
  readonly correlation: Correlation;
}

/** What a result has coefficients of, in their order. */
export const choicesOfScatter = ({ correlations = [] }: ExperimentJson): readonly ScatterChoice[] =>
  correlations.map((correlation) => {
    const metric = `${correlation.metric} by ${correlation.to}`;
    const at = blockWords(correlation).map((word) => ` at ${word}`);
    return { name: `${metric}${at.join('')}`, metric, correlation };
  });

interface ScatterRequest {
  readonly result: ExperimentJson;
  readonly choice: ScatterChoice;
  /** Of a run smaller than the whole: `short`. */
  readonly form?: string | undefined;
}

/** Of rows of jobs. */
const comparedKeys = ['scheduler', 'allocator', 'mapper'] as const;
const plotHeight = 330;
/** Half the width of the box about a point that can be pointed at. */
const reach = 5;
/** What a marker takes in front of its name in the legend. */
const markerRoom = 18;

/** O(replications). */
export function drawScatter({ result, choice, form }: ScatterRequest): Figure {
  const { metric, to, point, rho, count } = choice.correlation;
  const rows = result.rows.filter((row) => isOfBlock(row, choice.correlation));
  const keys = comparedKeys.filter((key) => new Set(rows.map((row) => row[key])).size > 1);
  const named = (row: RowJson): string => keys.map((key) => row[key] ?? 'none').join(', ') || (row.mapper ?? 'all');
  const points = rows.flatMap((row) =>
    (row.metrics[to]?.values ?? []).flatMap((x, replication) => {
      const y = row.metrics[metric]?.values[replication] ?? null;
      return x === null || y === null ? [] : [{ row, replication: replication + 1, x, y }];
    }),
  );
  const [top, bottom] = [headHeight, headHeight + plotHeight];
  const axisOf = (key: string, values: readonly number[], from: number, to: number, spacing: number) =>
    makeAxis({
      ...{ name: nameOfMetric(key), unit: rows[0]?.metrics[key]?.unit ?? '', from, to, spacing },
      ...{ low: leastOf(values), high: largestOf(values) },
    });
  const styleOf = stylist(rows, keys, []);
  const legend = figureLegend(
    rows.map((row) => ({ name: named(row), sample: (left, middle) => [markerOf(styleOf(row), left + 6, middle)] })),
    markerRoom,
  );
  const { right } = legend;
  const y = axisOf(
    metric,
    points.map((one) => one.y),
    bottom,
    top,
    44,
  );
  const frame: Frame = { left: pageMargin + leftMarginOf(y), top, right, bottom };
  const x = axisOf(
    to,
    points.map((one) => one.x),
    frame.left,
    right,
    70,
  );
  const listed = legend.draw(top, bottom + bottomMargin);
  const places = points.map((one) => ({ ...one, left: x.at(one.x), height: y.at(one.y) }));
  const title = `${result.name}: ${nameOfMetric(metric).toLowerCase()} by ${nameOfMetric(to).toLowerCase()}`;
  const coefficient = `Spearman's coefficient ${formatNumber(rho, 2)} of ${countOf(count, 'run')}`;
  const at = blockWords(choice.correlation);
  const subtitle = [...(form === undefined ? [] : [`${form} run`]), ...at, coefficient].join(', ');
  return {
    title,
    subtitle,
    description:
      `${axisTitle(nameOfMetric(metric), rows[0]?.metrics[metric]?.unit ?? '', 0)} of each replication over its ` +
      `${nameOfMetric(to).toLowerCase()}: ${subtitle}.`,
    width: pageWidth,
    height: listed.bottom + pageMargin,
    shapes: [
      ...figureHead(title, subtitle),
      ...drawAxes(frame, x, y),
      ...places.map(({ row, left, height }) => markerOf(styleOf(row), left, height)),
      ...listed.shapes,
    ],
    table: {
      head: [...Object.keys(point), ...comparedKeys, 'replication', to, metric],
      rows: points.map(({ row, replication, ...one }): Cell[] => [
        ...Object.values(point),
        ...comparedKeys.map((key) => row[key]),
        ...[replication, one.x, one.y],
      ]),
    },
    marks: {
      boxes: places.flatMap(({ left, height }) => [pixel(left - reach), pixel(height - reach), 2 * reach, 2 * reach]),
      rows: places.map((_, index) => index),
    },
  };
}
