/** Scotch's `scotch_gmap` as the peer of our mappers: the same graph onto the same machine, several random seeds. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MappingProblem } from '../../server/mapping/contract.ts';
import { taskGraphOf } from '../../server/optimisation/problem/taskGraph.ts';
import type { Mapping } from '../../server/model/placement.ts';
import { seededRandom, shuffle } from '../../server/model/random.ts';

export interface PeerRuns {
  /** Mappings, one per run; every task on a node of its own. */
  readonly mappings: readonly Mapping[];
  /** Of all runs together, programs started and files read included. */
  readonly seconds: number;
}

/**
 * Runs Scotch `runs` times; undefined where it is not installed. Throws where it fails. `architecture`: how Scotch
 * calls the machine where it is neither a grid of nodes with one core nor switches; its processors are the nodes in
 * order.
 */
export function scotchMappings(problem: MappingProblem, runs: number, architecture?: string): PeerRuns | undefined {
  if (spawnSync('scotch_gmap', ['-V']).error) return undefined;
  const directory = mkdtempSync(join(tmpdir(), 'pw-gmap-'));
  try {
    return runIn(directory, problem, runs, architecture);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function runIn(directory: string, problem: MappingProblem, runs: number, architecture: string | undefined): PeerRuns {
  const file = (name: string): string => join(directory, name);
  if (architecture === undefined) writeTarget(directory, problem);
  else writeFileSync(file('target.tgt'), `${architecture}\n`);
  const mappings: Mapping[] = [];
  const started = performance.now();
  for (let run = 0; run < runs; run++) {
    // Its seed is the second of the clock, so another numbering of the tasks stands for another seed.
    const taskOfVertex = numbering(problem.job.taskCount, run);
    writeFileSync(file('tasks.grf'), sourceGraph(problem, taskOfVertex));
    // Some graphs go better with the usual tolerance of 5 %, some with none.
    const options = run % 2 === 0 ? [] : ['-b0'];
    const { status, stderr } = spawnSync(
      'scotch_gmap',
      [...['tasks.grf', 'target.tgt', 'found.map'].map(file), ...options],
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`scotch_gmap failed: ${stderr}`);
    const found = readFileSync(file('found.map'), 'utf8');
    mappings.push((architecture === undefined ? repaired : repairedOnNodes)(problem, taskOfVertex, found));
  }
  return { mappings, seconds: (performance.now() - started) / 1000 };
}

/** The order of the tasks in run 0, a random one in the others. */
function numbering(taskCount: number, run: number): Int32Array {
  const taskOfVertex = Int32Array.from({ length: taskCount }, (_, task) => task);
  if (run > 0) shuffle(taskOfVertex, seededRandom(run));
  return taskOfVertex;
}

/** Version, sizes, flags (edges have weights), then the neighbours of each vertex. */
function sourceGraph({ job }: MappingProblem, taskOfVertex: Int32Array): string {
  const { taskCount, rowStart, partner, weight } = taskGraphOf(job.traffic);
  const vertexOfTask = new Int32Array(taskCount);
  for (const [vertex, task] of taskOfVertex.entries()) vertexOfTask[task] = vertex;
  const lines = ['0', `${taskCount}\t${partner.length}`, '0\t010'];
  for (const task of taskOfVertex) {
    const row = [rowStart[task + 1]! - rowStart[task]!];
    for (let edge = rowStart[task]!; edge < rowStart[task + 1]!; edge++) {
      row.push(weight[edge]!, vertexOfTask[partner[edge]!]!);
    }
    lines.push(row.join('\t'));
  }
  return `${lines.join('\n')}\n`;
}

/**
 * A torus in closed form, some of its nodes as a part of it; switches as a graph, whose hosts are dealt out
 * afterwards.
 */
function writeTarget(directory: string, { machine, slots }: MappingProblem): void {
  const { shape, links, routerCount } = machine.topology;
  const target = join(directory, 'target.tgt');
  if (shape !== undefined) {
    const torus = `torus3D ${shape.join(' ')}`;
    writeFileSync(
      target,
      slots.length === machine.nodeCount ? torus : `sub ${slots.length} ${slots.join(' ')} ${torus}`,
    );
    return;
  }
  const rows: string[] = [];
  for (let router = 0; router < routerCount; router++) {
    const to = links.to.subarray(links.firstLink[router], links.firstLink[router + 1]);
    rows.push([to.length, ...to].join('\t'));
  }
  const graph = join(directory, 'switches.grf');
  writeFileSync(graph, `${['0', `${routerCount}\t${links.routerLinkCount}`, '0\t000', ...rows].join('\n')}\n`);
  const { status, stderr } = spawnSync('amk_grf', [graph, target], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`amk_grf failed: ${stderr}`);
}

/** Scotch's answer as one slot per task: tasks beyond what a place holds go to the nearest that is free. */
function repaired({ machine, job, slots }: MappingProblem, taskOfVertex: Int32Array, answer: string): Mapping {
  const { shape, routerOfNode } = machine.topology;
  const mapping = new Int32Array(job.taskCount).fill(-1);
  const free = new Set(slots);
  const homeless: [task: number, router: number][] = [];
  for (const line of answer.trim().split('\n').slice(1)) {
    const [vertex = 0, position = 0] = line.trim().split(/\s+/).map(Number);
    const task = taskOfVertex[vertex]!;
    const router = shape === undefined ? position : slots[position]!;
    const slot = shape === undefined ? [...free].find((node) => routerOfNode[node] === router) : router;
    if (slot !== undefined && free.delete(slot)) mapping[task] = slot;
    else homeless.push([task, router]);
  }
  for (const [task, router] of homeless) {
    const hops = (slot: number): number => machine.routing.hops(router as never, routerOfNode[slot] as never);
    const nearest = [...free].reduce((best, slot) => (hops(slot) < hops(best) ? slot : best));
    free.delete(nearest);
    mapping[task] = nearest;
  }
  return mapping;
}

/**
 * The same where positions are nodes with several cores: tasks beyond what a node holds go to the nearest that has
 * room.
 */
function repairedOnNodes({ machine, job, slots }: MappingProblem, taskOfVertex: Int32Array, answer: string): Mapping {
  const { routerOfNode } = machine.topology;
  const mapping = new Int32Array(job.taskCount).fill(-1);
  const free = new Map<number, number[]>();
  for (const slot of slots) {
    const node = Math.floor(slot / machine.coresPerNode);
    const own = free.get(node);
    if (own) own.push(slot);
    else free.set(node, [slot]);
  }
  const homeless: [task: number, node: number][] = [];
  for (const line of answer.trim().split('\n').slice(1)) {
    const [vertex = 0, node = 0] = line.trim().split(/\s+/).map(Number);
    const slot = free.get(node)?.shift();
    if (slot === undefined) homeless.push([taskOfVertex[vertex]!, node]);
    else mapping[taskOfVertex[vertex]!] = slot;
  }
  for (const [task, node] of homeless) {
    const hops = (other: number): number =>
      machine.routing.hops(routerOfNode[node] as never, routerOfNode[other] as never);
    const open = [...free.keys()].filter((other) => free.get(other)!.length > 0);
    mapping[task] = free.get(open.reduce((best, other) => (hops(other) < hops(best) ? other : best)))!.shift()!;
  }
  return mapping;
}
