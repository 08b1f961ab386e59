/** Figures of experiments over the protocol: what the panel asks for and is answered. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CancellationTokenSource } from 'vscode-languageserver/node';
import { resultOf, rowOf } from '../../server/drawing/testing/figures.ts';
import { methodOf } from '../../server/protocol/calls.ts';
import type {
  ExperimentFigureAnswer,
  ExperimentSummary,
  FigureChoice,
  SimulatedChanged,
} from '../../server/protocol/figures.ts';
import { clientOfFile } from './testing/languageClient.ts';

const text = `machine mesh8 { topology mesh 8 x 8 }
stream thesis {
  arrivals exponential(rate 0.05)
  width    uniform(1, 8)
  height   uniform(1, 8)
  service  exponential(mean 20)
  jobs     60 completed
}
experiment figure {
  stream thesis  machine mesh8
  schedule fcfs
  allocate gabl, first-fit
  vary arrivals.rate 0.02 .. 0.04 step 0.02
  seeds 3 .. 5
  report turnaround, utilisation
}
experiment other { stream thesis  machine mesh8  allocate gabl  seeds 1 .. 2  report turnaround }
experiment broken { stream nothing  machine mesh8  allocate gabl }
`;

const client = clientOfFile();

const ask = (uri: string, choice: FigureChoice, experiment = 'figure') =>
  client.request<ExperimentFigureAnswer>('placewright/experimentFigure', { uri, experiment, choice });

async function figureOf(uri: string, choice: FigureChoice, experiment?: string) {
  const answer = await ask(uri, choice, experiment);
  if (answer.kind !== 'figure') throw new Error(answer.reason);
  return answer;
}

describe('figures of an experiment', () => {
  it('are of a replication that was never run before, and of the same one as long as it is looked at', async () => {
    const uri = await client.open('main.place', text);
    const { figure, about } = await figureOf(uri, { kind: 'gantt' });
    expect(figure.subtitle).toBe('gabl, arrivals.rate 0.02, replication 1 (seed 3)');
    expect(figure.table.rows.length).toBeGreaterThanOrEqual(60);
    expect(about).toMatchObject({ results: 'missing', replications: 3, stale: false, metrics: [] });
    expect(about.points).toEqual([
      'gabl, arrivals.rate 0.02',
      'first-fit, arrivals.rate 0.02',
      'gabl, arrivals.rate 0.04',
      'first-fit, arrivals.rate 0.04',
    ]);
    const { end } = about.time!;
    const which = { point: 3, replication: 2 };
    const moment = await figureOf(uri, { kind: 'moment', ...which, time: 50 });
    expect(moment.figure.subtitle).toBe('first-fit, arrivals.rate 0.04, replication 2 (seed 4)');
    const { at, previous, next } = moment.about.time!.moment!;
    expect([at, previous! < 50, next! > 50]).toEqual([50, true, true]);
    const queue = await figureOf(uri, { kind: 'timeline', ...which });
    expect(queue.figure.table.rows.at(-1)![1]).toBeCloseTo(queue.about.time!.end, 6);
    expect((await figureOf(uri, { kind: 'gantt' })).about.time!.end).toBe(end);
  });

  it('are of the results that lie beside the file, which are old when the text has changed', async () => {
    const uri = await client.open('main.place', text);
    const missing = await ask(uri, { kind: 'curves' });
    expect(missing).toMatchObject({
      kind: 'nothing',
      reason: expect.stringContaining("Experiment 'figure' has no results yet. Run it first.") as string,
    });
    const rows = [rowOf({ x: 0.02, allocator: 'gabl', mean: 7 }), rowOf({ x: 0.04, allocator: 'gabl', mean: 9 })];
    const folder = join(client.folder, 'main.place.results');
    mkdirSync(folder);
    const kept = { fingerprint: 'of another text', result: { ...resultOf(rows), name: 'figure' } };
    writeFileSync(join(folder, 'figure.json'), JSON.stringify(kept));
    const { figure, about } = await figureOf(uri, { kind: 'curves', metric: 'turnaround' });
    expect(figure.title).toBe('figure: turnaround');
    expect(about).toMatchObject({ results: 'complete', stale: true, metrics: ['turnaround'] });
    expect(await ask(uri, { kind: 'curves', metric: 'speed' })).toMatchObject({
      reason: "Metric 'speed' has no results. Expected one of turnaround.",
    });
  });

  it.each([
    ['rows that are none', { rows: [1] }],
    [
      'a number that is a text',
      { rows: [{ ...rowOf({ mean: 1 }), metrics: { turnaround: { mean: 'x', halfWidth: null, unit: '' } } }] },
    ],
    ['a number beyond all', { rows: [rowOf({ mean: 1e305 })] }],
    ['nothing quoted', { quoted: undefined }],
  ])('are not of results that somebody else wrote: %s', async (_, changes) => {
    const uri = await client.open('main.place', text);
    const folder = join(client.folder, 'main.place.results');
    mkdirSync(folder);
    const result = { ...resultOf([rowOf({ mean: 1 })]), name: 'figure', ...changes };
    writeFileSync(join(folder, 'figure.json'), JSON.stringify({ fingerprint: '', result }));
    const reason = 'The saved results are damaged. Run the experiment again.';
    expect(await ask(uri, { kind: 'curves' })).toMatchObject({ kind: 'nothing', reason });
  });

  it.each([
    [
      'of a point that is not there',
      { kind: 'gantt', point: 9 },
      'The experiment has 4 points; point 10 does not exist.',
    ],
    [
      'of a replication that is not there',
      { kind: 'timeline', replication: 4 },
      'Replication 4 does not exist. Replications are 1 to 3.',
    ],
  ] as const)('are not %s', async (_, choice, reason) => {
    const uri = await client.open('main.place', text);
    expect(await ask(uri, choice)).toMatchObject({ kind: 'nothing', reason });
  });

  it('are told of an experiment with errors, and of one that is not there', async () => {
    const uri = await client.open('main.place', text);
    for (const name of ['broken', 'nowhere']) {
      const answer = await ask(uri, { kind: 'curves' }, name);
      expect(answer).toMatchObject({
        kind: 'nothing',
        reason: expect.stringContaining(`"${name}" does not exist in the file`) as string,
      });
    }
    expect(await ask('file:///nowhere.place', { kind: 'curves' })).toMatchObject({ kind: 'nothing' });
  });

  it('of a long replication tell how far it is, and end where nobody waits for them any more', async () => {
    const uri = await client.open('main.place', text.replace('60 completed', '3000000 completed'));
    const token = new CancellationTokenSource();
    const choice = { kind: 'gantt' } as const;
    const parameters = { uri, experiment: 'figure', choice };
    const answer = client.connection.sendRequest<ExperimentFigureAnswer>(
      'placewright/experimentFigure',
      parameters,
      token.token,
    );
    const { words } = await client.told<SimulatedChanged>(
      methodOf('simulated'),
      () => client.heard(methodOf('simulated')).length >= 3,
    );
    expect(words).toMatch(/^[\d,]+ of about 3,000,000 jobs$/);
    // Who looks at results does not wait for it.
    expect(await ask(uri, { kind: 'curves' })).toMatchObject({
      reason: expect.stringContaining("Experiment 'figure' has no results yet. Run it first.") as string,
    });
    token.cancel();
    expect(await answer).toMatchObject({
      kind: 'nothing',
      reason: 'The simulation of this replication was cancelled.',
    });
  });

  it('follow the text', async () => {
    const uri = await client.open('main.place', text);
    await figureOf(uri, { kind: 'timeline' });
    await client.edit(uri, 'jobs     60 completed', 'jobs     10 completed');
    const { figure } = await figureOf(uri, { kind: 'gantt' });
    expect(figure.table.rows.length).toBeLessThan(40);
  });
});

it('experiments of a file are listed, with errors or without', async () => {
  const uri = await client.open('main.place', text);
  const found = await client.request<readonly ExperimentSummary[]>('placewright/experiments', { uri });
  expect(found.map(({ name, range }) => [name, range.start.line])).toEqual([
    ['figure', 8],
    ['other', 16],
    ['broken', 17],
  ]);
});
