import { describe, expect, it } from 'vitest';
import { paperFigures } from './servers.ts';
import { arrivalsAt, findThreshold, waitingOnNodes, type ThresholdRequest } from './threshold.ts';

/** One all-to-all of the paper's mixed workloads on its empty cluster. */
const allToAll = (overrides: Partial<ThresholdRequest> = {}): ThresholdRequest => ({
  taskCount: 64,
  coresPerNode: 16,
  nodesWithIdleCore: 16,
  adjacency: 63,
  meanRate: 1,
  meanBytes: 2 ** 16,
  variation: 1,
  figures: paperFigures,
  ...overrides,
});

describe('arrivals at a node (equations 15 to 21), by hand', () => {
  it.each([
    // Four tasks on each of 16 nodes: M = 60, N = 3.
    { nodes: 16, out: 4 * 60, intra: 4 * 3 * 2, incoming: 60 * 1 * 4 },
    { nodes: 4, out: 16 * 48, intra: 16 * 15 * 2, incoming: 48 * 1 * 16 },
    // ⌊64 / 15⌋ is 4 as well.
    { nodes: 15, out: 4 * 60, intra: 4 * 3 * 2, incoming: 60 * 1 * 4 },
  ])('64 tasks of an all-to-all on $nodes nodes', ({ nodes, out, intra, incoming }) => {
    const arrivals = arrivalsAt(allToAll(), nodes);
    expect(arrivals.interface).toBe(out);
    expect(arrivals.memory).toBeCloseTo(intra + out + incoming, 9);
  });

  it('nothing leaves a node that holds a task with all its partners', () => {
    const few = allToAll({ adjacency: 3 });
    expect(arrivalsAt(few, 16)).toEqual({ interface: 0, memory: 4 * 3 * 2 + 60 * (3 / 63) * 4 });
    // N is the adjacency, not the tasks of the node.
    expect(arrivalsAt(few, 4)).toEqual({ interface: 0, memory: 16 * 3 * 2 + 48 * (3 / 63) * 16 });
  });
});

describe('thresholds (equations 14, 22, 23)', () => {
  it.each([
    { name: 'light all-to-all: all nodes', request: {}, nodes: 16, tasksPerNode: 4, equation: 14 },
    {
      name: 'Mixed_3 as printed saturates on any number',
      request: { meanRate: 10, meanBytes: 2 ** 21 },
      nodes: 16,
      tasksPerNode: 4,
      equation: 23,
    },
    {
      name: 'what does not divide',
      request: { taskCount: 24, adjacency: 23 },
      nodes: 16,
      tasksPerNode: 2,
      equation: 14,
    },
    {
      name: 'fewer nodes with an idle core',
      request: { nodesWithIdleCore: 7 },
      nodes: 7,
      tasksPerNode: 10,
      equation: 14,
    },
    { name: 'more nodes than tasks', request: { taskCount: 9, adjacency: 8 }, nodes: 9, tasksPerNode: 1, equation: 14 },
    {
      name: 'a full machine but for one node',
      request: { taskCount: 3, adjacency: 2, nodesWithIdleCore: 1 },
      nodes: 1,
      tasksPerNode: 3,
      equation: 14,
    },
    // Five tasks with four partners each need no interface, and waiting for one this slow costs more than sharing a
    // memory.
    {
      name: 'few nodes where the interface is slow',
      request: { taskCount: 10, adjacency: 4, nodesWithIdleCore: 10, figures: { ...paperFigures, interface: 1e7 } },
      nodes: 2,
      tasksPerNode: 5,
      equation: 14,
    },
  ] as const)('$name: $tasksPerNode on $nodes nodes', ({ request, nodes, tasksPerNode, equation }) => {
    expect(findThreshold(allToAll(request))).toMatchObject({ nodes, tasksPerNode, equation });
  });

  it('leaves out numbers of nodes that saturate a server', () => {
    // Ports are busy 60/s · 240 · 65.5 µs = 94 % of the time on 16 nodes, and 60/s · 768 · 65.5 µs = 302 % on 4.
    const busy = allToAll({ meanRate: 60 });
    expect(waitingOnNodes(busy, 4)).toBe(Infinity);
    expect(findThreshold(busy)).toMatchObject({ nodes: 16, equation: 14, value: waitingOnNodes(busy, 16) });
  });

  it('takes the most nodes of those with the same tasks per node, and none waits less', () => {
    for (let taskCount = 2; taskCount <= 64; taskCount++) {
      for (const adjacency of [1, 2.5, taskCount - 1]) {
        const request = allToAll({ taskCount, adjacency, nodesWithIdleCore: 13 });
        const { nodes, tasksPerNode, value } = findThreshold(request);
        const most = Math.min(13, taskCount);
        for (let other = Math.ceil(taskCount / 16); other <= most; other++) {
          expect(waitingOnNodes(request, other)).toBeGreaterThanOrEqual(value);
          if (Math.floor(taskCount / other) === Math.floor(taskCount / nodes)) expect(other).toBeLessThanOrEqual(nodes);
        }
        expect(tasksPerNode).toBe(Math.ceil(taskCount / nodes));
      }
    }
  });
});
