import { DiagnosticSeverity } from 'vscode-languageserver-types';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../model/random.ts';
import { parseText } from '../parse.ts';
import type { PlacementOutline, SuggestedImprovementOutline } from '../../study/report.ts';
import { codeActions } from './codeActions.ts';
import { importFixes, missingImports } from './fileFixes.ts';
import { diagnostics } from './diagnostics.ts';
import { serviceInput, textIn, uriOf } from './testing/input.ts';
import { placementMarkdown } from './hover/placement.ts';
import { hostLink, hotLink, summaryWith } from './testing/summaries.ts';
import { smallText, wideText } from './testing/texts.ts';
import { casesOf } from '../../model/testing/thoroughness.ts';

describe('diagnostics of the text', () => {
  it('are none for a good one', async () => {
    expect(diagnostics(await serviceInput(smallText, { summary: summaryWith() }))).toEqual([]);
  });

  it('name code, source, severity and the words to blame', async () => {
    const input = await serviceInput('machine m { topolgy torus 4 x 4 }');
    const [first] = diagnostics(input);
    expect(first).toMatchObject({
      code: 'unknown-property',
      source: 'placewright',
      severity: DiagnosticSeverity.Error,
    });
    expect(first && textIn(input, first.range)).toBe('topolgy');
  });

  it.each([
    ['machine m { topology torus 4 } machine m { topology torus 4 }', 'duplicate-declaration', 8],
    ['machine m { hosts 2 topology torus 4 hosts 3 }', 'duplicate-property', 12],
  ])('%s: lead to the first one', async (text, code, first) => {
    const input = await serviceInput(text);
    const found = diagnostics(input).find((each) => each.code === code);
    const related = found?.relatedInformation?.map(({ location }) => input.document.offsetAt(location.range.start));
    expect(related).toEqual([first]);
  });

  it('come with quick fixes that mend them', async () => {
    const input = await serviceInput('machine m { topolgy torus 4 x 4 }');
    const [first] = diagnostics(input);
    const [action] = codeActions(input, first!.range);
    expect(action).toMatchObject({ kind: 'quickfix', isPreferred: true, diagnostics: [{ code: 'unknown-property' }] });
    expect(action?.edit?.changes?.[input.uri]?.[0]?.newText).toBe('topology');
    const elsewhere = { line: 0, character: 30 };
    expect(codeActions(input, { start: elsewhere, end: elsewhere })).toEqual([]);
  });
});

describe('fixes of a whole file', () => {
  const fixAll = async (text: string) => {
    const input = await serviceInput(text);
    const start = { line: 0, character: 0 };
    const [action, ...others] = codeActions(input, { start, end: start }, { only: ['source.fixAll'] });
    expect(others).toEqual([]);
    return action && TextDocument.applyEdits(input.document, action.edit?.changes?.[input.uri] ?? []);
  };

  const errorCount = async (text: string): Promise<number> => {
    const { checked, uri } = await serviceInput(text);
    return (checked.problems.get(uri) ?? []).filter(({ severity }) => severity === 'error').length;
  };

  it('are made together', async () => {
    expect(await fixAll('machine m { topolgy toruss 4 x 4 bandwidth 3 Kb }')).toBe(
      'machine m { topology torus 4 x 4 bandwidth 3 kB/s }',
    );
  });

  it('are those that are preferred, and none where there is none', async () => {
    expect(await fixAll('machine m { topology torus 4 x 4 }')).toBeUndefined();
    expect(await fixAll('machine m { topology torus 4 hosts 0 }')).toBeUndefined();
  });

  it('never add an error, whatever the text', async () => {
    const random = seededRandom(7);
    let made = 0;
    const rounds = casesOf(120, 400);
    for (let count = 0; count < rounds; count++) {
      const at = random.integer(wideText.length);
      const letter = 'ax!7{}()," \n-'.charAt(random.integer(13));
      const text = wideText.slice(0, at) + letter + wideText.slice(at + random.integer(3));
      const mended = await fixAll(text);
      if (mended === undefined) continue;
      made++;
      expect(parseText(mended).problems.length, text).toBeLessThanOrEqual(parseText(text).problems.length);
      expect(await errorCount(mended), text).toBeLessThanOrEqual(await errorCount(text));
    }
    expect(made).toBeGreaterThan(rounds / 8);
  });

  it('offer what else may be meant, not as the preferred one', async () => {
    const input = await serviceInput('job j { tasks 2 pattern ring bytes 64 K }');
    const [problem] = diagnostics(input);
    expect(codeActions(input, problem!.range).map(({ title, isPreferred }) => [title, isPreferred])).toEqual([
      ['Change to `KiB`', true],
      ['Change to `kB`', false],
    ]);
    expect(codeActions(input, problem!.range, { only: ['refactor'] })).toEqual([]);
    expect(codeActions(input, problem!.range, { only: ['quickfix'] })).toHaveLength(2);
  });
});

describe('an import of a file that is not there', () => {
  const fixOf = async (path: string, ...files: readonly string[]) => {
    const input = await serviceInput(`import "${path}"`);
    const all = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
    const actions = importFixes(input, missingImports(input, all), files.map(uriOf));
    return actions.map(({ edit }) => edit?.changes?.[input.uri]?.[0]?.newText);
  };

  it.each([
    ['prisn.place', ['prism.place', 'cielo.place'], '"prism.place"'],
    ['prism.place', ['machines/prism.place'], '"machines/prism.place"'],
    ['machine/prism.place', ['old/prism.place', 'machines/prism.place'], '"machines/prism.place"'],
    ['a.place', ['../a%20b/a.place'], '"../a b/a.place"'],
  ])('%s is mended by the file of that name', async (path, files, expected) => {
    expect(await fixOf(path, ...files)).toEqual([expected]);
  });

  it('is left alone where no name is near, and never names itself', async () => {
    expect(await fixOf('prism.place', 'something-else.place')).toEqual([]);
    expect(await fixOf('mian.place', 'main.place')).toEqual([]);
  });
});

describe('servers of a cluster that messages come to faster than they go', () => {
  const port = { server: 'port out', node: 3, utilisation: 1.28 } as const;
  const queueing = {
    ...{
      waiting: Infinity,
      memoryWaiting: 0,
      networkWaiting: Infinity,
      messageTime: Infinity,
      highestUtilisation: 1.28,
      memoryUtilisation: 0,
    },
    ...{ portUtilisation: 1.28, queuePairUtilisation: 0, switchUtilisation: 0, overloadedServers: 3, busiest: [port] },
  };
  const found = async (changes: Partial<typeof queueing>) => {
    const { metrics } = summaryWith({}).placements[0]!;
    const summary = summaryWith({ metrics: { ...metrics, queueing: { ...queueing, ...changes } }, hotLinks: [] });
    const input = await serviceInput(smallText, { summary });
    return diagnostics(input).map(({ range, ...rest }) => ({ ...rest, text: textIn(input, range) }));
  };

  it('are a warning at `map` that names the busiest and counts the others', async () => {
    const [problem, ...others] = await found({});
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ code: 'overloaded-server', severity: DiagnosticSeverity.Warning });
    expect(problem?.text).toContain('row-major');
    expect(problem?.message).toMatch(
      /port out of node 3 is overloaded \(utilisation 128 %\), and 2 more servers are overloaded\./,
    );
  });

  it('stand in the hover, the busiest first, with what those of each kind have to do', () => {
    const [outline] = summaryWith({}).placements;
    const markdown = placementMarkdown({ ...outline!, metrics: { ...outline!.metrics, queueing } }, false);
    expect(markdown).toMatch(/\| Busiest port \| 128 % \|/);
    expect(markdown).toContain('| port out of node 3 | 128 % of its time |');
  });

  it('are nothing where all of them keep up', async () => {
    expect(await found({ overloadedServers: 0 })).toEqual([]);
  });
});

describe('hot links', () => {
  const hot = async (changes: Partial<PlacementOutline>) => {
    const input = await serviceInput(smallText, { summary: summaryWith(changes) });
    return diagnostics(input).map((found) => ({ ...found, text: textIn(input, found.range) }));
  };

  const heaviest =
    'The heaviest link, 5 → 6, carries 128 KiB, 3.1 times the mean of the used links; ' +
    '50 % of it from task 5 → 6 (64 KiB), 25 % from task 1 → 6 (32 KiB), of 14 pairs.';

  it('are one information at `map`: the heaviest link, how heavy, who sends most, and how many more', async () => {
    const [found, ...others] = await hot({ hotLinks: [hotLink, hostLink], hotLinkCount: 9 });
    expect(found).toMatchObject({ code: 'hot-link', severity: DiagnosticSeverity.Information });
    expect(found?.text).toContain('row-major');
    expect(found?.message).toBe(`${heaviest} 8 more links are hot.`);
    expect(others).toEqual([]);
  });

  it('are a warning where a change of the mapping is known to help, and say first which', async () => {
    const swap = (task: number, heaviestChange: number, hopBytesChange: number) => ({
      action: `swap tasks ${task} and 9`,
      linkChange: -0.38,
      heaviestChange,
      hopBytesChange,
      moves: [],
    });
    const severityWith = async (...improvements: readonly ReturnType<typeof swap>[]) => {
      const [found] = await hot({ hotLinks: [{ ...hotLink, improvements }], hotLinkCount: 1 });
      return [found?.severity, found?.message];
    };
    expect(await severityWith(swap(1, -0.06, 0), swap(2, -0.12, -0.02))).toEqual([
      DiagnosticSeverity.Warning,
      `Swap tasks 2 and 9 for a better placement: heaviest link −12 %, hop-bytes −2 %. ${heaviest}`,
    ]);
    // It helps too little, or only one link of several, or at the cost of the others.
    for (const improvement of [swap(1, -0.04, 0), swap(1, 0, -0.1), swap(1, -0.3, 0.001)]) {
      expect(await severityWith(improvement)).toEqual([DiagnosticSeverity.Information, heaviest]);
    }
  });

  const relatedOf = async (text: string, link = hotLink) => {
    const input = await serviceInput(text, { summary: summaryWith({ hotLinks: [link], hotLinkCount: 1 }) });
    const found = diagnostics(input).find(({ code }) => code === 'hot-link');
    return found?.relatedInformation?.map(({ location, message }) => `${textIn(input, location.range)}: ${message}`);
  };

  it('lead to the job that causes them, to what makes it send, and say what would help', async () => {
    expect(await relatedOf(smallText)).toEqual([
      'heat: Job heat sends 100 % of it: 50 % of it from task 5 → 6 (64 KiB), 25 % from task 1 → 6 (32 KiB).',
      'five-point: Its tasks send as stencil five-point says.',
      'row-major: Possible fix: swap tasks 6 and 9: this link −38 %, maximum link load as before, hop-bytes −2 %.',
    ]);
  });

  it.each([
    ['table heat-table { 1 -> 6 : 1 5 -> 6 : 2 }', 'table heat-table', '5 -> 6 : 2: Its largest flow is given here.'],
    ['table far from "far.mtx"', 'table far', 'far: Its tasks send as table far says.'],
    ['stencil own { dimensions 2 offset (1, 0) }', 'stencil own', 'own: Its tasks send as stencil own says.'],
    ['', 'pattern ring', 'ring: Its tasks send as pattern ring says.'],
  ])('lead to %s', async (declaration, source, expected) => {
    const text = `${declaration}\n${smallText.replace('stencil five-point', source)}`;
    expect((await relatedOf(text))?.[1]).toBe(expected);
  });

  it('name the node at a host link, and the job where there are several', async () => {
    const jobs = ['heat', 'cold'].map((name) => ({ name, tasks: 8, nodes: 8 }));
    const [first] = await hot({ jobs, hotLinks: [hotLink], hotLinkCount: 1 });
    expect(first?.message).toContain('50 % of it from heat 5 → 6 (64 KiB)');
    const [host] = await hot({ jobs, hotLinks: [hostLink], hotLinkCount: 1 });
    expect(host?.message).toMatch(/^The heaviest link, node 3 → leaf-0, carries .* used links\.$/);
  });
});

describe('a change of the mapping that helps', () => {
  const change = (
    heaviestChange: number,
    ...moves: SuggestedImprovementOutline['moves']
  ): SuggestedImprovementOutline => ({
    action: 'swap tasks 6 and 9',
    linkChange: -0.38,
    heaviestChange,
    hopBytesChange: -0.02,
    moves,
  });
  const swap = change(-0.12, { job: 0, task: 6, slot: 9 }, { job: 0, task: 9, slot: 6 });
  const to = (job: number, task: number, slot: number) => ({ job, task, slot });

  /** The quick fixes at the mapper of a placement, and the text with the first of them. */
  const fixed = async (placement: string, improvement = swap, jobs = [16], stale?: ReadonlySet<string>) => {
    const text = `${smallText.slice(0, smallText.indexOf('placement'))}job cold { tasks 4 pattern ring }\n${placement}`;
    const summary = summaryWith({
      jobs: jobs.map((tasks) => ({ name: 'heat', tasks, nodes: tasks })),
      hotLinks: [{ ...hotLink, improvements: [improvement] }],
      hotLinkCount: 1,
    });
    const input = { ...(await serviceInput(text, { summary })), stale };
    const problem = diagnostics(input).find(({ code }) => code === 'hot-link');
    const actions = codeActions(input, problem!.range).filter((action) => action.diagnostics?.[0]?.code === 'hot-link');
    const edits = actions[0]?.edit?.changes?.[input.uri] ?? [];
    return { actions, after: TextDocument.applyEdits(input.document, edits).slice(text.length - placement.length) };
  };
  const given = (list: string) => `placement first-try { job heat machine small map given ${list} }`;

  it('is to try other mappers as well, in an editor that has our commands', async () => {
    const input = await serviceInput(smallText, { summary: summaryWith({ hotLinks: [hotLink], hotLinkCount: 1 }) });
    const problem = diagnostics(input).find(({ code }) => code === 'hot-link');
    expect(codeActions(input, problem!.range, { hasCommands: true })).toMatchObject([
      {
        title: 'Try other mappers …',
        kind: 'quickfix',
        diagnostics: [{ code: 'hot-link' }],
        command: { command: 'placewright.tryMappers', arguments: [input.uri, 'first-try'] },
      },
    ]);
    expect(codeActions(input, problem!.range)).toEqual([]);
  });

  it('is offered where the slots stand in a list, as the preferred one where it is worth a warning', async () => {
    const { actions, after } = await fixed(given('[0..15]'));
    expect(actions).toMatchObject([
      {
        title: 'Swap tasks 6 and 9 in the given list: heaviest link −12 %, hop-bytes −2 %',
        kind: 'quickfix',
        isPreferred: true,
        diagnostics: [{ code: 'hot-link' }],
      },
    ]);
    expect(after).toBe(given('[0..5, 9, 7..8, 6, 10..15]'));
    expect((await fixed(given('[0..15]'), change(0, to(0, 1, 2), to(0, 2, 1)))).actions).toMatchObject([
      { title: 'Swap tasks 6 and 9 in the given list: heaviest link as before, hop-bytes −2 %', isPreferred: false },
    ]);
  });

  it.each([
    ['[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10..15]', [to(0, 6, 9), to(0, 9, 6)], '[0, 1, 2, 3, 4, 5, 9, 7, 8, 6, 10..15]'],
    ['[ 8..15 , 0..7 ]', [to(0, 0, 7), to(0, 15, 8)], '[ 7, 9..15 , 0..6, 8 ]'],
    ['[0..1, 2..15]', [to(0, 0, 1), to(0, 1, 0)], '[1, 0, 2..15]'],
    ['[0..15]', [to(0, 3, 99)], '[0..2, 99, 4..15]'],
  ])('is written into %s', async (list, moves, after) => {
    expect((await fixed(given(list), change(-0.12, ...moves))).after).toBe(given(after));
  });

  it.each([
    ['heat, cold machine small map given [0..19]', [to(0, 15, 16), to(1, 0, 15)], '[0..14, 16, 15, 17..19]'],
    ['heat(map row-major), cold machine small map given [16..19]', [to(1, 3, 3)], '[16..18, 3]'],
    ['heat, cold(map given [3, 2, 1, 0]) machine small map given [4..19]', [to(1, 1, 9)], '[3, 9, 1, 0]'],
    ['cold(map given [3, 2, 1, 0]), heat machine small map given [4..19]', [to(0, 1, 4), to(1, 0, 2)], '[2, 5..19]'],
    ['cold(map given [3, 2, 1, 0]), heat machine small map given [4..19]', [to(0, 1, 4), to(1, 0, 2)], '[3, 4, 1, 0]'],
  ])('is written into the list of its job: %s', async (jobs, moves, after) => {
    const sizes = jobs.startsWith('cold') ? [4, 16] : [16, 4];
    const found = await fixed(`placement first-try { jobs ${jobs} }`, change(-0.12, ...moves), sizes);
    expect(found.actions).toHaveLength(1);
    expect(found.after).toContain(after);
  });

  it('is not offered where a slot stands in no list, nor for a text that has changed since', async () => {
    for (const map of ['row-major', 'given "slots.txt"', 'given [0..3]']) {
      expect((await fixed(`placement first-try { job heat machine small map ${map} }`)).actions).toEqual([]);
    }
    const mixed = 'placement first-try { jobs heat(map row-major), cold machine small map given [0..3] }';
    expect((await fixed(mixed, change(-0.12, to(0, 0, 3), to(1, 3, 0)), [16, 4])).actions).toEqual([]);
    expect((await fixed(given('[0..15]'), swap, [16], new Set(['first-try']))).actions).toEqual([]);
  });
});

describe('problems of a study', () => {
  it('stand at the property to blame', async () => {
    const subject = { kind: 'machine', name: 'small', property: 'topology' } as const;
    const problem = { severity: 'error', code: 'machine-too-large', message: 'Too large.', subject } as const;
    const input = await serviceInput(smallText, { summary: { ...summaryWith(), problems: [problem] } });
    const [found] = diagnostics(input);
    expect(found).toMatchObject({ code: 'machine-too-large', message: 'Too large.' });
    expect(found && textIn(input, found.range)).toContain('torus');
  });

  it('of a placement that the text no longer has are left out', async () => {
    const summary = summaryWith({ hotLinks: [hotLink], hotLinkCount: 1 });
    expect(diagnostics(await serviceInput('job heat { grid 4 x 4 stencil five-point }', { summary }))).toEqual([]);
  });
});
