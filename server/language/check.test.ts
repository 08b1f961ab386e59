import { describe, expect, it } from 'vitest';
import { problemCodes } from './codes.ts';
import { goodCases, meaningCases, environment } from './testing/meaningCases.ts';
import { syntaxCases } from './testing/syntaxCases.ts';
import { checkText, describeProblems, expectedProblems, uriOf, unmark } from './testing/marked.ts';

describe('what the checker underlines', () => {
  it.each(meaningCases)('%s', async (marked, ...expected) => {
    const { text } = unmark(marked);
    const codes = expected.map((problem) => problem.split(':')[0] ?? '');
    const { problems } = await checkText(text + environment);
    expect(describeProblems(text, problems)).toEqual(expectedProblems(marked, codes));
    for (const [index, problem] of problems.entries()) {
      const part = expected[index] ?? '';
      expect(problem.message).toContain(part.slice(part.indexOf(':') + 2));
    }
  });

  it.each(goodCases)('nothing in %s', async (text) => {
    const { problems } = await checkText(text + environment);
    expect(problems.map(({ message }) => message)).toEqual([]);
  });

  it('has a case for every code', async () => {
    const { problems } = await checkText('job j {\n' + 'foo 1\n'.repeat(300));
    const covered = new Set<string>([
      ...meaningCases.flatMap(([, ...expected]) => expected.map((problem) => problem.split(':')[0] ?? '')),
      ...syntaxCases.flatMap(([, ...codes]) => codes),
      ...problems.map(({ code }) => code),
      // Tested below and beside the parser: they need many files or a large text.
      'errors-in-import',
      'too-many-imports',
      'file-too-large',
    ]);
    expect(Object.keys(problemCodes).filter((code) => !covered.has(code))).toEqual([]);
  });

  it('says what to do in whole sentences', async () => {
    for (const [marked] of [...meaningCases, ...syntaxCases]) {
      const { problems } = await checkText(unmark(marked).text + environment);
      for (const { message } of problems) expect(message).toMatch(/^[`A-Z0-9(].*[.?]$/s);
    }
  });

  it('counts the problems above the limit', async () => {
    const { problems } = await checkText('job j {\n' + 'foo 1\n'.repeat(300) + '}');
    expect(problems).toHaveLength(201);
    expect(problems.at(-1)).toMatchObject({ code: 'too-many-problems' });
    expect(problems.at(-1)?.message).toContain('102 further');
  });
});

describe('the program', () => {
  it('holds what was written, checked', async () => {
    const { program } = await checkText(
      `machine m { topology torus 4 x 2 hosts 3 cores 2 bandwidth 1 GB/s routing dimension-order(order y, x) }
       stencil s { dimensions 2 offset (1, 0) weight 0.5 offset (0, -1) }
       job j { grid 4 x 2 stencil s bytes 2 KiB messages 3 rate 5/s periodic }
       table t { unit packets 0 -> 1 : 4  1 -> 0 : 5 }
       job k { tasks 2 table t }
       placement p { jobs j, k machine m allocate nodes [0..9] map given [0..9] seed 9 }`,
    );
    expect(program.program.machines.get('m')).toEqual({
      name: 'm',
      topology: { name: 'torus', argument: { kind: 'numbers', numbers: [4, 2] }, options: {} },
      routing: { name: 'dimension-order', options: { order: [1, 0] } },
      cables: [],
      hosts: 3,
      socketsPerNode: 1,
      coresPerSocket: 2,
      figures: { bandwidth: 1e9 },
    });
    expect(program.program.jobs.get('j')).toEqual({
      name: 'j',
      taskCount: 8,
      grid: [4, 2],
      periodic: true,
      source: {
        kind: 'stencil',
        stencil: {
          name: 's',
          dimensions: 2,
          offsets: [
            { offset: [1, 0], weight: 0.5 },
            { offset: [0, -1], weight: 1 },
          ],
        },
      },
      bytes: 2048,
      messages: 3,
      rate: 5,
    });
    expect(program.program.jobs.get('k')?.source).toEqual({
      kind: 'table',
      name: 't',
      unit: 'packets',
      entries: { size: 2, from: Int32Array.of(0, 1), to: Int32Array.of(1, 0), amount: Float64Array.of(4, 5) },
    });
    const numbers = Array.from({ length: 10 }, (_, index) => index);
    expect(program.program.placements).toEqual([
      {
        name: 'p',
        machine: 'm',
        jobs: ['j', 'k'],
        allocate: { name: 'nodes', argument: { kind: 'numbers', numbers }, options: {} },
        map: { name: 'given', argument: { kind: 'numbers', numbers }, options: {} },
        seed: 9,
      },
    ]);
  });

  it('has defaults where nothing is written', async () => {
    const { program } = await checkText('placement x { job line machine small }' + environment);
    expect(program.program.placements[0]).toMatchObject({
      allocate: { name: 'all', options: {} },
      map: { name: 'auto', options: {} },
      seed: 1,
    });
  });

  const named = `machine x { topology torus 4 } job y { tasks 4 pattern ring } placement z { job y machine x }
    placement w { job y machine x allocate same-as z }`;
  it.each([
    [named, ['z', 'w']],
    [named.replace('torus', 'tours'), []],
    [named.replace('torus 4', 'torus 4 hosts 0'), []],
    [named.replace('tasks 4', 'tasks 4 foo'), []],
    [named.replace('machine x }', 'machine x map foo }'), []],
    [named.replace('same-as z', 'same-as v'), ['z']],
    [`${named} machine broken { topology`, ['z', 'w']],
    [`${named} job y { tasks 4 pattern ring }`, ['z', 'w']],
  ])('leaves out what needs something wrong: %s', async (text, names) => {
    const { program } = await checkText(text);
    expect(program.program.placements.map(({ name }) => name)).toEqual(names);
  });

  it('lists the files that it needs', async () => {
    const { program } = await checkText(`table t from "data/t.mtx" { unit messages }
      table unused from "other.mtx"
      table u from "prof/*.prof" as pml-monitoring
      job j { tasks 4 table t }
      job k { tasks 4 table u }
      machine m { topology torus 4 }
      machine real { topology from "fabric.net" as anynet }
      machine found { topology from "fabric.net" node from "node.xml" }
      placement p { job j machine m map given "maps/a b.txt" }`);
    expect(program.fileUris).toEqual([
      { uri: uriOf('fabric.net'), kind: 'fabric', format: 'anynet' },
      { uri: uriOf('fabric.net'), kind: 'fabric', format: undefined },
      { uri: uriOf('node.xml'), kind: 'node' },
      { uri: uriOf('data/t.mtx'), kind: 'table' },
      { uri: 'file:///study/prof/%2A.prof', kind: 'table', format: 'pml-monitoring' },
      { uri: uriOf('maps/a b.txt'), kind: 'given' },
    ]);
    expect(program.program.jobs.get('j')?.source).toMatchObject({ kind: 'table-file', unit: 'messages' });
    expect(program.program.machines.get('real')?.topology).toEqual({
      name: 'from',
      argument: { kind: 'file', uri: uriOf('fabric.net') },
      format: 'anynet',
      options: {},
    });
    expect(program.program.machines.get('found')).toMatchObject({ nodeFile: uriOf('node.xml') });
  });

  it('holds quoted numbers: shares of one where they are percentages', async () => {
    const { program, problems } = await checkText(`machine m { topology mesh 4 x 4 }
      stream s { arrivals exponential(mean 10) processors constant(2) service exponential(mean 9) jobs 100 completed }
      experiment e { stream s machine m allocate rbs, gabl report utilisation, turnaround
        quoted { utilisation rbs : 61%, best 0.7  utilisation rbs / gabl : 98 %  turnaround gabl : 61, deviation 3 } }`);
    expect(problems).toEqual([]);
    expect(program.experiments.experiments[0]?.quoted).toEqual([
      { metric: 'utilisation', of: ['rbs'], at: [], value: 0.61 },
      { metric: 'utilisation', of: ['rbs'], at: [], statistic: 'best', value: 0.7 },
      { metric: 'utilisation', of: ['rbs'], to: ['gabl'], at: [], value: 0.98 },
      { metric: 'turnaround', of: ['gabl'], at: [], value: 61 },
      { metric: 'turnaround', of: ['gabl'], at: [], statistic: 'deviation', value: 3 },
    ]);
  });

  it('keeps what cannot be evaluated yet', async () => {
    const { program, problems } = await checkText(`machine m { topology switches 3 link 0 -- 1, 2 }
      job j { tasks 3 trace "run.otf2" }
      placement p { job j machine m map grasp }`);
    expect(problems).toEqual([]);
    expect(program.program.machines.get('m')?.cables).toEqual([
      { from: 0, to: 1 },
      { from: 0, to: 2 },
    ]);
    expect(program.program.placements.map(({ map }) => map.name)).toEqual(['grasp']);
  });
});
