/** Whatever goes through all the edges of a graph looks at its flag on the way, and gives up. */
import { describe, expect, it } from 'vitest';
import { WorkMeter, workPerPoll, type Cancellation } from '../../model/cancellation.ts';
import { seededRandom } from '../../model/random.ts';
import type { Traffic } from '../../model/traffic.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { coarsen } from '../partitioning/coarsening.ts';
import { quotientGraph, subgraph, unitGraph } from '../partitioning/weightedGraph.ts';
import { refineHalving } from '../partitioning/halving.ts';
import { problemOn } from '../testing/problems.ts';
import { AdditiveObjective } from '../objective.ts';
import { groupPlaces } from './places.ts';
import { taskGraphOf } from './taskGraph.ts';

const taskCount = 600;

/** Every task sends to every other, not all the same. */
const traffic: Traffic = {
  taskCount,
  rowStart: Int32Array.from({ length: taskCount + 1 }, (_, task) => task * (taskCount - 1)),
  partner: Int32Array.from({ length: taskCount * (taskCount - 1) }, (_, pair) => {
    const task = Math.floor(pair / (taskCount - 1));
    const other = pair % (taskCount - 1);
    return other < task ? other : other + 1;
  }),
  bytes: Float64Array.from({ length: taskCount * (taskCount - 1) }, (_, pair) => 1 + (pair % 5)),
};
const graph = taskGraphOf(traffic);
const tasks = Int32Array.from({ length: taskCount }, (_, task) => task);
const places = groupPlaces(...machineAndSlots());
const costs = {
  kind: 'table',
  siteCount: taskCount,
  unit: 1,
  maximum: 1,
  table: new Uint8Array(taskCount ** 2),
} as const;

function machineAndSlots(): Parameters<typeof groupPlaces> {
  const { machine, slots } = problemOn(gridMachine('torus', [30, 20]), { taskCount, traffic });
  return [machine, slots];
}

interface Case {
  readonly what: string;
  /** Times that it goes through all edges, at least. */
  readonly passes: number;
  /** Undefined or false where it gave up. */
  readonly run: (cancellation: Cancellation) => unknown;
}

const cases: readonly Case[] = [
  {
    what: 'the graph of parts',
    passes: 1,
    run: (cancellation) =>
      quotientGraph(
        graph,
        tasks.map((task) => task >> 2),
        taskCount >> 2,
        new WorkMeter(cancellation),
      ),
  },
  {
    what: 'a part of a graph',
    passes: 1,
    run: (cancellation) =>
      subgraph(unitGraph(graph), tasks, 0, taskCount, new Int32Array(taskCount).fill(-1), new WorkMeter(cancellation)),
  },
  { what: 'coarsening', passes: 1, run: (cancellation) => coarsen(unitGraph(graph), 4, seededRandom(1), cancellation) },
  {
    what: 'what each task pays',
    passes: 1,
    run: (cancellation) => {
      let heard = false as boolean;
      const heeded = { isCancelled: () => (heard = cancellation.isCancelled()) };
      const objective = new AdditiveObjective({ graph, weightUnit: 1, places, costs }, tasks, heeded);
      return !heard && objective.value === 0;
    },
  },
  {
    what: 'the refinement of halves',
    passes: 1,
    run: (cancellation) => {
      const side = Uint8Array.from(tasks, (task) => task & 1);
      const halving = { graph: unitGraph(graph), pull: new Float64Array(taskCount), minimum: 300, maximum: 300 };
      let heard = false;
      refineHalving(halving, side, 50, { isCancelled: () => (heard = cancellation.isCancelled()) });
      return !heard;
    },
  },
];

describe('a pass over many edges', () => {
  it.each(cases)('$what: looks often, and gives up at any look', ({ run, passes }) => {
    let looks = 0;
    const counted = (allowed: number): Cancellation => ({ isCancelled: () => looks++ >= allowed });
    expect(run(counted(Infinity))).toBeTruthy();
    const all = looks;
    expect(all).toBeGreaterThanOrEqual(Math.floor((passes * graph.partner.length) / workPerPoll));
    for (let allowed = 0; allowed < all; allowed++) {
      looks = 0;
      expect(run(counted(allowed))).toBeFalsy();
      expect(looks).toBe(allowed + 1);
    }
  });
});
