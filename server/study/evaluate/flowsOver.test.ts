import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { asLinkId, asNodeId, type LinkId } from '../../model/identifiers.ts';
import type { Machine } from '../../model/machine.ts';
import type { Flow } from '../../model/report.ts';
import { buildMachine } from '../../network/machine.ts';
import { visitNodeShares } from '../../network/links.ts';
import { cablesOf } from '../../network/testing/exampleNetworks.ts';
import { gridDescription } from '../../network/testing/machines.ts';
import { autonet, detouredMachines, networkMachine } from '../../network/testing/networkMachines.ts';
import { tableTraffic } from '../../traffic/build.ts';
import { flowsOver } from './causes.ts';
import { linkUseOf } from './linkUse.ts';
import { placeTasks, type PlacedTasks } from './placedTasks.ts';

function grid(kind: string, sides: readonly number[], hosts = 1): Machine {
  const built = buildMachine({
    ...gridDescription(kind, sides, { hosts }),
    routing: { name: 'minimal', options: {} },
  });
  if (!built.ok) throw new Error(built.failure.message);
  return built.value;
}

const switches = (routing: string): Machine =>
  networkMachine('switches', {
    count: 7,
    cables: cablesOf('0-1 0-1 1-2 2-3 3-4 4-0 1-3 4-5 5-6 6-3 2-6'),
    hosts: 2,
    routing: { name: routing, options: {} },
  });

/** Machines where pairs have several routes, with one host on a router and with several, and by way of others. */
const machines: readonly (readonly [string, Machine])[] = [
  ['mesh, minimal', grid('mesh', [5, 4])],
  ['torus with hosts, minimal', grid('torus', [4, 3], 2)],
  ['parallel cables, minimal', switches('minimal')],
  ['parallel cables, up-down', switches('up-down')],
  ['Autonet, up-down', autonet(2)],
  ['fat tree', networkMachine('fat-tree', { options: { k: 3, n: 2 } })],
  ['dragonfly', networkMachine('dragonfly', { options: { p: 1, a: 4, h: 2, g: 3 } })],
  ...detouredMachines(),
];

/** One task on each node, last node first; all talk to all, many pairs with as many bytes as others. */
function allToAll(machine: Machine): readonly PlacedTasks[] {
  const taskCount = machine.nodeCount;
  const entries = {
    size: taskCount,
    from: Int32Array.from({ length: taskCount ** 2 }, (_, index) => Math.floor(index / taskCount)),
    to: Int32Array.from({ length: taskCount ** 2 }, (_, index) => index % taskCount),
    amount: Float64Array.from({ length: taskCount ** 2 }, (_, index) => 6 * (1 + ((index * 7) % 3))),
  };
  const traffic = tableTraffic(entries, taskCount, 1);
  if (!traffic.ok) throw new Error(traffic.failure.message);
  const mapping = Int32Array.from({ length: taskCount }, (_, task) => taskCount - 1 - task);
  const job = { name: 'dense', taskCount, periodic: false, traffic: traffic.value };
  return placeTasks(machine, [{ job, allocation: mapping, mapping }]);
}

/** The part of the flow of a pair over each link, by a walk along all routes of the pair. */
function walkedShares(machine: Machine): (from: number, to: number, link: LinkId) => number {
  const { nodeCount, topology } = machine;
  const { linkCount } = topology.links;
  const shares = new Float64Array(nodeCount * nodeCount * linkCount);
  for (let from = 0; from < nodeCount; from++) {
    for (let to = 0; to < nodeCount; to++) {
      visitNodeShares(machine, asNodeId(from), asNodeId(to), (link, share) => {
        shares[(from * nodeCount + to) * linkCount + link]! += share;
      });
    }
  }
  return (from, to, link) => shares[(from * nodeCount + to) * linkCount + link]!;
}

/** Shares of one receiving router at a time, of a few, of all. */
const remembered = (machine: Machine): readonly number[] => {
  const ofOne = 8 * (machine.routing.graph?.stateCount ?? 1);
  return [1, 3 * ofOne, 2 ** 20];
};

describe.each(machines)('flows over a link: %s', (_name, machine) => {
  const links = Array.from({ length: machine.topology.links.linkCount }, (_, link) => asLinkId(link));
  const jobs = allToAll(machine);
  const walkedShare = walkedShares(machine);
  const pairs = Array.from(
    { length: machine.nodeCount ** 2 },
    (_, index) => [Math.floor(index / machine.nodeCount), index % machine.nodeCount] as const,
  );

  it('has the shares of a walk along the routes of each pair', () => {
    expect(machine.routing.singlePath).toBe(false);
    let split = 0;
    let farthest = 0;
    for (const link of links) {
      const uses = remembered(machine).map((bytes) => linkUseOf(machine, link, bytes));
      for (const [from, to] of pairs) {
        const expected = walkedShare(from, to, link);
        if (expected > 0 && expected < 1) split++;
        for (const use of uses) {
          const share = use.share(from, to);
          if (use.crosses(from, to) !== expected > 0 || share > 0 !== expected > 0) farthest = Infinity;
          farthest = Math.max(farthest, Math.abs(share - expected));
        }
      }
    }
    expect(farthest).toBeLessThan(1e-12);
    expect(split).toBeGreaterThan(0);
  });

  it.each([4, Infinity])('keeps the same flows in one pass as in several, at most %d', (limit) => {
    const { node, placed } = jobs[0]!;
    const { rowStart, partner, bytes } = placed.job.traffic;
    const [single, few, all] = remembered(machine).map((size) =>
      flowsOver(
        links.map((link) => linkUseOf(machine, link, size)),
        jobs,
        limit,
        neverCancelled,
      ),
    );
    expect(single).toEqual(all);
    expect(few).toEqual(all);
    for (const [index, link] of links.entries()) {
      const walked: number[] = [];
      for (const from of node.keys()) {
        for (let pair = rowStart[from]!; pair < rowStart[from + 1]!; pair++) {
          const share = walkedShare(node[from]!, node[partner[pair]!]!, link);
          if (share > 0) walked.push(bytes[pair]! * share);
        }
      }
      walked.sort((one, other) => other - one);
      const { flows, flowCount } = all![index]!;
      expect(flowCount).toBe(walked.length);
      expect(flows).toHaveLength(Math.min(limit, walked.length));
      const farthest = flows.reduce((most, { bytes }, place) => Math.max(most, Math.abs(bytes - walked[place]!)), 0);
      expect(farthest).toBeLessThan(5e-10);
      expect(flows).toEqual([...flows].sort(heaviestFirst));
    }
  });

  it('stops where it is cancelled between two links of one sender', () => {
    let asked = 0;
    const uses = links.map((link) => linkUseOf(machine, link));
    expect(flowsOver(uses, jobs, 4, { isCancelled: () => ++asked > 2 })).toBeUndefined();
    expect(asked).toBe(3);
  });
});

const heaviestFirst = (one: Flow, other: Flow): number =>
  other.bytes - one.bytes || one.from - other.from || one.to - other.to;
