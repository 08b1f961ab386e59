import { describe, expect, it } from 'vitest';
import { fail, succeed } from '../../model/result.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { given } from './given.ts';
import { contextFor, mapWith, problemOn } from '../testing/problems.ts';

/** Four tasks on nodes 4 … 7 of nine two-core nodes; core 0 of each is taken, so slots 9, 11, 13, 15 are free. */
const problem = problemOn(gridMachine('mesh', [3, 3], { cores: 2 }), {
  taskCount: 4,
  nodes: [4, 5, 6, 7],
  takenCores: 1,
});

const answerTo = (numbers: readonly number[]) =>
  given.map!(problem, contextFor(given, { argument: { kind: 'numbers', numbers } }));

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
      givenFile: () => succeed(Int32Array.of(9, 11, 13, 15)),
    });
    expect(fromFile.mapping).toEqual(Int32Array.of(9, 11, 13, 15));
  });

  it.each([
    ['too few', [9, 11, 13], 'given-length', '3 slots, but job `job` has 4 tasks'],
    ['too many', [9, 11, 13, 15, 9], 'given-length', '5 slots'],
    ['beyond the machine', [9, 18, 99, 15], 'given-out-of-range', 'Task 1 is given slot 18'],
    ['negative', [9, 11, -1, 15], 'given-out-of-range', 'Task 2 is given slot -1'],
    ['not whole', [9, 11, 13, 15.5], 'given-out-of-range', 'Task 3 is given slot 15.5'],
    ['outside the allocation', [9, 0, 1, 15], 'given-not-allocated', 'Task 1 is given slot 0 on node 0'],
    ['held by an earlier job', [9, 11, 12, 15], 'given-not-free', 'Task 2 is given slot 12'],
    ['twice', [9, 11, 9, 11], 'given-twice', 'Tasks 0 and 2 are both given slot 9'],
  ])('refuses a list that is %s and names the first task', (_, numbers, code, words) => {
    expect(answerTo(numbers)).toMatchObject({
      ok: false,
      failure: { code, message: expect.stringContaining(words) as string },
    });
  });

  it('says why the file could not be read', () => {
    const answer = given.map!(
      problem,
      contextFor(given, { argument: { kind: 'file', uri: 'x' }, givenFile: () => fail('not-found', 'No such file.') }),
    );
    expect(answer).toEqual(fail('not-found', 'No such file.'));
  });
});
