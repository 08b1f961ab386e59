/**
 * Traffic and latency of an experiment over time (Orduña et al. 2004, figures 8 to 13): at one value of what is varied a curve for
 * each scheduler, allocator and mapper, a point for so many packets that arrived. Of the replications of a row it is
 * the one with most traffic on average, as the paper shows the best of several random mappings.
 */
import {
  blockJson,
  blockWords,
  isOfBlock,
  type BlockJson,
  type ExperimentJson,
  type OverTimeJson,
  type RowJson,
} from '../../experiments/results.ts';
import { countOf, formatNumber } from '../../model/quantities.ts';
import { nameOfMetric, notesBelow, plotCurves, stylist, type Series } from './curves.ts';
import { figureHead, pageMargin, pageWidth, type Cell, type Figure } from './figure.ts';

/** What is drawn, as metrics are called, and its unit. */
const drawn = {
  trafficOverTime: { key: 'traffic', unit: 'flits/switch/cycle' },
  latencyOverTime: { key: 'latency', unit: 'cycles' },
} as const;

/** The curves of one metric, of the rows with the same values as one of them. */
interface OverTimeChoice {
  /** As it is asked for: `latencyOverTime`, `latencyOverTime at machine.seed 3`. */
  readonly name: string;
  readonly metric: keyof typeof drawn;
  readonly block: BlockJson;
}

/** What a result has over time: both metrics at each value of what is varied, in the order of the rows. */
export function choicesOverTime({ rows }: ExperimentJson): readonly OverTimeChoice[] {
  if (rows.every(({ overTime }) => overTime === undefined)) return [];
  const blocks = new Map(rows.map((row) => [JSON.stringify(blockJson(row)), blockJson(row)]));
  return (Object.keys(drawn) as (keyof typeof drawn)[]).flatMap((metric) =>
    [...blocks.values()].map((block) => {
      const at = blockWords(block).map((word) => ` at ${word}`);
      return { name: `${metric}${at.join('')}`, metric, block };
    }),
  );
}

export interface OverTimeRequest {
  readonly result: ExperimentJson;
  readonly choice: OverTimeChoice;
  /** Of a run smaller than the whole: `short`. */
  readonly form?: string | undefined;
}

/** Flits of a router and cycle over the whole curve. */
export function meanTraffic({ cycles, traffic }: OverTimeJson): number {
  let [sum, before] = [0, 0];
  cycles.forEach((cycle, point) => {
    sum += (traffic[point] ?? 0) * (cycle - before);
    before = cycle;
  });
  return before === 0 ? 0 : sum / before;
}

/** The replication with most traffic. */
export const bestOverTime = ({ overTime = [] }: RowJson): OverTimeJson | undefined =>
  overTime.reduce<OverTimeJson | undefined>(
    (best, one) => (best === undefined || meanTraffic(one) > meanTraffic(best) ? one : best),
    undefined,
  );

/** Of rows of jobs. */
const comparedKeys = ['scheduler', 'allocator', 'mapper'] as const;

/** O(points of the curves). */
export function drawExperimentOverTime({ result, choice, form }: OverTimeRequest): Figure {
  const { key, unit } = drawn[choice.metric];
  const values = choice.block.point;
  const rows = result.rows.filter((row) => isOfBlock(row, choice.block));
  const keys = comparedKeys.filter((name) => new Set(rows.map((one) => one[name])).size > 1);
  const styleOf = stylist(rows, keys, []);
  const named = (one: RowJson): string => keys.map((name) => one[name] ?? 'none').join(', ') || (one.mapper ?? 'all');
  const found = rows.flatMap((one) => {
    const best = bestOverTime(one);
    return best === undefined ? [] : [{ row: one, best }];
  });
  const series = found.map(({ row: one, best }): Series => ({
    name: named(one),
    values: best.cycles.map((x, point) => ({
      x,
      mean: best[key][point] ?? 0,
      halfWidth: 0,
      quoted: undefined,
      predicted: undefined,
    })),
    style: styleOf(one),
  }));
  const name = nameOfMetric(key);
  const drawing = plotCurves({ unit, axis: 'Cycles', keys, series, hasPredicted: false, isOverTime: true }, name);
  const at = blockWords(choice.block);
  const { speed } = rows[0] ?? {};
  const subtitle = [
    ...(form === undefined ? [] : [`${form} run`]),
    ...at,
    ...(speed === undefined ? [] : [`messages at ${formatNumber(speed)} times the send rate`]),
  ].join(', ');
  const notes = found.map(({ row: one, best }) => {
    const of =
      one.replications > 1
        ? `, of ${countOf(one.replications, 'replication')} the one with most traffic (seed ${best.seed})`
        : '';
    return `${named(one)}: mean ${formatNumber(meanTraffic(best), 3)} flits per switch and cycle${of}.`;
  });
  const { shapes, bottom } = notesBelow(drawing.bottom, notes);
  const title = `${result.name}: ${name.toLowerCase()} over time`;
  return {
    title,
    subtitle,
    description: [`${title}, ${subtitle}.`, ...notes].join(' '),
    width: pageWidth,
    height: bottom + pageMargin,
    shapes: [...figureHead(title, subtitle), ...drawing.shapes, ...shapes],
    table: {
      head: [...Object.keys(values), ...comparedKeys, 'seed', 'cycles', 'traffic', 'latency'],
      rows: found.flatMap(({ row: one, best }) =>
        best.cycles.map((cycle, point): Cell[] => [
          ...Object.values(values),
          ...comparedKeys.map((each) => one[each]),
          ...[best.seed, cycle, best.traffic[point] ?? null, best.latency[point] ?? null],
        ]),
      ),
    },
  };
}
