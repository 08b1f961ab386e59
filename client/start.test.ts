import { Uri, type TextEditor } from 'vscode';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { indentAsConfigured } from './start.ts';
import { reset, user } from './testing/vscode.ts';

vi.mock('vscode-languageclient', () => ({ State: {}, DidCloseTextDocumentNotification: {} }));

beforeEach(reset);

/** An editor that was open before the extension's own settings were known. */
function opened(
  text: string,
  languageId = 'place',
): { options: TextEditor['options']; document: TextEditor['document'] } {
  const document = { uri: Uri.parse('file:///study/mine.place'), languageId, getText: () => text };
  return { options: { tabSize: 4, insertSpaces: true, indentSize: 4 }, document: document as TextEditor['document'] };
}

describe('a text that was open before our settings were known', () => {
  const settings = { tabSize: 2, insertSpaces: true };
  const configured = { ...settings, indentSize: 'tabSize' };
  const unchanged = { tabSize: 4, insertSpaces: true, indentSize: 4 };

  it.each([
    ['is indented as they say where it is empty', '', 'place', configured],
    ['and where no line of it is indented', 'machine small {\n}\n', 'place', configured],
    ['a blank line says nothing', 'machine small {\n    \n}\n', 'place', configured],
    ['keeps the indentation that it has', 'machine small {\n    cores 2\n}\n', 'place', unchanged],
    ['also where that is a tab', 'machine small {\n\tcores 2\n}\n', 'place', unchanged],
    ['is none of ours', '', 'markdown', unchanged],
  ])('%s', (_what, text, languageId, wanted) => {
    user.settings = settings;
    const editor = opened(text, languageId);
    indentAsConfigured(editor);
    expect(editor.options).toEqual(wanted);
  });

  it('is left alone where the settings say what it has', () => {
    user.settings = { tabSize: 4, insertSpaces: true };
    const editor = opened('');
    indentAsConfigured(editor);
    expect(editor.options).toEqual(unchanged);
  });
});
