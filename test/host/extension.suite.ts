import * as assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';

/** What activation answers with; `client/extension.ts` has the words. */
interface Api {
  readonly ready: Promise<void>;
}

const quickstart = `machine small { topology torus 4 x 4 }
job heat { grid 4 x 4  stencil five-point  bytes 64 KiB }
placement first-try { job heat  machine small  map row-major }
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
    assert.match(found[0]?.command?.title ?? '', /^1 hop on average/);
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

  it('opens one panel per placement', async () => {
    const panels = (): string[] =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs.map(({ label }) => label))
        .filter((label) => /first-try/.test(label));
    await vscode.commands.executeCommand('placewright.showPlacement', uri(), 'first-try');
    await vscode.commands.executeCommand('placewright.showPlacement', uri(), 'first-try');
    await until(
      () => Promise.resolve(panels()),
      (found) => found.length > 0,
    );
    assert.equal(panels().length, 1);
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
  });

  it('starts its server anew by command', async () => {
    await vscode.commands.executeCommand('placewright.restartServer');
    await costs();
  });
});
