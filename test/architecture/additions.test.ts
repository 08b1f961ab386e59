import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as CatalogueTables from '../docs/catalogueTables.ts';
import type * as AllocationCatalogue from '../../server/allocation/catalogue.ts';
import type * as FigureCatalogue from '../../server/drawing/figures/catalogue.ts';
import type { SimulationKind } from '../../server/drawing/figures/catalogue.ts';
import type * as Figures from '../../server/drawing/figures/figure.ts';
import type * as RenderFigure from '../../server/drawing/figures/renderFigure.ts';
import type * as Fixtures from '../../server/drawing/testing/fixtures.ts';
import type * as Simulations from '../../server/drawing/testing/simulation.ts';
import type * as Words from '../../server/drawing/words.ts';
import type * as Commands from '../../server/entrypoints/cli/commands.ts';
import type * as Terminals from '../../server/entrypoints/cli/terminal.ts';
import type * as SimulationFigures from '../../server/entrypoints/simulationFigures.ts';
import type * as Csv from '../../server/study/comparisonCsv.ts';
import type * as Table from '../../server/entrypoints/cli/comparisonTable.ts';
import type * as InterchangeCatalogue from '../../server/interchange/catalogue.ts';
import type * as Completion from '../../server/language/service/completion.ts';
import type * as Hover from '../../server/language/service/hover.ts';
import type * as PlacementHover from '../../server/language/service/hover/placement.ts';
import type * as Inputs from '../../server/language/service/testing/input.ts';
import type * as MappingCatalogue from '../../server/mapping/catalogue.ts';
import type * as NetworkCatalogue from '../../server/network/catalogue.ts';
import type * as Compare from '../../server/study/compare.ts';
import type * as Json from '../../server/study/json.ts';
import type * as MetricCatalogue from '../../server/study/metrics/catalogue.ts';
import type * as Outline from '../../server/study/outline.ts';
import type * as Study from '../../server/study/study.ts';
import type * as Programs from '../../server/study/testing/programs.ts';
import { neverCancelled, ignoreProgress } from '../../server/model/cancellation.ts';
import type { OptionValues } from '../../server/model/catalogue.ts';
import { gridDescription } from '../../server/network/testing/machines.ts';
import { root } from '../../tools/run.ts';

interface Line {
  readonly catalogue: string;
  /** How the list of entries begins that the new one goes to the end of. */
  readonly list: string;
  readonly entry: string;
  /** What the catalogue imports of the new file: the entry itself unless said otherwise, nothing if ''. */
  readonly imported?: string;
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
    file: 'server/study/metrics/usedLinks.ts',
    text: `import { derivedMetric } from './contract.ts';

export const usedLinks = derivedMetric({
  key: 'usedLinkBytes',
  label: 'Bytes on used links',
  unit: 'bytes',
  definition: 'the summary of usedLinkBytes',
  column: { place: 9 },
  sort: { word: 'used-link-bytes', place: 9 },
  line: { place: 9, words: (bytes) => bytes + ' on used links' },
  measure: ({ linkLoads }) => linkLoads.reduce((sum, load) => sum + load, 0),
});
`,
    catalogue: 'server/study/metrics/catalogue.ts',
    list: 'export const metrics: ',
    entry: 'usedLinks',
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

/** Adds the import and the entry to the text of a catalogue. */
function withEntry(text: string, file: string, { catalogue, list, entry, imported = entry }: Line): string {
  const start = text.indexOf(`\n${list}`);
  const [, open = ''] = /= ([[{])/.exec(text.slice(start)) ?? [];
  const end = text.indexOf(open === '[' ? ']' : '}', text.indexOf(`= ${open}`, start));
  expect(Math.min(start, end), `${catalogue} has a list that begins ${list}`).toBeGreaterThan(0);
  const before = text.slice(0, end).trimEnd();
  const comma = before.endsWith(',') ? '' : ',';
  const path = relative(dirname(catalogue), file);
  const line = imported === '' ? '' : `import { ${imported} } from '${path.startsWith('.') ? path : `./${path}`}';\n`;
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

  /** What `placewright list` prints. */
  const listed = (catalogue: string): Promise<string> => printed('list', catalogue);

  async function printed(...words: readonly string[]): Promise<string> {
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
    const { placementToJson } = await load<typeof Json>('server/study/json.ts');
    const { report } = await study();
    expect(placementToJson(report.placements[0]!).jobs[0]).toMatchObject({
      mapper: 'from-the-end',
      mapping: [7, 6, 5, 4, 3, 2, 1, 0],
    });
    const tried = placementToJson(report.placements[2]!).jobs[0]!.search!;
    expect([...(tried.tried ?? []).map(({ name }) => name), ...(tried.untried ?? [])]).toContain('from-the-end');
    const { mappers } = await load<typeof MappingCatalogue>('server/mapping/catalogue.ts');
    expect((await tables()).catalogueTable(mappers)).toContain('| `from-the-end` | the summary of from-the-end |');
    const { comparableMappers } = await load<typeof Compare>('server/study/compare.ts');
    expect(comparableMappers().map(({ text }) => text)).toContain('from-the-end');
  });

  it('an allocator: completion, hover, list, JSON and the table of the page', async () => {
    expect(await offered('placement p { allocate | }')).toContain('first-half');
    expect(await hovered('placement p { allocate first-|half }')).toContain('the summary of first-half');
    expect(await listed('allocators')).toContain('the summary of first-half');
    const { placementToJson } = await load<typeof Json>('server/study/json.ts');
    expect(placementToJson((await study()).report.placements[0]!).jobs[0]).toMatchObject({
      allocator: 'first-half',
      nodes: [0, 1, 2, 3, 4, 5, 6, 7],
    });
    const { allocators } = await load<typeof AllocationCatalogue>('server/allocation/catalogue.ts');
    expect((await tables()).catalogueTable(allocators)).toContain('| `first-half` | the summary of first-half |');
  });

  it('a criterion: completion, hover, list, JSON and the table of the page', async () => {
    expect(await offered('placement p { map tabu(criterion | }')).toContain('same-node');
    expect(await hovered('placement p { map ta|bu }')).toContain('same-node');
    expect(await listed('criteria')).toContain('the summary of same-node');
    const { placementToJson } = await load<typeof Json>('server/study/json.ts');
    const { search } = placementToJson((await study()).report.placements[1]!).jobs[0]!;
    expect(search).toMatchObject({ criterion: 'same-node' });
    const { criteria, mappers } = await load<typeof MappingCatalogue>('server/mapping/catalogue.ts');
    expect((await tables()).catalogueTable(criteria)).toContain('| `same-node` | the summary of same-node |');
    expect((await tables()).catalogueTable(mappers)).toContain('`maximum-load`, `same-node` |');
  });

  it('a distance model: list, the table of the page, and a criterion of its own', async () => {
    expect(await listed('distances')).toContain('the summary of other-router');
    const { distanceModels } = await load<typeof NetworkCatalogue>('server/network/catalogue.ts');
    const { criteria } = await load<typeof MappingCatalogue>('server/mapping/catalogue.ts');
    const { catalogueTable } = await tables();
    expect(catalogueTable(distanceModels)).toContain('| `other-router` | the summary of other-router |');
    expect(catalogueTable(criteria)).toContain('| `other-router` | the criterion of other-router |');
    expect(await offered('placement p { map tabu(criterion | }')).toContain('other-router');
    const { placementToJson } = await load<typeof Json>('server/study/json.ts');
    const { search } = placementToJson((await study()).report.placements[3]!).jobs[0]!;
    // A line of eight tasks: seven pairs each way, a byte each, 1.5 apart wherever they are.
    expect(search).toMatchObject({ criterion: 'other-router', value: 21 });
  });

  it('a format of exports: list, the table of the page, and what it writes', async () => {
    expect(await listed('formats')).toContain('export: the summary of node-list');
    const { exportFormats } = await load<typeof InterchangeCatalogue>('server/interchange/catalogue.ts');
    expect((await tables()).catalogueTable(exportFormats)).toContain('| `node-list` | the summary of node-list |');
    const { report } = await study();
    const written = exportFormats.at(-1)!.write(report.placements[0]!);
    expect(written).toMatchObject({ ok: true, value: { text: '0 1 2 3 4 5 6 7' } });
  });

  it('a metric: hover, pictures and summaries, list, JSON, comparisons and the table of the page', async () => {
    const { program, report, files, choiceOf } = await study();
    const [plain] = report.placements;
    const { placementMarkdown } = await load<typeof PlacementHover>('server/language/service/hover/placement.ts');
    const { outlinePlacement } = await load<typeof Outline>('server/study/outline.ts');
    expect(placementMarkdown(outlinePlacement(plain!), false)).toContain('Bytes on used links | 14 B');
    const { figuresOf } = await load<typeof Words>('server/drawing/words.ts');
    expect(figuresOf(plain!).figures).toContainEqual(['Bytes on used links', '14 B']);
    expect(await listed('metrics')).toContain('the summary of usedLinkBytes');
    const { comparisonToJson, placementToJson } = await load<typeof Json>('server/study/json.ts');
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
    const { comparisonCsv } = await load<typeof Csv>('server/study/comparisonCsv.ts');
    expect(comparisonTable(comparison)).toContain('Bytes on used links ± SD');
    expect(comparisonCsv(comparison)).toContain('highestUtilisation,usedLinkBytes,milliseconds');
    expect(comparison.sortedBy).toBe('used-link-bytes');
    const { metrics, metricLine, sortWords } = await load<typeof MetricCatalogue>('server/study/metrics/catalogue.ts');
    expect(sortWords).toContain('used-link-bytes');
    expect(metricLine(plain!.metrics, () => undefined)).toMatch(/ · 14 on used links$/);
    expect((await tables()).metricTable(metrics)).toContain('| `usedLinkBytes` | Bytes on used links | bytes |');
  });

  it('a figure of simulations: the command line, the buttons of its page, and what it draws', async () => {
    expect(await printed('simulate', '--help')).toMatch(/"servers",\s+"packets"/);
    const { kindsOfSimulation, simulationFigures } = await load<typeof FigureCatalogue>(
      'server/drawing/figures/catalogue.ts',
    );
    const added = 'packets' as SimulationKind;
    expect([kindsOfSimulation(false).at(-1), kindsOfSimulation(true).at(-1)]).toEqual([added, added]);
    expect(simulationFigures.at(-1)).toMatchObject({ label: 'Packets', hint: 'Packets: how many each job sent' });
    const { drawSimulation } = await load<typeof SimulationFigures>('server/entrypoints/simulationFigures.ts');
    const { simulationOf } = await load<typeof Simulations>('server/drawing/testing/simulation.ts');
    const { torusReport } = await load<typeof Fixtures>('server/drawing/testing/fixtures.ts');
    const figure = drawSimulation({ kind: added as 'finish' }, simulationOf(torusReport([4, 4])));
    const { figureToCsv } = await load<typeof Figures>('server/drawing/figures/figure.ts');
    expect(figureToCsv(figure)).toMatch(/^job,packets\n0,\d+\n/);
    const { renderFigure } = await load<typeof RenderFigure>('server/drawing/figures/renderFigure.ts');
    expect(renderFigure(figure)).toContain(': packets<');
  });
});
