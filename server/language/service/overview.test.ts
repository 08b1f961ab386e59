import { TextDocument } from 'vscode-languageserver-textdocument';
import { describe, expect, it } from 'vitest';
import type { CodeLens } from 'vscode-languageserver-types';
import type { StudySummary, PlacementStatus } from '../../study/report.ts';
import { exampleSearch } from '../../study/testing/searches.ts';
import { formatText } from '../format.ts';
import { codeLens } from './codeLens.ts';
import { documentLinks } from './navigation.ts';
import { documentSymbols } from './symbols.ts';
import { folding } from './folding.ts';
import { formatting } from './languageService.ts';
import { inlayHints } from './inlayHints.ts';
import type { ExperimentStanding, ServiceInput } from './input.ts';
import { mainUri, serviceInput, textIn, uriOf } from './testing/input.ts';
import { summaryWith } from './testing/summaries.ts';
import { smallText } from './testing/texts.ts';

describe('document symbols', () => {
  it('are the declarations, with ranges that hold their names', async () => {
    const input = await serviceInput('table t { 0 -> 1 : 40 }\ntable f from "f.csv"\njob { }\nplacement p { }');
    const found = documentSymbols(input);
    expect(found.map(({ name, detail }) => [name, detail])).toEqual([
      ['t', 'table of 1 entry'],
      ['f', 'table from f.csv'],
      ['job without a name', 'job'],
      ['p', 'placement'],
    ]);
    expect(found.map(({ selectionRange }) => textIn(input, selectionRange))).toEqual(['t', 'f', 'job', 'p']);
    for (const { range, selectionRange } of found) {
      expect(textIn(input, range)).toContain(textIn(input, selectionRange));
    }
  });
});

describe('streams, networks and experiments', () => {
  it('are in the outline and fold', async () => {
    const text = 'stream s {\n  jobs 9 arrived\n}\nnetwork n {\n  switching flow\n}\nexperiment e {\n  stream s\n}';
    const input = await serviceInput(text);
    expect(documentSymbols(input).map(({ name, detail }) => [name, detail])).toEqual([
      ['s', 'stream'],
      ['n', 'network'],
      ['e', 'experiment'],
    ]);
    expect(folding(input).map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
      [0, 1],
      [3, 4],
      [6, 7],
    ]);
  });
});

describe('folding', () => {
  it.each<[string, readonly (readonly [number, number, string?])[]]>([
    ['machine m {\n  topology torus 4\n}', [[0, 1]]],
    ['machine m { topology torus 4 }', []],
    ['machine m {\n}', []],
    ['// one\n// two\njob j { }', [[0, 1, 'comment']]],
    ['/* one\n two */', [[0, 1, 'comment']]],
    ['import "/*"\n// one\n', []],
    ['table t from "a//b"\n// one\n// two', [[1, 2, 'comment']]],
  ])('%j', async (text, expected) => {
    const found = folding(await serviceInput(text));
    expect(
      found.map(({ startLine, endLine, kind }) =>
        kind === undefined ? [startLine, endLine] : [startLine, endLine, kind],
      ),
    ).toEqual(expected);
  });
});

/** All but the one above a machine, which is always there. */
const lensesOf = (input: ServiceInput): CodeLens[] =>
  codeLens(input).filter(({ command }) => command?.command !== 'placewright.showMachine');

describe('code lenses', () => {
  it('offer the picture of a machine', async () => {
    const found = codeLens(await serviceInput('/// Text\nmachine m { topology torus 2 x 2 }\n'));
    expect(found).toEqual([
      {
        range: { start: { line: 1, character: 0 }, end: { line: 1, character: 7 } },
        command: expect.objectContaining({
          title: 'Show machine',
          command: 'placewright.showMachine',
          arguments: [mainUri, 'm'],
        }) as unknown,
      },
    ]);
  });

  it('offer the picture before a study, and cost and export after it', async () => {
    const before = lensesOf(await serviceInput(smallText));
    expect(before.map(({ command }) => command)).toMatchObject([
      { title: 'Show picture', command: 'placewright.showPlacement', arguments: [mainUri, 'first-try'] },
    ]);
    expect(before[0]?.command?.tooltip).toBe('Draw the placement beside the text');
    const input = await serviceInput(smallText, { summary: summaryWith({ hotLinkCount: 1 }) });
    const after = lensesOf(input);
    expect(after.map(({ command }) => [command?.title, command?.command])).toEqual([
      ['1.25 hops on average · 3 MiB hop-bytes · congestion time 131.1 µs', 'placewright.showPlacement'],
      ['Show picture', 'placewright.showPlacement'],
      ['Try mappers', 'placewright.tryMappers'],
      ['Export mapping', 'placewright.exportMappingVector'],
      ['Show traffic', 'placewright.showTraffic'],
      ['Link failures', 'placewright.loseCables'],
      ['routing dimension-order', 'placewright.showPlacement'],
    ]);
    for (const { range } of after) expect(textIn(input, range)).toBe('placement');
  });

  it('offer the traffic of what is placed nowhere: of jobs, and of tables that no job has', async () => {
    const text = `table used { 0 -> 1 : 4 }
table alone { 0 -> 1 : 4 }
job ring { tasks 4 pattern ring }
job told { tasks 4 table used }
machine m { topology torus 2 x 2 }
placement p { job ring machine m }
`;
    const found = lensesOf(await serviceInput(text)).filter(({ command }) => command?.title === 'Show traffic');
    expect(found.map(({ command }) => command?.arguments)).toEqual([
      [mainUri, 'alone', 'table'],
      [mainUri, 'told', 'job'],
    ]);
  });

  it('say one hop, and the maximum link load where there is no bandwidth', async () => {
    const metrics = { ...summaryWith().placements[0]!.metrics, averageHops: 1.0000001, congestionTime: undefined };
    const [lens] = lensesOf(await serviceInput(smallText, { summary: summaryWith({ metrics }) }));
    expect(lens?.command?.title).toBe('1 hop on average · 3 MiB hop-bytes · maximum link load 128 KiB');
  });

  const progress = { share: 0.2, message: 'annealing', secondsLeft: 8 };
  const search = { criterion: 'hop-bytes', value: 3 * 2 ** 20, first: 4 * 2 ** 20 };
  const figures = '1.25 hops on average · 3 MiB hop-bytes · congestion time 131.1 µs';
  it.each<[string, PlacementStatus, readonly string[], readonly string[]]>([
    [
      'is searched',
      { kind: 'working', progress: { ...progress, search } },
      ['placing … 3 MiB hop-bytes, −25 %, 8 s left', 'Stop and keep the best'],
      [
        'placing … 3 MiB hop-bytes, −25 %, 8 s left',
        'Stop and keep the best',
        'Show picture',
        'Show traffic',
        'Link failures',
        'routing dimension-order',
      ],
    ],
    [
      'has no answer yet',
      { kind: 'working', progress },
      ['placing: annealing, 8 s left'],
      ['placing: annealing, 8 s left', 'Show picture', 'Show traffic', 'Link failures', 'routing dimension-order'],
    ],
    [
      'waits',
      { kind: 'waiting' },
      ['waiting to be placed'],
      [
        'waiting to be placed',
        figures,
        'Show picture',
        'Try mappers',
        'Export mapping',
        'Show traffic',
        'Link failures',
        'routing dimension-order',
      ],
    ],
    [
      'was cancelled',
      { kind: 'cancelled' },
      ['Cancelled: work out again'],
      [
        figures,
        'Cancelled: work out again',
        'Show picture',
        'Try mappers',
        'Export mapping',
        'Show traffic',
        'Link failures',
        'routing dimension-order',
      ],
    ],
    [
      'failed',
      { kind: 'failed', message: 'Why.' },
      ['Not worked out', 'Re-evaluate'],
      [
        'Not worked out',
        'Re-evaluate',
        figures,
        'Show picture',
        'Try mappers',
        'Export mapping',
        'Show traffic',
        'Link failures',
        'routing dimension-order',
      ],
    ],
    [
      'was ended by the user',
      { kind: 'stopped', milliseconds: 3210 },
      ['Show picture'],
      [
        `${figures} · stopped after 3.21 s`,
        'Re-evaluate',
        'Show picture',
        'Try mappers',
        'Export mapping',
        'Show traffic',
        'Link failures',
        'routing dimension-order',
      ],
    ],
    [
      'is idle',
      { kind: 'idle' },
      ['Show picture'],
      [
        figures,
        'Show picture',
        'Try mappers',
        'Export mapping',
        'Show traffic',
        'Link failures',
        'routing dimension-order',
      ],
    ],
  ])('of a placement that %s, without and with an earlier report', async (_state, placement, without, withReport) => {
    const status = new Map([['first-try', placement]]);
    const titles = async (summary?: StudySummary) =>
      lensesOf({ ...(await serviceInput(smallText)), summary, status }).map(({ command }) => command?.title);
    expect(await titles()).toEqual(without);
    expect(await titles(summaryWith())).toEqual(withReport);
  });

  it('end a search and start it again by commands of the extension', async () => {
    const commandsOf = async (status: PlacementStatus, summary?: StudySummary) =>
      lensesOf({ ...(await serviceInput(smallText)), summary, status: new Map([['first-try', status]]) }).map(
        ({ command }) => [command?.command, command?.arguments],
      );
    expect(await commandsOf({ kind: 'working', progress: { ...progress, search } })).toContainEqual([
      'placewright.finish',
      [mainUri, 'first-try'],
    ]);
    for (const status of [{ kind: 'cancelled' }, { kind: 'stopped', milliseconds: 1 }] as const) {
      expect(await commandsOf(status, summaryWith())).toContainEqual(['placewright.run', [mainUri, 'first-try']]);
    }
  });

  it.each([
    ['of one job', [exampleSearch], '3 MiB hop-bytes (optimality gap ≤ 20 %)'],
    [
      'of jobs together',
      [exampleSearch, { ...exampleSearch, bound: { ...exampleSearch.bound!, value: exampleSearch.value } }],
      '3 MiB hop-bytes (optimality gap ≤ 9.1 %)',
    ],
    ['but not of another criterion', [{ ...exampleSearch, criterion: 'distance' }], '3 MiB hop-bytes'],
    ['but not where a job has no bound', [exampleSearch, undefined], '3 MiB hop-bytes'],
  ])('say how much is left by the bound %s', async (_, searches, expected) => {
    const jobs = searches.map((search, index) => ({
      name: `job-${index}`,
      tasks: 16,
      nodes: 16,
      ...(search === undefined ? {} : { search }),
    }));
    const [lens] = lensesOf(await serviceInput(smallText, { summary: summaryWith({ jobs }) }));
    expect(lens?.command?.title.split(' · ')[1]).toBe(expected);
  });
});

describe('lenses above an experiment', () => {
  const text = 'stream s { } experiment e { stream s }';
  const words = 'turnaround 812 cycles, 60 replications';
  const fresh = { isStale: false, isComplete: true };
  const problem = { code: 'bad-experiment', message: 'No.' };
  it.each<[string, ExperimentStanding | undefined, readonly string[]]>([
    ['of which nothing is known', undefined, []],
    ['that was not run', { ...fresh, isComplete: false, seconds: 200 }, ['Run', 'Show']],
    ['that was run', { ...fresh, result: words }, [words, 'Run again', 'Show']],
    [
      'of an older text',
      { ...fresh, isStale: true, result: words },
      [`${words} · before the last changes`, 'Run', 'Show'],
    ],
    [
      'that takes long',
      { ...fresh, isComplete: false, seconds: 200, formSeconds: { short: 60 } },
      ['Run', 'Run short', 'Show'],
    ],
    [
      'with a middle form',
      { ...fresh, isComplete: false, seconds: 2000, formSeconds: { short: 60, middle: 400 } },
      ['Run', 'Run short', 'Run middle', 'Show'],
    ],
    [
      'whose short run is done, with a middle form',
      { ...fresh, form: 'short', result: words, seconds: 2000, formSeconds: { short: 60, middle: 400 } },
      [words, 'Run', 'Run middle', 'Show'],
    ],
    [
      'that takes long, in short too',
      { ...fresh, isComplete: false, seconds: 200, formSeconds: { short: 150 } },
      ['Run', 'Show'],
    ],
    [
      'that was run in short alone',
      { ...fresh, form: 'short', result: words, seconds: 200, formSeconds: { short: 60 } },
      [words, 'Run', 'Show'],
    ],
    [
      'that lacks a part of a short run',
      { isStale: false, isComplete: false, form: 'short', result: words, seconds: 200, formSeconds: { short: 60 } },
      [words, 'Run', 'Run short', 'Show'],
    ],
    ['whose results are damaged', { ...fresh, isDamaged: true, seconds: 2 }, ['Results unreadable', 'Run', 'Show']],
    ['that was cancelled', { isStale: false, isComplete: false, result: words }, [words, 'Go on', 'Show']],
    [
      'that runs',
      { ...fresh, running: '3 of about 9 replications' },
      ['running: 3 of about 9 replications', 'Cancel', 'Show'],
    ],
    ['that cannot be run', { ...fresh, problem, result: words }, ['Cannot be run', words]],
    ['that failed', { ...fresh, isComplete: false, fault: 'The disk is full.' }, ['The run failed', 'Run', 'Show']],
  ])('%s', async (_, standing, titles) => {
    const experiments = new Map(standing === undefined ? [] : [['e', standing]]);
    const lenses = lensesOf({ ...(await serviceInput(text)), experiments });
    expect(lenses.map(({ command }) => command?.title)).toEqual(titles);
    for (const { command } of lenses) expect(command?.arguments).toEqual([mainUri, 'e']);
  });

  it('say how long a run takes', async () => {
    const experiments = new Map([['e', { ...fresh, isComplete: false, seconds: 200 }]]);
    const [run] = lensesOf({ ...(await serviceInput(text)), experiments });
    expect(run?.command?.tooltip).toContain('about 3 min on one core');
  });
});

const jobWith = (name: string, mapper: string) => ({
  name,
  tasks: 16,
  nodes: 16,
  search: { ...exampleSearch, chosen: { name: mapper, why: 'the cheapest' } },
});

describe('inlay hints', () => {
  const text = 'placement first-try { job heat machine small map auto }\n\nplacement other { map auto }';
  const summary = summaryWith({ jobs: [jobWith('heat', 'rcb')] });
  const hintsIn = async (startLine: number, endLine: number) => {
    const range = { start: { line: startLine, character: 0 }, end: { line: endLine, character: 0 } };
    return inlayHints(await serviceInput(text, { summary }), range);
  };

  it('say behind `map auto` what it chose', async () => {
    const [hint, ...others] = await hintsIn(0, 3);
    expect(hint).toMatchObject({
      label: '→ rcb · 1.25 hops',
      tooltip: 'rcb: the cheapest\n1.25 hops on average, 3 MiB hop-bytes.',
      position: { line: 0, character: text.indexOf('auto') + 4 },
    });
    expect(others).toEqual([]);
  });

  it('name every mapper where jobs got different ones', async () => {
    const jobs = [jobWith('a', 'rcb'), jobWith('b', 'rcb'), jobWith('c', 'baseline')];
    const input = await serviceInput(text, { summary: summaryWith({ jobs }) });
    const everything = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
    expect(inlayHints(input, everything)).toMatchObject([
      {
        label: '→ rcb, baseline · 1.25 hops',
        tooltip:
          'a: rcb: the cheapest\nb: rcb: the cheapest\nc: baseline: the cheapest\n1.25 hops on average, 3 MiB hop-bytes.',
      },
    ]);
  });

  it('are only those of the lines asked for', async () => {
    expect(await hintsIn(1, 2)).toEqual([]);
  });

  it('say by how much a placement differs from the first of the same jobs', async () => {
    const outlineWith = (name: string, hopBytes: number) => {
      const [outline] = summaryWith({ name }).placements;
      return { ...outline!, metrics: { ...outline!.metrics, hopBytes } };
    };
    const some = {
      ...summaryWith(),
      placements: [outlineWith('first-try', 1000), outlineWith('better', 660), outlineWith('same', 1000)],
    };
    const texts = 'placement first-try { map rcb }\nplacement better { map rcb }\nplacement same { }';
    const input = await serviceInput(texts, { summary: some });
    const everything = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
    const found = inlayHints(input, everything);
    expect(found.map(({ label }) => label)).toEqual(['1.25 hops', '1.25 hops · −34 %', '1.25 hops · as before']);
    expect(found[1]?.tooltip).toContain('against `first-try`');
    expect(found[2]?.position).toEqual({ line: 2, character: 'placement same'.length });
    // Figures of an older text are none of what stands there now.
    expect(inlayHints({ ...input, stale: new Set(['better']) }, everything)).toHaveLength(2);
  });
});

describe('document links', () => {
  it('lead from strings to files beside this one, without the quotes', async () => {
    const input = await serviceInput(
      'import "machines/a b.place"\ntable t from "../cg.mtx"\nplacement p { map given "m.txt" }',
    );
    expect(documentLinks(input).map(({ target, range }) => [target, textIn(input, range)])).toEqual([
      [uriOf('machines/a%20b.place'), 'machines/a b.place'],
      ['file:///cg.mtx', '../cg.mtx'],
      [uriOf('m.txt'), 'm.txt'],
    ]);
  });
});

describe('formatting', () => {
  it('is one edit that gives what the formatter gives', async () => {
    const { document, ...rest } = await serviceInput('machine m {\ntopology   torus 4x4\n}');
    const edits = formatting({ document, ...rest });
    expect(edits).toHaveLength(1);
    expect(TextDocument.applyEdits(document, edits)).toBe(formatText(document.getText()));
  });

  it('is nothing where the text is well laid out', async () => {
    const text = formatText('machine m {\ntopology   torus 4x4\n}');
    expect(formatting(await serviceInput(text))).toEqual([]);
  });
});
