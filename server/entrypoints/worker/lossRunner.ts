/** The thread in which the cables of a machine are lost one by one, and the table of it in the words that everything else has. */
import { asRouterId } from '../../model/identifiers.ts';
import type { Machine } from '../../model/machine.ts';
import type { PlacementReport } from '../../model/report.ts';
import { neverCancelled } from '../../model/cancellation.ts';
import { countOf, formatBytes, formatNumber, formatSeconds } from '../../model/quantities.ts';
import { arrowText, changeText } from '../../model/words.ts';
import { reverseLinks } from '../../network/links.ts';
import { endName, routerName } from '../../network/names.ts';
import { mostLosses, type CableLossRow, type CableLossTable } from '../../protocol/cableLosses.ts';
import type { ComparisonCell, ComparisonColumn } from '../../protocol/mapperComparison.ts';
import { cableLossesOf, type CableLoss, type CableLosses } from '../../study/cableLosses.ts';
import { cableLossesCsv } from '../../output/comparisonCsv.ts';
import type { CableLossesOutcome, Order } from '../workerMessages.ts';
import { platform } from '../platform.ts';
import { ReportReceiver } from './reportChannel.ts';

/** The least step of the share that is told. */
const tellEvery = 0.01;

/** Takes out each cable. Whoever wants no more of it ends the thread. */
export function losesInThread(
  { uri, placement, description, port }: Order<'cable-losses'>,
  tell: (share: number) => void,
): CableLossesOutcome {
  const receiver = new ReportReceiver();
  receiver.connect(port);
  const report = receiver.find(uri, placement);
  port.close();
  if (report === undefined) return { kind: 'nothing', reason: `Placement "${placement}" is not evaluated.` };
  let told = 0;
  const progress = (share: number): void => {
    if (share < told + tellEvery) return;
    told = share;
    tell(share);
  };
  const found = cableLossesOf(report, description, neverCancelled, progress, platform().lossPool?.());
  return found.ok
    ? { kind: 'losses', ...lossTable(report, found.value) }
    : { kind: 'nothing', reason: found.failure.message };
}

type Told = Omit<CableLossTable, 'revision' | 'suggestedName'>;

function lossTable(report: PlacementReport, found: CableLosses): Told {
  const { machine } = report;
  const { asPlaced, before, routing, losses, idle } = found;
  const isTimed = before.congestionTime !== undefined;
  const columns: readonly ComparisonColumn[] = [
    isTimed
      ? { key: 'cost', title: 'Congestion time', hint: 'Congestion time after the failure' }
      : { key: 'cost', title: 'Max. link load', hint: 'Maximum link load after the failure' },
    { key: 'addedHopBytes', title: 'Added hop-bytes', hint: 'Hop-bytes added by rerouting' },
  ];
  const bridges = losses.filter(({ isBridge }) => isBridge).length;
  const back = reverseLinks(machine.topology.links);
  const notes = [
    ...(routing === asPlaced.routing
      ? []
      : [`After a link failure packets use ${routing} routing, not ${asPlaced.routing}.`]),
    `${countOf(losses.length + idle, 'link')} analysed.`,
    ...(idle > 0 ? [`${formatNumber(idle)} without traffic.`] : []),
    ...(bridges > 0 ? [`${formatNumber(bridges)} disconnect tasks.`] : []),
    ...(losses.length > mostLosses ? [`The worst ${formatNumber(mostLosses)} are shown; the CSV file has all.`] : []),
  ];
  return {
    subject: `on ${machine.name}, ${asPlaced.routing} routing`,
    columns,
    baselines: [
      { title: `As placed, ${asPlaced.routing} routing`, cells: [costCell(asPlaced), null] },
      ...(routing === asPlaced.routing
        ? []
        : [
            {
              title: `No failure, ${routing} routing`,
              cells: [changedCell(before, before.maximumLoad / asPlaced.maximumLoad - 1), null],
            },
          ]),
    ],
    rows: losses.slice(0, mostLosses).map((loss) => cableLossRow(report, loss, back[loss.link] ?? loss.link)),
    notes,
    csv: cableLossesCsv(machine, losses),
  };
}

/** `back` is the link of the other way. */
function cableLossRow({ machine, linkLoads }: PlacementReport, loss: CableLoss, back: number): CableLossRow {
  const { isBridge, addedHopBytes } = loss;
  const number = loss.cable === undefined ? '' : ` cable ${loss.cable}`;
  const cable = `${writtenName(machine, loss.from)} -- ${writtenName(machine, loss.to)}${number}`;
  const links = [loss.link, back];
  const link = links.reduce((one, other) => ((linkLoads[other] ?? 0) > (linkLoads[one] ?? 0) ? other : one));
  const added = { value: addedHopBytes, text: `${addedHopBytes > 0 ? '+' : ''}${formatBytes(addedHopBytes)}` };
  return { cable, link, isBridge, cells: isBridge ? [parted, null] : [cellOfCost(machine, loss), added] };
}

/** Worse than all that can be measured. */
const parted: ComparisonCell = { value: Number.MAX_VALUE, text: 'disconnects tasks' };

type Cost = Pick<CableLoss, 'maximumLoad' | 'congestionTime'>;

const costCell = ({ maximumLoad, congestionTime }: Cost): ComparisonCell => ({
  value: congestionTime ?? maximumLoad,
  text: congestionTime === undefined ? formatBytes(maximumLoad) : formatSeconds(congestionTime),
});

function changedCell(cost: Cost, increase: number): ComparisonCell {
  return { ...costCell(cost), change: changeText(increase), isBetter: increase < 0 };
}

function cellOfCost(machine: Machine, loss: CableLoss): ComparisonCell {
  const { heaviest } = loss;
  const over =
    heaviest === undefined ? 'a node' : arrowText(endName(machine, heaviest.from), endName(machine, heaviest.to));
  return { ...changedCell(loss, loss.increase), detail: over };
}

/** As a text names it: numbers are not quoted, names of a file are. */
const writtenName = (machine: Machine, router: number): string =>
  machine.topology.names?.routers[router] === undefined
    ? String(router)
    : `"${routerName(machine, asRouterId(router))}"`;
