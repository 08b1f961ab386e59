import { describe, expect, it } from 'vitest';
import { definition } from './definition.ts';
import { references } from './references.ts';
import { prepareRename, rename } from './rename.ts';
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

describe('references', () => {
  const text = 'import "lib.place"\nplacement p { job heat machine f|ar }\nplacement q { job heat machine far }';

  it.each([
    [true, ['main.place:1', 'main.place:2', 'lib.place:0']],
    [false, ['main.place:1', 'main.place:2']],
  ])('in the file and its imports, declaration %s', async (includeDeclaration, expected) => {
    const found = references(await atCursor(text, { files }), { includeDeclaration });
    const lines = found.map(({ uri, range }) => `${uri.slice(uriOf('').length)}:${range.start.line}`);
    expect(lines.toSorted()).toEqual(expected.toSorted());
  });

  it('do not confuse a job with a machine of the same name', async () => {
    const input = await atCursor('job x { } machine |x { } placement p { job x machine x }');
    expect(
      references(input, { includeDeclaration: true }).map(({ range }) => input.document.offsetAt(range.start)),
    ).toEqual([18, 52]);
  });
});

describe('rename', () => {
  it('changes the declaration and every use', async () => {
    const input = await atCursor('job heat { } placement p { job h|eat }');
    const prepared = prepareRename(input);
    expect(prepared?.placeholder).toBe('heat');
    expect(prepared && textIn(input, prepared.range)).toBe('heat');
    const answer = rename(input, 'ice-cold');
    expect(answer.ok && answer.value.changes?.[mainUri]?.map(({ newText }) => newText)).toEqual([
      'ice-cold',
      'ice-cold',
    ]);
  });

  it.each([
    ['job h|eat { }', 'two words'],
    ['job h|eat { }', '4x'],
    ['job heat { ta|sks 4 }', 'jobs'],
  ])('refuses at %s the name %s with a sentence', async (marked, name) => {
    const answer = rename(await atCursor(marked), name);
    expect(!answer.ok && answer.failure.message).toMatch(/name/);
  });
});
