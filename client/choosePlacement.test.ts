import { beforeEach, describe, expect, it } from 'vitest';
import { Uri } from 'vscode';
import type { PlacementSummary } from '../server/protocol/messages.ts';
import { chooseExperiment, choosePlacement } from './choosePlacement.ts';
import type { Server } from './server.ts';
import { fakeServer } from './testing/server.ts';
import { Position, Range, reset, Selection, user } from './testing/vscode.ts';

const uri = 'file:///study/a.place';

const placement = (name: string, line: number): PlacementSummary => {
  const at = { line, character: 10 };
  return { name, range: { start: at, end: at }, state: 'fresh', status: { kind: 'idle' }, revision: 1 };
};

const serverWith = (...placements: readonly PlacementSummary[]): Server =>
  fakeServer({ answers: { placements: () => Promise.resolve(placements) } });

const several = serverWith(placement('first', 10), placement('second', 20));

/** The cursor stands in this line of a file whose declarations have five lines each. */
function cursorIn(line: number, file = uri, languageId = 'place'): void {
  const cursor = new Position(line, 2);
  user.activeEditor = {
    document: { uri: Uri.parse(file), languageId },
    selection: new Selection(cursor, cursor),
  };
  user.symbols = [
    { name: 'torus', range: new Range(0, 0, 4, 1) },
    { name: 'first', range: new Range(10, 0, 14, 1) },
    { name: 'second', range: new Range(20, 0, 24, 1) },
  ];
}

beforeEach(reset);

describe('a command about a placement', () => {
  it('takes the one it is called with', async () => {
    expect(await choosePlacement(several, { uri, placement: 'second' })).toEqual({ uri, placement: 'second' });
    expect(user.picks).toEqual([]);
  });

  it('takes that of the picture in front', async () => {
    const shown = { uri, placement: 'first' };
    expect(await choosePlacement(several, {}, shown)).toEqual(shown);
  });

  it.each([
    [20, 'second'],
    [24, 'second'],
    [12, 'first'],
  ])('takes the one that the cursor stands in: line %d', async (line, name) => {
    cursorIn(line);
    expect(await choosePlacement(several, {})).toEqual({ uri, placement: name });
    expect(await choosePlacement(several, { uri: Uri.parse(uri) })).toEqual({ uri, placement: name });
    expect(user.picks).toEqual([]);
  });

  it.each([
    ['between declarations', 17, uri],
    ['in a machine', 2, uri],
    ['in another file', 20, 'file:///study/b.place'],
  ])('asks where the cursor stands %s', async (_where, line, file) => {
    cursorIn(line, file);
    user.pick = 'second';
    expect(await choosePlacement(several, { uri })).toEqual({ uri, placement: 'second' });
    expect(user.picks).toEqual([['first', 'second']]);
  });

  it('takes the only one without a question, and no answer for an answer', async () => {
    cursorIn(2);
    expect(await choosePlacement(serverWith(placement('only', 7)), {})).toEqual({ uri, placement: 'only' });
    expect(await choosePlacement(several, {})).toBeUndefined();
  });

  it('says so where there is no placement, or no program', async () => {
    expect(await choosePlacement(several, {})).toBeUndefined();
    cursorIn(2, 'file:///study/notes.md', 'markdown');
    expect(await choosePlacement(several, {})).toBeUndefined();
    cursorIn(2);
    expect(await choosePlacement(serverWith(), {})).toBeUndefined();
    const open = expect.stringContaining('No .place file is open') as unknown;
    expect(user.messages).toEqual([open, open, expect.stringContaining('declares no placement yet')]);
  });
});

describe('a command about an experiment', () => {
  const experiments = (...names: readonly string[]) =>
    fakeServer({
      answers: {
        experiments: () =>
          Promise.resolve(names.map((name, index) => ({ name, range: new Range(10 * (index + 1), 0, 4, 1) }))),
      },
    });
  const two = experiments('first', 'second');

  it('takes the one it is called with, the one the cursor stands in, the only one, or the one that is picked', async () => {
    expect(await chooseExperiment(two, { uri, experiment: 'second' })).toEqual({ uri, experiment: 'second' });
    cursorIn(22);
    expect(await chooseExperiment(two, {})).toEqual({ uri, experiment: 'second' });
    cursorIn(2);
    expect(await chooseExperiment(experiments('only'), {})).toEqual({ uri, experiment: 'only' });
    user.pick = 'first';
    expect(await chooseExperiment(two, {})).toEqual({ uri, experiment: 'first' });
    expect(user.picks).toEqual([['first', 'second']]);
    expect(await chooseExperiment(experiments(), {})).toBeUndefined();
    expect(user.messages).toEqual([expect.stringContaining('declares no experiment yet')]);
  });
});
