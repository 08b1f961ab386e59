/** Experiments in the editor: lenses, runs with their progress, results beside the file, and what makes them stale. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DiagnosticSeverity, type CodeLens } from 'vscode-languageserver/node';
import { methodOf } from '../../server/protocol/calls.ts';
import type {
  ExperimentChanged,
  ExperimentFigureAnswer,
  RunExperimentParameters,
} from '../../server/protocol/figures.ts';
import { clientOfFile, clientsOfTests } from './testing/languageClient.ts';

const quick = `machine grid { topology mesh 4 x 4 }
stream calm {
  arrivals   exponential(mean 10)
  processors uniform(1, 8)
  service    exponential(mean 5)
  jobs       50 completed
}
experiment small {
  stream   calm
  machine  grid
  allocate rbs, mc1x1
  seeds    1 .. 4
}
`;
/** Of minutes. */
const long = quick.replace('50 completed', '20000 completed').replace('1 .. 4', '1 .. 400');

const client = clientOfFile();
const others = clientsOfTests();
const experiment = 'small';

const open = (text: string): Promise<string> => client.open('main.place', text);

/** Titles of the lenses of experiments, once they are as wanted. */
async function lenses(
  uri: string,
  isWanted: (titles: readonly string[]) => boolean,
  of = client,
): Promise<readonly string[]> {
  const titlesOf = (found: readonly CodeLens[]): readonly string[] =>
    found
      .map(({ command }) => command?.title ?? '')
      .filter((title) => title !== 'Show machine' && title !== 'Show traffic');
  return titlesOf(await of.lenses(uri, (found) => isWanted(titlesOf(found))));
}

/** Waits until it is known whether the experiment of a document can be run. */
const known = (uri: string, of = client) => lenses(uri, (now) => now.length > 1, of);

const run = (uri: string, how: Partial<RunExperimentParameters> = {}) => client.runExperiment({ uri, experiment }, how);
const cancel = (uri: string) => client.connection.sendNotification('placewright/cancelExperiment', { uri, experiment });
const curves = (uri: string): Promise<ExperimentFigureAnswer> =>
  client.request('placewright/experimentFigure', { uri, experiment, choice: { kind: 'curves' } });
const fileOf = (extension: string, of = client): string => join(of.folder, 'main.place.results', `small.${extension}`);
const linesOf = (path: string): readonly string[] => readFileSync(path, 'utf8').split('\n').slice(1, -1);

describe('an experiment', () => {
  it('is run, kept beside its file, and stale where what it depends on has changed', async () => {
    const uri = await open(quick);
    expect(await known(uri)).toEqual(['Run', 'Show']);
    await run(uri);
    const [result, ...actions] = await lenses(uri, (now) => now.includes('Run again'));
    expect(result).toMatch(/^turnaround [\d.]+ cycles in all 2 rows, 4 replications$/);
    expect(actions).toEqual(['Run again', 'Show']);
    expect(client.heard(methodOf('experimentChanged')).at(-1)).toEqual({ uri, experiment });
    expect(linesOf(fileOf('journal'))).toHaveLength(8);
    const kept = JSON.parse(readFileSync(fileOf('json'), 'utf8')) as { result: { complete: boolean; rows: unknown[] } };
    expect([kept.result.complete, kept.result.rows.length]).toEqual([true, 2]);

    await client.edit(uri, 'mean 5', 'mean 6');
    const stale = await lenses(uri, (now) => now.includes('Run'));
    expect(stale).toEqual([`${result ?? ''} · before the last changes`, 'Run', 'Show']);
    await client.edit(uri, 'mean 6', 'mean 5');
    expect(await lenses(uri, (now) => now.includes('Run again'))).toEqual([result, 'Run again', 'Show']);
  });

  it('of a log is stale where the log has changed', async () => {
    const logOf = (run: number): string =>
      Array.from({ length: 30 }, (_, job) => `${job} ${job * 60} 0 ${run} 8 -1 -1 -1 900 -1 1 1 1 1 1 1 -1 -1\n`).join(
        '',
      );
    client.write('jobs.swf', logOf(300));
    const machine = 'machine grid { topology mesh 4 x 4 }\nstream real { log "jobs.swf" }\n';
    const text = `${machine}experiment small { stream real machine grid schedule fcfs, easy allocate first-fit report waiting seeds 1 .. 1 }\n`;
    const uri = await client.open('main.place', text);
    await known(uri);
    await run(uri);
    const [result] = await lenses(uri, (now) => now.includes('Run again'));
    expect(result).toMatch(/^waiting 1,260 .* in all 2 rows, 1 replication$/);
    await client.changedOnDisk(client.write('jobs.swf', logOf(600)));
    expect((await lenses(uri, (now) => now.includes('Run')))[0]).toBe(`${result ?? ''} · before the last changes`);
  });

  it('of slots from a file is stale where that has changed, in the panel too', async () => {
    const text = `machine grid { topology mesh 4 }
job ring { tasks 4 pattern ring bytes 64 }
network fast { switching cut-through packet 8 flit 4 B channels 2 queue 4 packets }
experiment small { job ring machine grid network fast map given "slots.txt", row-major seeds 1 .. 1 report makespan }
`;
    const slots = client.write('slots.txt', '0\n1\n2\n3\n');
    const uri = await client.open('main.place', text);
    await known(uri);
    await run(uri);
    const [result] = await lenses(uri, (now) => now.includes('Run again'));
    expect(await curves(uri)).toMatchObject({ about: { stale: false } });
    client.write('slots.txt', '3\n1\n2\n0\n');
    expect(await curves(uri)).toMatchObject({ about: { stale: true } });
    await client.changedOnDisk(slots);
    expect((await lenses(uri, (now) => now.includes('Run')))[0]).toBe(`${result ?? ''} · before the last changes`);
  });

  it('of less than a second is run when its file is saved, once', async () => {
    const uri = await open(quick);
    await known(uri);
    expect(existsSync(fileOf('json'))).toBe(false);
    await client.save(uri);
    await lenses(uri, (now) => now.includes('Run again'));
    const { mtimeMs } = statSync(fileOf('json'));
    await client.save(uri);
    await client.edit(uri, 'mean 5', 'mean 6');
    await client.save(uri);
    await lenses(uri, (now) => now.includes('Run again'));
    expect(statSync(fileOf('json')).mtimeMs).toBeGreaterThan(mtimeMs);
  });

  it('of minutes is not run on save, tells how far it is, and goes on where it was cancelled', async () => {
    // Replications of a moment each.
    const uri = await open(long.replace('20000', '2000'));
    await known(uri);
    await client.save(uri);
    await run(uri);
    const working = await lenses(uri, ([first = '']) =>
      /^running: ([6-9]|\d\d+) of about 800 replications, .*jobs/.test(first),
    );
    expect(working.slice(1)).toEqual(['Cancel', 'Show']);
    await client.progressBegun(/of about 800 replications/);
    await client.told<ExperimentChanged>(methodOf('experimentChanged'), ({ progress = '' }) =>
      /replications/.test(progress),
    );
    await cancel(uri);
    const ended = await lenses(uri, (now) => now.includes('Go on'));
    expect(ended[0]).toMatch(/not finished$/);
    const before = linesOf(fileOf('journal'));
    expect(before.length).toBeGreaterThan(0);
    await run(uri);
    await lenses(uri, ([first = '']) => first.startsWith('running: '));
    await cancel(uri);
    await lenses(uri, (now) => now.includes('Go on'));
    const after = linesOf(fileOf('journal'));
    expect(after.slice(0, before.length)).toEqual(before);
    expect(new Set(after).size).toBe(after.length);
  });

  it('of minutes is offered short, whose results are shown until there are others', async () => {
    const uri = await open(`${long.slice(0, -2)}  short replications 2, jobs 50\n}\n`);
    expect(await lenses(uri, (now) => now.length > 2)).toEqual(['Run', 'Run short', 'Show']);
    await run(uri, { form: 'short' });
    const [result = '', ...actions] = await lenses(uri, ([first = '']) => first.startsWith('short run'));
    expect(result).toMatch(/^short run: turnaround .* 2 replications$/);
    expect(actions).toEqual(['Run', 'Show']);
    expect(existsSync(fileOf('json'))).toBe(false);
    expect(await curves(uri)).toMatchObject({
      figure: { subtitle: expect.stringMatching(/^short run, 2 /) as string },
      about: { form: 'short', stale: false },
    });
    await client.edit(uri, 'mean 5', 'mean 6');
    expect((await lenses(uri, ([first = '']) => first.endsWith('changes')))[0]).toBe(
      `${result} · before the last changes`,
    );
  });

  it('has a middle form, which is offered, run and shown before the short one', async () => {
    const uri = await open(`${long.slice(0, -2)}  middle replications 3, jobs 50\n}\n`);
    expect(await lenses(uri, (now) => now.length > 2)).toEqual(['Run', 'Run short', 'Run middle', 'Show']);
    await run(uri, { form: 'middle' });
    const [result = '', ...actions] = await lenses(uri, ([first = '']) => first.startsWith('middle run'));
    expect(result).toMatch(/^middle run: turnaround .* 3 replications$/);
    expect(actions).toEqual(['Run', 'Show']);
    expect(await curves(uri)).toMatchObject({ about: { form: 'middle', stale: false } });
  });

  it('without a middle form is not run so, which is said', async () => {
    const uri = await open(quick);
    await known(uri);
    await run(uri, { form: 'middle' });
    expect(await client.warnings()).toMatch(
      /Experiment "small" has no `middle` variant\. Write `middle replications 20`, or run another variant\./,
    );
  });

  it('is run by Slurm where its commands can be called: by the command line beside the server', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'placewright-slurm-'));
    const editor = await others.start({ environment: { PATH: bin } });
    // An array of one element: each is a program of its own.
    const text = quick.replace('rbs, mc1x1', 'rbs').replace('1 .. 4', '1 .. 1');
    const uri = await editor.open('main.place', text);
    await known(uri, editor);
    const runOnSlurm = () => editor.runExperiment({ uri, experiment }, { slurm: true });
    await runOnSlurm();
    expect(await editor.warnings()).toMatch(/Experiment "small" needs `sbatch` on the PATH of the editor\./);
    // Elements one after the other, before the command returns.
    const script = `#!/bin/sh
PATH='${process.env['PATH'] ?? ''}'
for word; do case "$previous" in --wrap) wrap=$word;; esac; case "$word" in --array=0-*) last=\${word#--array=0-};; esac; previous=$word; done
for task in $(seq 0 "$last"); do SLURM_ARRAY_TASK_ID=$task sh -c "$wrap" >> ${bin}/out 2>&1; done
echo 7
`;
    writeFileSync(join(bin, 'sbatch'), script, { mode: 0o755 });
    for (const name of ['squeue', 'scancel']) writeFileSync(join(bin, name), '#!/bin/sh\n', { mode: 0o755 });
    await runOnSlurm();
    expect(await editor.warnings(2)).toMatch(
      /Experiment "small": nodes read the saved file, which is out of date\. Save it first\./,
    );
    editor.write('main.place', text);
    await runOnSlurm();
    const isOver = (titles: readonly string[]) => titles.includes('Run again') || titles.includes('The run failed');
    const [first] = await lenses(uri, isOver, editor);
    expect([first, readFileSync(join(bin, 'out'), 'utf8')]).toEqual([expect.stringMatching(/^turnaround/), '']);
    expect(linesOf(fileOf('journal', editor))).toHaveLength(1);
    expect(existsSync(fileOf('parts', editor))).toBe(false);
    rmSync(bin, { recursive: true });
  });

  it('says that its results are damaged, and can be run', async () => {
    client.write('main.place.results/small.json', '{"fingerprint":"a","result":{"na');
    const uri = await open(quick);
    expect(await lenses(uri, (now) => now.length > 2)).toEqual(['Results unreadable', 'Run', 'Show']);
    await run(uri);
    expect((await lenses(uri, (now) => now.includes('Run again')))[0]).toMatch(/^turnaround/);
  });

  it.each([
    [
      'of another shape',
      '{"fingerprint":"a","result":{"name":"small","complete":true,"replicationsDone":1,"rows":[1],"quoted":[]}}',
    ],
    ['nothing', 'null'],
  ])('says that its results are damaged: %s', async (_, text) => {
    client.write('main.place.results/small.json', text);
    const uri = await open(quick);
    expect(await lenses(uri, (now) => now.length > 2)).toEqual(['Results unreadable', 'Run', 'Show']);
  });

  it('that can be run has what may come of it at its name', async () => {
    const text = `machine ring { topology torus 4 x 4 }
job line { tasks 16 pattern ring bytes 64 }
experiment small { job line machine ring network wormhole(channels 1, buffer 1) map consecutive seeds 1 .. 2 report makespan }
`;
    const uri = await client.open('main.place', text);
    const found = await client.diagnostics(uri, ({ diagnostics }) => diagnostics.length > 0);
    expect(found).toMatchObject([
      { severity: DiagnosticSeverity.Warning, code: 'possible-deadlock', range: { start: { line: 2, character: 11 } } },
    ]);
    expect(await known(uri)).toEqual(['Run', 'Show']);
  });

  it('leaves a file that is no journal as it is, and says so', async () => {
    const uri = await open(quick);
    client.write('main.place.results/small.journal', 'mine\n');
    await known(uri);
    await run(uri);
    expect(await lenses(uri, ([first = '']) => first.endsWith('failed'))).toEqual(['The run failed', 'Run', 'Show']);
    expect(readFileSync(fileOf('journal'), 'utf8')).toBe('mine\n');
    expect(existsSync(fileOf('json'))).toBe(false);
  });

  it.each([
    ['an allocator that the machine does not suit', 'rbs, mc1x1', 'buddy-2d', /buddy-2d|power of two/],
    ['a metric that nobody measures', 'seeds', 'report latency seeds', /latency/],
  ])('with %s cannot be run, which is told at its name', async (_, from, to, message) => {
    const uri = await open(quick.replace('mesh 4 x 4', 'mesh 6 x 4').replace(from, to));
    const found = await client.diagnostics(uri, ({ diagnostics }) => diagnostics.length > 0);
    expect(found[0]?.message).toMatch(message);
    expect(found[0]?.severity).toBe(DiagnosticSeverity.Error);
    expect(found[0]?.range.start).toEqual(client.position(uri, 'small {'));
    expect(await lenses(uri, () => true)).toEqual(['Cannot be run']);
  });

  it('of a text without a file asks for one', async () => {
    const uri = await client.open('untitled:Untitled-1', quick);
    await run(uri);
    expect(await client.warnings()).toMatch(/Experiment "small" is saved beside its file\. Save the file first\./);
  });
});
