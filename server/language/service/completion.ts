import { TextEdit, type CompletionItem } from 'vscode-languageserver-types';
import { declarations, propertyOf } from '../properties.ts';
import { contextAt, type Context } from './completion/context.ts';
import { importItem, keywordItem, propertyItem, wordItem } from './completion/items.ts';
import { propertyItems } from './completion/properties.ts';
import { itemsAfterProperty, type AfterProperty } from './completion/values.ts';
import type { PositionInput } from './input.ts';

/** Characters after which an editor should ask by itself: values follow a blank, options a parenthesis. */
export const completionTriggers: readonly string[] = [' ', '(', ',', '/'];

/** How the editor came to ask, as the protocol's CompletionParams say it. */
export interface CompletionRequest {
  readonly context?: { readonly triggerCharacter?: string } | undefined;
}

/**
 * What may be written at the offset, however broken the text around it is; best first. Where a
 * character triggered it, only what must stand here: a list that pops up at every blank would
 * take the Enter that ends a line.
 */
export function completion(input: PositionInput, request: CompletionRequest = {}): CompletionItem[] {
  const { document, offset } = input;
  const text = document.getText();
  const context = contextAt(text, offset);
  const range = { start: document.positionAt(context.start), end: document.positionAt(offset) };
  const gap = /\d/.test(text.charAt(context.start - 1)) ? ' ' : '';
  return itemsOf(input, context, request.context?.triggerCharacter === undefined).map(({ insertText, ...item }) => ({
    ...item,
    // An edit with a range, since editors differ in what they take for a word: `first-try` is one here.
    textEdit: TextEdit.replace(range, withGap(gap, insertText ?? item.label)),
  }));
}

/** `bytes 64|` becomes `bytes 64 KiB`, and `rate 100|` becomes `rate 100/s`. */
const withGap = (gap: string, text: string): string => (/^\w/.test(text) ? gap + text : text);

function itemsOf(input: PositionInput, context: Context, asked: boolean): CompletionItem[] {
  switch (context.kind) {
    case 'nothing':
      return [];
    case 'top':
      return asked ? [...declarations.map(keywordItem), importItem()] : [];
    case 'table-from':
      return [wordItem('from', 'read the table from a file: CSV or Matrix Market')];
    case 'body':
      return itemsInBody(input, context, asked);
  }
}

const bodyStart: AfterProperty = { items: [], complete: true };

/** What may follow the last property, and the next property where that one may be complete. */
function itemsInBody(
  input: PositionInput,
  { declaration, last }: Extract<Context, { kind: 'body' }>,
  asked: boolean,
): CompletionItem[] {
  if (last?.own === 'expected') return ownItems();
  const { items, complete } = last === undefined ? bodyStart : itemsAfterProperty(input, last);
  return complete && asked && last?.own === undefined ? [...items, ...propertyItems(input, declaration)] : items;
}

/** Behind `jobs a(`: what the job may choose for itself. */
const ownItems = (): CompletionItem[] =>
  ['allocate', 'map'].flatMap((word) => {
    const property = propertyOf('placement', word);
    return property === undefined ? [] : [propertyItem(property)];
  });
