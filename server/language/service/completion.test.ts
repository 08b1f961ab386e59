import { TextDocument } from 'vscode-languageserver-textdocument';
import { describe, expect, it } from 'vitest';
import { allocators } from '../../allocation/catalogue.ts';
import { mappers } from '../../mapping/catalogue.ts';
import { experimentMetrics } from '../../model/metrics.ts';
import { fabricFormats, mappingFormats, tableFormats } from '../../interchange/catalogue.ts';
import { switchings } from '../../model/networkModel.ts';
import { routings, topologies } from '../../network/catalogue.ts';
import { schedulers } from '../../scheduling/catalogue.ts';
import { distributions } from '../../scheduling/distributions.ts';
import { patterns, stencils } from '../../traffic/catalogue.ts';
import { declarations, ownWords, propertyWords } from '../schema.ts';
import type { DeclarationKind } from '../tree.ts';
import { rateUnits } from '../units.ts';
import { completion } from './completion.ts';
import { folderAt } from './completion/paths.ts';
import { atCursor } from './testing/input.ts';
import { summaryWith } from './testing/summaries.ts';

const namesOf = (entries: readonly { readonly name: string }[]) => entries.map(({ name }) => name);

async function labelsAt(marked: string): Promise<string[]> {
  return completion(await atCursor(marked)).map(({ label }) => label);
}

/** The text after the item of this label was chosen. */
async function accept(marked: string, label: string): Promise<string> {
  const input = await atCursor(marked);
  const entries = [
    { name: 'file.mtx', isFolder: false },
    { name: 'folder', isFolder: true },
  ];
  const edit = completion(input, { listing: { entries } }).find((item) => item.label === label)?.textEdit;
  if (edit === undefined || !('range' in edit)) throw new Error(`${label} is not offered in ${marked}`);
  return TextDocument.applyEdits(input.document, [edit]);
}

const calm =
  'stream calm { arrivals exponential(mean 50) processors uniform(1, 16) service exponential(mean 5) jobs 100 arrived }';

/** A row for each of two mappers and each of three lengths of queues. */
const crossed =
  'machine m { topology irregular 16(links 3, seed 1) } network ct { switching cut-through queue 4 packets } job j { tasks 4 pattern ring } ' +
  'experiment e { job j machine m network ct map random, grasp(criterion distance) report makespan, averageHops vary network.queue [2, 4, 8] vary machine.seed 1 .. 3 step 1 ';
const crossedRows = ['random', 'grasp(criterion distance)', 'at'];
const experimentCases: readonly [string, readonly string[]][] = [
  [`${crossed} quoted { | } }`, ['makespan', 'averageHops']],
  [`${crossed} quoted { make|`, ['makespan', 'averageHops']],
  [`${crossed} quoted { makespan | } }`, crossedRows],
  [`${crossed} quoted { makespan random / |`, crossedRows],
  [`${crossed} quoted { makespan grasp(criterion distance) |`, crossedRows],
  [`${crossed} quoted { makespan random at |`, ['network.queue', 'machine.seed']],
  [`${crossed} quoted { makespan random at network.queue | } }`, ['2', '4', '8']],
  [`${crossed} quoted { makespan random at machine.seed |`, ['1', '2', '3']],
  [`${crossed} quoted { makespan random at network.queue 2 |`, crossedRows],
  [`${crossed} quoted { makespan random : |`, []],
  [`${crossed} quoted { makespan random : 5 % |`, ['makespan', 'averageHops']],
  [`${crossed} quoted { makespan random : 5, | } }`, ['best', 'deviation', 'differs']],
  [`${crossed} quoted { makespan random : 5, best 3 %, d|`, ['best', 'deviation', 'differs']],
  [`${crossed} quoted { makespan random : 5, best |`, []],
  [`${crossed} quoted { makespan random : 5, differs m|`, ['makespan', 'averageHops']],
  [`${calm} experiment e { stream calm quoted { | } }`, ['turnaround']],
  [
    `${crossed} vary |`,
    ['j.tasks', 'machine.cores', 'machine.links', 'machine.seed', 'machine.sockets', 'network.queue'],
  ],
  [`${crossed} short |`, ['replications', 'repeat', 'iterations', 'messages', 'packets', 'machines']],
  [`${crossed} middle replications 5, |`, ['repeat', 'iterations', 'messages', 'packets', 'machines']],
  [`${calm} experiment e { stream calm short |`, ['replications', 'repeat', 'jobs']],
  ['experiment e { traffic uniform middle |', ['replications', 'samples']],
  ['experiment e { traffic uniform vary |', ['rate']],
  ['experiment e { traffic uniform report |', ['latency', 'throughput']],
];

describe('completion offers exactly', () => {
  const keywords = [
    ...declarations.map(({ kind }) => kind),
    ...['machine-switches', 'machine-from', 'job-tasks', 'table-from', 'import'],
  ];
  const placement = propertyWords('placement');
  const without = (kind: DeclarationKind, ...given: string[]) =>
    propertyWords(kind).filter((word) => !given.includes(word));

  it.each<[string, readonly string[]]>([
    ['|', keywords],
    ['mach|', keywords],
    ['machine a { topology torus 4 x 4 }\n|', keywords],
    ['import "a.place"\n|', keywords],
    ['machine a { topology torus 4 x 4 }|', []],
    ['machine |', []],
    ['machine a |', []],
    ['table a |', ['from']],
    ['placement p { | }', placement],
    ['placement p { m| }', placement],
    ['placement p { | ', placement],
    ['placement p { job a\n seed 3\n | ', without('placement', 'job', 'jobs', 'seed')],
    ['placement p { | job a }', without('placement', 'job', 'jobs')],
    ['placement p { jobs a(| }', ownWords],
    ['placement p { jobs a(allocate nodes [0, 1], |), b }', ownWords],
    ['placement p { jobs a(cores-per-task 4, |), b }', ownWords],
    ['placement p { jobs a(map | }', namesOf(mappers)],
    ['placement p { jobs a(map rcb |) }', []],
    ['placement p { jobs a(map rcb) | }', without('placement', 'job', 'jobs')],
    ['placement p { map | }', namesOf(mappers)],
    ['placement p { map r| }', namesOf(mappers)],
    ['placement p {\n  map |\n  seed 7\n}', namesOf(mappers)],
    ['placement p { allocate |', namesOf(allocators)],
    ['machine m { topology |', namesOf(topologies)],
    ['machine m { topology torus 4 x |', []],
    ['machine m { topology from "f.txt" as |', namesOf(fabricFormats)],
    ['machine m { topology from "f.txt" as ib|', namesOf(fabricFormats)],
    ['machine m { topology torus 4 as |', []],
    ['machine m { node | }', ['from']],
    ['machine m { node from "n.xml" | }', without('machine', 'node', 'sockets', 'gpus', 'gpu-link')],
    ['machine m { topology from "f.txt" | }', ['as', ...without('machine', 'topology', 'link')]],
    ['network n { switching wormhole | }', without('network', 'switching', 'queue', 'bubble', 'variation', 'cache')],
    ['stream s { log "f.swf" | }', without('stream', 'log', 'arrivals', 'width', 'height')],
    [
      'experiment e { traffic uniform | }',
      without(
        ...(['experiment', 'traffic', 'stream', 'job', 'jobs', 'schedule', 'allocate', 'map', 'busy'] as const),
        ...(['steady-state', 'replay', 'background', 'budget', 'over-time'] as const),
      ),
    ],
    ['experiment e { steady-state | }', ['delete', 'mser-5']],
    ['table t from "f.txt" as |', tableFormats.map(({ name }) => name)],
    ['table t from "f.txt" as np|', tableFormats.map(({ name }) => name)],
    ['machine m { topology fat-tree(|', ['k', 'n', 'levels', 'parents', 'parallel']],
    ['machine m { topology dragonfly(p 2, |', ['a', 'group', 'h', 'g', 'per-pair', 'arrangement']],
    ['machine m { routing |', namesOf(routings)],
    ['job j { pattern |', namesOf(patterns)],
    ['job j { tasks 8 parallelism | }', ['tensor', 'context', 'pipeline', 'data', 'expert']],
    ['job j { tasks 8 parallelism tensor 2, | }', ['context', 'pipeline', 'data', 'expert']],
    ['job j { tasks 8 training | }', ['replicated', 'zero-1', 'zero-2', 'zero-3']],
    ['job j { stencil |', namesOf(stencils)],
    ['stencil mine { } job j { stencil |', ['mine', ...namesOf(stencils)]],
    ['table mine { } job j { table |', ['mine']],
    ['table t { unit | }', ['bytes', 'messages', 'packets']],
    ['job grid { } placement p { job | }', ['grid']],
    ['job grid { } placement p { job grid | }', without('placement', 'job', 'jobs')],
    ['job a { } job b { } placement p { jobs a, | }', ['a', 'b']],
    ['job grid { } placement p {\n  job\n  machine |\n}', []],
    ['machine m { } machine n { } placement p { machine | }', ['m', 'n']],
    ['placement p { } placement q { allocate same-as | }', ['p', 'q']],
    ['placement p { allocate same-as p | }', without('placement', 'allocate')],
    ['placement p { allocate random(|) }', ['count']],
    ['placement p { allocate random(count 3, |) }', []],
    ['placement p { allocate random(count 3) | }', without('placement', 'allocate')],
    ['machine m { routing dimension-order(|', ['order']],
    ['machine m { routing dimension-order(order |', ['x', 'y', 'z', 'w']],
    ['machine m { routing dimension-order(order z, |', ['x', 'y', 'z', 'w']],
    ['stream s { arrivals |', namesOf(distributions)],
    ['stream s { arrivals exp| }', namesOf(distributions)],
    ['stream s { width |', namesOf(distributions)],
    ['stream s { processors |', [...namesOf(distributions), 'allocated', 'requested']],
    ['stream s { service |', [...namesOf(distributions), 'from-network', 'from-log']],
    ['stream s { arrivals exponential(|', ['mean', 'rate']],
    ['stream s { traffic |', ['one-to-all', 'all-to-all', 'random', 'near-neighbour']],
    ['stream s { traffic one-to-all(root |', ['random', 'first']],
    ['stream s { status |', ['any', 'completed', 'failed', 'cancelled']],
    ['stream s { shape |', ['squarest', 'row']],
    ['network n { switching |', switchings],
    ['network n { routing |', ['deterministic', 'adaptive']],
    ['stream calm { } experiment e { stream |', ['calm']],
    ['machine m { } experiment e { machine |', ['m']],
    ['experiment e { schedule |', namesOf(schedulers)],
    ['experiment e { schedule fcfs, |', namesOf(schedulers)],
    ['experiment e { allocate rbs, |', namesOf(allocators)],
    ['experiment e { report |', experimentMetrics],
    ['experiment e { report turnaround, |', experimentMetrics],
    [
      'machine m { topology torus 4 x 4 bandwidth 1 GB/s, 2 |',
      [...Object.keys(rateUnits), ...without('machine', 'topology', 'bandwidth', 'link')],
    ],
    ['experiment e { compare |', ['paired-ratio', 'kruskal-wallis', 'wilcoxon']],
    ['network fast { } experiment e { network |', ['fast', ...switchings]],
    [
      `${calm} experiment e { stream calm vary | }`,
      ['arrivals.mean', 'processors.from', 'processors.to', 'service.mean', 'messages', 'flits'],
    ],
    ['experiment e { vary | }', []],
    [
      'job j { tasks 2 pattern linear rate 5/s bytes 9 B } experiment e { jobs j replay open vary | }',
      ['j.rate', 'j.bytes', 'j.tasks', 'replay.speed', 'replay.variation'],
    ],
    [`${calm} experiment e { stream calm vary arrivals.mean [| }`, []],
    [`${calm} experiment e { stream calm vary arrivals.mean [2, | }`, []],
    [`${calm} experiment e { stream calm vary arrivals.mean [2 | }`, []],
    ...experimentCases,
    ['job j { bytes |', []],
    ['job j { tasks 4 |', without('job', 'tasks', 'grid', 'stencil', 'periodic')],
    ['job j { grid 4 x 4 pattern ring |', ['periodic', 'bytes', 'messages', 'rate', 'coordinates']],
    ['job j { tasks 16 skeleton cg(class A) |', ['coordinates']],
    ['job j { tasks 16 trace "a.goal" |', ['as', 'coordinates']],
    ['job j { grid 4 x 4 x 4 stencil | }', ['seven-point', 'twenty-seven-point']],
    [
      'stencil flat { dimensions 2 offset (1, 1) } stencil deep { offset (1, 0, 0) } job j { grid 4 x 4 stencil |',
      ['flat', 'five-point', 'nine-point'],
    ],
    ['job j { tasks 4 // comment |', []],
    ['/// the docs |', []],
    ['/* open |', []],
    ['import "fi|', []],
    ['machine m { link 0 -- |', []],
  ])('%s', async (marked, expected) => {
    expect((await labelsAt(marked)).toSorted()).toEqual([...expected].toSorted());
  });
});

describe('completion also offers', () => {
  it.each<[string, readonly string[]]>([
    ['job j { bytes 64 |', ['B', 'KiB', 'MiB', 'GB', 'messages']],
    ['job j { bytes 64 K|', ['KiB', 'kB']],
    ['job j { bytes 64|', ['KiB']],
    ['job j { rate 100|', ['/s']],
    ['machine m { latency 100 |', ['ns', 'us', 'ms', 's', 'topology']],
    ['machine m { bandwidth 1 |', ['GB/s', 'MiB/s']],
    ['machine m { link 0 -- 2 |', ['link', 'hosts']],
    ['stencil s { offset (1, 0) |', ['weight', 'offset', 'dimensions']],
    ['placement p { map grasp(criterion |', ['equivalent', 'traffic-distribution']],
    ['stream s { jobs 1000 |', ['completed', 'arrived']],
    ['stream s { log "kth.swf" |', ['processors', 'estimates', 'where', 'first', 'scale']],
    ['stream s { where |', ['processors', 'run', 'user']],
    ['experiment e { replications until 5 % at 95 % |', ['report', 'allocate']],
    ['experiment e { replications |', ['until']],
    ['placement p { map grasp(criterion equivalent, |', ['iterations', 'alpha']],
  ])('%s', async (marked, expected) => {
    expect(await labelsAt(marked)).toEqual(expect.arrayContaining([...expected]));
  });

  it('names that an import declares', async () => {
    const input = await atCursor('import "other.place"\nplacement p { machine | }', {
      files: { 'other.place': 'machine far { topology torus 4 x 4 }' },
    });
    expect(completion(input).map(({ label }) => label)).toEqual(['far']);
  });
});

describe('a blank brings up', () => {
  it.each<[string, boolean]>([
    ['placement p { map |', true],
    ['job j { bytes 64 |', true],
    ['placement p { |', false],
    ['job j { tasks 64 |', false],
    ['import "a.place" |', false],
  ])('%s', async (marked, brings) => {
    const items = completion(await atCursor(marked), { context: { triggerCharacter: ' ' } });
    expect(items.length > 0).toBe(brings);
    expect(items.map(({ label }) => label)).not.toContain('messages');
  });
});

describe('an accepted item', () => {
  it.each([
    ['placement p { map row-m| }', 'row-major', 'placement p { map row-major }'],
    ['placement p { map | }', 'rcb', 'placement p { map rcb }'],
    ['machine m { topology | }', 'fat-tree', 'machine m { topology fat-tree(k ${1:4}, n ${2:3}) }'],
    [
      'machine m { topology sw|',
      'switches',
      'machine m { topology switches ${1:4}\nlink 0 -- ${2:1, 2}\nlink 3 -- ${3:1, 2}',
    ],
    ['machine m { topology me| 4 x 4 }', 'mesh', 'machine m { topology mesh 4 x 4 }'],
    ['machine m { topology | // real\n}', 'from', 'machine m { topology from "${1:fabric.txt}" // real\n}'],
    ['machine m { node | }', 'from', 'machine m { node from "${1:node.xml}" }'],
    ['placement p { al| }', 'allocate', 'placement p { allocate  }'],
    ['job j { bytes 64|', 'KiB', 'job j { bytes 64 KiB'],
    ['job j { bytes 64 K|', 'KiB', 'job j { bytes 64 KiB'],
    ['job j { rate 100|', '/s', 'job j { rate 100/s'],
    ['stream s { arrivals | }', 'exponential', 'stream s { arrivals exponential(rate ${1:0.001}) }'],
    [
      `${calm} experiment e { stream calm vary arr| }`,
      'arrivals.mean',
      `${calm} experiment e { stream calm vary arrivals.mean }`,
    ],
    ['table a |', 'from', 'table a from "$1"'],
    ['table a from "fi|"', 'file.mtx', 'table a from "file.mtx"'],
    ['table a from "fi|', 'file.mtx', 'table a from "file.mtx"'],
    ['table a from "fi|', 'folder/', 'table a from "folder/'],
  ])('turns %s with %s into the right text', async (marked, label, expected) => {
    expect(await accept(marked, label)).toBe(expected);
  });
});

describe('an item', () => {
  it('shows the summary of the catalogue', async () => {
    const items = completion(await atCursor('placement p { map | }'));
    for (const { name, summary } of mappers) expect(items.find(({ label }) => label === name)?.detail).toBe(summary);
  });

  it('names formats behind the file of a trace, and options in its parentheses', async () => {
    const labels = async (text: string) => completion(await atCursor(text)).map(({ label }) => label);
    expect(await labels('job j { trace "a.txt" as | }')).toContain('goal');
    expect(await labels('placement p { map given "a.order" | }')).toContain('as');
    expect(await labels('placement p { map given "a.order" as | }')).toEqual(mappingFormats.map(({ name }) => name));
    expect(await labels('placement p { allocate nodes "a.hosts" as h| }')).toContain('hosts');
    expect(await labels('job j { trace "a.txt" as goal(| }')).toContain('computing');
    expect(await labels('job j { tasks 4 skeleton | }')).toContain('cg');
  });
});

describe('the order of a list', () => {
  const first = async (marked: string, count: number): Promise<string[]> =>
    completion(await atCursor(marked))
      .toSorted((a, b) => (a.sortText ?? a.label).localeCompare(b.sortText ?? b.label))
      .slice(0, count)
      .map(({ label }) => label);

  it.each<[string, readonly string[]]>([
    ['machine m { topology | }', ['torus', 'mesh']],
    ['placement p { map | }', ['auto']],
    ['machine m { | }', ['topology']],
    ['machine m { topology torus 4 x 4\n  bandwidth 10 | }', ['GB/s', 'MB/s']],
    ['machine m { topology torus 4 x 4\n  latency 100 | }', ['ns', 'us']],
    ['job j { grid 4 x 4 bytes 64 | }', ['KiB', 'MiB']],
    ['placement p { map auto(budget 1 | }', ['s', 'ms']],
  ])('of %s begins with %s', async (marked, expected) => {
    expect(await first(marked, expected.length)).toEqual(expected);
  });

  it('has a unit chosen already where a number was typed, and no cables of a torus', async () => {
    const items = completion(await atCursor('machine m { topology torus 4 x 4 bandwidth 10 | }'));
    expect(items.filter(({ preselect }) => preselect === true).map(({ label }) => label)).toEqual(['GB/s']);
    expect(items.map(({ label }) => label)).not.toContain('link');
  });
});

describe('a path', () => {
  const entries = [
    { name: 'zoo.mtx', isFolder: false },
    { name: 'notes.md', isFolder: false },
    { name: 'main.place', isFolder: false },
    { name: 'other.place', isFolder: false },
    { name: 'machines', isFolder: true },
    { name: '.git', isFolder: true },
    { name: 'main.place.results', isFolder: true },
  ];
  const placeFiles = ['file:///study/main.place', 'file:///study/other.place', 'file:///study/machines/prism.place'];
  const study = 'file:///study';

  it.each<[string, string | undefined, readonly string[]]>([
    ['import "|"', study, ['machines/', 'other.place', 'machines/prism.place']],
    ['import "machines/|', 'file:///study/machines', ['machines/', 'main.place', 'other.place']],
    ['import "../|', 'file:///', ['machines/', 'main.place', 'other.place']],
    ['import ".|', study, ['.git/', 'machines/', 'main.place.results/', 'other.place', 'machines/prism.place']],
    ['table t from "|', study, ['machines/', 'zoo.mtx', 'notes.md', 'other.place']],
    ['machine m { topology from "|" }', study, ['machines/', 'notes.md', 'other.place', 'zoo.mtx']],
    ['job j { trace "|', study, ['machines/', 'notes.md', 'other.place', 'zoo.mtx']],
    ['placement p { map given "|', study, ['machines/', 'notes.md', 'other.place', 'zoo.mtx']],
    ['stream s { log "kth|', study, ['machines/', 'notes.md', 'other.place', 'zoo.mtx']],
    ['placement p { allocate nodes ["|"] }', undefined, []],
    ['machine m { topology torus "|', study, ['machines/', 'notes.md', 'other.place', 'zoo.mtx']],
    ['machine "|', undefined, []],
  ])('%s', async (marked, folder, expected) => {
    const input = await atCursor(marked);
    const wanted = folderAt(input);
    expect(wanted?.folder).toBe(folder);
    const listing = { entries, ...(wanted?.isImport === true ? { placeFiles } : {}) };
    expect(completion(input, { listing }).map(({ label }) => label)).toEqual(expected);
  });

  it('comes up behind its opening quote, and nothing behind the closing one', async () => {
    const request = { context: { triggerCharacter: '"' }, listing: { entries } };
    expect(completion(await atCursor('import "|"'), request)).not.toEqual([]);
    expect(completion(await atCursor('machine m { topology from "a.txt"| }'), request)).toEqual([]);
  });
});

describe('names of the nodes of a machine', () => {
  it.each([
    ['machine small { topology torus 4 x 4 names | }', ['"node[01-16]"', '"node%02d"']],
    ['machine small { topology torus 4 x 4 names "|" }', ['node[01-16]', 'node%02d']],
    ['machine small { topology torus 4 x 4 names "|', ['node[01-16]"', 'node%02d"']],
    ['machine other { topology torus 4 x 4 names "|" }', []],
  ])('are offered in %s', async (marked, expected) => {
    const items = completion(await atCursor(marked, { summary: summaryWith() }));
    expect(items.map(({ textEdit }) => textEdit?.newText)).toEqual(expected);
  });
});

describe('a node may be named', () => {
  const summary = summaryWith();
  const machines = summary.machines.map((machine) => ({
    ...machine,
    details: { inside: { sockets: '1 socket of 1 core' }, hostNames: ['nid1', 'nid2'] },
  }));

  it.each([
    ['placement p { machine small allocate nodes ["|"] }', ['nid1', 'nid2']],
    ['placement p { machine small jobs a(allocate nodes [0, "n|"]) }', ['nid1', 'nid2']],
    ['placement p { machine large allocate nodes ["|"] }', []],
  ])('in %s', async (marked, expected) => {
    const input = await atCursor(marked, { summary: { ...summary, machines } });
    expect(completion(input).map(({ label }) => label)).toEqual(expected);
  });
});

describe('what must come next can be chosen at once', () => {
  it.each([
    ['machine m { | }', 'topology', true],
    ['machine m { | }', 'hosts', false],
    ['placement p { | }', 'map', true],
    ['placement p { map grasp(| }', 'criterion', true],
    ['|', 'import', true],
  ])('in %s behind %s: %s', async (marked, label, again) => {
    const ask = async (hasCommands: boolean) =>
      completion(await atCursor(marked), { hasCommands }).find((item) => item.label === label)?.command?.command;
    expect(await ask(true)).toBe(again ? 'editor.action.triggerSuggest' : undefined);
    expect(await ask(false)).toBeUndefined();
  });
});
