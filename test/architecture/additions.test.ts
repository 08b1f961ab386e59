import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as CatalogueTables from '../docs/catalogueTables.ts';
import type * as AllocationCatalogue from '../../server/allocation/catalogue.ts';
import type * as DrawScene from '../../server/drawing/drawScene.ts';
import type * as Curves from '../../server/drawing/figures/curves.ts';
import type * as FigureCatalogue from '../../server/drawing/figures/catalogue.ts';
import type { SimulationKind } from '../../server/drawing/figures/catalogue.ts';
import type * as Figures from '../../server/drawing/figures/figure.ts';
import type * as RenderFigure from '../../server/drawing/figures/renderFigure.ts';
import type * as Fixtures from '../../server/drawing/testing/fixtures.ts';
import type * as SimulationFixtures from '../../server/drawing/testing/simulation.ts';
import type * as Words from '../../server/drawing/words.ts';
import type * as Commands from '../../server/entrypoints/cli/commands.ts';
import type * as Terminals from '../../server/entrypoints/cli/terminal.ts';
import type * as SimulationFigures from '../../server/entrypoints/simulationFigures.ts';
import type * as Csv from '../../server/output/comparisonCsv.ts';
import type * as Table from '../../server/entrypoints/cli/comparisonTable.ts';
import type * as Prepare from '../../server/experiments/prepare.ts';
import type * as InterchangeCatalogue from '../../server/interchange/catalogue.ts';
import type * as Readers from '../../server/interchange/readers.ts';
import type * as Completion from '../../server/language/service/completion.ts';
import type * as Hover from '../../server/language/service/hover.ts';
import type * as PlacementHover from '../../server/language/service/hover/placement.ts';
import type * as Inputs from '../../server/language/service/testing/input.ts';
import type * as MappingCatalogue from '../../server/mapping/catalogue.ts';
import type * as NetworkCatalogue from '../../server/network/catalogue.ts';
import type * as Engines from '../../server/simulation/engines.ts';
import type * as Compare from '../../server/study/compare.ts';
import type * as Json from '../../server/output/json.ts';
import type * as MetricCatalogue from '../../server/study/metrics/catalogue.ts';
import type * as Outline from '../../server/study/outline.ts';
import type * as MetricTable from '../../server/model/metrics.ts';
import type * as Schemas from '../../server/language/schema.ts';
import type * as Simulations from '../../server/model/simulation.ts';
import type * as Study from '../../server/study/study.ts';
import type * as Programs from '../../server/study/testing/programs.ts';
import { neverCancelled, ignoreProgress } from '../../server/model/cancellation.ts';
import type { ExperimentMetric } from '../../server/model/metrics.ts';
import type { OptionValues } from '../../server/model/catalogue.ts';
import { gridDescription, gridMachine } from '../../server/network/testing/machines.ts';
import { root } from '../../tools/run.ts';

interface Line {
  readonly catalogue: string;
  /** How the list of entries begins that the new one goes to. */
  readonly list: string;
  readonly entry: string;
  /** What the catalogue imports of the new file: the entry itself unless said otherwise, nothing if ''. */
  readonly imported?: string;
  /** To the beginning of the list: the first format that recognises a file reads it. */
  readonly isFirst?: true;
}

/** What is added to the house: one file and one entry in one catalogue. */
interface Addition extends Line {
  readonly file: string;
  readonly text: string;
  /** Of a figure: a page reads the catalogue, which therefore imports no code that draws. */
  readonly also?: Line;
}

const described = (name: string): string => `name: '${name}', summary: 'the summary of ${name}', source: 'Nobody 2000'`;

const additions: readonly Addition[] = [
  {
    file: 'server/mapping/mappers/fromTheEnd.ts',
    text: `import { succeed } from '../../model/result.ts';
import type { MapperEntry } from '../contract.ts';

export const fromTheEnd: MapperEntry = {
  ${described('from-the-end')},
  options: [],
  complexity: 'O(n)',
  scaling: 'linear',
  map: ({ job, slots }) => succeed({ mapping: slots.toReversed().slice(0, job.taskCount), notes: [] }),
};
`,
    catalogue: 'server/mapping/catalogue.ts',
    list: 'const others: ',
    entry: 'fromTheEnd',
  },
  {
    file: 'server/allocation/allocators/firstHalf.ts',
    text: `import { succeed } from '../../model/result.ts';
import type { AllocatorEntry } from '../contract.ts';

export const firstHalf: AllocatorEntry = {
  ${described('first-half')},
  options: [],
  allocate: ({ machine }) => succeed(Int32Array.from({ length: machine.nodeCount / 2 }, (_, node) => node)),
};
`,
    catalogue: 'server/allocation/catalogue.ts',
    list: 'export const allocators: ',
    entry: 'firstHalf',
  },
  {
    file: 'server/mapping/criteria/sameNode.ts',
    text: `import { buildSiteCosts } from '../../optimisation/problem/siteCosts.ts';
import { additiveCriterion } from './additive.ts';

export const sameNode = additiveCriterion({
  ${described('same-node')},
  options: [],
  siteCosts: (machine, places, { cancellation }) =>
    buildSiteCosts(places, { criterion: 'same-node', unit: 1, between: 1, cost: () => 0 }, cancellation),
});
`,
    catalogue: 'server/mapping/criteria/catalogue.ts',
    list: 'export const criteria: ',
    entry: 'sameNode',
  },
  {
    file: 'server/network/distances/otherRouter.ts',
    text: `import { succeed } from '../../model/result.ts';
import type { DistanceModelEntry } from './contract.ts';

export const otherRouter: DistanceModelEntry = {
  ${described('other-router')},
  options: [],
  between: () => succeed({ cost: (from, to) => (from === to ? 0 : 1.5), isWhole: false }),
  criterion: { summary: 'the criterion of other-router', details: '', countsHostLinks: false },
};
`,
    catalogue: 'server/network/catalogue.ts',
    list: 'export const distanceModels: ',
    entry: 'otherRouter',
  },
  {
    file: 'server/network/topologies/chain.ts',
    text: `import type { TopologyEntry } from '../contract.ts';
import { evenlyAttached, integerOfArgument } from './argument.ts';
import { buildCableGraph, measureCableGraph } from './cableGraph.ts';

export const chain: TopologyEntry = {
  ${described('chain')},
  argument: { kind: 'integer', summary: 'the number of switches', required: true, minimum: 1 },
  options: [],
  skeleton: 'chain 4',
  defaultRouting: 'minimal',
  takesCables: false,
  takesHosts: false,
  measure: ({ argument }) => measureCableGraph(integerOfArgument(argument), integerOfArgument(argument), 0),
  build: ({ argument }) => {
    const routerCount = integerOfArgument(argument);
    const from = Int32Array.from({ length: routerCount - 1 }, (_, cable) => cable);
    const cables = { from, to: from.map((router) => router + 1) };
    return buildCableGraph({ kind: 'chain', routerCount, routerOfNode: evenlyAttached(routerCount, 1), cables });
  },
};
`,
    catalogue: 'server/network/catalogue.ts',
    list: 'export const topologies: ',
    entry: 'chain',
  },
  {
    file: 'server/network/routings/lowestLink.ts',
    text: `import { intAt } from '../../numeric/elements.ts';
import type { RoutingEntry } from '../contract.ts';
import { buildTables } from './tableRouting.ts';

export const lowestLink: RoutingEntry = {
  ${described('lowest-link')},
  options: [],
  choosesCables: true,
  build: (topology, options, cancellation) =>
    buildTables('lowest-link', topology, { choose: (router, candidates) => intAt(candidates, 0) }, cancellation),
};
`,
    catalogue: 'server/network/catalogue.ts',
    list: 'export const routings: ',
    entry: 'lowestLink',
  },
  {
    file: 'server/interchange/exports/nodeList.ts',
    text: `import { succeed } from '../../model/result.ts';
import type { ExportFormatEntry } from '../contract.ts';

export const nodeList: ExportFormatEntry = {
  ${described('node-list')},
  options: [],
  extension: '.nodes',
  write: ({ jobs }) => succeed({ text: jobs.map(({ allocation }) => allocation.join(' ')).join('; '), warnings: [] }),
};
`,
    catalogue: 'server/interchange/catalogue.ts',
    list: 'export const exportFormats: ',
    entry: 'nodeList',
  },
  {
    file: 'server/interchange/fabrics/ringOfHosts.ts',
    text: `import { succeed } from '../../model/result.ts';
import type { MachineFormatEntry } from '../contract.ts';

export const ringOfHosts: MachineFormatEntry = {
  ${described('ring-of-hosts')},
  options: [],
  recognizes: (text) => text.startsWith('ring '),
  read: (text) => {
    const names = text.trim().split(' ').slice(1);
    return succeed({
      format: 'ring-of-hosts',
      routers: names,
      nodes: names.map((name, router) => ({ name: 'host-' + name, router })),
      cables: names.map((_, from) => ({ from, to: (from + 1) % names.length })),
      warnings: [],
    });
  },
};
`,
    catalogue: 'server/interchange/catalogue.ts',
    list: 'export const fabricFormats: ',
    entry: 'ringOfHosts',
    isFirst: true,
  },
  {
    file: 'server/interchange/namedTables.ts',
    text: `import type { ForwardingFormatEntry } from './contract.ts';

export const namedTables: ForwardingFormatEntry = {
  ${described('named-tables')},
  options: [],
  recognizes: (text) => text.startsWith('routes of '),
  header: /^routes of ([0-9a-f]+)$/,
};
`,
    catalogue: 'server/interchange/catalogue.ts',
    list: 'export const forwardingFormats: ',
    entry: 'namedTables',
    isFirst: true,
  },
  {
    file: 'server/interchange/nodes/coreCount.ts',
    text: `import { succeed } from '../../model/result.ts';
import type { NodeFormatEntry } from '../contract.ts';

export const coreCount: NodeFormatEntry = {
  ${described('core-count')},
  options: [],
  recognizes: (text) => text.startsWith('cores '),
  read: (text) => succeed({ coresOfSockets: [Number(text.slice(6))], numaNodes: 1, warnings: [] }),
};
`,
    catalogue: 'server/interchange/catalogue.ts',
    list: 'export const nodeFormats: ',
    entry: 'coreCount',
    isFirst: true,
  },
  {
    file: 'server/interchange/reversedSlots.ts',
    text: `import { succeed } from '../model/result.ts';
import type { MappingFormatEntry } from './contract.ts';

export const reversedSlots: MappingFormatEntry = {
  ${described('reversed-slots')},
  options: [],
  recognizes: ({ text }) => text.startsWith('reversed '),
  read: ({ text }) =>
    succeed({ kind: 'slots', slots: Int32Array.from(text.trim().split(' ').slice(1), Number).reverse() }),
};
`,
    catalogue: 'server/interchange/catalogue.ts',
    list: 'export const mappingFormats: ',
    entry: 'reversedSlots',
    isFirst: true,
  },
  {
    file: 'server/interchange/tables/onePair.ts',
    text: `import { succeed } from '../../model/result.ts';
import type { TableFormatEntry } from '../contract.ts';
import { wholeFile } from '../wholeFile.ts';

export const onePair: TableFormatEntry = {
  ${described('one-pair')},
  options: [],
  recognizes: (bytes) => new TextDecoder().decode(bytes).startsWith('pair '),
  read: wholeFile((bytes) => {
    const [from, to, amount] = new TextDecoder().decode(bytes).split(' ').slice(1).map(Number);
    return succeed({
      size: 2,
      from: Int32Array.of(from),
      to: Int32Array.of(to),
      amount: Float64Array.of(amount),
    });
  }),
};
`,
    catalogue: 'server/interchange/catalogue.ts',
    list: 'export const tableFormats: ',
    entry: 'onePair',
    isFirst: true,
  },
  {
    file: 'server/interchange/traces/ping.ts',
    text: `import type { TraceFormatEntry } from '../contract.ts';
import { forEachLine } from './lines.ts';
import { TraceWriter } from './writer.ts';

export const ping: TraceFormatEntry = {
  ${described('ping')},
  options: [],
  recognizes: (beginning) => beginning.startsWith('ping '),
  read: ([file], options, cancellation, sums) => {
    const writer = new TraceWriter(2, options, sums);
    const done = forEachLine(file, cancellation, (text) => {
      const bytes = Number(text.slice(5));
      return writer.send(0, 1, bytes, 0) ?? writer.receive(1, 0, bytes, 0);
    });
    return done.ok ? writer.finished('exact', cancellation) : done;
  },
};
`,
    catalogue: 'server/interchange/catalogue.ts',
    list: 'export const traceFormats: ',
    entry: 'ping',
    isFirst: true,
  },
  {
    file: 'server/study/metrics/usedLinks.ts',
    text: `import type { DerivedMeasure } from './contract.ts';

export const measureUsedLinks: DerivedMeasure = ({ linkLoads }) => linkLoads.reduce((sum, load) => sum + load, 0);
`,
    catalogue: 'server/study/metrics/catalogue.ts',
    list: 'const derivedMeasures: ',
    entry: 'usedLinkBytes: measureUsedLinks',
    imported: 'measureUsedLinks',
    also: {
      catalogue: 'server/model/metrics.ts',
      list: 'const table ',
      entry: `{
    ...{ key: 'usedLinkBytes', basis: 'placement', isDerived: true, label: 'Bytes on used links', unit: 'bytes' },
    definition: 'the summary of usedLinkBytes',
    column: { place: 9 },
    sort: { word: 'used-link-bytes', place: 9 },
    line: { place: 9, words: (bytes) => bytes + ' on used links' },
    reportedFor: { job: 90 },
  }`,
      imported: '',
    },
  },
  {
    file: 'server/drawing/figures/packetsOfJobs.ts',
    text: `import { figureHead, pageWidth, type Figure } from './figure.ts';
import type { SimulationFigure } from './simulation.ts';

export const drawPackets = ({ report, result, about }: SimulationFigure): Figure => ({
  ...{ title: report.name + ': packets', subtitle: about, description: 'Packets of each job.' },
  ...{ width: pageWidth, height: 80, shapes: figureHead(report.name + ': packets', about) },
  table: { head: ['job', 'packets'], rows: result.jobs.map(({ packets }, job) => [job, packets]) },
});
`,
    catalogue: 'server/drawing/figures/catalogue.ts',
    list: 'export const simulationFigures ',
    entry: "{ name: 'packets', label: 'Packets', hint: 'Packets: how many each job sent' }",
    imported: '',
    also: {
      catalogue: 'server/entrypoints/simulationFigures.ts',
      list: 'const drawings: ',
      entry: 'packets: drawPackets',
      imported: 'drawPackets',
    },
  },
];

/** A text that goes into a file, before another one, of several the first behind `after`. */
interface Insertion {
  readonly file: string;
  readonly before: string;
  readonly after?: string;
  readonly text: string;
}

/** A metric of simulated jobs: its row, and the function that measures it. */
const jobMetric: readonly Insertion[] = [
  {
    file: 'server/model/metrics.ts',
    before: "  {\n    key: 'turnaround'",
    text: `{
    key: 'arrivedPackets',
    basis: 'simulation',
    label: 'Packets that arrived',
    unit: { packets: 'packets', servers: 'messages' },
    better: 'more',
    definition: 'the summary of arrivedPackets',
    reportedFor: { job: 91 },
  },
`,
  },
  {
    file: 'server/experiments/measures.ts',
    after: 'const simulationMeasures',
    before: '  makespan: ',
    text: '  arrivedPackets: ({ result }) => result.latency.count,\n',
  },
];

/** A property of `network`: its row, and the engine that computes with it. */
const networkProperty: readonly Insertion[] = [
  {
    file: 'server/model/networkModel.ts',
    before: '] as const satisfies readonly NetworkProperty[]',
    text: `{
    word: 'haste',
    summary: 'the summary of haste',
    takes: 'a whole number',
    example: 'haste 2',
    content: { form: 'integer', minimum: 1, maximum: 9 },
    goesWith: ['flow'],
    varies: { unit: 'times' },
  },
`,
  },
  {
    file: 'server/simulation/engines.ts',
    before: ' }: NetworkModel, machine: Machine): number | undefined {',
    text: ', haste = 1',
  },
  {
    file: 'server/simulation/engines.ts',
    before: ';\n}',
    after: 'return bandwidth && flit / bandwidth',
    text: ' / haste',
  },
];

/** Writes a text into a file of the copy. */
function insertInto(copy: string, { file, before, after = '', text }: Insertion): void {
  const path = join(copy, file);
  const old = readFileSync(path, 'utf8');
  const at = old.indexOf(before, old.indexOf(after));
  expect(at, `${file} has ${before} behind ${after}`).toBeGreaterThan(0);
  writeFileSync(path, old.slice(0, at) + text + old.slice(at));
}

/** Adds the import and the entry to the text of a catalogue. */
function withEntry(text: string, file: string, { catalogue, list, entry, imported = entry, isFirst }: Line): string {
  const start = text.indexOf(`\n${list}`);
  const [, open = ''] = /= ([[{])/.exec(text.slice(start)) ?? [];
  const begin = text.indexOf(`= ${open}`, start) + 3;
  const end = text.indexOf(open === '[' ? ']' : '}', begin);
  expect(Math.min(start, end), `${catalogue} has a list that begins ${list}`).toBeGreaterThan(0);
  const path = relative(dirname(catalogue), file);
  const line = imported === '' ? '' : `import { ${imported} } from '${path.startsWith('.') ? path : `./${path}`}';\n`;
  if (isFirst) return `${line}${text.slice(0, begin)}${entry}, ${text.slice(begin)}`;
  const before = text.slice(0, end).trimEnd();
  const comma = before.endsWith(',') ? '' : ',';
  return `${line}${before}${comma} ${entry}${text.slice(end)}`;
}

describe('what is added to a copy of the house in one file and one line of a catalogue', () => {
  let copy = '';
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'placewright-copy-'));
    for (const folder of ['server', 'test/docs', 'tools']) {
      cpSync(join(root, folder), join(copy, folder), {
        recursive: true,
        filter: (source) => !source.endsWith('.test.ts'),
      });
    }
    for (const file of ['tsconfig.base.json', 'tsconfig.tests.json', 'package.json']) {
      cpSync(join(root, file), join(copy, file));
    }
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    for (const addition of additions) {
      writeFileSync(join(copy, addition.file), addition.text);
      for (const line of [addition, ...(addition.also === undefined ? [] : [addition.also])]) {
        const catalogue = join(copy, line.catalogue);
        writeFileSync(catalogue, withEntry(readFileSync(catalogue, 'utf8'), addition.file, line));
      }
    }
    for (const insertion of [...jobMetric, ...networkProperty]) insertInto(copy, insertion);
  });
  afterAll(() => {
    rmSync(copy, { recursive: true, force: true });
  });

  const load = async <Module>(path: string): Promise<Module> => (await import(join(copy, path))) as Module;

  /** The names that completion offers at `|`. */
  async function offered(marked: string): Promise<readonly string[]> {
    const { completion } = await load<typeof Completion>('server/language/service/completion.ts');
    const { atCursor } = await load<typeof Inputs>('server/language/service/testing/input.ts');
    return completion(await atCursor(marked)).map(({ label }) => label);
  }

  async function hovered(marked: string): Promise<string> {
    const { hover } = await load<typeof Hover>('server/language/service/hover.ts');
    const { atCursor } = await load<typeof Inputs>('server/language/service/testing/input.ts');
    return JSON.stringify(hover(await atCursor(marked)));
  }

  /** What the check says of a text. */
  async function complaints(text: string): Promise<string> {
    const { serviceInput } = await load<typeof Inputs>('server/language/service/testing/input.ts');
    const { problems } = (await serviceInput(text)).checked;
    return JSON.stringify([...problems.values()]);
  }

  /** What `placewright list` prints. */
  const listed = (catalogue: string): Promise<string> => printed(['list', catalogue]);

  /** What a command prints that computes nothing. */
  async function printed(words: readonly string[]): Promise<string> {
    const { runCommandLine } = await load<typeof Commands>('server/entrypoints/cli/commands.ts');
    let text = '';
    const write = (more: string): void => {
      text += more;
    };
    const { terminalOn } = await load<typeof Terminals>('server/entrypoints/cli/terminal.ts');
    await runCommandLine(words, terminalOn(write, write), () => Promise.reject(new Error('it computes')));
    return text;
  }

  /** Sixteen nodes in a ring, eight tasks; placed with what was added. */
  async function study() {
    const programs = await load<typeof Programs>('server/study/testing/programs.ts');
    const { choiceOf, placementOf, programOf, run } = programs;
    const machine = gridDescription('torus', [16], { name: 'ring' });
    const job = programs.gridJob('job', [8], 'three-point');
    const placement = (name: string, map: string, options: OptionValues = {}) =>
      placementOf({ name, machine: 'ring', allocate: choiceOf('first-half'), map: choiceOf(map, options) });
    const steps = { kind: 'steps', amount: 100 } as const;
    const program = programOf(
      [machine],
      [job],
      [
        placement('plain', 'from-the-end'),
        placement('searched', 'tabu', { criterion: 'same-node' }),
        placement('best', 'auto', { budget: steps }),
        placement('near', 'tabu', { criterion: 'other-router' }),
      ],
    );
    return { program, report: run(program), files: programs.filesOf(), choiceOf };
  }

  const tables = (): Promise<typeof CatalogueTables> => load('test/docs/catalogueTables.ts');

  it('a mapper: completion, hover, list, JSON, the table of the page, and auto tries it', async () => {
    expect(await offered('placement p { map | }')).toContain('from-the-end');
    expect(await hovered('placement p { map from-the-|end }')).toContain('the summary of from-the-end');
    expect(await listed('mappers')).toContain('the summary of from-the-end');
    const { placementToJson } = await load<typeof Json>('server/output/json.ts');
    const { report } = await study();
    expect(placementToJson(report.placements[0]!).jobs[0]).toMatchObject({
      mapper: 'from-the-end',
      mapping: [7, 6, 5, 4, 3, 2, 1, 0],
    });
    const tried = placementToJson(report.placements[2]!).jobs[0]!.search!;
    expect([...(tried.tried ?? []).map(({ name }) => name), ...(tried.untried ?? [])]).toContain('from-the-end');
    const { mappers } = await load<typeof MappingCatalogue>('server/mapping/catalogue.ts');
    expect((await tables()).catalogueTable('entry', mappers)).toContain(
      '`from-the-end` | the summary of from-the-end |',
    );
    const { comparableMappers } = await load<typeof Compare>('server/study/compare.ts');
    expect(comparableMappers().map(({ text }) => text)).toContain('from-the-end');
  });

  it('an allocator: completion, hover, list, JSON and the table of the page', async () => {
    expect(await offered('placement p { allocate | }')).toContain('first-half');
    expect(await hovered('placement p { allocate first-|half }')).toContain('the summary of first-half');
    expect(await listed('allocators')).toContain('the summary of first-half');
    const { placementToJson } = await load<typeof Json>('server/output/json.ts');
    expect(placementToJson((await study()).report.placements[0]!).jobs[0]).toMatchObject({
      allocator: 'first-half',
      nodes: [0, 1, 2, 3, 4, 5, 6, 7],
    });
    const { allocators } = await load<typeof AllocationCatalogue>('server/allocation/catalogue.ts');
    expect((await tables()).catalogueTable('entry', allocators)).toContain(
      '`first-half` | the summary of first-half |',
    );
  });

  it('a criterion: completion, hover, list, JSON and the table of the page', async () => {
    expect(await offered('placement p { map tabu(criterion | }')).toContain('same-node');
    expect(await hovered('placement p { map ta|bu }')).toContain('same-node');
    expect(await listed('criteria')).toContain('the summary of same-node');
    const { placementToJson } = await load<typeof Json>('server/output/json.ts');
    const { search } = placementToJson((await study()).report.placements[1]!).jobs[0]!;
    expect(search).toMatchObject({ criterion: 'same-node' });
    const { criteria, mappers } = await load<typeof MappingCatalogue>('server/mapping/catalogue.ts');
    expect((await tables()).catalogueTable('entry', criteria)).toContain('`same-node` | the summary of same-node |');
    expect((await tables()).catalogueTable('entry', mappers)).toContain('`maximum-load`, `same-node` |');
  });

  it('a distance model: list, the table of the page, and a criterion of its own', async () => {
    expect(await listed('distances')).toContain('the summary of other-router');
    const { distanceModels } = await load<typeof NetworkCatalogue>('server/network/catalogue.ts');
    const { criteria } = await load<typeof MappingCatalogue>('server/mapping/catalogue.ts');
    const { catalogueTable } = await tables();
    expect(catalogueTable('entry', distanceModels)).toContain('`other-router` | the summary of other-router |');
    expect(catalogueTable('entry', criteria)).toContain('`other-router` | the criterion of other-router |');
    expect(await offered('placement p { map tabu(criterion | }')).toContain('other-router');
    const { placementToJson } = await load<typeof Json>('server/output/json.ts');
    const { search } = placementToJson((await study()).report.placements[3]!).jobs[0]!;
    // A line of eight tasks: seven pairs each way, a byte each, 1.5 apart wherever they are.
    expect(search).toMatchObject({ criterion: 'other-router', value: 21 });
  });

  it('a topology and a routing: completion, hover, list, JSON, the table of the page, a picture and a simulation', async () => {
    expect(await offered('machine m { topology | }')).toContain('chain');
    expect(await offered('machine m { topology chain 4 routing | }')).toContain('lowest-link');
    expect(await hovered('machine m { topology cha|in 4 }')).toContain('the summary of chain');
    expect(await hovered('machine m { topology chain 4 routing lowest-|link }')).toContain(
      'the summary of lowest-link',
    );
    expect(await listed('topologies')).toContain('the summary of chain');
    expect(await listed('routings')).toContain('the summary of lowest-link');
    const { topologies, routings } = await load<typeof NetworkCatalogue>('server/network/catalogue.ts');
    const { catalogueTable } = await tables();
    expect(catalogueTable('entry', topologies)).toContain('| the summary of chain |');
    expect(catalogueTable('entry', routings)).toContain('`lowest-link` | the summary of lowest-link |');
    const programs = await load<typeof Programs>('server/study/testing/programs.ts');
    const line = {
      ...gridDescription('torus', [8], { name: 'line' }),
      topology: { name: 'chain', argument: { kind: 'numbers', numbers: [8] }, options: {} },
      routing: programs.choiceOf('lowest-link'),
    } as const;
    const placement = programs.placementOf({ name: 'p', machine: 'line', map: programs.choiceOf('baseline') });
    const report = programs.run(programs.programOf([line], [programs.gridJob('job', [8], 'three-point')], [placement]));
    const [placed] = report.placements;
    const { placementToJson } = await load<typeof Json>('server/output/json.ts');
    expect(report.machines[0]).toMatchObject({ topology: 'chain', routing: 'lowest-link', cables: 7 });
    expect(placementToJson(placed!).metrics).toMatchObject({ hopBytes: 42 });
    const { drawScene } = await load<typeof DrawScene>('server/drawing/drawScene.ts');
    expect(drawScene(placed!).nodes.id).toHaveLength(8);
    const { messageNetwork } = await load<typeof Engines>('server/simulation/engines.ts');
    expect(messageNetwork({ switching: 'flow' }, placed!.machine).ok).toBe(true);
  });

  it('a format of exports: list, the table of the page, and what it writes', async () => {
    expect(await listed('formats')).toContain('export: the summary of node-list');
    const { exportFormats } = await load<typeof InterchangeCatalogue>('server/interchange/catalogue.ts');
    expect((await tables()).catalogueTable('entry', exportFormats)).toContain(
      '`node-list` | the summary of node-list |',
    );
    const { report } = await study();
    const written = exportFormats.at(-1)!.write(report.placements[0]!);
    expect(written).toMatchObject({ ok: true, value: { text: '0 1 2 3 4 5 6 7' } });
  });

  const readers = (): Promise<typeof Readers> => load('server/interchange/readers.ts');
  const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

  /** Each kind of file, with what was added: where its formats are offered and listed, and its list. */
  const kindsOfFiles = [
    ['network', 'fabricFormats', 'ring-of-hosts', 'machine m { topology from "f" as ring-of-hosts| }'],
    ['routing', 'forwardingFormats', 'named-tables', 'machine m { routing from "f" as named-tables| }'],
    ['mapping', 'mappingFormats', 'reversed-slots', 'placement p { map given "f" as reversed-slots| }'],
    ['table', 'tableFormats', 'one-pair', 'table t from "f" as one-pair|'],
    ['trace', 'traceFormats', 'ping', 'job j { trace "f" as ping| }'],
  ] as const;

  it.each(kindsOfFiles)('a format of a %s: completion, hover, check, list and the table of the page', async (...of) => {
    const [kind, list, name, marked] = of;
    expect(await offered(marked.replace(`${name}|`, '|'))).toContain(name);
    expect(await hovered(marked)).toContain(`the summary of ${name}`);
    expect(await complaints(marked.replace('|', ''))).not.toContain(name);
    expect(await complaints(marked.replace('|', 'x'))).toContain(`${name}x`);
    expect(await listed('formats')).toContain(`${kind}: the summary of ${name}`);
    const catalogue = await load<typeof InterchangeCatalogue>('server/interchange/catalogue.ts');
    expect((await tables()).catalogueTable('entry', catalogue[list])).toContain(
      `\`${name}\` | the summary of ${name} |`,
    );
  });

  it('a format of networks: its files are read by their content, and `import --as` takes its name', async () => {
    const { readFabric } = await readers();
    const fabric = await readFabric(bytesOf('ring a b c\n'), 'f', undefined);
    expect(fabric).toMatchObject({ ok: true, value: { format: 'ring-of-hosts', cables: { length: 3 } } });
    expect(await printed(['import', '--help'])).toContain('"ring-of-hosts"');
  });

  it('a format of forwarding tables: its files are read by their content', async () => {
    const read = (await readers()).readForwarding(bytesOf('routes of a\n0x1 2\n'), 'f', undefined);
    expect(read).toMatchObject({ ok: true, value: { format: 'named-tables', switches: { length: 1 } } });
  });

  it('a format of nodes: list, the table of the page, and its files are read by their content', async () => {
    expect(await listed('formats')).toContain('node: the summary of core-count');
    const { nodeFormats } = await load<typeof InterchangeCatalogue>('server/interchange/catalogue.ts');
    expect((await tables()).catalogueTable('entry', nodeFormats)).toContain(
      '`core-count` | the summary of core-count |',
    );
    const { readNodeShape } = await readers();
    const shape = await readNodeShape(bytesOf('cores 7\n'), 'f');
    expect(shape).toMatchObject({ ok: true, value: { coresOfSockets: [7] } });
  });

  it('a format of mappings: its files are read by their content', async () => {
    const read = (await readers()).readGiven(bytesOf('reversed 1 2 3\n'), 'f');
    expect(read).toMatchObject({ ok: true, value: { slots: Int32Array.of(3, 2, 1) } });
  });

  it('a format of tables: its files are read by their content, and `import --as` takes its name', async () => {
    const read = (await readers()).readTable(bytesOf('pair 0 1 40\n'), 'f');
    expect(read).toMatchObject({ ok: true, value: { size: 2, amount: Float64Array.of(40) } });
    expect(await printed(['import', '--help'])).toContain('"one-pair"');
  });

  it('a format of traces: its files are read as traces and as tables, and `trace --as` takes its name', async () => {
    const { readTable, readTrace } = await readers();
    const content = bytesOf('ping 8\nping 16\n');
    const trace = readTrace([{ name: 'f', chunks: () => [content] }], undefined, {});
    expect(trace).toMatchObject({ ok: true, value: { workload: { taskCount: 2 }, warnings: [] } });
    expect(readTable(content, 'f')).toMatchObject({ ok: true, value: { amount: Float64Array.of(24) } });
    expect(await printed(['trace', '--help'])).toContain('"ping"');
    expect(await offered('table t from "f" as |')).toContain('ping');
  });

  it('a metric: hover, pictures and summaries, list, JSON, comparisons and the table of the page', async () => {
    const { program, report, files, choiceOf } = await study();
    const [plain] = report.placements;
    const { placementMarkdown } = await load<typeof PlacementHover>('server/language/service/hover/placement.ts');
    const { outlinePlacement } = await load<typeof Outline>('server/study/outline.ts');
    expect(placementMarkdown(outlinePlacement(plain!), false)).toContain('Bytes on used links | 14 B');
    const { pictureFigures } = await load<typeof Words>('server/drawing/words.ts');
    expect(pictureFigures(plain!).figures).toContainEqual(['Bytes on used links', '14 B']);
    expect(await listed('metrics')).toContain('the summary of usedLinkBytes');
    const { comparisonToJson, placementToJson } = await load<typeof Json>('server/output/json.ts');
    expect(placementToJson(plain!).metrics).toMatchObject({ usedLinkBytes: 14 });
    const { compareMappers } = await load<typeof Compare>('server/study/compare.ts');
    const { createStudyCache } = await load<typeof Study>('server/study/study.ts');
    const comparison = compareMappers(
      program,
      files,
      {
        placement: 'plain',
        mappers: [{ text: 'random', choice: choiceOf('random') }],
        limit: 1e6,
        seeds: [1, 2],
        sort: 'used-link-bytes',
      },
      { cancellation: neverCancelled, progress: ignoreProgress, now: () => 0, cache: createStudyCache() },
    );
    const [random] = comparisonToJson(comparison, { machine: 'ring', seed: 1 }).mappers;
    expect(random).toHaveProperty('figures.usedLinkBytes.mean');
    const { comparisonTable } = await load<typeof Table>('server/entrypoints/cli/comparisonTable.ts');
    const { comparisonCsv } = await load<typeof Csv>('server/output/comparisonCsv.ts');
    expect(comparisonTable(comparison)).toContain('Bytes on used links ± SD');
    expect(comparisonCsv(comparison)).toContain('highestUtilisation,usedLinkBytes,milliseconds');
    expect(comparison.sortedBy).toBe('used-link-bytes');
    const { metricLine, sortWords } = await load<typeof MetricCatalogue>('server/study/metrics/catalogue.ts');
    expect(sortWords).toContain('used-link-bytes');
    const { placementMetrics } = await load<typeof MetricTable>('server/model/metrics.ts');
    expect(metricLine(plain!.metrics, () => undefined)).toMatch(/ · 14 on used links$/);
    expect((await tables()).metricTable(placementMetrics)).toContain('`usedLinkBytes` | Bytes on used links | bytes |');
  });

  it('a metric of experiments: completion, hover, the title of its chart, and what is measured with its unit', async () => {
    expect(await offered('experiment e { job line report | }')).toContain('arrivedPackets');
    expect(await hovered('experiment e { job line report arrived|Packets }')).toContain(
      'the summary of arrivedPackets',
    );
    const { nameOfMetric } = await load<typeof Curves>('server/drawing/figures/curves.ts');
    expect(nameOfMetric('arrivedPackets')).toBe('Packets that arrived');
    const { prepareExperiment } = await load<typeof Prepare>('server/experiments/prepare.ts');
    const { gridJob } = await load<typeof Programs>('server/study/testing/programs.ts');
    const prepared = prepareExperiment({
      version: 'test',
      machine: gridDescription('torus', [8], { name: 'ring' }),
      jobs: [{ description: gridJob('line', [8], 'three-point'), given: new Map() }],
      experiment: {
        ...{
          name: 'e',
          subject: { kind: 'job', names: ['line'] },
          machine: 'ring',
          network: { switching: 'cut-through' },
        },
        ...{ schedule: [], allocate: [], map: [], vary: [], compare: [], quoted: [], repeat: 1 },
        replications: { kind: 'seeds', from: 1, to: 1 },
        report: ['arrivedPackets', 'usedLinkBytes'] as string[] as ExperimentMetric[],
      },
    });
    if (!prepared.ok) throw new Error(prepared.failure.message);
    const { plan, replicate } = prepared.value;
    expect(plan.metrics).toEqual([
      { name: 'arrivedPackets', unit: 'packets', better: 'more' },
      { name: 'usedLinkBytes', unit: 'bytes', better: 'less' },
    ]);
    const done = replicate(plan.points[0]!, 1, neverCancelled);
    expect(done).toMatchObject({ ok: true, value: { metrics: { arrivedPackets: 14, usedLinkBytes: 14 } } });
  });

  it('a property of `network`: completion, hover, checks, what is varied, the table of the page, and the engine', async () => {
    const { serviceInput } = await load<typeof Inputs>('server/language/service/testing/input.ts');
    const { secondsPerCycleOf } = await load<typeof Engines>('server/simulation/engines.ts');
    const around = `machine ring { topology torus 16 bandwidth 8 GB/s }
      job line { tasks 8 pattern linear }
      placement p { job line machine ring simulate quick }`;
    const check = async (properties: string) => {
      const { checked } = await serviceInput(`network quick { ${properties} } ${around}`);
      const messages = [...checked.problems.values()].flat().map(({ message }) => message);
      return { messages, model: checked.experiments.simulations.get('p')?.network };
    };
    expect(await offered('network quick { switching flow | }')).toContain('haste');
    expect(await hovered('network quick { switching flow ha|ste 2 }')).toContain('the summary of haste');
    expect((await check('switching flow haste 12')).messages).toEqual(['`haste` must be at most 9, not 12.']);
    expect((await check('switching wormhole haste 2')).messages).toEqual([
      '`haste` does not apply to `switching wormhole`. It applies to `flow`.',
    ]);
    const { messages, model } = await check('switching flow haste 4');
    expect(messages).toEqual([]);
    expect(model).toEqual({ switching: 'flow', haste: 4, name: 'quick' });
    const machine = gridMachine('torus', [16], { figures: { bandwidth: 8e9 } });
    expect(secondsPerCycleOf(model!, machine)).toBe(4 / 8e9 / 4);
    const experiment = 'experiment e { job line machine ring network quick vary | }';
    expect(await offered(`network quick { switching flow haste 4 } ${around} ${experiment}`)).toContain(
      'network.haste',
    );
    const { settingsAt, unitOfVaried } = await load<typeof Simulations>('server/model/simulation.ts');
    expect(settingsAt({ network: model! }, 'network.haste', 2).network).toMatchObject({ haste: 2 });
    expect(unitOfVaried('network.haste')).toBe('times');
    const { declarations } = await load<typeof Schemas>('server/language/schema.ts');
    expect(declarations.map((await tables()).propertyTable).join()).toContain('the summary of haste');
  });

  it('a figure of simulations: the command line, the buttons of its page, and what it draws', async () => {
    expect(await printed(['simulate', '--help'])).toMatch(/"servers",\s+"packets"/);
    const { kindsOfSimulation, simulationFigures } = await load<typeof FigureCatalogue>(
      'server/drawing/figures/catalogue.ts',
    );
    const added = 'packets' as SimulationKind;
    expect([kindsOfSimulation(false).at(-1), kindsOfSimulation(true).at(-1)]).toEqual([added, added]);
    expect(simulationFigures.at(-1)).toMatchObject({ label: 'Packets', hint: 'Packets: how many each job sent' });
    const { drawSimulation } = await load<typeof SimulationFigures>('server/entrypoints/simulationFigures.ts');
    const { simulationOf } = await load<typeof SimulationFixtures>('server/drawing/testing/simulation.ts');
    const { torusReport } = await load<typeof Fixtures>('server/drawing/testing/fixtures.ts');
    const figure = drawSimulation({ kind: added as 'finish' }, simulationOf(torusReport([4, 4])));
    const { figureToCsv } = await load<typeof Figures>('server/drawing/figures/figure.ts');
    expect(figureToCsv(figure)).toMatch(/^job,packets\n0,\d+\n/);
    const { renderFigure } = await load<typeof RenderFigure>('server/drawing/figures/renderFigure.ts');
    expect(renderFigure(figure)).toContain(': packets<');
  });
});
