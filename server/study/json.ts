import { asLinkId } from '../model/identifiers.ts';
import type { LinkEnd, PlacementReport } from '../model/report.ts';
import { linkEnds } from '../network/linkEnds.ts';

/** One load of `linkLoads` and `hotLinks`. */
export interface LinkLoadJson {
  readonly from: LinkEnd;
  readonly to: LinkEnd;
  readonly load: number;
}

/** A placement in `run --json`; keys, units and order are the contract of docs/language.md. */
export interface PlacementJson {
  readonly name: string;
  readonly machine: string;
  readonly seed: number;
  readonly jobs: readonly {
    readonly name: string;
    readonly tasks: number;
    readonly nodes: readonly number[];
    readonly mapping: readonly number[];
  }[];
  readonly metrics: MetricsJson;
  readonly milliseconds: PlacementReport['milliseconds'];
}

export interface MetricsJson {
  readonly averageHops: number;
  readonly hopVariance: number;
  readonly maximumHops: number;
  readonly hopBytes: number;
  readonly weightedHops: number;
  /** Left out where the routing has several routes and no distance model is known. */
  readonly mappingCoefficient?: number;
  readonly maximumLinkLoad: number;
  readonly meanLinkLoad: number;
  readonly interNodeBytes: number;
  /** Only where the machine gives a bandwidth. */
  readonly congestionTime?: number;
  readonly hotLinks: readonly LinkLoadJson[];
  /** Every directed link, by LinkId. */
  readonly linkLoads: readonly LinkLoadJson[];
}

/** O(nodes + tasks + links). */
export const placementToJson = (report: PlacementReport): PlacementJson => ({
  name: report.name,
  machine: report.machine.name,
  seed: report.seed,
  jobs: report.jobs.map(({ job, allocation, mapping }) => ({
    name: job.name,
    tasks: job.taskCount,
    nodes: Array.from(allocation),
    mapping: Array.from(mapping),
  })),
  metrics: metricsToJson(report),
  milliseconds: report.milliseconds,
});

function metricsToJson(report: PlacementReport): MetricsJson {
  const { mappingCoefficient, congestionTime, ...metrics } = report.metrics;
  const loadOf = (link: number, load: number): LinkLoadJson => ({ ...linkEnds(report.machine, asLinkId(link)), load });
  return {
    averageHops: metrics.averageHops,
    hopVariance: metrics.hopVariance,
    maximumHops: metrics.maximumHops,
    hopBytes: metrics.hopBytes,
    weightedHops: metrics.weightedHops,
    ...(mappingCoefficient === undefined ? {} : { mappingCoefficient }),
    maximumLinkLoad: metrics.maximumLinkLoad,
    meanLinkLoad: metrics.meanLinkLoad,
    interNodeBytes: metrics.interNodeBytes,
    ...(congestionTime === undefined ? {} : { congestionTime }),
    hotLinks: report.hotLinks.map(({ link, load }) => loadOf(link, load)),
    linkLoads: Array.from(report.linkLoads, (load, link) => loadOf(link, load)),
  };
}
