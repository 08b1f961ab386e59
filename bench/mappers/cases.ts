/** The cases that mappers are measured on: task graphs and machines of the shared folder, one task per node. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { MappingProblem } from '../../server/mapping/contract.ts';
import type { Machine } from '../../server/model/machine.ts';
import type { TableEntries } from '../../server/model/traffic.ts';
import type { MachineDescription } from '../../server/network/contract.ts';
import { buildMachine } from '../../server/network/machine.ts';
import { gridMachine } from '../../server/network/testing/machines.ts';
import { tableTraffic } from '../../server/traffic/build.ts';
import { root } from '../../tools/run.ts';

export const sharedFolder = (): string => process.env['PLACEWRIGHT_SHARED'] ?? resolve(root, '../shared');

/** Folder of the cases; throws where it is missing, because a bench of nothing shows nothing. */
export function benchFolder(): string {
  const folder = join(sharedFolder(), 'bench');
  if (!existsSync(folder))
    throw new Error(`${folder} is missing: set PLACEWRIGHT_SHARED to the folder of shared data.`);
  return folder;
}

interface Target {
  readonly machine: Machine;
  /** Nodes that the job was given, ascending. */
  readonly nodes: Int32Array;
}

/** `benchProblem('quot-512', 'alloc512')`; the job carries no coordinates unless they are asked for. */
export function benchProblem(graph: string, target: string, withCoordinates = false): MappingProblem {
  const { machine, nodes } = targetNamed(target);
  const entries = readEdges(graph);
  const traffic = tableTraffic(entries, entries.size, 1);
  if (!traffic.ok) throw new Error(traffic.failure.message);
  return {
    machine,
    job: {
      name: graph,
      taskCount: entries.size,
      periodic: false,
      traffic: traffic.value,
      ...(withCoordinates ? { coordinates: { dimensions: 3, values: readCoordinates(graph) } } : {}),
    },
    allocation: nodes,
    slots: nodes,
  };
}

function readText(name: string): string {
  const path = join(benchFolder(), name);
  return existsSync(path) ? readFileSync(path, 'utf8') : gunzipSync(readFileSync(`${path}.gz`)).toString('utf8');
}

const numbersOf = (text: string): number[] => text.trim().split(/\s+/).map(Number);

/** `# n m`, then `u v bytes`: both directions together, so all of it goes from u to v. */
function readEdges(graph: string): TableEntries {
  const [head = '', ...lines] = readText(`${graph}.edges`).trim().split('\n');
  const [size = 0] = numbersOf(head.replace('#', ''));
  const rows = lines.map(numbersOf);
  return {
    size,
    from: Int32Array.from(rows, ([from]) => from!),
    to: Int32Array.from(rows, ([, to]) => to!),
    amount: Float64Array.from(rows, ([, , bytes]) => bytes!),
  };
}

const readCoordinates = (graph: string): Float64Array => Float64Array.from(numbersOf(readText(`${graph}.xyz`)));

interface AllocationFile {
  readonly type: 'torus' | 'switch';
  readonly dims: number[];
  readonly nodes: number[];
  readonly switches: number;
  readonly hosts_per_switch: number;
  readonly links: [number, number][];
}

function targetNamed(target: string): Target {
  const side = /^torus(\d+)$/.exec(target)?.[1];
  if (side !== undefined) return everyNode(gridMachine('torus', [Number(side), Number(side), Number(side)]));
  const file = JSON.parse(readText(`${target}.json`)) as AllocationFile;
  if (file.type === 'torus') return { machine: gridMachine('torus', file.dims), nodes: Int32Array.from(file.nodes) };
  return everyNode(switchMachine(target, file));
}

const everyNode = (machine: Machine): Target => ({
  machine,
  nodes: Int32Array.from({ length: machine.nodeCount }, (_, node) => node),
});

function switchMachine(name: string, file: AllocationFile): Machine {
  const description: MachineDescription = {
    name,
    topology: { name: 'switches', argument: { kind: 'numbers', numbers: [file.switches] }, options: {} },
    routing: { name: 'minimal', options: {} },
    cables: file.links.map(([from, to]) => ({ from, to })),
    hosts: file.hosts_per_switch,
    socketsPerNode: 1,
    coresPerSocket: 1,
    figures: {},
  };
  const built = buildMachine(description);
  if (!built.ok) throw new Error(built.failure.message);
  return built.value;
}
