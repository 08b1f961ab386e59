import { jobName, type Flow, type HotLink, type PlacementReport } from '../model/report.ts';
import { endsOfLink } from '../network/links.ts';
import { endName } from '../network/names.ts';
import { outlineImprovement } from './explain/words.ts';
import {
  outlinedHotLinks,
  type HotLinkOutline,
  type PlacementOutline,
  type StudyReport,
  type StudySummary,
} from './report.ts';

/** A report as plain data without its big arrays: what hovers, lenses and diagnostics need. */
export const outlineOf = (report: StudyReport): StudySummary => ({
  placements: report.placements.map(outlinePlacement),
  machines: report.machines,
  jobs: report.jobs,
  problems: report.problems,
});

export const outlinePlacement = (report: PlacementReport): PlacementOutline => ({
  name: report.name,
  machine: report.machine.name,
  routing: report.machine.routing.kind,
  seed: report.seed,
  jobs: report.jobs.map(({ job, allocation, search }) => ({
    name: job.name,
    tasks: job.taskCount,
    nodes: allocation.length,
    ...(search === undefined ? {} : { search }),
  })),
  metrics: report.metrics,
  hotLinks: report.hotLinks.slice(0, outlinedHotLinks).map((hot) => outlineHotLink(report, hot)),
  hotLinkCount: report.hotLinks.length,
  notes: report.notes,
  milliseconds: report.milliseconds,
});

function outlineHotLink(report: PlacementReport, hot: HotLink): HotLinkOutline {
  const { machine } = report;
  const { link, load, timesMean, busyShare, flows, flowCount = 0, jobBytes = [], improvements } = hot;
  const { from, to } = endsOfLink(machine, link);
  return {
    from,
    to,
    fromName: endName(machine, from),
    toName: endName(machine, to),
    load,
    timesMean,
    ...(busyShare === undefined ? {} : { busyShare }),
    flows: flows.map((flow) => outlineFlow(report, flow, load)),
    flowCount,
    jobs: jobBytes.flatMap((bytes, index) =>
      bytes > 0 ? [{ job: jobName(report, index), bytes, share: bytes / load }] : [],
    ),
    improvements: improvements.map((improvement) => outlineImprovement(report, load, improvement)),
  };
}

const outlineFlow = (
  report: PlacementReport,
  { job, from, to, bytes }: Flow,
  load: number,
): HotLinkOutline['flows'][number] => ({ job: jobName(report, job), from, to, bytes, share: bytes / load });
