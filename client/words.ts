/** Texts that the server has put together in English, in the language of the editor; words of the client itself are said by `l10n.t`. */
import { l10n, MarkdownString, type CodeLens, type InlayHint } from 'vscode';
import { Translation } from '../server/protocol/translation.ts';

let translation: Translation | undefined;

/** A text of the server in the editor's language; as it is where it has none. */
export const translateServerText = (text: string): string => (translation ??= new Translation(l10n.bundle)).said(text);

/** What stands above a declaration. Mends what it is given: lenses are made for one answer. */
export function lensesSaid(lenses: CodeLens[] | null | undefined): CodeLens[] | null | undefined {
  for (const { command } of lenses ?? []) {
    if (command === undefined) continue;
    command.title = translateServerText(command.title);
    if (command.tooltip !== undefined) command.tooltip = translateServerText(command.tooltip);
  }
  return lenses;
}

/** What is said of work that goes on. Mends what it is given: the client hands on that, whatever its middleware answers. */
export function sayProgress(told: { title?: string; message?: string }): void {
  if (told.title !== undefined) told.title = translateServerText(told.title);
  if (told.message !== undefined) told.message = translateServerText(told.message);
}

/** What stands behind a line, in the same way. */
export function hintsSaid(hints: InlayHint[] | null | undefined): InlayHint[] | null | undefined {
  for (const hint of hints ?? []) {
    if (typeof hint.label === 'string') hint.label = translateServerText(hint.label);
    const { tooltip } = hint;
    if (tooltip === undefined) continue;
    const text = typeof tooltip === 'string' ? tooltip : tooltip.value;
    const translated = text.split('\n').map(translateServerText).join('\n');
    hint.tooltip = typeof tooltip === 'string' ? translated : new MarkdownString(translated);
  }
  return hints;
}
