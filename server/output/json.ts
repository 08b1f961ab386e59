/**
 * Placements and comparisons as JSON: `placementToJson` is what `run --json` writes of each placement,
 * `comparisonToJson` what `compare --json` writes. Keys, units and order are the contract of docs/reference/json.md.
 */
import { formatNumber } from '../model/quantities.ts';
import { asLinkId } from '../model/identifiers.ts';
import type { RoutingSplit } from '../model/machine.ts';
import { metricValue } from '../model/metricEntry.ts';
import { placementMetrics } from '../model/metrics.ts';
import {
  jobName,
  type HotLink,
  type LinkEnd,
  type Metrics,
  type PlacementReport,
  type BusyServer,
  type QueueingMetrics,
  type SuggestedImprovement,
} from '../model/report.ts';
import { hostName, namesOfEnds } from '../network/names.ts';
import { endsOfLink } from '../network/links.ts';
import { evaluationsPerSecond, gapOf, type SearchRecord, type LowerBound } from '../model/searchRecord.ts';
import { itemAt } from '../numeric/elements.ts';
import type { Failure } from '../model/result.ts';
import {
  comparedFigures,
  overRuns,
  type Comparison,
  type FigureOverRuns,
  type MapperResult,
} from '../study/compare.ts';
import type { HeaviestLink } from '../study/comparedRun.ts';
import type { PlacementOutline } from '../study/report.ts';

/**
 * One load of `linkLoads` and `hotLinks`. A link between routers has `from` and `to`; of a host
 * link `host` is the node, with `to` on the way from it and `from` on the way to it.
 */
export interface LinkLoadJson {
  readonly from?: number;
  readonly to?: number;
  readonly host?: number;
  /** What the fabric's file calls the ends, if it names them. */
  readonly fromName?: string;
  readonly toName?: string;
  readonly load: number;
}

/** A hot link. Those but the heaviest few have their load alone. */
interface HotLinkJson extends LinkLoadJson {
  /** load / mean of the used links. */
  readonly timesMean: number;
  /** How long it works / the same of the link that works longest; where links are not all as fast. */
  readonly busyShare?: number;
  /** The heaviest flows over it, heaviest first; `share` of the link's load. */
  readonly flows?: readonly {
    readonly job: string;
    readonly from: number;
    readonly to: number;
    readonly bytes: number;
    readonly share: number;
  }[];
  /** All ordered pairs of tasks that send over it. */
  readonly flowCount?: number;
  /** Changes of the mapping that would take something off it, best first. */
  readonly reliefs?: readonly ImprovementJson[];
}

/** Two tasks that change places, or one that moves to a free slot, and what that would do. */
interface ImprovementJson {
  readonly swap?: readonly [TaskJson, TaskJson];
  readonly move?: TaskJson & { readonly slot: number };
  /** Of the link and of the heaviest link, afterwards. */
  readonly load: number;
  readonly maximumLinkLoad: number;
  readonly hopBytesChange: number;
}

interface TaskJson {
  readonly job: string;
  readonly task: number;
}

/** A placement in `run --json`. */
interface PlacementJson {
  readonly name: string;
  readonly machine: string;
  readonly seed: number;
  readonly jobs: readonly {
    readonly name: string;
    readonly tasks: number;
    /** Names of the catalogue: the job's own, else those of the placement. */
    readonly allocator: string;
    readonly mapper: string;
    readonly nodes: readonly number[];
    /** Names of the nodes, in the same order: of the fabric's file, else `node0000`, `node0001`, …. */
    readonly hosts: readonly string[];
    readonly mapping: readonly number[];
    /** Cores of each task, its slot the first of them; absent where each has one. */
    readonly coresPerTask?: number;
    /** Of a mapper that searches. */
    readonly search?: SearchJson;
  }[];
  readonly metrics: MetricsJson;
  /** Where routes depend on loads (`ugal`): the share of bytes that goes minimally, how much better another split could be, steps of the search. */
  readonly split?: { readonly minimal: number; readonly gap: number; readonly steps: number };
  /** What the allocator and the mapper have to say. */
  readonly notes: readonly string[];
  readonly milliseconds: PlacementReport['milliseconds'];
}

type Nullable<Values> = { readonly [Key in keyof Values]: number | null };

/**
 * The metrics of the catalogue under their keys, in its order; what a placement has not is left out, `null` is without
 * end.
 */
export type FiguresJson = Readonly<
  Partial<Record<Exclude<keyof Metrics, 'queueing' | 'derived'>, number>> & {
    queueing?: Nullable<Omit<QueueingMetrics, 'busiest'>>;
  }
>;

interface MetricsJson extends FiguresJson {
  readonly hotLinks: readonly HotLinkJson[];
  /** Where the placement has metrics of queueing. */
  readonly busiestServers?: readonly BusyServer[];
  /** Every directed link, by LinkId; left out above `listedLinkLimit` links, and where nobody asks for it. */
  readonly linkLoads?: readonly LinkLoadJson[];
}

/** Above this many directed links their loads are not listed one by one: a text of them would be too long. */
const listedLinkLimit = 2 ** 19;

/** O(nodes + tasks + links). */
export const placementToJson = (
  report: PlacementReport,
  { loads }: { readonly loads: boolean } = { loads: true },
): PlacementJson => ({
  name: report.name,
  machine: report.machine.name,
  seed: report.seed,
  jobs: report.jobs.map(({ job, allocator, mapper, allocation, mapping, needs, search }) => ({
    name: job.name,
    tasks: job.taskCount,
    allocator,
    mapper,
    nodes: Array.from(allocation),
    hosts: Array.from(allocation, (node) => hostName(report.machine, node)),
    mapping: Array.from(mapping),
    ...(needs?.coresPerTask === undefined ? {} : { coresPerTask: needs.coresPerTask }),
    ...(search === undefined ? {} : { search: searchToJson(search) }),
  })),
  metrics: metricsToJson(report, loads),
  ...splitToJson(report.machine.routing.split),
  notes: loads ? reportNotes(report) : report.notes,
  milliseconds: report.milliseconds,
});

const splitToJson = (split: RoutingSplit | undefined): Pick<PlacementJson, 'split'> =>
  split === undefined ? {} : { split: { minimal: split.minimal, gap: split.gap, steps: split.steps } };

function reportNotes({ notes, linkLoads }: PlacementReport): readonly string[] {
  if (linkLoads.length <= listedLinkLimit) return notes;
  const [links, limit] = [linkLoads.length, listedLinkLimit].map((count) => formatNumber(count));
  return [...notes, `The loads of ${links} links are not listed; the maximum is ${limit}.`];
}

function metricsToJson(report: PlacementReport, loads: boolean): MetricsJson {
  const { machine } = report;
  const loadOf = (link: number, load: number): LinkLoadJson => {
    const ends = endsOfLink(machine, asLinkId(link));
    return { ...endsToJson(ends), ...namesOfEnds(machine, ends), load };
  };
  const { queueing } = report.metrics;
  return {
    ...figuresToJson(report.metrics),
    ...(queueing === undefined ? {} : { busiestServers: queueing.busiest }),
    hotLinks: report.hotLinks.map((hot) => ({ ...loadOf(hot.link, hot.load), ...causesToJson(report, hot) })),
    ...(!loads || report.linkLoads.length > listedLinkLimit
      ? {}
      : { linkLoads: Array.from(report.linkLoads, (load, link) => loadOf(link, load)) }),
  };
}

/** What is one number each. */
function figuresToJson(measured: Metrics): FiguresJson {
  const figures: Record<string, number | null | Record<string, number | null>> = {};
  for (const entry of placementMetrics) {
    const found = metricValue(entry, measured);
    if (found === undefined) continue;
    const written = Number.isFinite(found) ? found : null;
    if (!('group' in entry)) figures[entry.key] = written;
    else
      figures[entry.group] = {
        ...(figures[entry.group] as Nullable<Record<string, number>> | undefined),
        [entry.key]: written,
      };
  }
  return figures;
}

/** The ends of a link, or the node of a host link. */
function endsToJson({ from, to }: { readonly from: LinkEnd; readonly to: LinkEnd }): Omit<LinkLoadJson, 'load'> {
  if (typeof from !== 'number') return { ...from, ...(typeof to === 'number' ? { to } : {}) };
  return typeof to === 'number' ? { from, to } : { from, ...to };
}

function causesToJson(report: PlacementReport, hot: HotLink): Omit<HotLinkJson, keyof LinkLoadJson> {
  const { load, timesMean, busyShare, flowCount } = hot;
  return {
    timesMean,
    ...(busyShare === undefined ? {} : { busyShare }),
    ...(flowCount === undefined
      ? {}
      : {
          flows: hot.flows.map((flow) => ({ ...flow, job: jobName(report, flow.job), share: flow.bytes / load })),
          flowCount,
          reliefs: hot.improvements.map((improvement) => improvementToJson(report, improvement)),
        }),
  };
}

function improvementToJson(report: PlacementReport, improvement: SuggestedImprovement): ImprovementJson {
  const { job, task, slot, with: other, load, maximumLinkLoad, hopBytesChange } = improvement;
  const moved: TaskJson = { job: jobName(report, job), task };
  const change: Pick<ImprovementJson, 'swap' | 'move'> =
    other === undefined
      ? { move: { ...moved, slot } }
      : { swap: [moved, { job: jobName(report, other.job), task: other.task }] };
  return { ...change, load, maximumLinkLoad, hopBytesChange };
}

/** A search in `run --json` and `compare --json`: the record with what follows from it. */
export interface SearchJson extends SearchRecord {
  /** How far `value` is above the bound at most, as a share of the bound; only where that is above 0. */
  readonly gap?: number;
  /** Depends on the machine, as `milliseconds` do. */
  readonly evaluationsPerSecond?: number;
}

/** In the order of docs/reference/json.md. */
export function searchToJson(search: SearchRecord): SearchJson {
  const {
    criterion,
    value,
    bound,
    evaluations,
    convergence,
    trace,
    tried,
    untried,
    budget,
    chosen,
    end,
    milliseconds,
  } = search;
  const gap = gapOf(search);
  const speed = evaluationsPerSecond(search);
  return {
    criterion,
    value,
    ...(bound === undefined ? {} : { bound }),
    ...(gap === undefined ? {} : { gap }),
    evaluations,
    ...(speed === undefined ? {} : { evaluationsPerSecond: speed }),
    convergence,
    ...(trace === undefined ? {} : { trace }),
    ...(tried === undefined ? {} : { tried }),
    ...(untried === undefined ? {} : { untried }),
    ...(budget === undefined ? {} : { budget }),
    ...(chosen === undefined ? {} : { chosen }),
    end,
    milliseconds,
  };
}

/** What `compare --json` writes. */
export interface ComparisonJson {
  readonly placement: string;
  readonly machine: string;
  /** Of nodes and traffic, and of the mappers where they have none of their own. */
  readonly seed: number;
  /** Of the mappers, as asked for. */
  readonly seeds?: readonly number[];
  /** Absent where no search found one. */
  readonly bound?: LowerBound;
  /** The best first; behind those that placed the jobs those that refused, then those that were stopped. */
  readonly mappers: readonly ComparedMapperJson[];
  /** Mappers that an interrupt kept from being tried; absent where there was none. */
  readonly left?: number;
}

export type ComparedMapperJson = { readonly mapper: string } & (
  | {
      /** To the best one's hop-bytes. */
      readonly ratio?: number;
      /** The row of the placement as its text has it. */
      readonly asWritten?: true;
      /** With `seeds`: those that it was run with, and each figure over them. */
      readonly seeds?: readonly number[];
      readonly figures?: Readonly<Record<string, FigureOverRuns>>;
      /** It drew no random number, and so was run with the first seed alone. */
      readonly deterministic?: true;
      /** With `seeds`: of the run that came to the least, which all that follows is of. */
      readonly seed?: number;
      readonly metrics: FiguresJson;
      /** Left out where nothing crosses a link. */
      readonly heaviestLink?: LinkLoadJson;
      readonly jobs: readonly {
        readonly name: string;
        /** Slot of each task, as in `run --json`. */
        readonly mapping: readonly number[];
        readonly search?: SearchJson;
      }[];
      readonly notes: readonly string[];
      /** An earlier mapper with the same mapping. */
      readonly sameAs?: string;
      /** Later jobs got other nodes than with the first mapper that was tried. */
      readonly otherNodes?: true;
      readonly milliseconds: PlacementOutline['milliseconds'];
    }
  | { readonly refused: Failure }
  | { readonly stopped: { readonly milliseconds: number } }
);

export function comparisonToJson(
  comparison: Comparison,
  { machine, seed }: { readonly machine: string; readonly seed: number },
): ComparisonJson {
  const { placement, seeds, placed, refused, stopped, bound, left } = comparison;
  return {
    placement,
    machine,
    seed,
    ...(seeds === undefined ? {} : { seeds }),
    ...(bound === undefined ? {} : { bound }),
    mappers: [
      ...placed.map((result) => placedToJson(result, seeds !== undefined)),
      ...refused.map(({ mapper, failure }) => ({ mapper, refused: failure })),
      ...stopped.map(({ mapper, milliseconds }) => ({ mapper, stopped: { milliseconds } })),
    ],
    ...(left === 0 ? {} : { left }),
  };
}

function placedToJson(result: MapperResult, hasSeeds: boolean): ComparedMapperJson {
  const { mapper, asWritten, ratio, sameAs, otherNodes } = result;
  const { outline, mappings, heaviestLink } = result.shown;
  return {
    mapper,
    ...(asWritten ? { asWritten } : {}),
    ...(ratio === undefined ? {} : { ratio }),
    ...(hasSeeds ? overSeeds(result) : {}),
    metrics: figuresToJson(outline.metrics),
    ...(heaviestLink === undefined ? {} : { heaviestLink: heaviestToJson(heaviestLink) }),
    jobs: outline.jobs.map(({ name, search }, job) => ({
      name,
      mapping: itemAt(mappings, job),
      ...(search === undefined ? {} : { search: searchToJson(search) }),
    })),
    notes: outline.notes,
    ...(sameAs === undefined ? {} : { sameAs }),
    ...(otherNodes ? { otherNodes } : {}),
    milliseconds: outline.milliseconds,
  };
}

const heaviestToJson = ({ from, to, load, isNamed, fromName, toName }: HeaviestLink): LinkLoadJson => ({
  ...endsToJson({ from, to }),
  ...(isNamed ? { fromName, toName } : {}),
  load,
});

const overSeeds = (result: MapperResult) => ({
  seeds: result.runs.map(({ seed }) => seed),
  figures: Object.fromEntries(
    comparedFigures.flatMap((figure) => {
      const found = overRuns(result, figure);
      return found === undefined ? [] : [[figure, found]];
    }),
  ),
  ...(result.drewRandom ? {} : { deterministic: true as const }),
  seed: result.shown.seed,
});
