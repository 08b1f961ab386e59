import { describe, expect, it } from 'vitest';
import { semanticTokenEdits, semanticTokens, semanticTokensLegend } from './semanticTokens.ts';
import { serviceInput } from './testing/input.ts';

/** The tokens as `text:type` or `text:type.modifier`, read back as an editor does. */
async function tokensOf(text: string): Promise<string[]> {
  const input = await serviceInput(text);
  const { data } = semanticTokens(input);
  const found: string[] = [];
  let line = 0;
  let character = 0;
  for (let at = 0; at < data.length; at += 5) {
    const [lines, characters, length, type, modifiers] = data.slice(at, at + 5) as [
      number,
      number,
      number,
      number,
      number,
    ];
    character = lines > 0 ? characters : character + characters;
    line += lines;
    const word = input.document.getText({ start: { line, character }, end: { line, character: character + length } });
    const modifier = semanticTokensLegend.tokenModifiers.filter((_name, bit) => (modifiers & (1 << bit)) !== 0);
    found.push([`${word}:${semanticTokensLegend.tokenTypes[type] ?? '?'}`, ...modifier].join('.'));
  }
  return found;
}

describe('semantic tokens', () => {
  it.each<[string, readonly string[]]>([
    ['import "a.place"', ['import:keyword']],
    [
      'machine m {\n  topology torus 4 x 2\n}',
      ['machine:keyword', 'm:class.declaration', 'topology:property', 'torus:function.defaultLibrary'],
    ],
    [
      'job grid { bytes 64 KiB }\nplacement p { job grid }',
      [
        'job:keyword',
        'grid:class.declaration',
        'bytes:property',
        'placement:keyword',
        'p:class.declaration',
        'job:property',
        'grid:class',
      ],
    ],
    [
      'job j { stencil five-point } job k { stencil mine }',
      [
        'job:keyword',
        'j:class.declaration',
        'stencil:property',
        'five-point:function.defaultLibrary',
        'job:keyword',
        'k:class.declaration',
        'stencil:property',
        'mine:class',
      ],
    ],
    [
      'placement p { allocate same-as q\n map random-search(criterion equivalent) }',
      [
        'placement:keyword',
        'p:class.declaration',
        'allocate:property',
        'same-as:function.defaultLibrary',
        'q:class',
        'map:property',
        'random-search:function.defaultLibrary',
        'criterion:parameter',
        'equivalent:enumMember',
      ],
    ],
    [
      'placement p { map tabu(budget 200 ms) }',
      ['placement:keyword', 'p:class.declaration', 'map:property', 'tabu:function.defaultLibrary', 'budget:parameter'],
    ],
    ['table t { 0 -> 1 : 40 }', ['table:keyword', 't:class.declaration']],
    ['// only a comment', []],
  ])('%j', async (text, expected) => {
    expect(await tokensOf(text)).toEqual(expected);
  });
});

describe('of a range', () => {
  it('only the tokens there are coloured', async () => {
    const input = await serviceInput('machine m { topology torus 4 }\njob j { tasks 4\n pattern ring }\n');
    const all = semanticTokens(input).data;
    const some = semanticTokens(input, { start: { line: 1, character: 0 }, end: { line: 2, character: 0 } }).data;
    // The first line has four words, the second three.
    expect(all.slice(4 * 5, 7 * 5)).toEqual([1, ...all.slice(4 * 5 + 1, 7 * 5)]);
    expect(some).toEqual([1, 0, ...all.slice(4 * 5 + 2, 7 * 5)]);
  });
});

describe('the difference to an older answer', () => {
  const dataOf = async (text: string): Promise<number[]> => semanticTokens(await serviceInput(text)).data;
  const text = 'machine m { topology torus 4 }\njob j { tasks 4 pattern ring }\nplacement p { job j machine m }\n';

  it.each([
    ['nothing', text],
    ['a word more', text.replace('tasks 4', 'tasks 4 bytes 4')],
    ['a word less', text.replace('pattern ring', '')],
    ['a longer word', text.replace('torus', 'hypercube')],
    ['a line more', text.replace('job', '\njob')],
    ['all gone', ''],
    ['another', 'stencil s { dimensions 1 offset (1) }'],
  ])('gives the newer one: %s', async (_, next) => {
    const [before, after] = [await dataOf(text), await dataOf(next)];
    const edits = semanticTokenEdits(before, after);
    const data = [...before];
    for (const { start, deleteCount, data: put = [] } of edits) data.splice(start, deleteCount, ...put);
    expect(data).toEqual(after);
    expect(edits.length).toBe(next === text ? 0 : 1);
    for (const { start, deleteCount } of edits) expect([start % 5, deleteCount % 5]).toEqual([0, 0]);
  });

  it('is small for a small change', async () => {
    const [edit] = semanticTokenEdits(await dataOf(text), await dataOf(text.replace('torus', 'mesh')));
    expect(edit?.data?.length).toBeLessThanOrEqual(10);
  });
});
