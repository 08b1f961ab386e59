import { describe, expect, it } from 'vitest';
import type { TextThings } from '../../drawing/lit.ts';
import { origin, thingAt, type ThingOfText } from './languageService.ts';
import { atCursor, serviceInput, uriOf } from './testing/input.ts';
import { hotLink, summaryWith } from './testing/summaries.ts';

const summary = summaryWith({ hotLinks: [hotLink] });
const machine = 'machine small { topology torus 4 x 4 }\n';
const jobs = 'job heat { tasks 4  pattern ring }\njob ocean { tasks 8  pattern ring }\n';

/** What the place of the `|` stands for. */
async function at(marked: string): Promise<ThingOfText | undefined> {
  const input = await atCursor(marked, { summary });
  return thingAt(input, { uri: input.uri, position: input.document.positionAt(input.offset) });
}

const tasks = (...ranges: readonly (readonly [string, number, number])[]): TextThings => ({
  kind: 'tasks',
  tasks: ranges.map(([job, first, last]) => ({ job, first, last })),
});
const cable = (...ends: readonly (readonly [number, number])[]): TextThings => ({
  kind: 'cables',
  cables: ends.map(([from, to]) => ({ from, to })),
});
const placed = (things?: TextThings): ThingOfText => ({ placement: 'first-try', ...(things && { things }) });
const placement = (body: string): string =>
  `${machine}${jobs}placement first-try { jobs heat, ocean  machine small  ${body} }`;

describe('what a place in the text stands for in a picture', () => {
  it.each<[what: string, marked: string, found: ThingOfText | undefined]>([
    ['the keyword of a placement', `${machine}placement| first-try { machine small }`, placed()],
    ['its machine', placement('').replace('machine small  ', 'machine sm|all  '), placed()],
    ['a job that it names', placement('').replace('jobs heat', 'jobs he|at'), placed({ kind: 'jobs', jobs: ['heat'] })],
    ['where it maps', placement('map r|cb'), placed(cable([5, 6]))],
    ['the word before', placement('m|ap rcb'), placed(cable([5, 6]))],
    ['an entry of a given list', placement('map given [0, 3|, 1, 2, 4..11]'), placed(tasks(['heat', 1, 1]))],
    ['an entry of the next job', placement('map given [0..3, 8, 9|, 4..7, 10, 11]'), placed(tasks(['ocean', 1, 1]))],
    ['a range over both', placement('map given [0, 1, 2..|11]'), placed(tasks(['heat', 2, 3], ['ocean', 0, 7]))],
    ['an entry behind the last task', placement('map given [0..11, 1|2]'), placed()],
    ['a bracket of the list', placement('map given |[ 0..11]'), placed()],
    ['a node', placement('allocate nodes [0, 7|, 9..15]'), placed({ kind: 'nodes', first: 7, last: 7 })],
    ['nodes', placement('allocate nodes [0, 7, 9..1|5]'), placed({ kind: 'nodes', first: 9, last: 15 })],
    ['hosts', placement('allocate nodes ["n[01-0|3]", 12]'), placed({ kind: 'hosts', names: ['n01', 'n02', 'n03'] })],
    ['names that are none', placement('allocate nodes ["n[0|"]'), placed()],
    ['another allocator', placement('allocate f|irst'), placed()],
    [
      'the mapper of one job',
      placement('').replace('ocean  machine', 'ocean(map given [8..14, 15|])  machine'),
      placed(tasks(['ocean', 7, 7])),
    ],
    [
      'the list of the others',
      placement('map given [0, 1|, 2, 3]').replace('ocean  machine', 'ocean(map rcb)  machine'),
      placed(tasks(['heat', 1, 1])),
    ],
    [
      'the allocation of one job',
      placement('').replace('heat, ocean', 'heat(allocate nodes [5|]), ocean'),
      placed({ kind: 'nodes', first: 5, last: 5 }),
    ],
    ['a machine', 'machine sm|all { topology torus 4 x 4 }', { machine: 'small' }],
    [
      'cables',
      'machine net { topology irregular(switches 4)  li|nk 0 -- 1, 3 }',
      { machine: 'net', things: { ...cable([0, 1], [0, 3]), machine: 'net' } as TextThings },
    ],
    [
      'one of them',
      'machine net { topology irregular(switches 4)  link 0 -- 1, 3| }',
      { machine: 'net', things: { ...cable([0, 3]), machine: 'net' } as TextThings },
    ],
    ['a job', 'job he|at { tasks 4  pattern ring }', { things: { kind: 'jobs', jobs: ['heat'] } }],
    [
      'an entry of a table',
      'table chain { 0 -> 1 : 10\n1 -> |2 : 4 }\njob heat { tasks 4  table chain }',
      { things: { kind: 'jobs', jobs: ['heat'], flow: { from: 1, to: 2 } } },
    ],
    [
      'a stencil',
      'stencil cro|ss { offset (1, 0) }\njob heat { grid 2 x 2  stencil cross }',
      { things: { kind: 'jobs', jobs: ['heat'] } },
    ],
    ['a table that nobody uses', 'table ch|ain { 0 -> 1 : 10 }', undefined],
    ['an experiment', 'experiment tr|y { }', undefined],
    ['what has no name', 'placement | { }', undefined],
    ['an empty line', `${machine}|\n`, undefined],
    ['nothing', '|', undefined],
  ])('%s', async (_, marked, found) => {
    expect(await at(marked)).toEqual(found);
  });

  it('tells of no hot link of an older text', async () => {
    const input = await atCursor(placement('map r|cb'), { summary });
    const position = input.document.positionAt(input.offset);
    expect(thingAt({ ...input, stale: new Set(['first-try']) }, { uri: input.uri, position })).toEqual(placed());
  });

  it('reads files that are imported, but for their placements', async () => {
    const other = uriOf('jobs.place');
    const input = await serviceInput(`import "jobs.place"\nplacement first-try { job heat  machine small }`, {
      files: { 'jobs.place': `${machine}${jobs}placement own { job heat  machine small }` },
      summary,
    });
    const of = (line: number, character: number) => thingAt(input, { uri: other, position: { line, character } });
    expect(of(0, 10)).toEqual({ machine: 'small' });
    expect(of(1, 5)).toEqual({ things: { kind: 'jobs', jobs: ['heat'] } });
    expect(of(3, 12)).toBeUndefined();
    expect(thingAt(input, { uri: uriOf('elsewhere.place'), position: { line: 0, character: 0 } })).toBeUndefined();
  });

  it('leads back to where the way from the picture ends', async () => {
    const input = await serviceInput(placement('map rcb'), { summary });
    const back = origin(input, 'first-try', { kind: 'node', node: 3 });
    expect(thingAt(input, { uri: input.uri, position: back!.range.start })).toMatchObject({ placement: 'first-try' });
  });
});
