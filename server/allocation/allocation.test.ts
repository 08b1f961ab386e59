import { describe, expect, it } from 'vitest';
import { findEntry, type ArgumentValue } from '../model/catalogue.ts';
import type { GivenPart } from '../model/given.ts';
import type { Machine } from '../model/machine.ts';
import { succeed } from '../model/result.ts';
import { gridMachine } from '../network/testing/machines.ts';
import { allocators } from './catalogue.ts';
import { testAllocatorContract } from './testing/allocatorContract.ts';
import { requestFor, type RequestOptions } from './testing/requests.ts';

for (const entry of allocators) testAllocatorContract(entry);

/** The nodes given, or the code of the failure. */
function nodesOf(name: string, machine: Machine, tasks: number, given: RequestOptions = {}): number[] | string {
  const entry = findEntry(allocators, name)!;
  const allocation = entry.allocate(requestFor(entry, machine, tasks, given));
  return allocation.ok ? [...allocation.value] : allocation.failure.code;
}

const numbers = (...values: number[]): { argument: ArgumentValue } => ({
  argument: { kind: 'numbers', numbers: values },
});
const placement = (name: string): { argument: ArgumentValue } => ({ argument: { kind: 'name', name } });
const ring8 = gridMachine('torus', [8]);
const big = gridMachine('torus', [16, 16]);

describe('allocators', () => {
  it('all: every node with a free core', () => {
    expect(nodesOf('all', ring8, 2, { freeCores: [1, 0, 0, 2, 1, 0, 0, 0] })).toEqual([0, 3, 4]);
  });

  it.each([
    { listed: [5, 1, 3], tasks: 3, expected: [5, 1, 3] },
    { listed: [5, 1], tasks: 3, expected: 'does-not-fit' },
    { listed: [5, 8], tasks: 1, expected: 'no-such-node' },
    { listed: [-1], tasks: 1, expected: 'no-such-node' },
    { listed: [5, 1, 5], tasks: 1, expected: 'duplicate-node' },
  ])('nodes $listed for $tasks tasks: $expected', ({ listed, tasks, expected }) => {
    expect(nodesOf('nodes', ring8, tasks, numbers(...listed))).toEqual(expected);
  });

  it.each<{ items: (number | string)[]; expected: number[] | string }>([
    { items: ['node[0002-0003]', 7, 'node0000'], expected: [2, 3, 7, 0] },
    { items: ['node0003,node0001'], expected: [3, 1] },
    { items: ['node0003', 3], expected: 'duplicate-node' },
    { items: ['node3'], expected: 'no-such-host' },
    { items: ['node0008'], expected: 'no-such-host' },
    { items: ['node[0'], expected: 'bad-hostlist' },
  ])('nodes $items by the names that nodes without a file have: $expected', ({ items, expected }) => {
    expect(nodesOf('nodes', ring8, 1, { argument: { kind: 'nodes', items } })).toEqual(expected);
  });

  it('nodes by the names of a fabric: the nearest is told, and how many are unknown', () => {
    const names = { routers: [], nodes: ['nid01000', 'nid01001', 'nid01002', 'nid01003', 'a', 'b', 'c', 'd'] };
    const fabric = { ...ring8, topology: { ...ring8.topology, names } };
    const wanted = (list: string) => {
      const argument: ArgumentValue = { kind: 'nodes', items: [list] };
      return findEntry(allocators, 'nodes')!.allocate(
        requestFor(findEntry(allocators, 'nodes')!, fabric, 1, { argument }),
      );
    };
    expect(wanted('nid[01002-01003],a')).toEqual({ ok: true, value: Int32Array.of(2, 3, 4) });
    expect(wanted('nid[01002-01007]')).toMatchObject({
      failure: {
        code: 'no-such-host',
        message:
          "Unknown host 'nid01004' of machine `test`; did you mean 'nid01000'? (its hosts are called 'nid01000' to 'd'). " +
          "Unknown are 4 of 6 names: 'nid01004', 'nid01005', 'nid01006', ….",
      },
    });
    expect(wanted('node0000')).toMatchObject({
      failure: { message: expect.stringContaining("Unknown host 'node0000'") as string },
    });
  });

  it('nodes of a file: each host once, as the file first names it', () => {
    const hosts = ['node0004', 'node0001'];
    const rank = (...values: number[]) => Int32Array.from(values);
    const ranks = {
      hostOfRank: rank(0, 1, 0),
      socketOfRank: rank(-1, -1, -1),
      coreOfRank: rank(-1, -1, -1),
      firstCoreOfRank: rank(-1, -1, -1),
      lastCoreOfRank: rank(-1, -1, -1),
      lineOfRank: rank(1, 2, 3),
    };
    const argument: ArgumentValue = { kind: 'file', uri: 'hosts.txt' };
    const fileOf = (value: GivenPart) => ({ argument, givenFile: () => succeed(value) });
    expect(nodesOf('nodes', ring8, 2, fileOf({ kind: 'hosts', hosts, ...ranks, isRoom: false }))).toEqual([4, 1]);
    expect(nodesOf('nodes', ring8, 2, fileOf({ kind: 'slots', slots: rank(6, 5) }))).toEqual([6, 5]);
    const job = { kind: 'job', name: 'j', nodes: rank(2, 3), mapping: rank(3, 2) } as const;
    expect(nodesOf('nodes', ring8, 2, fileOf(job))).toEqual([2, 3]);
    expect(nodesOf('nodes', ring8, 2, { argument })).toBe('not-read');
  });

  it('quadrant: the 8 x 8 corner of a 16 x 16 torus (Pascual et al. 2010, figure 3a)', () => {
    const expected = [...Array(256).keys()].filter((node) => node % 16 < 8 && node < 128);
    expect(nodesOf('quadrant', big, 64)).toEqual(expected);
    expect(nodesOf('quadrant', big, 65)).toBe('does-not-fit');
  });

  it('band: four full rows of a 16 x 16 torus (Pascual et al. 2010, figure 3b)', () => {
    expect(nodesOf('band', big, 64)).toEqual([...Array(64).keys()]);
  });

  it.each([
    { name: 'quadrant', shape: [3, 5], expected: [0, 1, 3, 4, 6, 7] },
    { name: 'band', shape: [2, 5], expected: [0, 1, 2, 3] },
    { name: 'band', shape: [3], expected: [0] },
  ])('$name of $shape rounds odd sides up', ({ name, shape, expected }) => {
    expect(nodesOf(name, gridMachine('mesh', shape), 1)).toEqual(expected);
  });

  it('quadrant: all hosts of its routers, but those without a free core', () => {
    const machine = gridMachine('torus', [2, 2], { hosts: 3 });
    expect(nodesOf('quadrant', machine, 2, { freeCores: [1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] })).toEqual([0, 2]);
  });

  it.each(['quadrant', 'band'])('%s needs coordinates', (name) => {
    const { kind, routerCount, hasHostLinks, links, routerOfNode } = ring8.topology;
    const irregular = { ...ring8, topology: { kind, routerCount, hasHostLinks, links, routerOfNode } };
    expect(nodesOf(name, irregular, 1)).toBe('no-coordinates');
  });

  it('same-as: the nodes of the other placement, in its order', () => {
    const others = { first: [6, 2], far: [9] };
    expect(nodesOf('same-as', ring8, 2, { ...placement('first'), others })).toEqual([6, 2]);
    expect(nodesOf('same-as', ring8, 3, { ...placement('first'), others })).toBe('does-not-fit');
    expect(nodesOf('same-as', ring8, 1, { ...placement('far'), others })).toBe('no-such-node');
    expect(nodesOf('same-as', ring8, 1, { ...placement('missing'), others })).toBe('not-evaluated');
  });
});

describe('where nodes have too little room', () => {
  const complaintOf = (name: string, machine: Machine, tasks: number, given: RequestOptions = {}): string => {
    const entry = findEntry(allocators, name)!;
    const allocation = entry.allocate(requestFor(entry, machine, tasks, given));
    return allocation.ok ? 'fits' : allocation.failure.message;
  };
  const twoSockets = gridMachine('torus', [4], { sockets: 2, cores: 3 });

  it.each<[string, string, Machine, number, RequestOptions, string]>([
    ['more nodes do', 'nodes', ring8, 3, numbers(5, 1), 'allocate more nodes or give the job fewer tasks.'],
    ['all nodes are too small', 'all', ring8, 17, {}, 'write `cores 3` in the machine, or give the job fewer tasks.'],
    [
      'those that are listed are, and the others',
      'nodes',
      ring8,
      9,
      numbers(5, 1),
      'write `cores 2` in the machine, or give the job fewer tasks.',
    ],
    ['sockets have them', 'all', twoSockets, 25, {}, 'write `cores 4` in the machine, or give the job fewer tasks.'],
    [
      'other jobs have some',
      'all',
      ring8,
      5,
      { freeCores: [1, 1, 0, 0, 0, 0, 0, 0] },
      'write `cores 3` in the machine, or give the job fewer tasks.',
    ],
    [
      'other jobs have all',
      'all',
      ring8,
      1,
      { freeCores: [0, 0, 0, 0, 0, 0, 0, 0] },
      'take a larger machine or give the job fewer tasks.',
    ],
    [
      'nodes are given whole',
      'gabl',
      gridMachine('mesh', [4, 4]),
      40,
      {},
      'write `cores 3` in the machine, or give the job fewer tasks.',
    ],
    [
      'no node is whole',
      'gabl',
      gridMachine('mesh', [2, 2], { cores: 2 }),
      1,
      { freeCores: [1, 1, 1, 1] },
      'take a larger machine, or give the jobs before it fewer tasks.',
    ],
  ])('says what would do: %s', (_, name, machine, tasks, given, advice) => {
    expect(
      complaintOf(name, machine, tasks, given).endsWith(`: ${advice}`),
      complaintOf(name, machine, tasks, given),
    ).toBe(true);
  });
});

describe('allocate random', () => {
  const machine = gridMachine('mesh', [10], { cores: 4 });

  it.each([
    { tasks: 9, count: undefined, nodes: 3 },
    { tasks: 8, count: undefined, nodes: 2 },
    { tasks: 9, count: 7, nodes: 7 },
    { tasks: 40, count: 10, nodes: 10 },
  ])('draws $nodes nodes for $tasks tasks with count $count, ascending', ({ tasks, count, nodes }) => {
    const drawn = nodesOf('random', machine, tasks, count === undefined ? {} : { options: { count } });
    expect(drawn).toHaveLength(nodes);
    expect(drawn).toEqual([...(drawn as number[])].sort((a, b) => a - b));
  });

  it.each([
    { tasks: 9, count: 2 },
    { tasks: 9, count: 11 },
  ])('$tasks tasks do not fit count $count', ({ tasks, count }) => {
    expect(nodesOf('random', machine, tasks, { options: { count } })).toBe('does-not-fit');
  });

  it('draws every node equally often over the seeds, and other nodes for another seed', () => {
    const drawn = new Int32Array(10);
    for (let seed = 0; seed < 2000; seed++) {
      for (const node of nodesOf('random', machine, 9, { seed }) as number[]) drawn[node]!++;
    }
    for (const times of drawn) expect(Math.abs(times - 600)).toBeLessThan(100);
  });
});
