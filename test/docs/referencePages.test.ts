import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allocators } from '../../server/allocation/catalogue.ts';
import { mostFiles } from '../../server/entrypoints/filesInPieces.ts';
import { logFileLimit, machineFileLimit, placeFileLimit, tableFileLimit } from '../../server/entrypoints/platform.ts';
import {
  exportFormats,
  fabricFormats,
  forwardingFormats,
  mappingFormats,
  nodeFormats,
  tableFormats,
  traceFormats,
} from '../../server/interchange/catalogue.ts';
import { fabricLimits } from '../../server/interchange/fabrics/builder.ts';
import { codeGroups, problemCodes, studyCodes } from '../../server/language/codes.ts';
import {
  backgrounds,
  comparisonEntries,
  estimateKinds,
  formPartMeanings,
  jobSizes,
  metricEntries,
  openTraffic,
  replays,
  services,
  steadyStates,
  switchingEntries,
  trafficPatterns,
} from '../../server/language/experimentWords.ts';
import { dimensionLimit } from '../../server/language/propertyForms.ts';
import { declarations } from '../../server/language/schema.ts';
import type { DeclarationKind } from '../../server/language/tree.ts';
import { frequencyUnits, rateUnits, shownUnits, sizeUnits, timeUnits } from '../../server/language/units.ts';
import { criteria } from '../../server/mapping/criteria/catalogue.ts';
import { mappers } from '../../server/mapping/catalogue.ts';
import type { CatalogueEntry } from '../../server/model/catalogue.ts';
import { hostNameLimit } from '../../server/model/hostlist.ts';
import { taskLimit } from '../../server/model/job.ts';
import { linkLimit, nodeLimit, slotLimit } from '../../server/model/machine.ts';
import { mostChannels } from '../../server/model/networkModel.ts';
import { mostGpus } from '../../server/model/nodeInside.ts';
import { formatBytes, formatNumber } from '../../server/model/quantities.ts';
import { mostRails } from '../../server/model/rails.ts';
import { mostOperations, mostTraceTasks } from '../../server/model/workload.ts';
import { distanceModels, railUses, routings, topologies } from '../../server/network/catalogue.ts';
import { graphRouterLimit } from '../../server/network/routings/graphRouting.ts';
import { denseTaskLimit } from '../../server/optimisation/dense/denseProblem.ts';
import { tableSiteLimit } from '../../server/optimisation/problem/siteCosts.ts';
import { schedulers } from '../../server/scheduling/catalogue.ts';
import { distributions } from '../../server/scheduling/distributions.ts';
import {
  collectives,
  jobCollectives,
  skeletons,
  trainings,
  traceOptions,
} from '../../server/simulation/workloads/catalogue.ts';
import { memoryLimit } from '../../server/study/memory.ts';
import { placementMetrics } from '../../server/model/metrics.ts';
import { patterns, stencils } from '../../server/traffic/catalogue.ts';
import { pairLimit } from '../../server/traffic/pairs.ts';
import { root } from '../../tools/run.ts';
import { inEnglish } from '../manifest/words.ts';
import {
  anchor,
  catalogueTable,
  metricTable,
  propertyTable,
  settingsTable,
  table,
  type SettingSpecification,
} from './catalogueTables.ts';
import { codeRows, codeTable } from './codeRows.ts';
import { expectGenerated, expectGeneratedBlock } from './generatedBlock.ts';

const isNoDistribution = ({ name }: CatalogueEntry): boolean =>
  !distributions.some((distribution) => distribution.name === name);

/** The page of each generated table: the catalogue, and what its anchors begin with. */
const catalogues: Readonly<Record<string, Readonly<Record<string, readonly [string, readonly CatalogueEntry[]]>>>> = {
  topologies: {
    topologies: ['topology', topologies],
    routings: ['routing', routings],
  },
  job: {
    stencils: ['stencil', stencils],
    patterns: ['pattern', patterns],
  },
  traffic: {
    skeletons: ['skeleton', skeletons],
    // All formats of traces have the same options.
    'trace-formats': ['trace', traceFormats.map((entry) => ({ ...entry, options: traceOptions }))],
    collectives: ['algorithm', collectives.map((entry) => ({ ...entry, name: `${entry.operation} ${entry.name}` }))],
    'job-collectives': ['collective', jobCollectives],
  },
  training: {
    trainings: ['training', trainings],
  },
  mappers: {
    allocators: ['allocator', allocators],
    mappers: ['mapper', mappers],
    criteria: ['criterion', criteria],
    'distance-models': ['distance', distanceModels],
  },
  placement: {
    'rail-uses': ['rails', railUses],
  },
  experiment: {
    replays: ['replay', replays],
    backgrounds: ['background', backgrounds],
    comparisons: ['compare', comparisonEntries],
    'steady-states': ['steady-state', steadyStates],
    'open-traffic': ['traffic', openTraffic],
  },
  network: {
    switchings: ['switching', switchingEntries],
  },
  schedulers: {
    schedulers: ['scheduler', schedulers],
    distributions: ['distribution', distributions],
    // Those that are distributions are in the table above.
    services: ['service', services.filter(isNoDistribution)],
    'job-sizes': ['size', jobSizes.filter(isNoDistribution)],
    estimates: ['estimates', estimateKinds],
    'stream-traffic': ['traffic', trafficPatterns],
  },
  metrics: {
    'experiment-metrics': ['metric', metricEntries],
  },
  formats: {
    'fabric-formats': ['fabric', fabricFormats],
    'forwarding-formats': ['forwarding', forwardingFormats],
    'node-formats': ['node', nodeFormats],
    'table-formats': ['table', tableFormats],
    'given-formats': ['mapping', mappingFormats],
    'export-formats': ['export', exportFormats],
  },
};

const pageOf = (name: string): string => `docs/reference/${name}.md`;

/** The page that has the properties of each declaration. */
const pageOfDeclaration: Readonly<Record<DeclarationKind, string>> = {
  machine: 'machine',
  job: 'job',
  stencil: 'job',
  table: 'job',
  placement: 'placement',
  stream: 'stream',
  network: 'network',
  experiment: 'experiment',
};

/** What this version can work with, with the constants that say it. */
const limits: readonly (readonly [string, number | string])[] = [
  ['memory of a program with its machines, jobs and reports', formatBytes(memoryLimit)],
  ['slots of a machine', slotLimit],
  ['routers, and nodes, of a machine', nodeLimit],
  ['directed links of a machine', linkLimit],
  ['routers of a machine whose routing keeps tables of all pairs', graphRouterLimit],
  ['rails of a node', mostRails],
  ['GPUs of a node', mostGpus],
  ['virtual channels of a link', mostChannels],
  ['dimensions of a grid, stencil or network', dimensionLimit],
  ['tasks of a job', taskLimit],
  ['ordered pairs of communicating tasks of a job', pairLimit],
  ['sends, receives and computations of a trace', mostOperations],
  ['tasks of a trace', mostTraceTasks],
  ['files of one table or trace', mostFiles],
  ['switches of a fabric file', fabricLimits.switches],
  ['hosts of a fabric file', fabricLimits.hosts],
  ['links of a fabric file', fabricLimits.cables],
  ['names of a hostlist', hostNameLimit],
  ['tasks of `tabu`', denseTaskLimit],
  ['nodes whose costs are kept for all pairs', tableSiteLimit],
  ['length of a `.place` file', formatBytes(placeFileLimit)],
  ['length of a table file', formatBytes(tableFileLimit)],
  ['length of a fabric or node file', formatBytes(machineFileLimit)],
  ['length of a job log', formatBytes(logFileLimit)],
  ['amount in a table', '2^53'],
];

type SettingsOf = Readonly<Record<string, SettingSpecification>>;

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly keybindings: readonly { readonly command: string; readonly key: string; readonly mac: string }[];
    readonly configuration: readonly { readonly properties: SettingsOf }[];
  };
}

describe('docs/reference', () => {
  const all = Object.entries(catalogues).flatMap(([page, tables]) =>
    Object.entries(tables).map(([name, [prefix, entries]]) => ({ page, name, prefix, entries })),
  );
  it.each(all)('$page: lists the catalogue of $name as it is', ({ page, name, prefix, entries }) => {
    expectGeneratedBlock(pageOf(page), name, catalogueTable(prefix, entries));
  });

  it('lists the metrics as they are', () => {
    expectGeneratedBlock(pageOf('metrics'), 'metrics', metricTable(placementMetrics));
  });

  it('lists the default routings as the topologies have them', () => {
    const rows = topologies.map(({ name, defaultRouting }) => [`\`${name}\``, `\`${defaultRouting}\``]);
    expectGeneratedBlock(pageOf('topologies'), 'default-routings', table(['topology', 'default routing'], rows));
  });

  it('lists the limits as they are', () => {
    const rows = limits.map(([what, most]) => [what, typeof most === 'string' ? most : formatNumber(most)]);
    expectGeneratedBlock(pageOf('limits'), 'limits', table(['what', 'at most'], rows));
  });

  it('lists the parts of short runs as they are', () => {
    const rows = Object.entries(formPartMeanings).map(([part, meaning]) => [
      `${anchor(`part-${part}`)}\`${part}\``,
      meaning,
    ]);
    expectGeneratedBlock(pageOf('commands-experiments'), 'form-parts', table(['part', 'meaning'], rows));
  });

  it('lists the units as they are', () => {
    const rows = [
      ['size', sizeUnits, '`64 KiB`'],
      ['time', timeUnits, '`1.5 us`'],
      ['rate', rateUnits, '`10 GB/s`'],
      ['frequency', frequencyUnits, '`100/s`'],
    ] as const;
    const cells = rows.map(([name, units, example]) => [
      name,
      shownUnits(units)
        .map((unit) => `\`${unit}\``)
        .join(', '),
      example,
    ]);
    expectGeneratedBlock(pageOf('language'), 'units', table(['quantity', 'units', 'example'], cells));
  });

  it.each(declarations)('lists the properties of $kind as the parser knows them', (declaration) => {
    const { kind } = declaration;
    expectGeneratedBlock(pageOf(pageOfDeclaration[kind]), kind, propertyTable(declaration));
  });

  it('lists the properties for the colours of an editor without a server', () => {
    const words = declarations.flatMap(({ properties }) => properties.map(({ word }) => word));
    expectGenerated('syntaxes/place.tmLanguage.json', (grammar) =>
      grammar.replaceAll(/\(topology\|link\|[^()]*\)/g, `(${[...new Set([...words, 'weight', 'as'])].join('|')})`),
    );
  });

  it('lists the settings, commands and keys of the editor as its manifest has them', () => {
    const { contributes } = inEnglish() as Manifest;
    const settings = Object.assign({}, ...contributes.configuration.map(({ properties }) => properties)) as SettingsOf;
    const editor = pageOf('editor');
    expectGeneratedBlock(editor, 'settings', settingsTable(settings));
    const titles = new Map(contributes.commands.map(({ command, title }) => [command, title]));
    // At most 40 rows in one table.
    const rows = [...titles].map(([command, title]) => [`${anchor(command)}*${title}*`, `\`${command}\``]);
    expect(rows.length).toBeLessThanOrEqual(80);
    const half = Math.ceil(rows.length / 2);
    expectGeneratedBlock(editor, 'commands', table(['command', 'identifier'], rows.slice(0, half)));
    expectGeneratedBlock(editor, 'more-commands', table(['command', 'identifier'], rows.slice(half)));
    const keys = contributes.keybindings.map(({ command, key, mac }) => [
      `*${titles.get(command) ?? ''}*`,
      `\`${key}\``,
      `\`${mac}\``,
    ]);
    expectGeneratedBlock(editor, 'keys', table(['command', 'keys', 'macOS'], keys));
  });

  it('calls the buttons and panels of the editor as the editor does', () => {
    const shown = ['package.nls.json', 'l10n/bundle.l10n.de.json', 'server/language/service/codeLens.ts']
      .map((file) => readFileSync(resolve(root, file), 'utf8'))
      .join('\n');
    const page = readFileSync(resolve(root, pageOf('editor')), 'utf8').replace(/<!-- generated[^]*?<!-- end.*-->/g, '');
    const names = [...page.matchAll(/(?<![*\w])\*([^*\n]+)\*(?![*\w])/g)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(20);
    const ofVsCode = ['Placewright:', 'Placewright', 'Tasks: Run Task'];
    const unknown = names.filter((name) => !shown.includes(name.replace('Placewright: ', '')));
    expect([...new Set(unknown)].filter((name) => !ofVsCode.includes(name))).toEqual([]);
  });

  it.each(codeGroups)('lists the codes of $title as they are', (group) => {
    const name = `codes-${group.title.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`;
    expectGeneratedBlock(pageOf('diagnostics'), name, codeTable(group));
  });

  it('says of every code what leads to it and what to do', () => {
    const codes = codeGroups.flatMap((group) => Object.keys(group.codes));
    expect([...codes].sort()).toEqual(Object.keys({ ...problemCodes, ...studyCodes }).sort());
    expect(Object.keys(codeRows).sort()).toEqual([...codes].sort());
  });

  it('has no table of more than 40 rows among those that are made', () => {
    const long = globSync('docs/reference/*.md', { cwd: root }).flatMap((page) =>
      [...readFileSync(resolve(root, page), 'utf8').matchAll(/^(?:\|.*\n)+/gm)]
        .map(([rows]) => rows.split('\n').length - 3)
        .filter((count) => count > 40)
        .map((count) => ({ page, count })),
    );
    expect(long).toEqual([]);
  });

  it('has every anchor once in its page', () => {
    const twice = globSync('docs/**/*.md', { cwd: root }).flatMap((page) => {
      const ids = [...readFileSync(resolve(root, page), 'utf8').matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
      return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => ({ page, id }));
    });
    expect(twice).toEqual([]);
  });
});

describe('the tables of codes', () => {
  const sources = globSync(
    'server/{model,network,queueing,numeric,optimisation,traffic,allocation,mapping,simulation,scheduling,experiments,study,performance,output,interchange,entrypoints}/**/*.ts',
    {
      cwd: root,
    },
  ).filter((path) => !path.endsWith('.test.ts') && !path.includes('testing'));
  const texts = sources.map((path) => readFileSync(resolve(root, path), 'utf8'));

  it('has every code that files and studies report', () => {
    const reported = /(?:\bfail\(|\bcode: |[A-Z]\w*Code = )\s*'([a-z]+(?:-[a-z]+)+)'/g;
    const codes = texts.flatMap((text) => [...text.matchAll(reported)].map((match) => match[1] ?? ''));
    expect(codes.length).toBeGreaterThan(80);
    const listed = new Set(Object.keys({ ...problemCodes, ...studyCodes }));
    expect([...new Set(codes)].filter((code) => !listed.has(code))).toEqual([]);
  });

  it('has no code that nothing reports', () => {
    const ofTheEditor = readFileSync(resolve(root, 'server/language/service/unused.ts'), 'utf8');
    const all = [...texts, ofTheEditor].join('\n');
    expect(Object.keys(studyCodes).filter((code) => !all.includes(`'${code}'`))).toEqual([]);
  });
});
