/** The reading thread: pictures, exports and explanations of finished reports. */
import { pictureOf } from '../../drawing/drawScene.ts';
import { renderSvg } from '../../drawing/renderSvg.ts';
import { exportFormats } from '../../interchange/catalogue.ts';
import { namesOfPattern } from '../../interchange/exports/hosts.ts';
import { importedPart, machineText, previewRows, type FileReference } from '../../interchange/machineText.ts';
import { rowsOfTable, tableText } from '../../interchange/tableText.ts';
import { fileNameOf } from '../../language/uris.ts';
import { neverCancelled, type Cancellation } from '../../model/cancellation.ts';
import { findEntry } from '../../model/catalogue.ts';
import { reportOfJob, type PlacementReport } from '../../model/report.ts';
import { succeed, type Result } from '../../model/result.ts';
import { encodeScene } from '../../protocol/encoding.ts';
import type { AnswerTo, ParametersOf } from '../../protocol/calls.ts';
import { explainLink, explainNode, explainTasks, type RoutedFlow } from '../../study/explain/explain.ts';
import { flowsOfPairs, pairTest } from '../../study/explain/chosenPairs.ts';
import { improvementWords, outlineImprovement } from '../../study/explain/words.ts';
import { cancellationOf } from '../cancelCell.ts';
import { importedText, readFabricFile, readTableFile, suggestedPlaceFile } from '../importFile.ts';
import { sceneOfMachine, type MachineReader } from '../machines.ts';
import { uriOfFiles } from '../tableFiles.ts';
import type { Order, OrderAnswers, SceneOutcome } from '../workerMessages.ts';
import { trafficOfReport } from '../traffic.ts';
import { ReportSender, type ReportReceiver } from './reportChannel.ts';

/** In the editor: the preview of an export has an entry of this name. */
const wayToName = ' with "Name Hosts…"';

/** Answers about finished reports. No study runs in their thread, so that no answer waits for one. */
export const reportAnswers = (receiver: ReportReceiver) =>
  ({
    scene(order) {
      const report = receiver.find(order.uri, order.placement);
      if (report === undefined) return { kind: 'nothing', reason: notEvaluated(order.placement) };
      const first = order.first === undefined ? undefined : receiver.find(order.uri, order.first);
      const picture = pictureOf(report, first);
      if (!picture.ok) return { kind: 'nothing', reason: picture.failure.message };
      return { kind: 'scene', scene: encodeScene(picture.value) };
    },

    picture(order) {
      const report = receiver.find(order.uri, order.placement);
      if (report === undefined) return { ok: false, message: notEvaluated(order.placement) };
      const picture = pictureOf(report);
      return picture.ok ? { ok: true, svg: renderSvg(picture.value) } : { ok: false, message: picture.failure.message };
    },

    /** Sends a report to whoever has the other end of the port; false where there is none. */
    'open-report-channel': ({ uri, placement, description, port }) => {
      const report = receiver.find(uri, placement);
      if (report === undefined) return false;
      const sender = new ReportSender();
      sender.connect(port);
      sender.send(uri, report, description);
      return true;
    },

    export(order) {
      const whole = receiver.find(order.uri, order.placement);
      if (whole === undefined) return { ok: false, message: notEvaluated(order.placement) };
      const chosen = order.job === undefined ? succeed(whole) : reportOfJob(whole, order.job);
      if (!chosen.ok) return { ok: false, message: chosen.failure.message };
      const report = chosen.value;
      const format = findEntry(exportFormats, order.format);
      if (format === undefined) {
        const known = exportFormats.map(({ name }) => name).join(', ');
        return { ok: false, message: `Unknown export format "${order.format}". Expected one of ${known}.` };
      }
      const hosts = order.names === undefined ? undefined : namesOfPattern(order.names, report.machine);
      if (hosts?.ok === false) return { ok: false, message: hosts.failure.message };
      const written = format.write(report, {
        ...(hosts && { hosts: hosts.value }),
        wayToName,
        file: fileNameOf(order.uri),
      });
      if (!written.ok) return { ok: false, message: written.failure.message };
      const { text, warnings, commands = [] } = written.value;
      return {
        ok: true,
        text,
        warnings,
        commands,
        jobs: whole.jobs.map(({ job }) => job.name),
        suggestedName: format.fileName ?? `${[order.placement, order.job ?? []].flat().join('.')}${format.extension}`,
      };
    },

    explain(order) {
      const report = receiver.find(order.uri, order.placement);
      if (report === undefined) return { kind: 'nothing', reason: notEvaluated(order.placement) };
      return explainTarget(report, order.target, cancellationOf(order.cancelFlag));
    },

    traffic({ uri, placement, question, cancelFlag }) {
      const report = receiver.find(uri, placement);
      if (report === undefined) return { kind: 'nothing', reason: notEvaluated(placement) };
      return trafficOfReport(report, question, cancellationOf(cancelFlag));
    },

    improved({ uri, placement, link, index }) {
      const report = receiver.find(uri, placement);
      const explained = report && explainLink(report, link, neverCancelled);
      const improvement = explained?.ok === true ? explained.value.improvements[index] : undefined;
      if (report === undefined || explained?.ok !== true || improvement === undefined) return null;
      const { action, moves } = outlineImprovement(report, explained.value.load, improvement);
      const jobs = report.jobs.map(({ job, allocation, mapping }, position) => {
        const slots = Array.from(mapping);
        for (const { job: moved, task, slot } of moves) if (moved === position) slots[task] = slot;
        return { name: job.name, nodes: Array.from(allocation), mapping: slots };
      });
      return { action, moves, jobs };
    },
  }) satisfies Partial<OrderAnswers>;

const notEvaluated = (placement: string): string => `Placement "${placement}" is not evaluated.`;

/** What a panel is told of a link, or of the way between two tasks. */
function explainTarget(
  report: PlacementReport,
  target: ParametersOf<'explain'>['target'],
  cancellation: Cancellation,
): AnswerTo<'explain'> {
  if (target.kind === 'hops' || target.kind === 'traffic') {
    const found = flowsOfPairs(report, pairTest(report, target), cancellation);
    if (!found.ok) return { kind: 'nothing', reason: found.failure.message };
    const { loads, ...flows } = found.value;
    const most = loads.reduce((heaviest, load) => Math.max(heaviest, load), 0);
    const links = Array.from(loads, (load, link) => ({ link, share: load / most })).filter(({ share }) => share > 0);
    return { kind: 'kept', ...flows, links };
  }
  if (target.kind === 'tasks') {
    const tasks = explainTasks(report, target.from, target.to);
    return tasks.ok ? { kind: 'routes', ...tasks.value } : { kind: 'nothing', reason: tasks.failure.message };
  }
  if (target.kind === 'node') {
    const node = explainNode(report, target.node);
    return node.ok ? { kind: 'partners', ...node.value } : { kind: 'nothing', reason: node.failure.message };
  }
  const explained = explainLink(report, target.link, cancellation);
  if (!explained.ok) return { kind: 'nothing', reason: explained.failure.message };
  const { link, load, timesMean, flows, flowCount, improvements } = explained.value;
  return {
    kind: 'flows',
    link,
    load,
    timesMean,
    flows: flows.map((flow) => flowAnswer(report, flow)),
    flowCount,
    improvements: improvements.map((improvement) => improvementWords(report, load, improvement)),
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

/** The content of the file of a network, and the text of a `.place` file at the target or where one is suggested. */
async function describeFabric(order: Order<'describeFabric'>): Promise<AnswerTo<'describeFabric'>> {
  const { uri, policy, cancelFlag } = order;
  const fabric = await readFabricFile(uri, policy, undefined, cancellationOf(cancelFlag));
  if (!fabric.ok) return { ok: false, message: fabric.failure.message };
  const { format, routers, nodes, cables, warnings } = importedPart(fabric.value);
  return understoodWithText(order, 'fabric', fabric.value, machineText, {
    format,
    switches: routers.length,
    hosts: nodes.length,
    cables: cables.length,
    rows: previewRows(fabric.value),
    warnings,
  });
}

/** The same of the file of a table of traffic. */
async function describeTable(order: Order<'describeTable'>): Promise<AnswerTo<'describeTable'>> {
  const { policy, cancelFlag, others = [] } = order;
  const uri = await uriOfFiles([order.uri, ...others], policy);
  if (!uri.ok) return { ok: false, message: uri.failure.message };
  const { table } = await readTableFile(uri.value, policy, undefined, cancellationOf(cancelFlag));
  if (!table.ok) return { ok: false, message: table.failure.message };
  const { format, tasks, pairs, warnings } = table.value;
  return understoodWithText({ ...order, uri: uri.value }, 'traffic', table.value, tableText, {
    format,
    tasks,
    pairs,
    rows: rowsOfTable(table.value),
    warnings: warnings.map((message) => ({ message })),
  });
}

/** Answers about files of other tools. */
export const importAnswers = { describeFabric, describeTable } satisfies Partial<OrderAnswers>;

/** What was understood, with the text that would be written. */
function understoodWithText<Content, Counts>(
  { uri, target }: ParametersOf<'describeFabric'>,
  kind: string,
  content: Content,
  write: (content: Content, reference: FileReference) => Result<string>,
  understood: Counts,
) {
  const suggestedTarget = suggestedPlaceFile(uri, kind);
  const text = importedText(write, content, { uri, target: target ?? suggestedTarget });
  if (!text.ok) return { ok: false, message: text.failure.message } as const;
  return { ok: true, ...understood, source: uri, suggestedTarget, text: text.value } as const;
}

/** The picture of a machine by itself. */
export async function showMachine(
  machines: MachineReader,
  { uri, description, policy, cancelFlag }: Order<'machine'>,
): Promise<SceneOutcome> {
  const known = await machines.read(uri, description, policy, cancellationOf(cancelFlag));
  if (!known.ok) return { kind: 'nothing', reason: known.failure.message };
  const scene = sceneOfMachine(known.value);
  if (!scene.ok) return { kind: 'nothing', reason: scene.failure.message };
  const { fault } = known.value;
  return { kind: 'scene', scene: encodeScene(scene.value), ...(fault && { fault: fault.message }) };
}
