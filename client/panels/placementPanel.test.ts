import { beforeEach, describe, expect, it } from 'vitest';
import { Uri, type WebviewPanel } from 'vscode';
import type { PlacementSummary, SceneAnswer } from '../../server/protocol/messages.ts';
import type { ToPanel } from '../../server/protocol/panel.ts';
import { PageMemory } from './pageMemory.ts';
import { PlacementPanel } from './placementPanel.ts';
import { fakeServer } from '../testing/server.ts';
import { extensionContext, reset, user } from '../testing/vscode.ts';

const shown = { uri: 'file:///study/a.place', placement: 'best' };

/** A panel between a webview and a server that write down what they are told. */
function start() {
  const said: ToPanel[] = [];
  const asked: unknown[][] = [];
  const warnings: string[] = [];
  let receive: (data: unknown) => void = () => undefined;
  let closed: () => void = () => undefined;
  let answer: SceneAnswer = { kind: 'nothing', reason: 'It is new.', status: { kind: 'idle' } };
  let placements: readonly PlacementSummary[] = [];
  const ask =
    (name: string, result?: unknown) =>
    (...parameters: readonly unknown[]) => {
      asked.push([name, ...parameters]);
      return Promise.resolve(result);
    };
  const server = fakeServer({
    keep: (uri: string) => {
      asked.push(['keep', uri]);
      return { dispose: () => asked.push(['let go', uri]) };
    },
    answers: {
      scene: () => {
        asked.push(['scene']);
        return Promise.resolve(answer);
      },
      placements: () => {
        asked.push(['placements']);
        return Promise.resolve(placements);
      },
      finish: ask('finish'),
      cancel: ask('cancel'),
      run: ask('run'),
      explain: ask('explain', { kind: 'nothing', reason: 'so' }),
    },
    output: { warn: (text: string) => warnings.push(text) },
  });
  const webviewPanel = {
    webview: {
      onDidReceiveMessage: (listener: (data: unknown) => void) => {
        receive = listener;
      },
      postMessage: (message: ToPanel) => said.push(message),
      asWebviewUri: (uri: Uri) => uri,
      cspSource: 'x',
    },
    onDidDispose: (listener: () => void) => {
      closed = listener;
    },
  };
  const { extensionUri, workspaceState } = extensionContext();
  const panel = new PlacementPanel(
    {
      panel: webviewPanel as unknown as WebviewPanel,
      extensionUri,
      server,
      memory: new PageMemory(workspaceState, 'page'),
    },
    shown,
  );
  return {
    panel,
    said,
    asked,
    warnings,
    close: () => {
      closed();
    },
    setAnswer: (newAnswer: SceneAnswer, ...all: readonly PlacementSummary[]) => {
      answer = newAnswer;
      placements = all;
    },
    send: async (data: unknown): Promise<void> => {
      receive(data);
      await new Promise((resolve) => setTimeout(resolve));
    },
  };
}

const summary = (change: Partial<PlacementSummary> = {}): PlacementSummary => {
  const at = { line: 1, character: 0 };
  return {
    name: 'best',
    range: { start: at, end: at },
    state: 'fresh',
    status: { kind: 'idle' },
    revision: 1,
    ...change,
  };
};
const told = (...placements: readonly PlacementSummary[]) => ({
  uri: shown.uri,
  placements,
  running: false,
  revision: 1,
});

const search = { criterion: 'hop-bytes', value: 1, first: 2 };

beforeEach(reset);

describe('the host of a picture', () => {
  it('has the editor read the document before it asks for the picture: its tab may never have been looked at', async () => {
    const { send, asked, said } = start();
    await send({ kind: 'ready' });
    expect(user.opened).toEqual([shown.uri]);
    expect(asked).toEqual([['keep', shown.uri], ['placements'], ['scene']]);
    expect(said).toEqual([{ kind: 'nothing', reason: 'It is new.', status: { kind: 'idle' } }]);
  });

  it('lets the document go with the panel', () => {
    const { close, asked } = start();
    close();
    expect(asked).toEqual([
      ['keep', shown.uri],
      ['let go', shown.uri],
    ]);
  });

  it.each([
    [{ kind: 'reveal', target: { kind: 'file', uri: 'file:///etc/passwd' } }],
    [{ kind: 'save', extension: 'png', name: '', data: 7 }],
    [null],
  ])('passes over a message that is none, and says so in its log: %j', async (data) => {
    const { send, asked, said, warnings } = start();
    await send(data);
    expect([asked.slice(1), said]).toEqual([[], []]);
    expect(warnings).toEqual([expect.stringContaining('unknown message')]);
  });

  it('passes on how a search is to end', async () => {
    const { send, asked } = start();
    for (const kind of ['finish', 'cancel', 'run']) await send({ kind });
    expect(asked.slice(1)).toEqual([
      ['finish', shown],
      ['cancel', { uri: shown.uri }],
      ['run', shown],
    ]);
  });

  it('ends the explanation of a link once another one is wanted', async () => {
    const { send, asked, said } = start();
    await send({ kind: 'ready' });
    const targets = [7, 8].map((link) => ({ kind: 'link', link }));
    await Promise.all(targets.map((target) => send({ kind: 'explain', target })));
    const explanations = asked.filter(([name]) => name === 'explain');
    expect(explanations.map(([, parameters]) => parameters)).toEqual(targets.map((target) => ({ ...shown, target })));
    expect(explanations[0]![2]).toMatchObject({ isCancellationRequested: true });
    expect(said.slice(1)).toEqual([
      { kind: 'explained', target: targets[1], answer: { kind: 'nothing', reason: 'so' } },
    ]);
  });

  it('tells how far its placement is, as one of several', async () => {
    const { panel, send, said } = start();
    await send({ kind: 'ready' });
    await panel.reported(told(summary({ name: 'other' }), summary({ status: { kind: 'waiting' } })));
    const words = '11.6 GiB hop-bytes, −34 %, 7 s left';
    panel.progress({ ...shown, progress: { share: 0.5, message: '', search }, words });
    expect(said).toContainEqual({
      kind: 'working',
      text: 'Evaluating best (2 of 2): queued',
      canFinish: false,
    });
    expect(said.at(-1)).toEqual({ kind: 'working', text: `Evaluating best (2 of 2): ${words}`, canFinish: true });
  });

  it.each([
    [{ kind: 'waiting' as const }, 'queued', false],
    [{ kind: 'working' as const, progress: { share: 0.5, message: 'mapping heat' } }, 'mapping heat', false],
    [{ kind: 'working' as const, progress: { share: 0.5, message: 'chain 3', search } }, 'chain 3', true],
  ])('says so too where it was opened in the middle of the work: %j', async (status, words, canFinish) => {
    const { panel, send, said, asked, setAnswer } = start();
    setAnswer({ kind: 'nothing', reason: 'Not yet.', status }, summary({ name: 'other' }), summary({ status }));
    await send({ kind: 'ready' });
    const working = (text: string) => ({ kind: 'working', text: `Evaluating best (2 of 2): ${text}`, canFinish });
    expect(said).toEqual([{ kind: 'nothing', reason: 'Not yet.', status }, working(words)]);
    panel.progress({ ...shown, progress: { share: 0.6, message: '', ...(canFinish ? { search } : {}) }, words: 'on' });
    expect(said.at(-1)).toEqual(working('on'));
    await panel.reported(told(summary({ name: 'other' }), summary({ status, state: 'stale' })));
    expect(asked.filter(([name]) => name === 'placements')).toHaveLength(1);
  });

  it('fetches the picture again for a new report, not for each message', async () => {
    const { panel, send, asked } = start();
    const scenes = () => asked.filter(([name]) => name === 'scene').length;
    await send({ kind: 'ready' });
    await panel.reported(told(summary()));
    const before = scenes();
    await panel.reported(told(summary()));
    await panel.reported(told(summary(), summary({ name: 'other', revision: 9 })));
    expect(scenes()).toBe(before);
    await panel.reported(told(summary({ revision: 2 })));
    expect(scenes()).toBe(before + 1);
  });

  describe('whose picture is shown', () => {
    const idle = { kind: 'idle' } as const;
    const picture: SceneAnswer = {
      kind: 'scene',
      version: 3,
      revision: 1,
      stale: false,
      scene: { encoded: 'scene', json: '{}' },
      status: idle,
    };
    const withPicture = async () => {
      const host = start();
      host.setAnswer(picture, summary());
      await host.send({ kind: 'ready' });
      await host.panel.reported(told(summary()));
      host.asked.length = 0;
      host.said.length = 0;
      return host;
    };

    it('says that it has become out of date, and why, without fetching it again', async () => {
      const { panel, said, asked, send } = await withPicture();
      await panel.reported(told(summary({ state: 'stale' })));
      const location = { uri: shown.uri, range: { start: { line: 2, character: 0 }, end: { line: 2, character: 3 } } };
      const problem = { message: 'There is no machine `x`.', location };
      const failed = { kind: 'failed', message: problem.message } as const;
      await panel.reported(told(summary({ state: 'stale', status: failed, problem })));
      await panel.reported(told(summary()));
      expect(said).toEqual([
        { kind: 'standing', stale: true, status: idle },
        { kind: 'standing', stale: true, status: failed, problem },
        { kind: 'standing', stale: false, status: idle },
      ]);
      expect(asked).toEqual([]);
      await panel.reported(told(summary({ state: 'stale', status: failed, problem })));
      await send({ kind: 'reveal-problem' });
      expect(user.opened.at(-1)).toBe(shown.uri);
    });

    it('fetches it again for a newer one, where the placement is gone, and from a server that was restarted', async () => {
      const { panel, said } = await withPicture();
      await panel.reported(told(summary({ revision: 2 })));
      await panel.reported(told());
      await panel.reported(told(summary()));
      await panel.refresh();
      expect(said.map(({ kind }) => kind)).toEqual(['scene', 'scene', 'standing', 'scene']);
    });
  });
});
