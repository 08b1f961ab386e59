import * as assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { PageMemory } from '../../client/panels/pageMemory.ts';
import { PlacementPanel } from '../../client/panels/placementPanel.ts';
import { fakeServer } from '../../client/testing/server.ts';
import type { OriginAnswer } from '../../server/protocol/messages.ts';
import type { FromPanel } from '../../server/protocol/panel.ts';

/** What activation answers with; `client/extension.ts` has the words. */
interface Api {
  readonly ready: Promise<void>;
}

const quickstart = `machine small { topology torus 4 x 4 }
job heat { grid 4 x 4  stencil five-point  bytes 64 KiB }
placement first-try { job heat  machine small  map row-major }
`;

const experiment = `machine grid { topology mesh 4 x 4 }
stream calm {
  arrivals   exponential(mean 10)
  processors uniform(1, 8)
  service    exponential(mean 5)
  jobs       50 completed
}
experiment small { stream calm  machine grid  allocate rbs, mc1x1  seeds 1 .. 4 }
`;

const extension = vscode.extensions.getExtension<Api>('placewright.placewright');

/** Asks until the answer is as wanted; mocha's own limit ends it otherwise. */
async function until<Answer>(ask: () => Thenable<Answer>, isWanted: (answer: Answer) => boolean): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (isWanted(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const untilTrue = async (isSo: () => boolean): Promise<void> => {
  await until(
    () => Promise.resolve(isSo()),
    (so) => so,
  );
};

/** A picture in the real editor whose page is played by the test: it has the focus, and asks. */
class Picture {
  readonly #panel: vscode.WebviewPanel;
  readonly #asked = new vscode.EventEmitter<unknown>();

  /** `origin`: the text that the server finds behind everything in it. */
  constructor(column: vscode.ViewColumn, origin: NonNullable<OriginAnswer>) {
    const panel = vscode.window.createWebviewPanel('placewright.test', 'Picture', column);
    panel.webview.html = '<p>A picture</p>';
    this.#panel = panel;
    const played = {
      webview: { onDidReceiveMessage: this.#asked.event, asWebviewUri: (uri: vscode.Uri) => uri, cspSource: '' },
      onDidDispose: panel.onDidDispose,
      get viewColumn() {
        return panel.viewColumn;
      },
    };
    const server = fakeServer({ answers: { origin: () => Promise.resolve(origin) } });
    const nothingKept = { keys: () => [], get: () => undefined, update: () => Promise.resolve() };
    new PlacementPanel(
      {
        panel: played as unknown as vscode.WebviewPanel,
        extensionUri: vscode.Uri.file(tmpdir()),
        server,
        memory: new PageMemory(nothingKept, 'test'),
      },
      { uri: origin.uri, placement: 'first-try' },
    );
  }

  get isActive(): boolean {
    return this.#panel.active;
  }

  ask(message: FromPanel): void {
    this.#asked.fire(message);
  }

  dispose(): void {
    this.#panel.dispose();
  }
}

describe('inside the extension host, Placewright', () => {
  let folder: string;
  let document: vscode.TextDocument;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'placewright-host-'));
    writeFileSync(join(folder, 'main.place'), quickstart);
    document = await vscode.workspace.openTextDocument(join(folder, 'main.place'));
    await vscode.window.showTextDocument(document);
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const uri = (): string => document.uri.toString();
  const diagnostics = (): Thenable<vscode.Diagnostic[]> =>
    Promise.resolve(vscode.languages.getDiagnostics(document.uri));
  const lenses = (): Thenable<vscode.CodeLens[]> =>
    vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri);
  const costs = (): Thenable<vscode.CodeLens[]> =>
    until(lenses, (found) => found.some(({ command }) => command?.title.includes('on average') === true));

  it('is activated by a .place file', async () => {
    assert.ok(extension);
    const started = performance.now();
    const api = await extension.activate();
    await api.ready;
    console.log(`      ready ${(performance.now() - started).toFixed(0)} ms after it was asked for`);
    assert.equal(document.languageId, 'place');
    assert.equal(extension.isActive, true);
  });

  it('registers every command of its manifest', async () => {
    const manifest = extension?.packageJSON as { contributes: { commands: { command: string }[] } };
    const registered = await vscode.commands.getCommands(true);
    const missing = manifest.contributes.commands.filter(({ command }) => !registered.includes(command));
    assert.deepEqual(missing, []);
  });

  it('works placements out when a file is opened', async () => {
    const found = await costs();
    const titles = found.map(({ command }) => command?.title ?? '');
    assert.match(titles.find((title) => title !== 'Show machine') ?? '', /^1 hop on average/);
    assert.deepEqual(await diagnostics(), []);
  });

  it('answers hovers and completion', async () => {
    const at = (needle: string): vscode.Position => document.positionAt(document.getText().indexOf(needle));
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      at('first-try'),
    );
    const text = hovers.flatMap(({ contents }) => contents.map((part) => (part as vscode.MarkdownString).value)).join();
    assert.match(text, /Hop-bytes/);
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      at('row-major'),
    );
    assert.ok(list.items.some(({ label }) => label === 'rcb'));
  });

  it('exports by command, without a question where all is given', async () => {
    await costs();
    const target = vscode.Uri.file(join(folder, 'out.json'));
    await vscode.commands.executeCommand('placewright.exportMappingVector', uri(), 'first-try', 'json', target);
    const exported = JSON.parse(readFileSync(target.fsPath, 'utf8')) as { name?: string };
    assert.equal(exported.name, 'first-try');
  });

  it('saves the picture by command', async () => {
    const target = vscode.Uri.file(join(folder, 'out.svg'));
    await vscode.commands.executeCommand('placewright.savePictureSvg', uri(), 'first-try', target);
    assert.match(readFileSync(target.fsPath, 'utf8'), /<svg /);
  });

  it('imports a machine by command, and opens what it wrote', async () => {
    writeFileSync(join(folder, 'net.conf'), 'SwitchName=leaf-0 Nodes=n[1-4]\nSwitchName=top Switches=leaf-0\n');
    const target = vscode.Uri.file(join(folder, 'net.place'));
    await vscode.commands.executeCommand(
      'placewright.importMachine',
      vscode.Uri.file(join(folder, 'net.conf')),
      target,
    );
    assert.match(readFileSync(target.fsPath, 'utf8'), /machine net \{\n {2}topology from "net\.conf"/);
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, target.fsPath);
    await vscode.window.showTextDocument(document);
  });

  it('imports a communication table by command, opens what it wrote and shows the map', async () => {
    writeFileSync(join(folder, 'ring.csv'), 'from,to,bytes\n0,1,1024\n1,0,2048\n');
    const target = vscode.Uri.file(join(folder, 'ring.place'));
    await vscode.commands.executeCommand('placewright.importTable', vscode.Uri.file(join(folder, 'ring.csv')), target);
    assert.match(
      readFileSync(target.fsPath, 'utf8'),
      /table ring from "ring\.csv"\n[^]*job ring \{\n {2}tasks 2\n {2}table ring\n\}/,
    );
    const labels = () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
    await until(
      () => Promise.resolve(labels()),
      (now) => now.includes('ring.place') && now.includes('Traffic ring (ring.place)'),
    );
    await vscode.window.showTextDocument(document);
  });

  it('reports mistakes while typing, and takes them back', async () => {
    const edit = new vscode.WorkspaceEdit();
    const start = document.positionAt(document.getText().indexOf('five-point'));
    edit.replace(document.uri, new vscode.Range(start, start.translate(0, 10)), 'fivepoint');
    await vscode.workspace.applyEdit(edit);
    const found = await until(diagnostics, (now) => now.length > 0);
    assert.equal(found[0]?.source, 'placewright');
    await vscode.commands.executeCommand('undo');
    await until(diagnostics, (now) => now.length === 0);
  });

  it('works in a document that has no file', async () => {
    const untitled = await vscode.workspace.openTextDocument({ language: 'place', content: 'job a { tasks }\n' });
    await vscode.window.showTextDocument(untitled);
    await until(
      () => Promise.resolve(vscode.languages.getDiagnostics(untitled.uri)),
      (now) => now.length > 0,
    );
    // Else the editor asks what to do with it when tabs are closed.
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('runs an experiment by command, keeps its result beside the file, and says it above the experiment', async () => {
    const path = join(folder, 'jobs.place');
    writeFileSync(path, experiment);
    const jobs = await vscode.workspace.openTextDocument(path);
    await vscode.window.showTextDocument(jobs);
    const titles = async (): Promise<readonly (string | undefined)[]> => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', jobs.uri);
      return found.map(({ command }) => command?.title).filter((title) => title !== 'Show machine');
    };
    await until(titles, (now) => now.includes('Run'));
    await vscode.commands.executeCommand('placewright.runExperiment', jobs.uri.toString(), 'small');
    const [result] = await until(titles, (now) => now.includes('Run again'));
    assert.match(result ?? '', /^turnaround .*, 4 replications$/);
    assert.ok(existsSync(join(`${path}.results`, 'small.json')));
    await vscode.window.showTextDocument(document);
  });

  it('offers tasks for the files of the folder, whose output it reads', async () => {
    const offered = await vscode.tasks.fetchTasks({ type: 'placewright' });
    const task = offered.find(({ name }) => name === 'run quickstart.place');
    assert.deepEqual(task?.problemMatchers, ['$placewright', '$placewright-absolute']);
    assert.deepEqual((task.execution as vscode.ShellExecution).args, ['run', 'quickstart.place']);
  });

  it('opens a copy of the quickstart that has no file, and its picture beside it', async () => {
    await vscode.commands.executeCommand('placewright.openQuickstart');
    const opened = vscode.window.activeTextEditor?.document;
    assert.equal(opened?.isUntitled, true);
    assert.match(opened.getText(), /^placement first-try/m);
    const isPicture = ({ label }: vscode.Tab): boolean => label === 'Placement first-try';
    const pictures = (): vscode.Tab[] => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter(isPicture));
    await untilTrue(() => pictures().length === 1);
    await vscode.window.tabGroups.close(pictures());
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.window.showTextDocument(document);
  });

  it('collects what helps to understand a fault, for the user to read', async () => {
    const collected = vscode.commands.executeCommand('placewright.collectDiagnostics');
    const shown = await until(
      async () => {
        await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
        return vscode.window.activeTextEditor?.document;
      },
      (now) => now?.languageId === 'json',
    );
    await collected;
    const report = JSON.parse(shown?.getText() ?? '') as { requests: { method: string }[]; documents: object[] };
    assert.ok(report.requests.some(({ method }) => method === 'textDocument/codeLens'));
    assert.ok(report.documents.length > 0);
    assert.ok(!shown?.getText().includes('main.place'));
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.window.showTextDocument(document);
  });

  it('starts its server anew by command', async () => {
    await vscode.commands.executeCommand('placewright.restartServer');
    await costs();
  });

  describe('from the text to the picture', () => {
    const panels = (): vscode.Tab[] =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(({ label }) => label === 'Placement first-try');
    const follow = async (): Promise<void> => {
      const command = (await costs()).find(({ command }) => command?.command === 'placewright.showPlacement')?.command;
      assert.ok(command);
      await vscode.commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
      await untilTrue(() => panels().some(({ isActive }) => isActive));
    };

    before(async () => {
      await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    });

    it('goes by the lens, which opens the picture beside the text and leaves the keys there', async () => {
      await follow();
      assert.deepEqual(
        panels().map(({ group }) => group.viewColumn),
        [vscode.ViewColumn.Two],
      );
      assert.equal(vscode.window.activeTextEditor?.document, document);
    });

    it('finds the picture again behind another tab, and opens no second one', async () => {
      const cover = vscode.Uri.file(join(folder, 'out.json'));
      await vscode.window.showTextDocument(cover, { viewColumn: vscode.ViewColumn.Two, preview: false });
      await untilTrue(() => !panels().some(({ isActive }) => isActive));
      await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
      await follow();
      assert.equal(panels().length, 1);
      assert.equal(vscode.window.activeTextEditor?.document, document);
      await vscode.window.tabGroups.close(panels());
    });
  });

  it('shows the first picture of a file that is opened, for who has chosen so, and not again once it is closed', async () => {
    const configuration = vscode.workspace.getConfiguration('placewright');
    const labels = (): string[] => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
    await configuration.update('picture.show', 'withFile', vscode.ConfigurationTarget.Global);
    try {
      writeFileSync(join(folder, 'new.place'), quickstart.replace('first-try', 'newcomer'));
      const opened = await vscode.workspace.openTextDocument(join(folder, 'new.place'));
      await vscode.window.showTextDocument(opened, vscode.ViewColumn.One);
      await untilTrue(() => labels().includes('Placement newcomer'));
      assert.equal(vscode.window.activeTextEditor?.document, opened);
      const isPicture = ({ label }: vscode.Tab): boolean => label === 'Placement newcomer';
      await vscode.window.tabGroups.close(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter(isPicture)));
      const exported = vscode.Uri.file(join(folder, 'new.json'));
      await opened.save();
      await vscode.commands.executeCommand(
        'placewright.exportMappingVector',
        opened.uri.toString(),
        'newcomer',
        'json',
        exported,
      );
      assert.ok(!labels().includes('Placement newcomer'));
    } finally {
      await configuration.update('picture.show', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  describe('from the picture to the text', () => {
    let picture: Picture | undefined;
    const last = 60;
    /** Out of sight where the text is opened. */
    const behind = { start: { line: last, character: 2 }, end: { line: last, character: 6 } };
    const file = (name: string): vscode.Uri => vscode.Uri.file(join(folder, name));

    before(() => {
      writeFileSync(file('long.txt').fsPath, Array.from({ length: 120 }, (_, line) => `line ${line}`).join('\n'));
      writeFileSync(file('cover.txt').fsPath, 'over the text');
    });
    beforeEach(async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });
    afterEach(() => {
      picture?.dispose();
    });

    const show = (name: string, viewColumn: vscode.ViewColumn): Thenable<unknown> =>
      vscode.window.showTextDocument(file(name), { viewColumn, preview: false });
    const editor = (): vscode.TextEditor | undefined =>
      vscode.window.visibleTextEditors.find(({ document: { uri } }) => uri.fsPath === file('long.txt').fsPath);
    const tabs = (): readonly vscode.Tab[] =>
      vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(({ label }) => label === 'long.txt');

    const { One, Two } = vscode.ViewColumn;
    const cases: readonly {
      readonly which: string;
      readonly text: vscode.ViewColumn;
      readonly picture: vscode.ViewColumn;
      readonly open: readonly (readonly [string, vscode.ViewColumn])[];
    }[] = [
      { which: 'in sight', text: One, picture: Two, open: [['long.txt', One]] },
      { which: 'in sight in another column', text: Two, picture: One, open: [['long.txt', Two]] },
      {
        which: 'behind another tab',
        text: One,
        picture: Two,
        open: [
          ['long.txt', One],
          ['cover.txt', One],
        ],
      },
      { which: 'in no tab', text: One, picture: Two, open: [['cover.txt', One]] },
      { which: 'in no tab, and the picture where texts are', text: Two, picture: One, open: [] },
    ];
    for (const wanted of cases) {
      it(`shows the lines of a text ${wanted.which}; nothing is selected, and the keys stay in the picture`, async () => {
        for (const [name, column] of wanted.open) await show(name, column);
        picture = new Picture(wanted.picture, { uri: file('long.txt').toString(), range: behind });
        await untilTrue(() => picture?.isActive === true);
        picture.ask({ kind: 'reveal', target: { kind: 'node', node: 0 } });
        const line = new vscode.Position(last, 2);
        await untilTrue(() => editor()?.visibleRanges.some((range) => range.contains(line)) === true);
        assert.equal(tabs().length, 1);
        assert.equal(editor()?.viewColumn, wanted.text);
        assert.equal(editor()?.selection.isEmpty, true);
        assert.deepEqual(editor()?.selection.active, line);
        assert.equal(picture.isActive, true);
        assert.equal(vscode.window.activeTextEditor, undefined);
      });
    }
  });
});
