import { describe, expect, it } from 'vitest';
import type { GivenHosts } from '../../model/given.ts';
import { fail, succeed } from '../../model/result.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { given } from './given.ts';
import { contextFor, mapWith } from '../testing/problems.ts';
import { problemOn } from '../../optimisation/testing/problems.ts';

/** Four tasks on nodes 4 … 7 of nine two-core nodes; core 0 of each is taken, so slots 9, 11, 13, 15 are free. */
const problem = problemOn(gridMachine('mesh', [3, 3], { cores: 2 }), {
  taskCount: 4,
  nodes: [4, 5, 6, 7],
  takenCores: 1,
});

const answerTo = (numbers: readonly number[]) =>
  given.map(problem, contextFor(given, { argument: { kind: 'numbers', numbers } }));

describe('map given', () => {
  it('takes the slots as they are', () => {
    expect(answerTo([15, 9, 13, 11])).toEqual({
      ok: true,
      value: { mapping: Int32Array.of(15, 9, 13, 11), notes: [] },
    });
  });

  it('takes the slots of a file', () => {
    const fromFile = mapWith(given, problem, {
      argument: { kind: 'file', uri: 'file:///mapping.txt' },
      givenFile: () => succeed({ kind: 'slots', slots: Int32Array.of(9, 11, 13, 15) }),
    });
    expect(fromFile.mapping).toEqual(Int32Array.of(9, 11, 13, 15));
  });

  it.each([
    ['too few', [9, 11, 13], 'given-length', '3 slots, but job `job` has 4 tasks'],
    ['too many', [9, 11, 13, 15, 9], 'given-length', '5 slots'],
    ['beyond the machine', [9, 18, 99, 15], 'given-out-of-range', 'Task 1 is given slot 18'],
    ['negative', [9, 11, -1, 15], 'given-out-of-range', 'Task 2 is given slot -1'],
    ['not whole', [9, 11, 13, 15.5], 'given-out-of-range', 'Task 3 is given slot 15.5'],
    ['outside the allocation', [9, 0, 1, 15], 'given-not-allocated', 'Slot 0 of task 1 is on node 0'],
    ['held by an earlier job', [9, 11, 12, 15], 'given-not-free', 'Task 2 has slot 12'],
    ['twice', [9, 11, 9, 11], 'given-twice', 'Tasks 0 and 2 both have slot 9'],
  ])('refuses a list that is %s and names the first task', (_, numbers, code, words) => {
    expect(answerTo(numbers)).toMatchObject({
      ok: false,
      failure: { code, message: expect.stringContaining(words) as string },
    });
  });

  /** Ranks on hosts, `4/1` for core 1 of node 4 and `4` for any core of it. */
  const onHosts = (ranks: string, isRoom = false): GivenHosts => {
    const words = ranks.split(' ').map((rank) => rank.split('/'));
    const hosts = Array.from(new Set(words.map(([node]) => `node000${node ?? ''}`)));
    return {
      kind: 'hosts',
      hosts,
      hostOfRank: Int32Array.from(words, ([node]) => hosts.indexOf(`node000${node ?? ''}`)),
      socketOfRank: Int32Array.from(words, () => -1),
      coreOfRank: Int32Array.from(words, ([, core]) => (core === undefined ? -1 : Number(core))),
      firstCoreOfRank: Int32Array.from(words, ([, core]) => (core === undefined ? -1 : Number(core))),
      lastCoreOfRank: Int32Array.from(words, ([, core]) => (core === undefined ? -1 : Number(core))),
      lineOfRank: Int32Array.from(words, (_, rank) => rank + 1),
      isRoom,
    };
  };
  const mapHosts = (ranks: string, on = problem, isRoom = false) =>
    given.map(
      on,
      contextFor(given, {
        argument: { kind: 'file', uri: 'hosts.txt' },
        givenFile: () => succeed(onHosts(ranks, isRoom)),
      }),
    );
  const free = problemOn(gridMachine('mesh', [3, 3], { cores: 2 }), { taskCount: 4, nodes: [4, 5, 6, 7] });

  it.each([
    ['each rank on its host', problem, '7 4 6 5', [15, 9, 13, 11]],
    ['ranks of a host on its cores in order', free, '5 4 5 4', [10, 8, 11, 9]],
    ['cores that are named, the others on what is left', free, '5 5/0 4/1 4', [11, 10, 9, 8]],
  ])('puts %s', (_, on, ranks, expected) => {
    const answer = mapHosts(ranks, on);
    expect(answer.ok && Array.from(answer.value.mapping)).toEqual(expected);
  });

  it('says that cores were left open, and not where none were', () => {
    expect(mapHosts('7 4 6 5')).toMatchObject({ value: { notes: [expect.stringMatching(/cores open/)] } });
    expect(mapHosts('7/1 4/1 6/1 5/1')).toMatchObject({ value: { notes: [] } });
  });

  it('leaves room over where the file tells of room', () => {
    expect(mapHosts('4 4 5 5 6 6', free, true)).toMatchObject({ value: { mapping: Int32Array.of(8, 9, 10, 11) } });
  });

  it.each([
    ['too many ranks', free, '4 4 5 5 6', 'given-length', '5 ranks'],
    ['too few slots', free, '4 4 5', 'given-length', '3 ranks'],
    ['a host that is not allocated', free, '4 4 5 8', 'given-not-allocated', 'Line 4: rank 3 is on node0008'],
    ['a host with too many ranks', free, '4 5 4 4', 'given-not-free', 'Line 4: no free core for rank 3 on node0004'],
    ['a core that there is not', free, '4 4 4 5/2', 'given-out-of-range', 'Line 4: rank 3 is on core 2, but'],
    ['a core twice', free, '4/1 4/1 5 5', 'given-twice', 'Tasks 0 and 1'],
    ['a host that there is not', free, '4 4 5 9', 'no-such-host', "Line 4: Unknown host 'node0009' of machine `test`"],
  ])('refuses %s with the line', (_, on, ranks, code, words) => {
    expect(mapHosts(ranks, on)).toMatchObject({
      ok: false,
      failure: { code, message: expect.stringContaining(words) as string },
    });
  });

  it('says why the file could not be read', () => {
    const answer = given.map(
      problem,
      contextFor(given, { argument: { kind: 'file', uri: 'x' }, givenFile: () => fail('not-found', 'No such file.') }),
    );
    expect(answer).toEqual(fail('not-found', 'No such file.'));
  });
});
