import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OverviewAnswer, OverviewEntry } from '../server/protocol/messages.ts';
import { isEntry, OverviewTree } from './overviewTree.ts';
import { fakeServer } from './testing/server.ts';
import { registerTasks } from './tasks.ts';
import { editor, EventEmitter, reset, user } from './testing/vscode.ts';

const at = { line: 3, character: 8 };
const entry = (kind: OverviewEntry['kind'], name: string, more: Partial<OverviewEntry> = {}): OverviewEntry => ({
  kind,
  name,
  uri: 'file:///study/a.place',
  range: { start: at, end: { ...at, character: 12 } },
  words: '1 hop on average',
  state: 'fresh',
  isSimulated: false,
  ...more,
});

const told = new EventEmitter<undefined>();
let answer: OverviewAnswer;
let asked = 0;
const server = fakeServer({
  ready: Promise.resolve(),
  answers: {
    overview: () => {
      asked++;
      return Promise.resolve(answer);
    },
  },
  news: { reportsChanged: told.event },
});

beforeEach(() => {
  reset();
  asked = 0;
  answer = { entries: [], isComplete: true };
});

describe('the view of the workspace', () => {
  it('has groups of what there is, what users look for first before the rest', async () => {
    answer = { entries: [entry('machine', 'm'), entry('job', 'j'), entry('placement', 'p')], isComplete: false };
    const tree = new OverviewTree(server);
    const groups = await tree.getChildren();
    expect(groups.map((group) => tree.getTreeItem(group).label)).toEqual(['Placements', 'Machines', 'Jobs']);
    expect(editor.view.message).toBe('The folder has more files than the overview reads.');
    expect(await tree.getChildren(groups[0])).toEqual([{ ...entry('placement', 'p'), isAmbiguous: false }]);
  });

  it('tells apart what has the same name, by the file', async () => {
    answer = { entries: [entry('job', 'j'), entry('job', 'j', { uri: 'file:///study/b.place' })], isComplete: true };
    const tree = new OverviewTree(server);
    const [jobs] = await tree.getChildren();
    const items = (await tree.getChildren(jobs)).map((row) => tree.getTreeItem(row).description);
    expect(items).toEqual(['a.place · 1 hop on average', 'b.place · 1 hop on average']);
  });

  it('is empty without files, so that the editor shows what to begin with', async () => {
    expect(await new OverviewTree(server).getChildren()).toEqual([]);
  });

  it('says of each what is known, to the eye and to a screen reader, and goes to its text', () => {
    const item = new OverviewTree(server).getTreeItem({
      ...entry('placement', 'p', { isSimulated: true, state: 'stale' }),
      isAmbiguous: false,
    });
    expect(item).toMatchObject({
      label: 'p',
      description: '1 hop on average',
      contextValue: 'placement stale simulated',
      accessibilityInformation: { label: 'placement p: 1 hop on average, in a.place' },
      command: { command: 'placewright.revealDeclaration' },
      iconPath: { id: 'circuit-board' },
    });
    expect(isEntry(item.command?.arguments?.[0])).toBe(true);
    expect(isEntry('file:///study/a.place')).toBe(false);
  });

  it.each([
    ['working', 'sync~spin'],
    ['failed', 'error'],
  ] as const)('shows what is %s by its icon', (state, id) => {
    const { iconPath } = new OverviewTree(server).getTreeItem({
      ...entry('experiment', 'e', { state }),
      isAmbiguous: false,
    });
    expect(iconPath).toMatchObject({ id });
  });

  it('asks again once after several changes, and only while it is in sight', () => {
    vi.useFakeTimers();
    try {
      const tree = new OverviewTree(server);
      let changes = 0;
      tree.onDidChangeTreeData(() => changes++);
      told.fire(undefined);
      editor.placeFileCreated.fire(undefined);
      editor.textChanged.fire({ document: { languageId: 'markdown' }, contentChanges: [] });
      vi.runAllTimers();
      expect(changes).toBe(1);
      // Whoever types waits for the end of it, a result that comes meanwhile for nobody.
      editor.textChanged.fire({ document: { languageId: 'place' }, contentChanges: [{ text: ' ' }] });
      vi.advanceTimersByTime(300);
      expect(changes).toBe(1);
      told.fire(undefined);
      vi.advanceTimersByTime(300);
      expect(changes).toBe(2);
      vi.runAllTimers();
      expect(changes).toBe(2);
      editor.view.visible = false;
      told.fire(undefined);
      vi.runAllTimers();
      expect(changes).toBe(2);
      tree.dispose();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('tasks', () => {
  let registered: { readonly dispose: () => unknown };
  afterEach(() => {
    registered.dispose();
  });

  it('are offered for what files have, and run the command line in the folder', async () => {
    user.settings['commandLine'] = '/opt/placewright';
    answer = {
      entries: [
        entry('placement', 'p'),
        entry('placement', 'q'),
        entry('experiment', 'e', { uri: 'file:///other/b.place' }),
      ],
      isComplete: true,
    };
    registered = registerTasks(server);
    const offered = await editor.taskProvider!.provideTasks();
    // What lies in no folder of the workspace has no tasks.
    expect(offered.map(({ name }) => name)).toEqual(['check a.place', 'run a.place']);
    expect(asked).toBe(1);
    expect(offered[1]).toMatchObject({
      definition: { type: 'placewright', command: 'run', file: 'a.place' },
      execution: { command: '/opt/placewright', args: ['run', 'a.place'], options: { cwd: '/study' } },
      problemMatchers: ['$placewright', '$placewright-absolute'],
    });
  });

  it('of tasks.json are filled in, with further words', () => {
    registered = registerTasks(server);
    const definition = {
      type: 'placewright',
      command: 'experiment',
      file: 'a b.place',
      arguments: ['small', '--short'],
    };
    const { execution } = editor.taskProvider!.resolveTask({ definition, scope: 2 });
    expect(execution).toMatchObject({ command: 'placewright', args: ['experiment', 'a b.place', 'small', '--short'] });
  });

  it.each([
    ['our own, whose program is not there', 'placewright', 127, true],
    ['our own, on Windows', 'placewright', 9009, true],
    ['our own, which found errors', 'placewright', 1, false],
    ['of another kind', 'npm', 127, false],
  ])('that end tell how to come by the program, where it is not there: %s', async (_of, type, exitCode, isTold) => {
    registered = registerTasks(server);
    user.press = 'Open Settings';
    editor.taskEnded.fire({ exitCode, execution: { task: { definition: { type } } } });
    await new Promise((told) => setTimeout(told));
    expect(user.messages).toEqual(isTold ? [expect.stringContaining('Program "placewright" not found')] : []);
    expect(user.commands).toEqual(isTold ? [['workbench.action.openSettings', 'placewright.commandLine']] : []);
  });
});
