/** Alsardia 2017: turnaround of RBS over that of the other allocators, and near-neighbour messages, of which the thesis has no numbers. */
import {
  figureOf,
  fixed,
  largestOf,
  marked,
  pageTable,
  written,
  type Kept,
  type PagePart,
  type QuotedOf,
} from '../paperMeasured.ts';

const others = ['gabl', 'paging', 'mbs', 'first-fit'] as const;
const allocators = ['rbs', ...others] as const;
const words: Readonly<Record<string, string>> = { rbs: 'RBS', gabl: 'GABL', paging: 'Paging(0)', mbs: 'MBS' };
const head = (names: readonly string[]): string[] => names.map((name) => words[name] ?? name);

/** `figure-4-3` → `4.3`. */
const numberOf = (experiment: string): string => experiment.replace('figure-', '').replace('-', '.');

/** Experiments of the thesis, with the load that it tells of: ` at arrivals.rate 0.0009`. */
const figures = (quotedOf: QuotedOf): { experiment: string; load: string; hasRatios: boolean }[] =>
  [...quotedOf].map(([experiment, quoted]) => ({
    experiment,
    load: / at .*$/.exec(Object.keys(quoted)[0] ?? '')?.[0] ?? '',
    hasRatios: Object.keys(quoted).some((name) => name.startsWith('turnaround rbs / gabl')),
  }));

function ratiosPart(kept: readonly Kept[], quotedOf: QuotedOf): string {
  const lines = figures(quotedOf).flatMap(({ experiment, load, hasRatios }) => {
    if (!hasRatios) return [];
    const cells = others.map((other) => {
      const name = `turnaround rbs / ${other}${load}`;
      const [paper, ours] = [quotedOf.get(experiment)?.[name], figureOf(kept, experiment, name)];
      if (paper === undefined) return '';
      // Without an interval the last digit means nothing.
      const digits = ours?.halfWidth === undefined ? 2 : 3;
      return marked(
        `${fixed(paper.value, 2)} → ${ours === undefined ? '–' : written(ours.value, ours.halfWidth, digits)}`,
        paper.isOpen,
      );
    });
    return [[numberOf(experiment), `${largestOf(kept, experiment)?.replications ?? 0}`, ...cells]];
  });
  return pageTable(['figure', 'replications', ...head(others)], lines);
}

/** Turnaround in cycles, with the deviation of replications where it is kept. */
function neighboursPart(kept: readonly Kept[], quotedOf: QuotedOf): string {
  const lines = figures(quotedOf).flatMap(({ experiment, load, hasRatios }) => {
    if (hasRatios) return [];
    const cells = allocators.map((allocator) => {
      const ours = figureOf(kept, experiment, `turnaround ${allocator}${load}`);
      return ours === undefined ? '–' : written(ours.value, ours.halfWidth, 0);
    });
    return [[numberOf(experiment), load.replace(/.* /, ''), ...cells]];
  });
  return pageTable(['figure', 'load', ...head(allocators)], lines);
}

/** Share of processors in use at the quoted load, where it is kept. */
function utilisationPart(kept: readonly Kept[], quotedOf: QuotedOf): string {
  const lines = figures(quotedOf).flatMap(({ experiment, load }) => {
    const ours = allocators.map((allocator) => figureOf(kept, experiment, `utilisation ${allocator}${load}`));
    if (ours.every((one) => one === undefined)) return [];
    const cells = ours.map((one, index) => {
      const paper = quotedOf.get(experiment)?.[`utilisation ${allocators[index] ?? ''}${load}`];
      const found = one === undefined ? '–' : inPercent(one.value);
      return paper === undefined ? found : `${inPercent(paper.value)} → ${found}`;
    });
    return [[numberOf(experiment), ...cells]];
  });
  return lines.length === 0
    ? 'Nothing is kept of it: `npm run papers -- alsardia --short --keep` measures it.'
    : pageTable(['figure', ...head(allocators)], lines);
}

const inPercent = (share: number): string => `${(100 * share).toFixed(0)} %`;

export const alsardiaParts: readonly PagePart[] = [
  { name: 'alsardia turnaround', text: ratiosPart },
  { name: 'alsardia near neighbours', text: neighboursPart },
  { name: 'alsardia utilisation', text: utilisationPart },
];
