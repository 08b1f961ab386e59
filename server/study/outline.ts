import type { Flow, HotLink, PlacementReport } from '../model/report.ts';
import { linkEnds } from '../network/linkEnds.ts';
import { outlinedHotLinks } from './report.ts';
import type { HotLinkOutline, PlacementOutline, StudyReport, StudySummary } from './report.ts';

/** A report as plain data without its big arrays: what hovers, lenses and diagnostics need. */
export const outlineOf = (report: StudyReport): StudySummary => ({
  placements: report.placements.map(outlinePlacement),
  machines: report.machines,
  jobs: report.jobs,
  problems: report.problems,
});

const outlinePlacement = (report: PlacementReport): PlacementOutline => ({
  name: report.name,
  machine: report.machine.name,
  seed: report.seed,
  jobs: report.jobs.map(({ job, allocation }) => ({
    name: job.name,
    tasks: job.taskCount,
    nodes: allocation.length,
  })),
  metrics: report.metrics,
  hotLinks: report.hotLinks.slice(0, outlinedHotLinks).map((hot) => outlineHotLink(report, hot)),
  hotLinkCount: report.hotLinks.length,
  notes: report.notes,
  milliseconds: report.milliseconds,
});

const outlineHotLink = (report: PlacementReport, { link, load, timesMean, flows }: HotLink): HotLinkOutline => ({
  ...linkEnds(report.machine, link),
  load,
  timesMean,
  flows: flows.map((flow) => outlineFlow(report, flow)),
});

const outlineFlow = (report: PlacementReport, { job, from, to, bytes }: Flow): HotLinkOutline['flows'][number] => ({
  job: report.jobs[job]!.job.name,
  from,
  to,
  bytes,
});
