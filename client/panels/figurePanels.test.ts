import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Uri } from 'vscode';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CancellationToken } from 'vscode-jsonrpc';
import type {
  ExperimentChanged,
  ExperimentFigureAnswer,
  ExperimentSummary,
  SimulatedChanged,
} from '../../server/protocol/figures.ts';
import { chooseExperiment } from '../choosePlacement.ts';
import { experimentPanels } from './figurePanels.ts';
import type { Server } from '../server.ts';
import { editor, extensionContext, EventEmitter, FakeWebviewPanel, reset, user } from '../testing/vscode.ts';

const uri = 'file:///study/a.place';
const first = { uri, experiment: 'figure-4-1' };
const firstSubject = { uri, name: 'figure-4-1' };
const second = { uri, experiment: 'figure-4-2' };
const curves = { kind: 'figure', choice: { kind: 'curves' } } as const;
const answer: ExperimentFigureAnswer = { kind: 'nothing', reason: 'It is new.' };

/** The panels of a window, and a server that writes down what it is asked. */
function start() {
  const asked: unknown[] = [];
  const warnings: string[] = [];
  const kept: string[] = [];
  const changed = new EventEmitter<ExperimentChanged>();
  const simulated = new EventEmitter<SimulatedChanged>();
  const tokens: CancellationToken[] = [];
  const restart = new EventEmitter<undefined>();
  let experiments: readonly ExperimentSummary[] = [];
  const server = {
    onExperimentChanged: changed.event,
    onReportsChanged: new EventEmitter().event,
    onSimulated: simulated.event,
    onRestart: restart.event,
    output: { warn: (text: string) => warnings.push(text) },
    keep: (document: string) => {
      kept.push(document);
      return { dispose: () => kept.splice(kept.indexOf(document), 1) };
    },
    experiments: () => Promise.resolve(experiments),
    experimentFigure: (parameters: { readonly experiment: string }, token: CancellationToken) => {
      asked.push(parameters);
      tokens.push(token);
      if (parameters.experiment === 'long')
        return new Promise((resolve) =>
          token.onCancellationRequested(() => {
            resolve(answer);
          }),
        );
      return parameters.experiment === 'broken' ? Promise.reject(new Error('out of paper')) : Promise.resolve(answer);
    },
  } as unknown as Server;
  const panels = experimentPanels(extensionContext(), server);
  const declare = (...names: readonly string[]): void => {
    const at = { line: 2, character: 0 };
    experiments = names.map((name) => ({ name, range: { start: at, end: at } }));
  };
  return { panels, server, asked, tokens, warnings, kept, changed, simulated, restart, declare };
}

let opened: ReturnType<typeof start>;
beforeEach(() => {
  reset();
  opened = start();
});
afterEach(() => {
  opened.panels.dispose();
  expect(editor.panels).toEqual([]);
  expect(opened.kept).toEqual([]);
});

describe('the panels of experiments', () => {
  it('are one for each: what is open comes to the front', () => {
    const { panels, kept } = opened;
    panels.show(firstSubject);
    panels.show({ uri, name: 'figure-4-2' });
    panels.show(firstSubject);
    expect(editor.panels.map(({ title, revealed }) => [title, revealed])).toEqual([
      ['Experiment figure-4-1', 1],
      ['Experiment figure-4-2', 0],
    ]);
    expect(kept).toEqual([uri, uri]);
  });

  it('pass on what their pages ask for, and the answers', async () => {
    const { panels, asked } = opened;
    panels.show(firstSubject);
    const [panel] = editor.panels;
    await panel!.receive(curves);
    expect(asked).toEqual([{ ...first, choice: { kind: 'curves' } }]);
    expect(panel!.said).toEqual([{ kind: 'answer', ...firstSubject, answer }]);
    expect(user.opened).toEqual([uri]);
  });

  it.each([
    ['a moment', { kind: 'moment', point: 2, replication: 3, time: 7.5 }],
    ['a part of the time', { kind: 'gantt', between: { from: 1, to: 2 } }],
    ['the queue', { kind: 'timeline', replication: 1 }],
    ['a metric', { kind: 'curves', metric: 'waiting' }],
  ])('ask for %s as it is', async (_, choice) => {
    opened.panels.show(firstSubject);
    await editor.panels[0]!.receive({ kind: 'figure', choice });
    expect(opened.asked).toEqual([{ ...first, choice }]);
  });

  it.each([
    ['another kind', { kind: 'figure', choice: { kind: 'pie' } }],
    ['a point that is none', { kind: 'figure', choice: { kind: 'gantt', point: -1 } }],
    ['a time that is none', { kind: 'figure', choice: { kind: 'moment', time: 'now' } }],
    ['half a window', { kind: 'figure', choice: { kind: 'gantt', between: { from: 1 } } }],
    ['a metric that is none', { kind: 'figure', choice: { kind: 'curves', metric: 1 } }],
    ['a file of another kind', { kind: 'save', extension: 'exe', data: '', name: 'a' }],
    ['a name that leads elsewhere', { kind: 'save', extension: 'svg', data: '', name: '../../a' }],
    ['nothing', undefined],
  ])('pass over %s', async (_, message) => {
    opened.panels.show(firstSubject);
    await editor.panels[0]!.receive(message);
    expect(opened.asked).toEqual([]);
    expect(user.suggested).toEqual([]);
    expect(opened.warnings).toHaveLength(1);
  });

  it('follow results, progress, saved text and a new server, once their pages listen', async () => {
    const { panels, changed, restart } = opened;
    panels.show(firstSubject);
    const [panel] = editor.panels;
    changed.fire(first);
    expect(panel!.said).toEqual([]);
    await panel!.receive(curves);
    panel!.said.length = 0;
    changed.fire({ ...first, progress: '3 of 20' });
    changed.fire(second);
    changed.fire(first);
    editor.documentSaved.fire({ uri: Uri.parse(uri) });
    editor.documentSaved.fire({ uri: Uri.parse('file:///study/b.place') });
    restart.fire(undefined);
    const again = { kind: 'changed' };
    expect(panel!.said).toEqual([{ kind: 'progress', text: '3 of 20' }, again, again, again]);
  });

  it('tell how far a simulation is, and end it where the page says so, asks for something else or is closed', async () => {
    const { panels, simulated, tokens } = opened;
    const long = { uri, experiment: 'long' };
    panels.show({ uri, name: 'long' });
    const [panel] = editor.panels;
    await panel!.receive(curves);
    simulated.fire({ ...long, words: '5 of about 9 jobs' });
    expect(panel!.said).toEqual([{ kind: 'simulated', text: '5 of about 9 jobs' }]);
    await panel!.receive({ kind: 'cancel' });
    expect(panel!.said.at(-1)).toEqual({ kind: 'answer', uri, name: 'long', answer });
    await panel!.receive(curves);
    await panel!.receive(curves);
    panel!.dispose();
    expect(tokens.map((token) => token.isCancellationRequested)).toEqual([true, true, true]);
  });

  it('run the experiment, and end its run, by its commands', async () => {
    opened.panels.show(firstSubject);
    for (const kind of ['run', 'end']) await editor.panels[0]!.receive({ kind });
    expect(user.commands).toEqual([
      ['placewright.runExperiment', uri, 'figure-4-1'],
      ['placewright.cancelExperiment', uri, 'figure-4-1'],
    ]);
  });

  it('say what goes wrong', async () => {
    opened.panels.show({ uri, name: 'broken' });
    await editor.panels[0]!.receive(curves);
    expect(editor.panels[0]!.said).toEqual([{ kind: 'failed', message: 'out of paper' }]);
  });

  it('come back with the window, those that say whose they are', async () => {
    const known = new FakeWebviewPanel('x');
    const unknown = new FakeWebviewPanel('y');
    await editor.restore(known, { ...firstSubject, choice: { kind: 'curves' } });
    await editor.restore(unknown, { uri });
    expect([known.isDisposed, unknown.isDisposed]).toEqual([false, true]);
    await known.receive(curves);
    expect(opened.asked).toEqual([{ ...first, choice: { kind: 'curves' } }]);
  });
});

describe('the figure that is saved', () => {
  it.each([
    ['svg', '<svg/>', Buffer.from('<svg/>')],
    ['csv', 'a,b\n', Buffer.from('a,b\n')],
    ['png', 'iVBORw==', Buffer.from('iVBORw==', 'base64')],
  ] as const)('%s goes where the user says', async (extension, data, bytes) => {
    const folder = await mkdtemp(join(tmpdir(), 'client-'));
    try {
      opened.panels.show(firstSubject);
      user.saveAs = join(folder, 'out');
      await editor.panels[0]!.receive({ kind: 'save', extension, data, name: 'turnaround' });
      await expect.poll(() => user.messages, { timeout: 20_000 }).toHaveLength(1);
      expect(user.suggested).toEqual([`a.figure-4-1.turnaround.${extension}`]);
      expect(await readFile(join(folder, 'out'))).toEqual(bytes);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('is not, where the user thinks better of it', async () => {
    opened.panels.show(firstSubject);
    await editor.panels[0]!.receive({ kind: 'save', extension: 'svg', data: '', name: 'a' });
    expect(user.messages).toEqual([]);
  });
});

describe('which experiment the command is about', () => {
  it('the one that it is given', async () => {
    expect(await chooseExperiment(opened.server, first)).toEqual(first);
  });

  it('the only one', async () => {
    opened.declare('only');
    expect(await chooseExperiment(opened.server, { uri })).toEqual({ uri, experiment: 'only' });
    expect(user.picks).toEqual([]);
  });

  it('the one that the user picks', async () => {
    opened.declare('one', 'two');
    user.pick = 'two';
    expect(await chooseExperiment(opened.server, { uri })).toEqual({ uri, experiment: 'two' });
    expect(user.picks).toEqual([['one', 'two']]);
  });

  it('none, which is said', async () => {
    expect(await chooseExperiment(opened.server, { uri })).toBeUndefined();
    expect(user.messages).toEqual(['This file declares no experiment yet. Type "experiment" for a start.']);
  });
});
