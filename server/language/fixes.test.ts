import { describe, expect, it } from 'vitest';
import { checkText } from './testing/marked.ts';
import { environment } from './testing/meaningCases.ts';
import { topologies } from '../network/catalogue.ts';
import type { Fix, Problem } from './tree.ts';

/** Ordinary mistakes: what the first fix that is offered changes stands as ⟦wrong→mended⟧. */
const mistakes: readonly (readonly [code: string, text: string])[] = [
  // words
  ['unknown-declaration', '⟦machin→machine⟧ x { topology torus 4 }'],
  ['unknown-declaration', '⟦machinex→machine x⟧ { topology torus 4 }'],
  ['unknown-property', 'machine x { ⟦topolgy→topology⟧ torus 4 }'],
  ['unknown-property', 'machine x { ⟦colour 12 (a, b)→⟧ topology torus 4 }'],
  ['unknown-name', 'placement x { job ⟦heatt→heat⟧ machine small }'],
  ['unknown-option', 'placement x { job heat machine small map auto(⟦budgt→budget⟧ 9) }'],
  ['duplicate-property', 'job x { tasks 4 pattern ring ⟦tasks 5→⟧ }'],
  ['duplicate-declaration', 'job free-2 { tasks 4 pattern ring }\njob heat { tasks 4 pattern ring }'],
  ['missing-name', 'machine⟦→ new-machine⟧ { topology torus 4 x 4 }'],
  ['missing-name', 'machine ⟦4→new-machine⟧ { topology torus 4 x 4 }'],
  ['missing-brace', 'machine x⟦→ {⟧\n  topology torus 4 x 4\n}'],
  ['missing-body', 'machine x⟦→ { topology torus 4 x 4 }⟧'],
  ['missing-property', 'machine x { ⟦→topology torus 4 x 4  ⟧cores 2 }'],
  ['missing-property', 'machine x { // big\n    ⟦→topology torus 4 x 4\n    ⟧cores 2\n}'],
  ['missing-property', 'job x { ⟦→grid 8 x 8 x 8  ⟧stencil seven-point }'],
  ['missing-property', 'job x { ⟦→pattern ring  ⟧tasks 4 }'],
  ['missing-property', 'placement x { ⟦→machine small  ⟧job line }'],
  ['missing-property', 'job x { ⟦tasks→grid⟧ 4 stencil east }'],
  ['unknown-name', 'placement x { job line machine small allocate ⟦same-asbase→same-as base⟧ }'],
  ['unknown-name', 'placement x { job line machine small allocate ⟦sameas→same-as⟧ base }'],
  // numbers and units
  ['wrong-unit', 'machine x { topology torus 4 latency 5 ⟦GB/s→ns⟧ }'],
  ['unknown-unit', 'job x { tasks 4 pattern ring bytes 64 ⟦Kb→kB⟧ }'],
  ['unknown-unit', 'machine x { topology torus 4 bandwidth ⟦100 Gbit→12.5 GB⟧/s }'],
  ['unknown-unit', 'machine x { topology torus 4 bandwidth ⟦1 Gbps→125 MB/s⟧ }'],
  ['unknown-unit', 'job x { tasks 4 pattern ring bytes 4 ⟦constructor→B⟧ }'],
  ['wrong-unit', 'machine x { topology torus 4 latency 10 ⟦→us ⟧}'],
  ['wrong-unit', 'job x { tasks 4 ⟦KiB →⟧pattern ring }'],
  ['out-of-range', 'job x { tasks ⟦0→1⟧ pattern ring }'],
  ['too-large', 'job x { tasks ⟦9000000→8388608⟧ pattern ring }'],
  ['out-of-range', 'job x { tasks 4 pattern ring bytes ⟦-→⟧4 KiB }'],
  ['wrong-value', 'job x { tasks ⟦4.4→4⟧ pattern ring }'],
  ['too-large', 'placement x { job line machine small seed ⟦9007199254740993→9007199254740992⟧ }'],
  ['out-of-range', 'placement x { job line machine small allocate nodes [⟦0..16→0..15⟧] }'],
  ['wrong-value', 'placement x { job line machine small allocate nodes [⟦9..0→0..9⟧] }'],
  ['duplicate-number', 'placement x { job line machine small allocate nodes [0..15⟦, 3→⟧] }'],
  ['duplicate-number', 'placement x { job line machine small allocate nodes [⟦3, →⟧0..15] }'],
  ['duplicate-number', 'placement x { job line machine small allocate nodes [0..9, ⟦8..15→10..15⟧] }'],
  ['duplicate-number', 'placement x { job line machine small allocate nodes [0..14, ⟦14..15→15⟧] }'],
  // catalogue words
  ['missing-argument', 'machine x { topology ⟦torus→torus 4 x 4⟧ cores 2 }'],
  ['missing-option', 'machine x { topology ⟦dragonfly→dragonfly(p 2, a 4, h 2)⟧ }'],
  ['missing-option', 'machine x { topology ⟦fat-tree→fat-tree(k 4, n 3)⟧ }'],
  ['self-cable', 'machine x { topology switches 2 hosts 2 link 0 -- 1⟦, 0→⟧ }'],
  ['self-cable', 'machine x { topology switches 2 hosts 2 link 0 -- ⟦0, →⟧1 }'],
  ['self-cable', 'machine x { topology switches 2 hosts 2 link 0 -- 1 ⟦link 1 -- 1→⟧ }'],
  ['disconnected', 'machine x {\n  topology switches 3\n  hosts 2\n  link 0 -- 1⟦→\n  link 0 -- 2⟧\n}'],
  ['illegal-ranks', 'job x { ⟦tasks 48→tasks 32⟧ skeleton cg(class A) }'],
  ['illegal-ranks', 'job x { ⟦tasks 12→tasks 9⟧ skeleton bt(class A) }'],
  ['illegal-ranks', 'job x { ⟦tasks 3000→tasks 1024⟧ skeleton cg(class A) }'],
  ['task-out-of-range', 'table t { 0 -> 4 : 1 } job x { ⟦tasks 4→tasks 5⟧ table t }'],
  // shapes
  ['unexpected-text', 'machine x { topology torus 4 ⟦X→x⟧ 4 }'],
  ['unexpected-text', 'machine x { topology torus 4 ⟦*→x⟧ 4 }'],
  ['unexpected-text', 'machine x { topology torus ⟦4*→4x ⟧4 }'],
  ['unexpected-text', 'machine x { topology torus⟦(4, 4)→ 4 x 4⟧ }'],
  ['unexpected-text', 'machine x { topology hypercube ⟦(4)→ 4⟧ }'],
  ['wrong-dimensions', 'job x { grid 4 x 4 x 4 stencil ⟦five→seven⟧-point }'],
  ['wrong-dimensions', 'stencil x { dimensions 2 offset (1⟦→, 0⟧) }'],
  ['wrong-dimensions', 'stencil x { dimensions 2 offset (1, 0⟦, 0→⟧) }'],
  // as many dimensions as the offsets have numbers
  ['missing-property', 'stencil x { ⟦→dimensions 2  ⟧offset (1, 0) offset (0, 1) }'],
  ['too-large', 'stencil x { dimensions ⟦19→2⟧ offset (1, 0) }'],
  // a stray bracket takes no parenthesis away
  ['unclosed-parenthesis', 'stencil x { dimensions 1 offset (1⟦→)⟧\n}'],
  // what belongs together
  ['does-not-fit', 'job x { tasks ⟦17→16⟧ pattern ring } placement y { job x machine small }'],
  ['does-not-fit', 'placement x { job heat machine wide allocate nodes [⟦0..6→0..7⟧] }'],
  ['does-not-fit', 'placement x { job line machine small allocate random(count ⟦7→8⟧) }'],
  ['does-not-fit', 'placement x { job line machine small allocate random(count ⟦17→16⟧) }'],
  ['given-length', 'placement x { job free machine small map given [⟦0..2→0..3⟧] }'],
  ['given-length', 'placement x { job free machine small map given [4, 2, 1, 3⟦, 9→⟧] }'],
  ['same-as-cycle', 'placement x { job line machine small allocate ⟦same-as x→all⟧ }'],
  ['does-not-apply', 'machine x { topology torus 4 ⟦link 0 -- 1→⟧ }'],
  ['out-of-range', 'machine x { topology switches 2 link 0 -- 1, ⟦2→1⟧ }'],
  ['unknown-option', 'machine x { topology dragonfly(p 2, a 4, h 2, g 9) bandwidth(⟦locl→local⟧ 5 GB/s) }'],
  // a word alone, as its message says
  ['missing-value', 'job x { grid 4 x 4 stencil⟦→ five-point⟧\n bytes 4 KiB }'],
  ['missing-value', 'machine x { topology torus 4 bandwidth⟦→ 10 GB/s⟧ }'],
  // tables, brackets
  ['incomplete-entry', 'table x { 0 -> 1 ⟦→: 1 ⟧}'],
  ['incomplete-entry', 'table x { 0 -> 1 : 4 ⟦2 ->→⟧ }'],
  ['unexpected-text', 'table x { 0 -> 1 : 4 ⟦KiB→⟧ }'],
  ['unexpected-text', 'machine x { topology torus 4 cores 2⟦!→ ⟧bandwidth 10 GB/s }'],
  ['unknown-unit', 'machine x { topology torus 4 memory 8 GiB/⟦sockets→s sockets⟧ 2 }'],
  ['unclosed-string', 'job x { tasks 4 trace "a⟦→"⟧\n}'],
  ['unclosed-brace', 'job x { tasks 4 pattern ring\n⟦→}\n⟧machine y { topology torus 4 }'],
  ['missing-comma', 'placement x { job line machine small allocate nodes [0..7 ⟦→, ⟧8] }'],
  ['missing-comma', 'placement p { map m(a 3 ⟦→, ⟧count 4) }'],
  ['unclosed-parenthesis', 'placement p { map m(a 3⟦→)⟧\n}'],
  ['unclosed-bracket', 'placement p { allocate nodes [0⟦→]⟧\n}'],
  ['unexpected-text', 'job j { } ⟦}→⟧'],
  // comments as other languages have them
  ['unexpected-text', '⟦# a job {→// a job {⟧\njob j { tasks 4 pattern ring }'],
  ['unexpected-text', '  ⟦## one\n  # two "\n #→// one\n  // two "\n //⟧\n\njob j { tasks 4 pattern ring }'],
  ['unexpected-text', 'job j { tasks 4 ⟦# four→// four⟧\n pattern ring }'],
  ['unexpected-text', '⟦#/ a→// / a⟧\njob j { tasks 4 pattern ring }'],
  // slips of words, and properties that do not belong
  ['unknown-name', 'machine x { topology ⟦tours→torus⟧ 4 x 4 }'],
  ['unknown-unit', 'job x { tasks 4 pattern ring bytes 64 ⟦K→KiB⟧ }'],
  ['unknown-unit', 'job x { tasks 4 pattern ring bytes 64 ⟦KB→kB⟧ }'],
  ['wrong-unit', 'job x { tasks 4 pattern ring rate 100⟦→/s⟧ }'],
  ['wrong-unit', 'machine x { topology torus 4 bandwidth 10 ⟦→GB/s ⟧}'],
  ['wrong-unit', 'machine x { topology torus 4 hosts 2 ⟦KiB →⟧}'],
  ['duplicate-property', 'machine x { topology torus 4 hosts 2 ⟦hosts 2→⟧ }'],
  ['does-not-apply', 'machine x { topology torus 4 ⟦link 0 -- 1→⟧ }'],
  ['missing-property', 'job x { ⟦tasks→grid⟧ 8 stencil east }'],
  ['wrong-value', 'placement x { ⟦job→jobs⟧ free, line machine small }'],
  ['wrong-value', 'placement x { job line machine small allocate nodes [⟦7..0→0..7⟧] }'],
  ['wrong-value', 'placement x { job free machine small map random-search(criterion hop-⟦byte→bytes⟧) }'],
];

const fixesOf = ({ fix, otherFixes = [] }: Problem): readonly Fix[] => [
  ...(fix === undefined ? [] : [fix]),
  ...otherFixes,
];
const apply = (text: string, { start, end, text: put }: Fix): string => text.slice(0, start) + put + text.slice(end);
const errorsOf = (problems: readonly Problem[]): string[] =>
  problems.flatMap(({ severity, code }) => (severity === 'error' ? [code] : []));

describe('the first fix of an ordinary mistake', () => {
  it.each(mistakes)('%s: %s', async (code, marked) => {
    const change = /⟦(.*)→(.*)⟧/s;
    const [wrong, mended] = [marked.replace(change, '$1'), marked.replace(change, '$2')];
    const before = await checkText(`${wrong}\n${environment}`);
    const problem = before.problems.find((found) => found.code === code && fixesOf(found).length > 0);
    expect(problem, JSON.stringify(before.problems)).toBeDefined();
    const text = apply(before.text, fixesOf(problem!)[0]!);
    if (code !== 'duplicate-declaration') expect(text).toBe(`${mended}\n${environment}`);
    const after = await checkText(text);
    const [errors, left] = [errorsOf(before.problems), errorsOf(after.problems)];
    expect(after.problems.map(({ code: found }) => found).filter((found) => found === code).length).toBeLessThan(
      before.problems.filter((found) => found.code === code).length,
    );
    expect(left.length, JSON.stringify(after.problems)).toBeLessThanOrEqual(
      errors.length - (problem!.severity === 'error' ? 1 : 0),
    );
    for (const found of left) expect(errors).toContain(found);
  });

  it('reports every cable that a topology does not take at once', async () => {
    const { problems } = await checkText('machine x { topology torus 4 link 0 -- 1 link 1 -- 2 link 2 -- 3 }');
    expect(problems.map(({ code }) => code)).toEqual(['does-not-apply', 'does-not-apply', 'does-not-apply']);
  });
});

describe('advice on every topology', () => {
  const written = ['(4, 9)', '(4)', ' 4 x 9', '(4 x 9)', ' 4', '(p 4)', ' 99999999999', '(g 99999999999)'];
  const texts = topologies.flatMap(({ name }) => written.map((what) => `machine x { topology ${name}${what} }`));

  it.each(texts)('is accepted by the checker: %s', async (text) => {
    let { problems } = await checkText(text);
    for (const { message } of problems) {
      const advised = /(?:as in|Write) `([^`]*)`/.exec(message)?.[1];
      if (advised === undefined || !topologies.some(({ name }) => advised.startsWith(name))) continue;
      const after = await checkText(`machine x { topology ${advised} }`);
      expect(after.problems, message).toEqual([]);
    }
    let left = text;
    for (let round = 0; round < 4; round++) {
      const fix = problems.flatMap(fixesOf)[0];
      if (fix === undefined) break;
      left = apply(left, fix);
      const after = await checkText(left);
      expect(errorsOf(after.problems).length, left).toBeLessThanOrEqual(errorsOf(problems).length);
      ({ problems } = after);
    }
  });
});

describe('the fix of a number that is too large', () => {
  it.each([
    'machine x { topology torus 4 hosts ⟦⟧ }',
    'machine x { topology torus ⟦⟧ }',
    'machine x { topology torus 4 x ⟦⟧ }',
    'machine x { topology torus 4 sockets ⟦⟧ }',
    'machine x { topology torus 4 cores ⟦⟧ }',
    'machine x { topology torus 4 cores 2, ⟦⟧ }',
    'machine x { topology torus 4 gpus ⟦⟧ }',
    'machine x { topology torus 4 rails ⟦⟧ }',
    'machine x { topology torus 4 cables ⟦⟧ }',
    'machine x { topology switches ⟦⟧ }',
    'machine x { topology hypercube ⟦⟧ }',
    'machine x { topology cluster ⟦⟧ }',
    'machine x { topology irregular ⟦⟧(links 3) }',
    'machine x { topology fat-tree(k ⟦⟧, n 2) }',
    'machine x { topology dragonfly(p ⟦⟧, a 2, h 1) }',
    'job x { tasks ⟦⟧ pattern ring }',
    'job x { grid ⟦⟧ stencil three-point }',
    'job x { tasks 4 pattern ring messages ⟦⟧ }',
    'placement x { job line machine small map random-search(seeds ⟦⟧) }',
    'placement x { job line machine small seed ⟦⟧ }',
  ])('leaves no error: %s', async (marked) => {
    for (const number of ['99999999999', '1e400', '4294967296000001']) {
      const { problems, text } = await checkText(`${marked.replace('⟦⟧', number)}\n${environment}`);
      for (const fix of problems.filter(({ code }) => code === 'too-large').flatMap(fixesOf))
        expect(errorsOf((await checkText(apply(text, fix))).problems), fix.title).toEqual([]);
    }
  });
});

describe('other fixes', () => {
  it.each([
    ['job x { tasks 4 pattern ring bytes 64 Kb }', ['Change to `kB`', 'Change to `KiB`']],
    ['machine x { topology torus 4 bandwidth 8 Gb/s }', ['Change to `1 GB/s`', 'Change to `GB/s`']],
    ['job x { pattern ring }', ['Write `tasks 64`', 'Write `grid 8 x 8`']],
    ['job heat { tasks 4 pattern ring }', ['Rename this one to `heat-2`']],
    ['placement x { machine small }', ['Write `job heat`', 'Write `job line`', 'Write `job free`']],
  ])('of %s', async (text, titles) => {
    const { problems } = await checkText(`${text}\n${environment}`);
    expect(problems.flatMap(fixesOf).map(({ title }) => title)).toEqual(titles);
  });

  it.each([
    ['too-large', 'placement x { job free machine small map given [0, 1, 2, 1e400] }'],
    ['out-of-range', 'placement x { job free machine small map given [0, 1, -1..2] }'],
    ['too-large', 'stencil x { dimensions 19 offset (1, 0) offset (1) }'],
    ['missing-property', 'stencil x { offset (1, 0) offset (1) offset (2) }'],
    ['missing-property', 'placement x {\n{ job free }'],
    ['duplicate-property', 'placement x { job free machine small job\n}'],
    ['unclosed-bracket', 'placement x { job free machine small allocate nodes [0, "a\n}'],
    ['unclosed-brace', 'machine x { { topology torus 4\n'],
    ['unknown-declaration', 'machin x'],
    ['missing-body', 'placement x'],
    ['missing-body', 'experiment x'],
    ['unknown-name', 'placement x { job line machine small allocate same-asnobody 6 }'],
  ])('are not offered where they would make other errors: %s of %s', async (code, text) => {
    const { problems } = await checkText(`${text}\n${environment}`);
    const found = problems.filter((problem) => problem.code === code);
    expect(found).not.toEqual([]);
    expect(found.flatMap(fixesOf)).toEqual([]);
  });

  it('change the dimensions only where all offsets agree', async () => {
    const { problems } = await checkText('stencil x { dimensions 2 offset (1) offset (1, 0) }');
    expect(problems.flatMap(fixesOf).map(({ title }) => title)).toEqual(['Change to `1, 0`']);
  });

  it('give a machine the cores that its jobs need', async () => {
    const { text, problems } = await checkText(`placement x { jobs heat, line machine small }\n${environment}`);
    const mended = apply(text, fixesOf(problems[0]!)[0]!);
    expect(mended).toContain('machine small { cores 2  topology torus 4 x 4 }');
    expect((await checkText(mended)).problems).toEqual([]);
  });
});
