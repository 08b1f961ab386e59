import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allocators } from '../../server/allocation/catalogue.ts';
import {
  exportFormats,
  fabricFormats,
  forwardingFormats,
  mappingFormats,
  nodeFormats,
  tableFormats,
  traceFormats,
} from '../../server/interchange/catalogue.ts';
import { codeGroups, problemCodes, studyCodes } from '../../server/language/codes.ts';
import {
  backgrounds,
  comparisonEntries,
  estimateKinds,
  jobSizes,
  metricEntries,
  openTraffic,
  replays,
  services,
  steadyStates,
  switchingEntries,
  trafficPatterns,
} from '../../server/language/experimentWords.ts';
import { declarations } from '../../server/language/schema.ts';
import type { DeclarationKind } from '../../server/language/tree.ts';
import { criteria } from '../../server/mapping/criteria/catalogue.ts';
import { mappers } from '../../server/mapping/catalogue.ts';
import type { CatalogueEntry } from '../../server/model/catalogue.ts';
import { distanceModels, railUses, routings, topologies } from '../../server/network/catalogue.ts';
import { schedulers } from '../../server/scheduling/catalogue.ts';
import { distributions } from '../../server/scheduling/distributions.ts';
import {
  collectives,
  jobCollectives,
  skeletons,
  trainings,
  traceOptions,
} from '../../server/simulation/workloads/catalogue.ts';
import { metrics } from '../../server/study/metrics/catalogue.ts';
import { patterns, stencils } from '../../server/traffic/catalogue.ts';
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
    services: ['service', services],
    'job-sizes': ['size', jobSizes],
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
    expectGeneratedBlock(pageOf('metrics'), 'metrics', metricTable(metrics));
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
    'server/{model,network,queueing,numeric,optimisation,traffic,allocation,mapping,simulation,scheduling,experiments,study,interchange,entrypoints}/**/*.ts',
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
