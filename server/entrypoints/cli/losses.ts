/** `placewright losses`: what a placement costs once one cable or another has failed, the worst first. */
import { asRouterId } from '../../model/identifiers.ts';
import type { Machine } from '../../model/machine.ts';
import type { PlacementReport } from '../../model/report.ts';
import { cancelledCode } from '../../model/result.ts';
import { countOf, formatBytes, formatNumber, formatSeconds } from '../../model/quantities.ts';
import { arrowText } from '../../model/words.ts';
import { routerName } from '../../network/names.ts';
import { cableLossesOf, type CableLoss, type CableLosses } from '../../study/cableLosses.ts';
import { cableLossesCsv } from '../../output/comparisonCsv.ts';
import { defaultStudySettings } from '../../study/report.ts';
import { lossPool } from '../node.ts';
import { studyAsAsked, warnOfTime } from './askedStudy.ts';
import { exitCodeFor } from './diagnostics.ts';
import {
  align,
  exitCodes,
  printFailure,
  progressLine,
  type ExitCode,
  type Environment,
  type Terminal,
} from './terminal.ts';

export interface LossesRequest {
  readonly file: string;
  readonly placement: string;
  /** How many cables are shown. */
  readonly top: number;
  readonly from?: string;
  readonly json?: true;
  readonly csv?: true;
}

/** Prints which single cable's loss hurts a placement most. After an interrupt nothing is printed: which cable is the worst is not known. */
export async function losses(request: LossesRequest, environment: Environment): Promise<ExitCode> {
  const { terminal, cancellation, isWatched } = environment;
  const { file, placement, from } = request;
  const options = { file, placement, hotLinkFactor: defaultStudySettings.hotLinkFactor, ...(from && { from }) };
  const asked = await studyAsAsked(options, environment);
  if ('failure' in asked) return asked.exitCode;
  const [report] = asked.reports;
  const description = report && asked.loaded.checked.program.machines.get(report.machine.name);
  if (report === undefined || description === undefined) {
    if (cancellation.isCancelled()) tellOfInterruptedLosses(terminal);
    else terminal.err(`placewright: placement '${placement}' could not be evaluated.\n`);
    return exitCodes.fileHasErrors;
  }
  warnOfTime(asked.outlines, terminal);
  const line = progressLine(terminal, isWatched);
  const progress = (share: number): void => {
    line.report(share, `${placement}: links`);
  };
  const found = cableLossesOf(report, description, cancellation, progress, lossPool());
  line.clear();
  if (!found.ok) {
    if (found.failure.code !== cancelledCode) printFailure(found.failure, terminal);
    else tellOfInterruptedLosses(terminal);
    return exitCodes.fileHasErrors;
  }
  if (request.json === true) terminal.data(lossesJson(report, found.value));
  else if (request.csv === true) terminal.data(cableLossesCsv(report.machine, found.value.losses));
  else terminal.out(lossesText(report, found.value, request.top));
  return exitCodeFor(asked.found);
}

const tellOfInterruptedLosses = ({ err }: Terminal): void => {
  err('placewright: interrupted. Nothing is printed.\n');
};

const routerNamer =
  (machine: Machine) =>
  (router: number): string =>
    routerName(machine, asRouterId(router));

const loadAndTime = ({ maximumLoad, congestionTime }: Pick<CableLoss, 'maximumLoad' | 'congestionTime'>): string =>
  congestionTime === undefined ? formatBytes(maximumLoad) : formatSeconds(congestionTime);

function lossesText(
  { name, machine }: PlacementReport,
  { asPlaced, before, routing, losses, idle }: CableLosses,
  most: number,
): string {
  const nameOf = routerNamer(machine);
  const what = before.congestionTime === undefined ? 'maximum link load' : 'congestion time';
  const bridges = losses.filter(({ isBridge }) => isBridge).length;
  const head = [
    `Placement ${name}: ${what} ${loadAndTime(asPlaced)} before any failure, with ${asPlaced.routing} routing.`,
    ...(routing === asPlaced.routing
      ? []
      : [`After a link failure packets use ${routing} routing. All rows are compared with the first.`]),
    `${countOf(losses.length + idle, 'link')} analysed; ${formatNumber(idle)} ${idle === 1 ? 'carries' : 'carry'} no traffic${bridges > 0 ? `, and ${formatNumber(bridges)} disconnect tasks.` : '.'}`,
  ];
  const unchanged = [
    [`none (${asPlaced.routing})`, loadAndTime(asPlaced), '', '', ''],
    ...(routing === asPlaced.routing
      ? []
      : [
          [
            `none (${routing})`,
            loadAndTime(before),
            wholePercent(before.maximumLoad / asPlaced.maximumLoad - 1),
            '',
            '',
          ],
        ]),
  ];
  const rows = losses.slice(0, most).map((loss) => {
    const cable = `${nameOf(loss.from)} -- ${nameOf(loss.to)}${loss.cable === undefined ? '' : ` cable ${loss.cable}`}`;
    if (loss.isBridge) return [cable, '', '', 'disconnects tasks', ''];
    const where =
      loss.heaviest === undefined ? 'a node' : arrowText(nameOf(loss.heaviest.from), nameOf(loss.heaviest.to));
    return [cable, loadAndTime(loss), wholePercent(loss.increase), where, `+${formatBytes(loss.addedHopBytes)}`];
  });
  if (rows.length === 0) return `${head.join('\n')}\n`;
  const headings = [
    'Without',
    what === 'maximum link load' ? 'Max. link load' : 'Congestion time',
    'Change',
    'Over',
    'Hop-bytes',
  ];
  const table = align([headings, ...unchanged, ...rows], ['left', 'right', 'right', 'left', 'right']);
  const more = losses.length > most ? [`and ${countOf(losses.length - most, 'link')} more`] : [];
  return `${[...head, '', ...table, ...more].join('\n')}\n`;
}

/** `+48 %`, `−3 %`, `+0 %`: in a column, where all have a sign. */
function wholePercent(increase: number): string {
  const percent = Math.round(100 * increase);
  return percent < 0 ? `−${-percent} %` : `+${percent} %`;
}

function lossesJson({ name, machine }: PlacementReport, found: CableLosses): string {
  const { asPlaced, before, routing, idle } = found;
  const head = JSON.stringify({ placement: name, machine: machine.name, asPlaced, routing, before, idle }).slice(0, -1);
  // Numbers of links mean nothing outside.
  const lines = found.losses.map(
    (loss) => `\n${JSON.stringify({ ...loss, link: undefined, ...cableEndNames(machine, loss) })}`,
  );
  return `${head},"losses":[${lines.join(',')}]}\n`;
}

/** What a file calls the ends. */
function cableEndNames(machine: Machine, { from, to }: CableLoss): { readonly names?: readonly [string, string] } {
  if ((machine.topology.names?.routers.length ?? 0) === 0) return {};
  const nameOf = routerNamer(machine);
  return { names: [nameOf(from), nameOf(to)] };
}
