/** `placewright distances`: the table of distances between the routers of a machine. */
import { neverCancelled } from '../../model/cancellation.ts';
import { findEntry } from '../../model/catalogue.ts';
import { csvRecord } from '../../model/csv.ts';
import type { Result } from '../../model/result.ts';
import { distanceModels } from '../../network/catalogue.ts';
import { distanceTable } from '../../network/distances/distanceTable.ts';
import { buildMachine } from '../../network/machine.ts';
import { clockAndThreads } from '../node.ts';
import { diagnosticsOf, exitCodeFor, printDiagnostics } from './diagnostics.ts';
import { printMachineFailure } from './machine.ts';
import { readProgramFiles, loadProgram, type LoadedProgram, requireDeclared } from './program.ts';
import { progressLine, type ExitCode, exitCodes, type Terminal } from './terminal.ts';

export interface DistancesOptions {
  readonly model: string;
  readonly json?: true;
  readonly csv?: true;
}

/** Rows that are turned into text at a time, so that a large table is never a string as a whole. */
const rowsAtATime = 256;

/** Prints the distances between the routers of one machine of a file. */
export async function distances(
  file: string,
  machineName: string,
  options: DistancesOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const loaded = await loadProgram(file, terminal);
  if ('failure' in loaded) return loaded.exitCode;
  requireDeclared(loaded, 'machine', machineName);
  const found = diagnosticsOf(loaded, undefined);
  printDiagnostics(found, terminal);
  // A machine with errors is left out of the program, and the errors were just printed.
  const table = await machineDistances(loaded, machineName, options.model, terminal);
  if (table === undefined) return exitCodes.fileHasErrors;
  if (!table.ok) {
    printMachineFailure(loaded, machineName, table.failure, terminal);
    return exitCodes.fileHasErrors;
  }
  const size = Math.round(Math.sqrt(table.value.length));
  if (options.json) printJson(machineName, options.model, size, table.value, terminal);
  else if (options.csv) printCsv(size, table.value, terminal);
  else printTable(size, table.value, terminal);
  return exitCodeFor(found);
}

async function machineDistances(
  loaded: LoadedProgram,
  machineName: string,
  model: string,
  terminal: Terminal,
): Promise<Result<Float64Array> | undefined> {
  const description = loaded.checked.program.machines.get(machineName);
  const entry = findEntry(distanceModels, model);
  if (description === undefined || entry === undefined) return undefined;
  const machine = buildMachine(description, await readProgramFiles(loaded));
  if (!machine.ok) return machine;
  const line = progressLine(terminal, process.stderr.isTTY);
  const table = distanceTable(machine.value, entry, {
    solve: clockAndThreads().solveDistances,
    cancellation: neverCancelled,
    progress: line.report,
  });
  line.clear();
  return table;
}

/** `null` where there is no route. */
const distanceCell = (distance: number): string => (Number.isFinite(distance) ? String(distance) : 'null');

function printJson(machine: string, model: string, size: number, table: Float64Array, terminal: Terminal): void {
  terminal.data(`{"machine":${JSON.stringify(machine)},"model":${JSON.stringify(model)},"size":${size},"table":[\n`);
  inBlocks(size, (from, to) => {
    const rows: string[] = [];
    for (let row = from; row < to; row++) {
      const cells = Array.from(table.subarray(row * size, (row + 1) * size), distanceCell);
      rows.push(`[${cells.join(',')}]${row + 1 < size ? ',' : ''}\n`);
    }
    terminal.data(rows.join(''));
  });
  terminal.data(']}\n');
}

/** Under the numbers of the routers and behind them, all digits; nothing where there is no route. */
function printCsv(size: number, table: Float64Array, terminal: Terminal): void {
  terminal.data(csvRecord(['router', ...numbersTo(size)], '\r\n'));
  inBlocks(size, (from, to) => {
    const rows: string[] = [];
    for (let row = from; row < to; row++) {
      const cells = Array.from(table.subarray(row * size, (row + 1) * size), (cell) =>
        Number.isFinite(cell) ? cell : undefined,
      );
      rows.push(csvRecord([row, ...cells], '\r\n'));
    }
    terminal.data(rows.join(''));
  });
}

/**
 * Under the numbers of the routers and behind them; columns as wide as the widest number, `-` where there is no route.
 */
function printTable(size: number, table: Float64Array, terminal: Terminal): void {
  const numberWidth = String(size - 1).length;
  let width = numberWidth;
  for (const distance of table) width = Math.max(width, shortText(distance).length);
  const line = (head: string, cells: readonly string[]): string =>
    [head.padStart(numberWidth), ...cells.map((cell) => cell.padStart(width))].join('  ');
  terminal.out(`${line('', numbersTo(size))}\n`);
  inBlocks(size, (from, to) => {
    const rows: string[] = [];
    for (let row = from; row < to; row++) {
      const cells = Array.from(table.subarray(row * size, (row + 1) * size), shortText);
      rows.push(line(String(row), cells));
    }
    terminal.out(`${rows.join('\n')}\n`);
  });
}

const numbersTo = (size: number): string[] => Array.from({ length: size }, (_, router) => String(router));

const shortText = (distance: number): string => (Number.isFinite(distance) ? String(Number(distance.toFixed(4))) : '-');

function inBlocks(size: number, print: (from: number, to: number) => void): void {
  for (let from = 0; from < size; from += rowsAtATime) print(from, Math.min(size, from + rowsAtATime));
}
