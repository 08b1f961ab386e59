import { describe, expect, it } from 'vitest';
import { semanticTokens, semanticTokensLegend } from './semanticTokens.ts';
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
