/** `placewright describe`, and `placewright draw` of a machine: machines by themselves, before anything is placed on them. */
import { drawnLinkClasses, figureRows } from '../../drawing/machine.ts';
import { documentOf, rangeOf } from '../../language/service/input.ts';
import { declaredNames } from '../../language/sources.ts';
import { spanOfSubject } from '../../language/subject.ts';
import { neverCancelled } from '../../model/cancellation.ts';
import { routingWords, topologyWords } from '../../model/machine.ts';
import { formatNumber, lanesText, rootsText } from '../../model/quantities.ts';
import type { Failure } from '../../model/result.ts';
import { MachineReader, sceneOfMachine, type KnownMachine } from '../machines.ts';
import { diagnosticsOf, exitCodeFor, printDiagnostics } from './diagnostics.ts';
import { writeOutput } from './output.ts';
import { fileOfPage } from './pictureFiles.ts';
import { pageAsAsked, sceneAsAsked } from './pictureOptions.ts';
import type { PictureOptions } from './figureOptions.ts';
import { displayName, loadProgram, requireDeclared, sourcesOf, type LoadedProgram, fileName } from './program.ts';
import { align, type ExitCode, exitCodes, printFailure, type Environment, type Terminal } from './terminal.ts';

export interface DescribeOptions {
  readonly json?: true;
}

/** Prints the figures of one machine of a file, or of all that it declares or imports. */
export async function describeMachines(
  file: string,
  name: string | undefined,
  { json }: DescribeOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const loaded = await loadProgram(file, terminal);
  if ('failure' in loaded) return loaded.exitCode;
  if (name !== undefined) requireDeclared(loaded, 'machine', name);
  const found = diagnosticsOf(loaded, undefined);
  printDiagnostics(found, terminal);
  const names = name === undefined ? declaredNames(loaded.sources, 'machine') : [name];
  let isSound = true;
  const described: string[] = [];
  for (const one of names) {
    const known = await readKnownMachine(loaded, one, terminal);
    if (known === undefined || known.fault !== undefined) isSound = false;
    if (known !== undefined)
      described.push(json === true ? JSON.stringify(machineJson(known)) : machineFiguresText(known));
  }
  if (json === true) terminal.data(`{"machines":[${described.map((one) => `\n${one}`).join(',')}]}\n`);
  else if (names.length === 0)
    terminal.err(`placewright: ${fileName(file)} declares no machine, so there is nothing to describe.\n`);
  else terminal.out(described.join('\n'));
  return isSound ? exitCodeFor(found) : exitCodes.fileHasErrors;
}

/** Draws a machine that the file declares or imports. */
export async function drawMachine(
  loaded: LoadedProgram,
  request: PictureOptions & { readonly machine: string; readonly output: string; readonly force?: boolean },
  { terminal, cancellation }: Environment,
): Promise<ExitCode> {
  const { machine: name, output, force = false } = request;
  const found = diagnosticsOf(loaded, undefined);
  printDiagnostics(found, terminal);
  const known = await readKnownMachine(loaded, name, terminal);
  if (known === undefined) return exitCodes.fileHasErrors;
  const picture = sceneOfMachine(known);
  if (!picture.ok) {
    printFailure(picture.failure, terminal);
    return exitCodes.fileHasErrors;
  }
  const page = pageAsAsked(sceneAsAsked(picture.value, request), request, undefined);
  const content = await fileOfPage(output, page);
  await writeOutput({ ...content, target: output, force, sources: sourcesOf(loaded), cancellation }, terminal);
  return known.fault === undefined ? exitCodeFor(found) : exitCodes.fileHasErrors;
}

/** Undefined where it cannot be built; that, and why no job can run on one in several parts, has been told. */
async function readKnownMachine(
  loaded: LoadedProgram,
  name: string,
  terminal: Terminal,
): Promise<KnownMachine | undefined> {
  // A machine with errors is left out of the program, and the errors were printed.
  const description = loaded.checked.program.machines.get(name);
  if (description === undefined) return undefined;
  const known = await new MachineReader(loaded.memory).read(loaded.uri, description, loaded.policy, neverCancelled);
  const failure = known.ok ? known.value.fault : known.failure;
  if (failure !== undefined) printMachineFailure(loaded, name, failure, terminal);
  return known.ok ? known.value : undefined;
}

/** At the topology of the machine. */
export function printMachineFailure(loaded: LoadedProgram, name: string, failure: Failure, terminal: Terminal): void {
  const place = spanOfSubject(loaded.checked, { kind: 'machine', name, property: 'topology' });
  const uri = place?.uri ?? loaded.uri;
  const document = documentOf(loaded.sources, uri);
  const start = document && place ? rangeOf(document, place.span).start : { line: 0, character: 0 };
  const where = `${displayName(uri)}:${start.line + 1}:${start.character + 1}`;
  terminal.err(`${where}: error: ${failure.message} [${failure.code}]\n`);
}

function machineFiguresText({ machine, figures }: KnownMachine): string {
  const { bisection, bisectionBandwidth } = figures;
  /** Where a figure comes from, below it. */
  const bases = new Map([
    ['Bisection', bisection?.words],
    ['Bisection bandwidth', bisectionBandwidth?.words === bisection?.words ? undefined : bisectionBandwidth?.words],
  ]);
  const rows = [
    ['Topology', topologyWords(machine.topology)],
    [
      'Routing',
      figures.roots === undefined
        ? routingWords(figures.routing)
        : `${figures.routing} from ${rootsText(figures.roots)}`,
    ],
    ...(figures.lanes === undefined ? [] : [['Virtual lanes', lanesText(figures.lanes)]]),
    ...figureRows(machine, figures).flatMap((row) => {
      const basis = bases.get(row[0]);
      return basis === undefined ? [row] : [row, ['', basis]];
    }),
    ...figures.degreeCounts.map(({ degree, routers }) => [`Degree ${degree}`, formatNumber(routers)]),
    ...drawnLinkClasses(machine).classes.map(({ name, cables, words }) => [
      `Links ${name}`,
      `${formatNumber(cables)}${words === '' ? '' : `, ${words}`}`,
    ]),
  ];
  return [machine.name, ...align(rows, ['left', 'left']).map((line) => `  ${line}`), ''].join('\n');
}

/** Names of hosts and switches are there where a file or the declaration has some. */
function machineJson({ machine, figures }: KnownMachine): object {
  const { sparePorts } = figures;
  const { names } = machine.topology;
  return {
    ...figures,
    // They are as long as the network is large, and `links` and `degreeCounts` tell what is in them.
    degrees: undefined,
    partOfRouter: undefined,
    ...(sparePorts !== undefined && { sparePorts: sparePorts.map((count) => (count < 0 ? null : count)) }),
    links: drawnLinkClasses(machine).classes.map(({ name, cables }) => ({ name, cables })),
    figures: machine.figures,
    ...(names && { names: { ...(names.routers.length > 0 && { switches: names.routers }), hosts: names.nodes } }),
  };
}
