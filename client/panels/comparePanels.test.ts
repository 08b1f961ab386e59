import { beforeEach, describe, expect, it } from 'vitest';
import { Uri } from 'vscode';
import type { ComparablePlacement } from '../../server/protocol/messages.ts';
import { fakeServer } from '../testing/server.ts';
import { Position, Range, reset, Selection, user } from '../testing/vscode.ts';
import { chooseCompared } from './comparePanels.ts';

const uri = 'file:///study/a.place';

const placed = (name: string, jobs: readonly string[], machine = 'torus'): ComparablePlacement => ({
  uri,
  name,
  machine,
  jobs,
  words: '1 hop on average',
  state: 'fresh',
});

/** A server whose placements can be compared where they share the machine and a job. */
const serverWith = (...all: readonly ComparablePlacement[]) =>
  fakeServer({
    answers: {
      comparablePlacements: ({ placement }: { readonly placement?: string }) => {
        const alike = (one: ComparablePlacement, other: ComparablePlacement): boolean =>
          one.machine === other.machine && one.jobs.some((job) => other.jobs.includes(job));
        const own = all.find(({ name }) => name === placement);
        const found =
          own === undefined
            ? all.filter((one) => all.some((other) => other !== one && alike(one, other)))
            : all.filter((one) => alike(one, own));
        return Promise.resolve(found);
      },
    },
  });

const few = serverWith(
  placed('first', ['heat']),
  placed('second', ['heat']),
  placed('wet', ['ocean']),
  placed('dry', ['ocean']),
  placed('alone', ['sand']),
  placed('there', ['heat'], 'tree'),
);
const many = serverWith(
  ...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => placed(name, ['heat'])),
  placed('x', ['ocean']),
  placed('y', ['ocean']),
);

/** The cursor stands in a declaration of this name. */
function cursorIn(name: string): void {
  const cursor = new Position(2, 2);
  user.activeEditor = {
    document: { uri: Uri.parse(uri), languageId: 'place' },
    selection: new Selection(cursor, cursor),
  };
  user.symbols = [
    { name, range: new Range(0, 0, 4, 1) },
    { name: 'below', range: new Range(10, 0, 14, 1) },
  ];
}

const names = async (...given: Parameters<typeof chooseCompared>): Promise<readonly string[] | undefined> =>
  (await chooseCompared(...given))?.map(({ placement }) => placement);

beforeEach(reset);

describe('what is compared', () => {
  it.each([
    ['placement', 'second', ['first', 'second']],
    ['placement of another job', 'dry', ['wet', 'dry']],
    ['job', 'heat', ['first', 'second']],
    ['machine', 'torus', ['first', 'second']],
  ])('are the placements of the %s that the cursor stands in, without a question', async (_kind, name, expected) => {
    cursorIn(name);
    expect(await names(few, {}, undefined)).toEqual(expected);
    expect(await names(few, { uri: Uri.parse(uri) }, undefined)).toEqual(expected);
    expect(user.picks).toEqual([]);
  });

  it.each([
    ['in a placement of many: it and the first others', 'e', ['a', 'b', 'c', 'e']],
    ['in a job of many: all of its placements', 'heat', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['elsewhere: none', 'unused', []],
  ])('is asked with ticks where the cursor stands %s', async (_where, name, ticked) => {
    cursorIn(name);
    user.ticks = [['b', 'e']];
    expect(await names(many, {}, undefined)).toEqual(['b', 'e']);
    expect(user.ticked).toEqual([ticked]);
  });

  it('is asked among all where the placement at the cursor has no other', async () => {
    cursorIn('alone');
    user.ticks = [undefined];
    expect(await names(few, {}, undefined)).toBeUndefined();
    expect(user.picks).toEqual([['first', 'second', 'wet', 'dry']]);
  });

  it('are those of the placement that the command is called with, or whose picture has the focus', async () => {
    cursorIn('wet');
    expect(await names(few, { uri, placement: 'first' }, undefined)).toEqual(['first', 'second']);
    expect(await names(few, {}, { uri, placement: 'first' })).toEqual(['first', 'second']);
  });

  it('is asked again, with the same ticks, where none or too few were chosen', async () => {
    cursorIn('unused');
    user.ticks = [[], ['c'], ['c', 'd']];
    expect(await names(many, {}, undefined)).toEqual(['c', 'd']);
    expect(user.ticked).toEqual([[], [], ['c']]);
    expect(user.messages).toEqual(['Choose from two to 9 placements.', 'Choose from two to 9 placements.']);
  });

  it('is nothing where there are no two of one job, which the user is told', async () => {
    cursorIn('alone');
    expect(await names(serverWith(placed('alone', ['sand'])), {}, undefined)).toBeUndefined();
    expect(user.messages).toEqual([expect.stringContaining('Nothing to compare')]);
  });
});
