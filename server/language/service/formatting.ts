import { TextEdit } from 'vscode-languageserver-types';
import { formatText } from '../format.ts';
import type { ServiceInput } from './input.ts';

/** One edit of the whole text, or none where it is well laid out already. */
export function formatting({ document }: ServiceInput): TextEdit[] {
  const text = document.getText();
  const formatted = formatText(text);
  if (formatted === text) return [];
  return [TextEdit.replace({ start: { line: 0, character: 0 }, end: document.positionAt(text.length) }, formatted)];
}
