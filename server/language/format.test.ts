import { readFileSync, globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatText, isSameTree, layOut } from './format.ts';
import { parseText } from './parse.ts';
import { goodCases, environment } from './testing/meaningCases.ts';
import { tokenize } from './tokens.ts';
import { seededRandom } from '../model/random.ts';
import { casesOf } from '../model/testing/thoroughness.ts';

const images = (text: string): string[] => tokenize(text).tokens.map(({ image }) => image);
const commentsOf = (text: string): string[] => {
  const { documentation, comments } = tokenize(text);
  return [...documentation, ...comments].map(({ image }) => image.trimEnd());
};

describe('formatting', () => {
  const cases: readonly [name: string, text: string, formatted: string][] = [
    [
      'spaces',
      'machine  m{topology torus 4x4 hosts  2    cores 3}',
      'machine m { topology torus 4 x 4  hosts 2    cores 3 }\n',
    ],
    ['indentation', 'job j {\ntasks 4\n      pattern ring\n}', 'job j {\n  tasks 4\n  pattern ring\n}\n'],
    ['quantities', 'job j { bytes 64KiB rate 100 / s }', 'job j { bytes 64 KiB  rate 100/s }\n'],
    [
      'columns',
      'job j {\n  grid    4 x 4\n  stencil five-point\n  bytes 8\n}',
      'job j {\n  grid    4 x 4\n  stencil five-point\n  bytes   8\n}\n',
    ],
    [
      'no columns',
      'job j {\n  grid 4 x 4\n  stencil five-point\n}',
      'job j {\n  grid 4 x 4\n  stencil five-point\n}\n',
    ],
    [
      'lists and options',
      'placement p { allocate nodes [ 0 .. 3 ,5 ] map rcb (a 3 ,b 20 %) }',
      'placement p { allocate nodes [0..3, 5]  map rcb(a 3, b 20%) }\n',
    ],
    [
      'offsets',
      'stencil s { dimensions 2 offset(1,0) offset (-1, 0) weight 2 }',
      'stencil s { dimensions 2  offset ( 1, 0)  offset (-1, 0) weight 2 }\n',
    ],
    ['unsigned offsets', 'stencil s { dimensions 2 offset(1,0) }', 'stencil s { dimensions 2  offset (1, 0) }\n'],
    [
      'offsets without commas',
      'stencil s { dimensions 2 offset (1 10) offset (-1 0) offset (1 -1, 2) }',
      'stencil s { dimensions 2  offset ( 1 10)  offset (-1  0)  offset ( 1 -1, 2) }\n',
    ],
    ['unsigned offsets without commas', 'stencil s { offset(1   0) }', 'stencil s { offset (1 0) }\n'],
    [
      'choices of one job',
      'placement p {\njobs a( allocate nodes [ 0 ..15 ] ,map rcb ),\nb (\nmap auto\n)\n}',
      'placement p {\n  jobs a(allocate nodes [0..15], map rcb),\n    b(\n    map auto\n  )\n}\n',
    ],
    ['a word that a number touches', 'job j { bytes 256periodic }', 'job j { bytes 256periodic }\n'],
    ['a break of Unicode below documentation', '/// Doc.\n\u2028job j { tasks 4 }', '/// Doc.\njob j { tasks 4 }\n'],
    ['a break of Unicode round a cross', 'job j { grid 4\u2028x\u00a04 }', 'job j { grid 4 x 4 }\n'],
    ['names of any script', 'machine  größe{}', 'machine größe { }\n'],
    ['tables', 'table t {\n0->1:40\n  1 ->2 : 5\n}', 'table t {\n  0 -> 1 : 40\n  1 -> 2 : 5\n}\n'],
    [
      'a stream',
      'stream s {\narrivals exponential( rate 2e-4 )\nprocessors weighted [2:40%,4:60 %]\nwhere run>=1,processors>0\nwarm-up 20 %\n}',
      'stream s {\n  arrivals exponential(rate 2e-4)\n  processors weighted [2: 40%, 4: 60%]\n  where run >= 1, processors > 0\n  warm-up 20%\n}\n',
    ],
    [
      'an experiment',
      'experiment e {\nallocate rbs,gabl\nshort replications 5 ,repeat 2\nvary arrivals . rate 1..2 step 1\nreplications until 5% at 95%( at most 20 )\nquoted {\nturnaround rbs/gabl:1.01\nutilisation:78%\nturnaround f( a 1 ):5 ,best 3,differs\n}\n}',
      'experiment e {\n  allocate rbs, gabl\n  short replications 5, repeat 2\n  vary arrivals.rate 1 .. 2 step 1\n  replications until 5% at 95% (at most 20)\n  quoted {\n    turnaround rbs / gabl : 1.01\n    utilisation : 78%\n    turnaround f(a 1) : 5, best 3, differs\n  }\n}\n',
    ],
    [
      'varied lists',
      'experiment e {\nvary arrivals.rate[1,2 ,4]\nvary messages [\n1,\n2\n]\n}',
      'experiment e {\n  vary arrivals.rate [1, 2, 4]\n  vary messages [\n    1,\n    2\n  ]\n}\n',
    ],
    ['links', 'machine m {\nlink 0--1 ,2\n}', 'machine m {\n  link 0 -- 1, 2\n}\n'],
    [
      'continued lines',
      'placement p {\njobs a,\nb\nallocate nodes [\n1,\n2\n]\n}',
      'placement p {\n  jobs a,\n    b\n  allocate nodes [\n    1,\n    2\n  ]\n}\n',
    ],
    [
      'comments',
      '/// doc\n// own\njob j { // open\n// in\ntasks 4   // four\npattern ring     /* a */\n}',
      '/// doc\n// own\njob j { // open\n  // in\n  tasks 4      // four\n  pattern ring /* a */\n}\n',
    ],
    ['comments of several lines', 'job j {\n/* a\n   b */ tasks 4\n}', 'job j {\n  /* a\n   b */ tasks 4\n}\n'],
    [
      'empty lines',
      '\n\njob j {\n\n\n\ntasks 4\n}\n\n\n\njob k { tasks 1 }\n\n',
      'job j {\n\n  tasks 4\n}\n\njob k { tasks 1 }\n',
    ],
    [
      'a comment behind one of several lines',
      'job j {\n/* a\n   b */ tasks 4 // c\n  pattern ring // d\n}',
      'job j {\n  /* a\n   b */ tasks 4 // c\n  pattern ring  // d\n}\n',
    ],
    [
      'signs that touching would make others of',
      'experiment e {\nvary arrivals . . rate 1..2 step 1\nvary a . 5 [1]\n}',
      'experiment e {\n  vary arrivals. .rate 1 .. 2 step 1\n  vary a. 5 [1]\n}\n',
    ],
    ['line breaks of Windows', 'job j {\r\ntasks 4\r\n}', 'job j {\r\n  tasks 4\r\n}\r\n'],
    ['broken text', 'job  j {\n  tasks = 4', 'job  j {\n  tasks = 4'],
    ['nothing', '', ''],
  ];
  it.each(cases)('of %s', (_, text, formatted) => {
    expect(formatText(text)).toBe(formatted);
  });

  const samples = globSync('samples/**/*.place', { cwd: new URL('../..', import.meta.url) });
  const texts = [
    ...cases.map(([, text]) => text),
    ...goodCases,
    environment,
    ...samples.map((path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')),
  ];
  it('changes neither tokens nor comments, and nothing the second time', () => {
    for (const text of texts) {
      const formatted = formatText(text);
      expect(images(formatted)).toEqual(images(text));
      expect(commentsOf(formatted)).toEqual(commentsOf(text));
      expect(formatText(formatted)).toBe(formatted);
      const [parsed, before] = [parseText(formatted), parseText(text)];
      expect(isSameTree(parsed.tree, before.tree), formatted).toBe(true);
      expect(parsed.problems.length).toBe(before.problems.length);
    }
  });

  /** Of each kind one between two tokens, one after the other. */
  const comments = ['/* a */', '/* a\n   b */', ' // a\n', '\n  // a\n  // b\n', '\n/* a\n b */\n', ' /* a\n b */\n'];
  const every = casesOf(3, 1);
  const withComments = (text: string, kind: number): readonly string[] =>
    tokenize(text).tokens.flatMap(({ startOffset }, index) => {
      if ((index + kind) % every !== 0) return [];
      const comment = comments[(Math.floor(index / every) + kind) % comments.length]!;
      return [text.slice(0, startOffset) + comment + text.slice(startOffset)];
    });
  it('keeps what a text means and its comments, wherever these stand, and changes nothing the second time', () => {
    const short = texts.filter((text) => text.length < 400);
    expect(short.length).toBeGreaterThan(90);
    for (const [kind, text] of short.entries()) {
      for (const commented of withComments(text, kind)) {
        const { tree, problems } = parseText(commented);
        const formatted = formatText(commented);
        expect(isSameTree(parseText(formatted).tree, tree), commented).toBe(true);
        expect(commentsOf(formatted)).toEqual(commentsOf(commented));
        expect(formatText(formatted), commented).toBe(formatted);
        // Nothing is given up to keep the meaning: laying out never changes it.
        if (problems.every(({ severity }) => severity !== 'error'))
          expect(layOut(commented, tree), commented).toBe(formatted);
      }
    }
  });

  const strange = ['is', 'at', 'of', '"x"', '3', ',', '(', '=', '..', 'x', '.', '%', '-', '1e', '/', 'ns'];
  it('joins and parts no words of rows that are wrong', () => {
    const random = seededRandom(7);
    const rows = texts.flatMap((text) =>
      text.split('\n').filter((row) => /quoted|compare|vary|report|offset/.test(row)),
    );
    for (let round = 0; round < casesOf(1500, 25_000); round++) {
      const pieces = rows[random.integer(rows.length)]!.match(/[\w.-]+|[^\s\w]|\s+/g) ?? [];
      for (let change = random.integer(4); change >= 0; change--) {
        const at = random.integer(pieces.length + 1);
        pieces.splice(
          at,
          random.integer(2),
          ...(random.integer(2) === 0 ? [] : [strange[random.integer(strange.length)]!]),
        );
      }
      const text = `experiment e {\n${pieces.join('')}\n}\n`;
      const formatted = formatText(text);
      expect(images(formatted), text).toEqual(images(text));
      expect(
        parseText(formatted).problems.map(({ code }) => code),
        text,
      ).toEqual(parseText(text).problems.map(({ code }) => code));
    }
  });

  it.each([
    ['another number', 'stencil s { offset (1 10) }', 'stencil s { offset (110) }'],
    ['another property', 'job j { bytes 256periodic }', 'job j { bytes 256 periodic }'],
    ['other documentation', '/// A.\njob j { }', '/// B.\njob j { }'],
    ['less', 'job j { tasks 4 periodic }', 'job j { tasks 4 }'],
    ['more', 'table t { 0 -> 1 : 4 }', 'table t { 0 -> 1 : 4  1 -> 2 : 4 }'],
  ])('can tell a tree from one with %s', (_, one, other) => {
    expect(isSameTree(parseText(one).tree, parseText(one.replaceAll(' ', '  ').replace('//  ', '// ')).tree)).toBe(
      true,
    );
    expect(isSameTree(parseText(one).tree, parseText(other).tree)).toBe(false);
  });
});
