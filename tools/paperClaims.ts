/** Whether what a paper tells in words holds in our results. */
import studentQuantile from '@stdlib/stats-base-dists-t-quantile';
import type { ExperimentJson, RowJson } from '../server/experiments/results.ts';
import type { Claim, PaperClaims } from './paperFigures.ts';

export interface ClaimLine {
  readonly says: string;
  readonly holds: boolean;
  /** What does not, with our numbers. */
  readonly failing: readonly string[];
}

/** Each claim of the paper on this experiment. */
export function claimLines(experiment: ExperimentJson, { claims = [], names = {} }: PaperClaims): ClaimLine[] {
  return claims
    .filter(({ experiments }) => experiments.some((pattern) => matches(pattern, experiment.name)))
    .flatMap((claim) => {
      const kinds =
        claim.each === undefined
          ? [undefined]
          : [...new Set(experiment.rows.map((row) => row[claim.each ?? 'mapper']))];
      return kinds.map((kind): ClaimLine => {
        const rows = experiment.rows.filter((row) => claim.each === undefined || row[claim.each] === kind);
        const failing = [
          ...(claim.holds ?? []).flatMap((order) =>
            pointsOf(experiment, claim).flatMap((point) => faultOf(order, rows, point, names)),
          ),
          ...(claim.uncorrelated === undefined ? [] : correlationFaults(experiment, claim.uncorrelated)),
        ];
        return {
          says: kind === undefined ? claim.says : `${kind}: ${claim.says}`,
          holds: failing.length === 0,
          failing,
        };
      });
    });
}

export const claimText = ({ says, holds, failing }: ClaimLine): string =>
  `${holds ? 'yes' : 'NO '}  ${says}${failing.length === 0 ? '' : ` (${failing.join('; ')})`}`;

const matches = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

type PointJson = RowJson['point'];
const isAt = ({ point }: RowJson, values: PointJson): boolean =>
  Object.entries(values).every(([path, value]) => point[path] === value);

/** Where a claim is asked: as it says, else where the paper has numbers, else everywhere. */
function pointsOf({ rows, quoted }: ExperimentJson, { at }: Claim): PointJson[] {
  if (at !== undefined) return [at];
  const numbered = rows.filter((_, index) => quoted.some(({ row }) => row === index)).map(({ point }) => point);
  const points: readonly PointJson[] = numbered.length === 0 ? rows.map(({ point }) => point) : numbered;
  return [...new Map(points.map((point) => [JSON.stringify(point), point])).values()];
}

/** `makespan: td < 0.9 * distance`; what of it does not hold at a point. A row that is not there is a fault. */
function faultOf(
  order: string,
  rows: readonly RowJson[],
  point: PointJson,
  names: Readonly<Record<string, string>>,
): string[] {
  const [, metric = '', chain = ''] = /^(\S+): (.*)$/.exec(order) ?? [];
  const parts = chain.split(/ (<=|<|~) /);
  const where = Object.entries(point)
    .map(([path, value]) => ` at ${path} ${value}`)
    .join('');
  const valueOf = (term: string): number => {
    const [, factor = '1', name = term] = /^([\d.]+) \* (.*)$/.exec(term) ?? [];
    const words = (names[name] ?? name).split(/ (?![^(]*\))/);
    const row = rows.find((one) => isAt(one, point) && words.every((word) => isNamed(one, word, rows)));
    return Number(factor) * (row?.metrics[metric]?.mean ?? Number.NaN);
  };
  return parts.flatMap((sign, position) => {
    if (position % 2 === 0) return [];
    const [one, other] = [parts[position - 1] ?? '', parts[position + 1] ?? ''];
    const [left, right] = [valueOf(one), valueOf(other)];
    const holds = sign === '<' ? left < right : sign === '<=' ? left <= right : Math.abs(left / right - 1) < close;
    return holds ? [] : [`${one} ${sign} ${other}${where}: ${written(left)} and ${written(right)}`];
  });
}

const kinds = ['scheduler', 'allocator', 'mapper', 'pattern'] as const;

/** A name of several kinds, as `random`, is of one in which rows differ. */
function isNamed(row: RowJson, name: string, rows: readonly RowJson[]): boolean {
  const own = kinds.filter((kind) => row[kind] === name);
  const telling = kinds.filter(
    (kind) => rows.some((one) => one[kind] === name) && rows.some((one) => one[kind] !== name),
  );
  return telling.length === 0 ? own.length > 0 : own.some((kind) => telling.includes(kind));
}

/** What `~` takes as equal. */
const close = 0.15;
const written = (value: number): string => String(Number(value.toPrecision(4)));

/** Coefficients of ranks that are further from 0 than chance puts one in twenty: Student's t of n − 2. */
function correlationFaults({ correlations = [] }: ExperimentJson, [metric, to]: readonly [string, string]): string[] {
  const found = correlations.filter((one) => one.metric === metric && one.to === to);
  if (found.length === 0) return ['there are too few values'];
  return found.flatMap(({ rho, count }) => {
    const t = Math.abs(rho) * Math.sqrt((count - 2) / (1 - rho ** 2));
    return t <= studentQuantile(0.975, count - 2) ? [] : [`Spearman ${rho.toFixed(2)} of ${count}`];
  });
}
