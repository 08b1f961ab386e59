import { DocumentHighlightKind } from 'vscode-languageserver-types';
import { describe, expect, it } from 'vitest';
import { documentHighlights, selectionRanges } from './selection.ts';
import { signatureHelp } from './signatureHelp.ts';
import { prepareUses, usedBy, usesOf } from './uses.ts';
import { atCursor, textIn, uriOf, workspaceOf } from './testing/input.ts';

const program = `machine small { topology torus 4 x 4 }
machine large { topology torus 8 x 8 }
job heat { grid 4 x 4  stencil five-point }
placement a { job heat  machine small  map rcb }
placement b { job heat  machine large  map rcb }
`;

describe('occurrences', () => {
  it.each<[string, readonly string[]]>([
    ['job he|at', ['heat!', 'heat', 'heat']],
    ['machine sma|ll ', ['small!', 'small']],
    // The word of a property stands for itself, and so does a keyword.
    ['{ topo|logy torus 4', ['topology']],
    ['ma|chine large', ['machine']],
    ['map r|cb }\nplacement b', ['rcb', 'rcb']],
    ['topology to|rus 8', ['torus', 'torus']],
  ])('of %s', async (place, expected) => {
    const input = await atCursor(program.replace(place.replace('|', ''), place));
    const found = documentHighlights(input) ?? [];
    const words = found.map(
      ({ range, kind }) => textIn(input, range) + (kind === DocumentHighlightKind.Write ? '!' : ''),
    );
    expect(words).toEqual(expected);
  });

  it('are none where nothing stands', async () => {
    expect(documentHighlights(await atCursor('job j { tasks 4 } |  '))).toBeUndefined();
  });
});

describe('a selection grows', () => {
  const grown = async (marked: string): Promise<string[]> => {
    const input = await atCursor(marked);
    let [range] = selectionRanges(input, [input.document.positionAt(input.offset)]);
    const texts: string[] = [];
    for (; range !== undefined; range = range.parent) texts.push(textIn(input, range.range));
    return texts;
  };

  it.each<[string, readonly string[]]>([
    [
      'placement p { map grasp(iterations 5|0, alpha 20 %) }',
      [
        '50',
        'iterations 50',
        'iterations 50, alpha 20 %',
        '(iterations 50, alpha 20 %)',
        'grasp(iterations 50, alpha 20 %)',
        'map grasp(iterations 50, alpha 20 %)',
        ' map grasp(iterations 50, alpha 20 %) ',
        '{ map grasp(iterations 50, alpha 20 %) }',
        'placement p { map grasp(iterations 50, alpha 20 %) }',
      ],
    ],
    ['table t { 0 -> 1 : 4|0 }', ['40', '0 -> 1 : 40', ' 0 -> 1 : 40 ', '{ 0 -> 1 : 40 }', 'table t { 0 -> 1 : 40 }']],
    ['import "a/b.pl|ace"', ['"a/b.place"', 'import "a/b.place"']],
    ['|', ['']],
  ])('%s', async (marked, expected) => {
    expect(await grown(marked)).toEqual(expected);
  });

  it('to more each time, wherever it begins and however broken the text is', async () => {
    const text = `${program}// a comment\njob { grid 4 x  stencil\n}}} "`;
    for (let offset = 0; offset <= text.length; offset++) {
      const texts = await grown(`${text.slice(0, offset)}|${text.slice(offset)}`);
      expect(texts.at(-1)).toBe(text);
      for (const [index, one] of texts.slice(1).entries()) {
        expect(one.length).toBeGreaterThan(texts[index]!.length);
        expect(one).toContain(texts[index]);
      }
    }
  });
});

describe('signatures', () => {
  const active = async (marked: string): Promise<string | undefined> => {
    const help = signatureHelp(await atCursor(marked));
    const [signature] = help?.signatures ?? [];
    const label = signature?.parameters?.[help?.activeParameter ?? 0]?.label;
    if (signature === undefined) return undefined;
    return typeof label === 'object' ? signature.label.slice(...label).replace(/ .*/, '') : 'none';
  };

  it.each<[string, string | undefined]>([
    ['placement p { map grasp(|', 'criterion'],
    ['placement p { map grasp(alpha 20 %, |) }', 'criterion'],
    ['placement p { map grasp(alpha |20 %) }', 'alpha'],
    ['placement p { map grasp(it|) }', 'iterations'],
    ['placement p { allocate random(count 3, |) }', 'none'],
    ['machine m { topology fat-tree(k 4, n |', 'n'],
    ['machine m { routing dimension-order(order z, |', 'order'],
    ['stream s { width uniform(1, |', 'to'],
    ['stream s { arrivals decreasing(limits [2, 4|, 8]', 'limits'],
    ['job j { tasks 4 skeleton cg(|', 'class'],
    ['experiment e { schedule fcfs, window(|', 'size'],
    ['placement p { jobs a(|', 'allocate'],
    ['placement p { jobs a(map |', 'map'],
    ['placement p { jobs a(map grasp(|', 'criterion'],
    ['placement p { map rcb |', undefined],
    ['placement p { map grasp(alpha 20 %) |', undefined],
    ['|', undefined],
  ])('%s', async (marked, expected) => {
    expect(await active(marked)).toBe(expected);
  });

  it('show what an option is when it is left out, and its documentation', async () => {
    const [signature] = signatureHelp(await atCursor('placement p { map grasp(|'))?.signatures ?? [];
    expect(signature?.label).toMatch(/^grasp\(.*iterations \d+/);
    expect(JSON.stringify(signature?.parameters?.[0]?.documentation)).toContain('Values');
  });
});

describe('uses', () => {
  const files = {
    'machines.place': 'machine small { topology torus 4 x 4 }\n',
    'a.place':
      'import "machines.place"\njob heat { grid 4 x 4  stencil mine }\nstencil mine { dimensions 2 offset (1, 0) }\nplacement p { job heat machine small }\n',
    'b.place': 'import "machines.place"\njob b { tasks 4 pattern ring }\nplacement q { job b machine small }\n',
  };

  it('of a machine are the placements of all files', async () => {
    const workspace = await workspaceOf(files);
    const [item] = prepareUses(workspace, uriOf('machines.place'), 10);
    expect(item).toMatchObject({ name: 'small', detail: 'machine' });
    expect(usesOf(workspace, item!).map(({ from, fromRanges }) => [from.name, fromRanges.length])).toEqual([
      ['p', 1],
      ['q', 1],
    ]);
    expect(usedBy(workspace, item!)).toEqual([]);
  });

  it('by a placement are its job and its machine, by a job its stencil', async () => {
    const workspace = await workspaceOf(files);
    const at = (text: string) => prepareUses(workspace, uriOf('a.place'), files['a.place'].indexOf(text) + 1)[0]!;
    expect(usedBy(workspace, at('p { job')).map(({ to }) => `${to.detail ?? ''} ${to.name}`)).toEqual([
      'job heat',
      'machine small',
    ]);
    expect(usedBy(workspace, at('heat { grid')).map(({ to }) => to.name)).toEqual(['mine']);
    expect(usesOf(workspace, at('mine }')).map(({ from }) => from.name)).toEqual(['heat']);
    // On a word that names nothing, the declaration round it.
    expect(at('grid 4').name).toBe('heat');
  });
});
