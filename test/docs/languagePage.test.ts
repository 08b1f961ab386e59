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
import { problemCodes, studyCodes } from '../../server/language/codes.ts';
import { declarations } from '../../server/language/schema.ts';
import { mappers } from '../../server/mapping/catalogue.ts';
import { criteria } from '../../server/mapping/criteria/catalogue.ts';
import type { CatalogueEntry } from '../../server/model/catalogue.ts';
import { distanceModels, routings, topologies } from '../../server/network/catalogue.ts';
import { patterns, stencils } from '../../server/traffic/catalogue.ts';
import { openTraffic, trafficPatterns } from '../../server/language/experimentWords.ts';
import { schedulers } from '../../server/scheduling/catalogue.ts';
import { distributions } from '../../server/scheduling/distributions.ts';
import {
  collectives,
  jobCollectives,
  skeletons,
  trainings,
  traceOptions,
} from '../../server/simulation/workloads/catalogue.ts';
import { root } from '../../tools/run.ts';
import { metrics } from '../../server/study/metrics/catalogue.ts';
import {
  catalogueTable,
  metricTable,
  propertyTables,
  settingsTable,
  type SettingSpecification,
} from './catalogueTables.ts';
import { inEnglish } from '../manifest/words.ts';
import { expectGenerated, expectGeneratedBlock } from './generatedBlock.ts';

const page = 'docs/language.md';

const catalogues: Readonly<Record<string, readonly CatalogueEntry[]>> = {
  topologies,
  routings,
  stencils,
  patterns,
  skeletons,
  trainings,
  'job-collectives': jobCollectives,
  // All formats of traces have the same options.
  'trace-formats': traceFormats.map((entry) => ({ ...entry, options: traceOptions })),
  collectives: collectives.map((entry) => ({ ...entry, name: `${entry.operation} ${entry.name}` })),
  allocators,
  mappers,
  distributions,
  schedulers,
  traffic: [...trafficPatterns, ...openTraffic],
  criteria,
  'distance-models': distanceModels,
  'export-formats': exportFormats,
  'table-formats': tableFormats,
  'fabric-formats': fabricFormats,
  'forwarding-formats': forwardingFormats,
  'node-formats': nodeFormats,
};

type SettingsOf = Readonly<Record<string, SettingSpecification>>;

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly configuration: readonly { readonly properties: SettingsOf }[];
  };
}

describe('docs/language.md', () => {
  it.each(Object.entries(catalogues))('lists the catalogue of %s as it is', (name, entries) => {
    expectGeneratedBlock(page, name, catalogueTable(entries));
  });

  it('lists the metrics as they are', () => {
    expectGeneratedBlock(page, 'metrics', metricTable(metrics));
  });

  it('lists the properties as the parser knows them', () => {
    expectGeneratedBlock(page, 'properties', propertyTables(declarations));
  });

  it('lists the properties for the colours of an editor without a server', () => {
    const words = declarations.flatMap(({ properties }) => properties.map(({ word }) => word));
    expectGenerated('syntaxes/place.tmLanguage.json', (grammar) =>
      grammar.replaceAll(/\(topology\|link\|[^()]*\)/g, `(${[...new Set([...words, 'weight', 'as'])].join('|')})`),
    );
  });

  it('lists the settings and commands of the editor as its manifest has them', () => {
    const { contributes } = inEnglish() as Manifest;
    const settings = Object.assign({}, ...contributes.configuration.map(({ properties }) => properties)) as SettingsOf;
    expectGeneratedBlock(page, 'settings', settingsTable(settings));
    const commands = contributes.commands.map(({ title, command }) => `- *${title}* (\`${command}\`)`);
    expectGeneratedBlock(page, 'commands', commands.join('\n'));
  });

  it('lists the formats of mappings as they are', () => {
    const rows = mappingFormats.map(({ name, summary }) => `| \`${name}\` | ${summary} |`);
    expectGeneratedBlock(page, 'given-formats', ['| format | means |', '| --- | --- |', ...rows].join('\n'));
  });

  it('lists the codes of the checker as they are', () => {
    const rows = Object.entries({ ...problemCodes, ...studyCodes }).map(
      ([code, meaning]) => `| \`${code}\` | ${meaning} |`,
    );
    expectGeneratedBlock(page, 'codes', ['| code | means |', '| --- | --- |', ...rows].join('\n'));
  });
});

describe('the table of codes', () => {
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
