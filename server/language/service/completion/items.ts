import {
  CompletionItemKind,
  InsertTextFormat,
  InsertTextMode,
  MarkupKind,
  type CompletionItem,
} from 'vscode-languageserver-types';
import type { CatalogueEntry, OptionSpecification } from '../../../model/catalogue.ts';
import type { DeclarationSpecification, PropertySpecification } from '../../properties.ts';
import type { Declared } from '../../symbols.ts';
import { entryMarkdown, optionMarkdown } from '../hover/catalogueEntry.ts';
import { codeBlock, documentationMarkdown, paragraphs, withoutImages } from '../hover/markdown.ts';
import type { ServiceInput } from '../input.ts';

/** One file makes all items, so that every list looks the same: summary as detail, the rest as documentation. */

const markdown = (value: string) => ({ kind: MarkupKind.Markdown, value: withoutImages(value) });

export function keywordItem({ kind, summary, example }: DeclarationSpecification): CompletionItem {
  return {
    label: kind,
    kind: CompletionItemKind.Keyword,
    detail: summary,
    documentation: markdown(codeBlock(example)),
    insertText: `${kind} \${1:name} {\n\t$0\n}`,
    insertTextFormat: InsertTextFormat.Snippet,
  };
}

export function importItem(): CompletionItem {
  return {
    label: 'import',
    kind: CompletionItemKind.Keyword,
    detail: 'Declarations of another file',
    documentation: markdown(codeBlock('import "machines/cielo.place"')),
    insertText: 'import "$1"$0',
    insertTextFormat: InsertTextFormat.Snippet,
  };
}

export function propertyItem(property: PropertySpecification): CompletionItem {
  const announced = property.announced === true;
  return {
    label: property.word,
    kind: CompletionItemKind.Property,
    detail: announced ? `not evaluated yet: ${property.summary}` : property.summary,
    documentation: markdown(paragraphs(codeBlock(property.example), `Takes ${property.takes}.`)),
    insertText: property.content.form === 'flag' ? property.word : `${property.word} `,
  };
}

/** `whole`: nothing follows yet, so that what the word needs is written with it. */
export function entryItem(property: string, entry: CatalogueEntry, whole: boolean): CompletionItem {
  return {
    label: entry.name,
    kind: CompletionItemKind.Function,
    detail: entry.announced === true ? `not evaluated yet: ${entry.summary}` : entry.summary,
    documentation: markdown(entryMarkdown(property, entry)),
    // What this version can run comes first.
    sortText: `${entry.announced === true ? 1 : 0} ${entry.name}`,
    ...(whole && entry.skeleton !== undefined ? snippet(entry.skeleton) : {}),
  };
}

/** Further lines are indented as the one they begin on. */
const snippet = (insertText: string) => ({
  insertText,
  insertTextFormat: InsertTextFormat.Snippet,
  insertTextMode: InsertTextMode.adjustIndentation,
});

export function optionItem(entry: CatalogueEntry, option: OptionSpecification): CompletionItem {
  return {
    label: option.name,
    kind: CompletionItemKind.Field,
    detail: option.summary,
    documentation: markdown(optionMarkdown(entry, option)),
    insertText: `${option.name} `,
  };
}

export function declaredItem(input: ServiceInput, { name, node }: Declared): CompletionItem {
  const { kind } = node;
  const documentation = documentationMarkdown(input, node);
  return {
    label: name,
    kind: CompletionItemKind.Class,
    detail: kind,
    ...(documentation === undefined ? {} : { documentation: markdown(documentation) }),
  };
}

/** A unit, a choice of an option, an axis. */
export const wordItem = (label: string, detail: string): CompletionItem => ({
  label,
  kind: CompletionItemKind.Value,
  detail,
});
