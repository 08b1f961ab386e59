import type { Cancellation } from '../../model/cancellation.ts';
import type { PlacementReport } from '../../model/report.ts';
import type { ExplainAnswer, ExplainTarget } from '../../protocol/messages.ts';
import { explainLink, type RoutedFlow } from '../../study/explain/explainLink.ts';
import { explainTasks } from '../../study/explain/explainTasks.ts';
import { reliefWords } from '../../study/explain/reliefWords.ts';

/** What a panel is told of a link, or of the way between two tasks. */
export function explain(report: PlacementReport, target: ExplainTarget, cancellation: Cancellation): ExplainAnswer {
  if (target.kind === 'tasks') {
    const tasks = explainTasks(report, target.from, target.to);
    return tasks.ok ? { kind: 'routes', ...tasks.value } : { kind: 'nothing', reason: tasks.failure.message };
  }
  const explained = explainLink(report, target.link, cancellation);
  if (!explained.ok) return { kind: 'nothing', reason: explained.failure.message };
  const { link, load, timesMean, flows, flowCount, reliefs } = explained.value;
  return {
    kind: 'flows',
    link,
    load,
    timesMean,
    flows: flows.map((flow) => flowAnswer(report, flow)),
    flowCount,
    reliefs: reliefs.map((relief) => reliefWords(report, load, relief)),
  };
}

const flowAnswer = ({ jobs }: PlacementReport, { job, from, to, bytes, share, route }: RoutedFlow) => ({
  job: jobs[job]!.job.name,
  from: { job, task: from },
  to: { job, task: to },
  bytes,
  share,
  route,
});
