import { describe, expect, it } from 'vitest';
import { parseText } from './parse.ts';
import { syntaxCases } from './testing/syntaxCases.ts';
import { describeProblems, expectedProblems, unmark } from './testing/marked.ts';
import type { DeclarationNode, ListValue, NamedNode, Value, PropertyContent } from './tree.ts';

const itemText = (item: ListValue['items'][number]): string => {
  if (item.kind === 'string') return `"${item.text}"`;
  return item.to === undefined ? String(item.from.value) : `${item.from.value}-${item.to.value}`;
};

/** A value as its parts, so that a table of cases can be read. */
function valueText(value: Value | undefined): string {
  switch (value?.kind) {
    case undefined:
      return 'nothing';
    case 'number':
      return `number ${value.value}`;
    case 'quantity':
      return `${value.number.value} of ${value.unit.text}`;
    case 'shape':
      return `shape ${value.sides.map((side) => side.value).join(',')}`;
    case 'string':
      return `string ${value.text}`;
    case 'name':
      return `name ${value.text}`;
    case 'list':
      return `list ${value.items.map(itemText).join(',')}`;
  }
}

/** A name, with what a job chose for itself. */
const nameText = ({ text, own }: NamedNode): string =>
  own === undefined ? text : `${text} with ${propertyTexts({ properties: own }).join(' and ')}`;

type OverTime = Extract<PropertyContent, { readonly kind: 'choices' | 'phrase' | 'quoted' }>;

const isOverTime = (content: PropertyContent): content is OverTime =>
  content.kind === 'choices' || content.kind === 'phrase' || content.kind === 'quoted';

/** The words of lists, phrases and quoted numbers. */
function overTime(content: OverTime): string {
  if (content.kind === 'choices') return content.choices.map(({ name }) => name.text).join(' & ');
  const phrases = content.kind === 'phrase' ? [content] : content.entries;
  return phrases.map(({ parts }) => parts.map(({ text }) => text).join(' ')).join('; ');
}

/** `word: content` of every property. */
function propertyTexts({ properties }: Pick<DeclarationNode, 'properties'>): string[] {
  return properties.map(({ word, content }) => {
    if (isOverTime(content)) return `${word.text}: ${overTime(content)}`;
    switch (content.kind) {
      case 'choice': {
        const { name, argument, as, options } = content.choice;
        const written = options.map((option) => `${option.name.text} ${option.values.map(valueText).join(' & ')}`);
        const parts = [name.text, argument && valueText(argument), as && `as ${as.text}`, written.join('; ')];
        return `${word.text}: ${parts.filter((part) => part !== undefined && part !== '').join(' | ')}`;
      }
      case 'value':
        return `${word.text}: ${valueText(content.value)}`;
      case 'names':
        return `${word.text}: ${content.names.map(nameText).join(' & ')}`;
      case 'flag':
        return word.text;
      case 'link':
        return `${word.text}: ${content.from?.value ?? '?'} to ${content.to.map((end) => end.value).join(',')}`;
      case 'offset':
        return `${word.text}: ${content.components.map((step) => step.value).join(',')} weight ${content.weight?.value ?? 1}`;
    }
  });
}

function parseGood(text: string): readonly DeclarationNode[] {
  const { tree, problems } = parseText(text);
  expect(describeProblems(text, problems)).toEqual([]);
  return tree.declarations;
}

describe('properties', () => {
  const cases: readonly [text: string, properties: readonly string[]][] = [
    ['job j { grid 16 x 12 x 24 }', ['grid: shape 16,12,24']],
    ['placement p { allocate same-as job }', ['allocate: same-as | name job']],
    ['placement p { allocate same-as map }', ['allocate: same-as | name map']],
    ['placement p { allocate same-as map rcb }', ['allocate: same-as', 'map: rcb']],
    ['placement p { allocate same-as map map rcb }', ['allocate: same-as | name map', 'map: rcb']],
    ['job j { stencil same-as periodic }', ['stencil: same-as', 'periodic']],
    ['job j { table größe stencil 表-2 }', ['table: größe', 'stencil: 表-2']],
    [
      'placement p { jobs a(allocate nodes [0..15], map rcb), b(allocate random(count 4)), c machine m }',
      [
        'jobs: a with allocate: nodes | list 0-15 and map: rcb & b with allocate: random | count number 4 & c',
        'machine: m',
      ],
    ],
    ['placement p { job a (\nmap given [0, 1]\n) }', ['job: a with map: given | list 0,1']],
    [
      'placement p { jobs a(allocate same-as job, map auto), map }',
      ['jobs: a with allocate: same-as | name job and map: auto & map'],
    ],
    ['placement p { jobs a() }', ['jobs: a with ']],
    ['job j { tasks 4 bytes 64 }', ['tasks: number 4', 'bytes: number 64']],
    ['job j { tasks 4bytes }', ['tasks: 4 of bytes']],
    ['job j { grid 16x12x24 }', ['grid: shape 16,12,24']],
    ['job j { grid 16 × 12×24 }', ['grid: shape 16,12,24']],
    ['job j { grid 4x4 bytes 64KiB }', ['grid: shape 4,4', 'bytes: 64 of KiB']],
    ['job j { grid 16 }', ['grid: number 16']],
    ['job j { grid\n  4 x 4 }', ['grid: shape 4,4']],
    ['job j { bytes 64 KiB }', ['bytes: 64 of KiB']],
    ['job j { bytes 1.5e3 }', ['bytes: number 1500']],
    ['job j { rate 100/s messages 2e3 }', ['rate: 100 of /s', 'messages: number 2000']],
    ['job j { rate 100 / s }', ['rate: 100 of /s']],
    [
      'machine m { bandwidth 10GB/s latency 5µs switch 5 μs }',
      ['bandwidth: 10 of GB/s', 'latency: 5 of µs', 'switch: 5 of μs'],
    ],
    [
      'job j { tasks 64  pattern one-to-all  bytes 64 KiB }',
      ['tasks: number 64', 'pattern: one-to-all', 'bytes: 64 of KiB'],
    ],
    ['job j { bytes 4096 messages 10 periodic }', ['bytes: number 4096', 'messages: number 10', 'periodic']],
    ['job grid { grid 2 x 2 stencil tasks table table }', ['grid: shape 2,2', 'stencil: tasks', 'table: table']],
    [
      'machine torus { topology torus 4 x 4 routing dimension-order(order z, y, x) }',
      ['topology: torus | shape 4,4', 'routing: dimension-order | order name z & name y & name x'],
    ],
    [
      'machine m { topology from "a b.txt" as ibnetdiscover hosts 2 }',
      ['topology: from | string a b.txt | as ibnetdiscover', 'hosts: number 2'],
    ],
    [
      'machine m { topology switches 10 link 0 -- 2, 4, 9 link 1--2 }',
      ['topology: switches | number 10', 'link: 0 to 2,4,9', 'link: 1 to 2'],
    ],
    ['machine m { topology fat-tree(k 4, n 3) }', ['topology: fat-tree | k number 4; n number 3']],
    [
      'stencil s { dimensions 3 offset ( 1, 0, 0)   offset (0,-1, 0) weight 0.5 }',
      ['dimensions: number 3', 'offset: 1,0,0 weight 1', 'offset: 0,-1,0 weight 0.5'],
    ],
    ['placement p { jobs scatter, shuffle machine lab }', ['jobs: scatter & shuffle', 'machine: lab']],
    ['placement p { jobs map, job\n, seed machine machine }', ['jobs: map & job & seed', 'machine: machine']],
    [
      'placement p { allocate nodes [0..63, 70] map given [ -1, 5 ] seed -7 }',
      ['allocate: nodes | list 0-63,70', 'map: given | list -1,5', 'seed: number -7'],
    ],
    [
      'placement p { map given "a.txt" allocate same-as by-hand }',
      ['map: given | string a.txt', 'allocate: same-as | name by-hand'],
    ],
    ['placement p { allocate same-as map\n map rcb }', ['allocate: same-as | name map', 'map: rcb']],
    ['placement p { allocate all map rcb seed 3 }', ['allocate: all', 'map: rcb', 'seed: number 3']],
    [
      'placement p { map random-search(seeds 10, patience 40, criterion equivalent, share 20%, time 1 s) }',
      [
        'map: random-search | seeds number 10; patience number 40; criterion name equivalent; share 20 of %; time 1 of s',
      ],
    ],
    [
      'placement p { map grouping(block 2 x 2 x 4, order z, y, x) }',
      ['map: grouping | block shape 2,2,4; order name z & name y & name x'],
    ],
    ['table t { unit packets 0 -> 1 : 40 1->2:1e3 }', ['unit: name packets']],
  ];
  it.each(cases)('%s', (text, properties) => {
    expect(parseGood(text).flatMap(propertyTexts)).toEqual(properties);
  });
});

describe('declarations', () => {
  it('know their parts and places', () => {
    const text = 'import "a.place"\n\ntable cg64 from "cg.mtx"\ntable t from "x" { unit messages }\nmachine m { }';
    const { tree, problems } = parseText(text);
    expect(problems).toEqual([]);
    expect(tree.imports.map(({ path, start, end }) => [path?.text, text.slice(start, end)])).toEqual([
      ['a.place', 'import "a.place"'],
    ]);
    expect(
      tree.declarations.map(({ start, end, body }) => [
        text.slice(start, end),
        body && text.slice(body.start, body.end),
      ]),
    ).toEqual([
      ['table cg64 from "cg.mtx"', undefined],
      ['table t from "x" { unit messages }', '{ unit messages }'],
      ['machine m { }', '{ }'],
    ]);
  });

  it('hold the entries of tables', () => {
    const [table] = parseGood('table ring { 0 -> 1 : 40\n 1 -> 2 : 2.5 2 -> 0 : 1e3 }');
    expect(table?.entries.map(({ from, to, amount }) => [from.value, to.value, amount.value])).toEqual([
      [0, 1, 40],
      [1, 2, 2.5],
      [2, 0, 1000],
    ]);
  });

  it.each([
    ['/// One.\n/// Two *three*.\nmachine m { }', 'One.\nTwo *three*.'],
    ['/// One.\r\nmachine m { }', 'One.'],
    ['/// Far.\n\nmachine m { }', undefined],
    ['//// Rule.\nmachine m { }', undefined],
    ['// Plain.\nmachine m { }', undefined],
    ['machine a { } /// of a\nmachine m { }', undefined],
    ['/// Old.\n\n/// New.\n  machine m { }', 'New.'],
  ])('take the documentation above: %j', (text, documentation) => {
    expect(parseGood(text).at(-1)?.documentation).toBe(documentation);
  });

  it('keep comments out of everything else', () => {
    const [machine] = parseGood('machine /* big */ m { // a { \n topology /* x\n */ torus 4 x 4 }');
    expect(machine && propertyTexts(machine)).toEqual(['topology: torus | shape 4,4']);
  });
});

describe('syntax problems', () => {
  it.each(syntaxCases)('%s', (marked, ...codes) => {
    const { text } = unmark(marked);
    expect(describeProblems(text, parseText(text).problems)).toEqual(expectedProblems(marked, codes));
  });

  it('shows ten mistakes as ten problems', () => {
    const marked = `
      machine a { ⟦topolgy⟧ torus 4 x 4  hosts 2 ⟦;⟧ }
      ⟦machin⟧ b { topology torus 4 ⟦x⟧ }
      job c { tasks 4 pattern ring ⟦byts⟧ 3 }
      ⟦widget⟧ w { size 3 }
      table t { 0 -> 1 : ⟦many⟧ }
      placement p { jobs c ⟦d⟧  map rcb⟦(⟧a 3
        ⟦seed⟧
      }`;
    const { text } = unmark(marked);
    const codes = parseText(text).problems.map(({ code }) => code);
    expect(describeProblems(text, parseText(text).problems)).toEqual(expectedProblems(marked, codes));
    expect(codes).toHaveLength(10);
  });
});

describe('reading is a function of the text', () => {
  const texts = [
    'import "m.place" job j { tasks 4 pattern ring }',
    'import "m.place" hosts 2',
    'placement p { allocate all',
    'job j { bytes 4',
    'table t { 0 -> 1',
    'machine m { topology torus (',
    'cores 4 job 2',
    'stencil s { offset (1',
  ];
  it.each(texts)('whatever was read before: %s', (text) => {
    const alone = parseText(text);
    for (const other of texts) {
      parseText(other);
      expect(parseText(text), other).toEqual(alone);
    }
  });

  it('takes a declaration behind an import on one line', () => {
    const { tree, problems } = parseText(
      'import "m.place" job j { tasks 4 pattern ring } import "n.place" machine m { }',
    );
    expect(problems).toEqual([]);
    expect(tree.imports.map(({ path }) => path?.text)).toEqual(['m.place', 'n.place']);
    expect(tree.declarations.map(({ name }) => name?.text)).toEqual(['j', 'm']);
  });

  it('takes letters composed in two ways for the same name', () => {
    const [one, other] = parseGood('job größe { } job gro\u0308ße { }'.replace('größe', 'gr\u00f6ße'));
    expect(other?.name?.text).toBe(one?.name?.text);
  });
});

describe('absurd texts', () => {
  it('refuses a text above the limit with one problem', () => {
    const { tree, problems } = parseText(' '.repeat(4 * 2 ** 20 + 1));
    expect(tree.declarations).toEqual([]);
    expect(problems.map(({ code }) => code)).toEqual(['file-too-large']);
  });

  it.each(['(', '[', '{', '}', 'job x {', 'a ', '"', '%', '`', '0 ->', '-- ', 'import '])(
    'reads %j many times over',
    (part) => {
      for (const text of [part.repeat(3000), `job j {\n${`${part}\n`.repeat(3000)}`]) {
        const { problems } = parseText(text);
        expect(problems.length).toBeGreaterThan(0);
        expect(problems.every(({ start, end }) => start >= 0 && start <= end && end <= text.length)).toBe(true);
      }
    },
  );
});
