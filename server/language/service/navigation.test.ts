import { describe, expect, it } from 'vitest';
import { definition } from './navigation.ts';
import { atCursor, mainUri, textIn, uriOf } from './testing/input.ts';

const files = { 'lib.place': 'machine far { topology torus 4 x 4 }\njob heat { tasks 4 pattern ring }' };

describe('definition', () => {
  it.each([
    ['machine m { } placement p { machine |m }', 'm', 8],
    ['job grid { } placement p { job gri|d }', 'grid', 4],
    ['job grid { } machine grid { } placement p { job grid machine gri|d }', 'grid', 21],
    ['table t { } job j { table |t }', 't', 6],
    ['stencil s { } job j { stencil |s }', 's', 8],
    ['placement p { } placement q { allocate same-as p| }', 'p', 10],
    ['job h|ere { }', 'here', 4],
    ['stream calm { } experiment e { stream ca|lm }', 'calm', 7],
    ['network fast { } experiment e { network fa|st }', 'fast', 8],
    ['machine m { } experiment e { machine |m }', 'm', 8],
    ['job j { } experiment e { job |j }', 'j', 4],
    ['experiment fig|ure-4 { }', 'figure-4', 11],
  ])('%s', async (marked, name, start) => {
    const input = await atCursor(marked);
    const found = definition(input);
    expect(found?.uri).toBe(mainUri);
    expect(found && textIn(input, found.range)).toBe(name);
    expect(found && input.document.offsetAt(found.range.start)).toBe(start);
  });

  it('leads into an imported file', async () => {
    const input = await atCursor('import "lib.place"\nplacement p { job he|at machine far }', { files });
    expect(definition(input)).toEqual({
      uri: uriOf('lib.place'),
      range: { start: { line: 1, character: 4 }, end: { line: 1, character: 8 } },
    });
  });

  it.each(['placement p { machine no|where }', 'machine m { topology to|rus 4 }', '|', 'job j { tasks 4|2 }'])(
    'has nothing at %s',
    async (marked) => {
      expect(definition(await atCursor(marked))).toBeUndefined();
    },
  );
});
