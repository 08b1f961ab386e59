/** How an allocator of jobs over time serves the jobs of one placement. */
import type { Machine } from '../model/machine.ts';
import type { OptionValues } from '../model/catalogue.ts';
import { adviceOfRoom, slotNoun } from '../model/nodeInside.ts';
import type { Allocation } from '../model/placement.ts';
import { adviceOfNeeds, needsText, tasksOfEmptyNode } from '../model/taskSlots.ts';
import type { RandomSource } from '../model/random.ts';
import { cancelled, fail, succeed, type Result } from '../model/result.ts';
import { formatShape } from '../model/shape.ts';
import { itemAt } from '../numeric/elements.ts';
import { plainCountOf } from './capacity.ts';
import type { AllocationRequest, FinderEntry, NodeFinder } from './contract.ts';
import { meshOf, type Mesh } from './mesh.ts';

/** An entry of the catalogue from what finds nodes: a placement asks it for whole nodes, one job after another. */
export const strategy = (definition: Omit<FinderEntry, 'allocate'>): FinderEntry => ({
  ...definition,
  allocate: (request) => allocateWith(definition, request),
});

/** The `finder` of an allocator that works on meshes of at most `most` dimensions. */
export const onMeshes =
  (
    name: string,
    most: 2 | 3,
    make: (mesh: Mesh, options: OptionValues) => NodeFinder | Result<NodeFinder>,
  ): ((machine: Machine, options: OptionValues, random: RandomSource) => Result<NodeFinder>) =>
  (machine, options) => {
    const mesh = meshOf(machine, name, most);
    if (!mesh.ok) return mesh;
    const made = make(mesh.value, options);
    return 'ok' in made ? made : succeed(made);
  };

/**
 * Lists of nodes, one for each job, as parts of longer arrays: for a job of some dozens of nodes an array of its own would cost
 * more than looking for them.
 */
export class NodeLists {
  #nodes = new Int32Array(0);
  #used = 0;

  /** A list for so many nodes, which nobody else writes. */
  next(count: number): Int32Array {
    if (this.#used + count > this.#nodes.length) {
      this.#nodes = new Int32Array(Math.max(count, nodesAtATime));
      this.#used = 0;
    }
    const begin = this.#used;
    this.#used += count;
    return this.#nodes.subarray(begin, this.#used);
  }
}

const nodesAtATime = 2 ** 13;

/** Nodes are taken whole: one on which another job has a core is busy. */
function allocateWith({ name, finder }: Omit<FinderEntry, 'allocate'>, request: AllocationRequest): Result<Allocation> {
  const { machine, taskCount, grid, freeCores, needs, options, random, cancellation } = request;
  const made = finder(machine, options, random);
  if (!made.ok) return made;
  const tasksOfNode = needs === undefined ? machine.coresPerNode : tasksOfEmptyNode(machine.inside, needs);
  const busy = Uint8Array.from(freeCores, (tasks) => (tasks < tasksOfNode || tasks === 0 ? 1 : 0));
  const free = busy.reduce((count, held) => count + 1 - held, 0);
  const nodeCount = Math.ceil(taskCount / Math.max(1, tasksOfNode));
  if (free < nodeCount) {
    const room =
      needs === undefined
        ? plainCountOf(free * tasksOfNode, `free ${slotNoun(machine.inside.slots)}`)
        : `${plainCountOf(free * tasksOfNode, 'task')}${needsText(needs)}`;
    return fail(
      'does-not-fit',
      `\`allocate ${name}\` needs whole nodes: ${room} on ${plainCountOf(free, 'node')} without another job, but the job needs ${taskCount}: ${wayToNodes(free, request)}.`,
    );
  }
  const sides = grid === undefined ? undefined : sidesOfGrid(grid, tasksOfNode);
  const found = made.value.find(busy, { nodeCount, cancellation, ...(sides === undefined ? {} : { sides }) });
  // A copy: what crosses threads must not take the lists of other jobs along.
  if (found !== undefined) return succeed(found.slice());
  if (cancellation.isCancelled()) return cancelled();
  const wanted = sides === undefined ? plainCountOf(nodeCount, 'node') : `${formatShape(sides)} nodes`;
  return fail(
    'does-not-fit',
    `\`allocate ${name}\` finds no free submesh for ${wanted}; ${plainCountOf(free, 'node')} are free. Use an allocator that splits jobs: gabl, mbs, paging or rbs.`,
  );
}

/** What to do where `free` nodes are too few. */
function wayToNodes(free: number, { machine, taskCount, needs }: AllocationRequest): string {
  const advice = needs === undefined ? '' : adviceOfNeeds(needs);
  if (free > 0 && advice !== '') return `${advice}, or give the job fewer tasks`;
  return free === 0
    ? 'take a larger machine, or give the jobs before it fewer tasks'
    : `${adviceOfRoom(machine.inside, Math.ceil(taskCount / free))}, or give the job fewer tasks`;
}

/**
 * The grid of nodes that a grid of tasks fills, each node with a block of tasks, as square as may be: 8 x 6 tasks
 * on nodes of four cores are 4 x 3 nodes. Undefined where no block of that many tasks tiles the grid.
 */
export function sidesOfGrid(grid: readonly number[], coresPerNode: number): readonly number[] | undefined {
  let best: readonly number[] | undefined;
  let bestSum = Infinity;
  const divide = (axis: number, cores: number, block: readonly number[]): void => {
    if (axis === grid.length) {
      const sum = block.reduce((total, side) => total + side, 0);
      if (cores === 1 && sum < bestSum) {
        best = grid.map((side, index) => side / itemAt(block, index));
        bestSum = sum;
      }
      return;
    }
    for (let side = 1; side <= cores; side++) {
      if (cores % side === 0 && itemAt(grid, axis) % side === 0) divide(axis + 1, cores / side, [...block, side]);
    }
  };
  divide(0, coresPerNode, []);
  return best;
}
