import type { IToken } from 'chevrotain';
import { type ParameterInformation, type SignatureHelp } from 'vscode-languageserver-types';
import type { CatalogueEntry } from '../../model/catalogue.ts';
import { Comma, LeftBracket, LeftParenthesis, RightBracket, StringToken } from '../tokens.ts';
import { catalogueFor, ownProperties } from '../schema.ts';
import { describeArgument, describeDefault, entryFor } from './catalogues.ts';
import { contextAt, type OpenProperty } from './completion/context.ts';
import { optionMarkdown } from './hover/catalogueEntry.ts';
import { markdownContent, paragraphs } from './hover/markdown.ts';
import type { PositionInput } from './input.ts';

/** Characters after which an editor should ask by itself, and after which it asks again while it shows an answer. */
export const signatureTriggers: readonly string[] = ['('];
export const signatureRetriggers: readonly string[] = [',', ' ', ')'];

/** A part of the label, and what is said of it. */
interface Part {
  readonly name: string;
  readonly label: string;
  readonly documentation: string;
}

/**
 * What may be written in the parentheses at the offset, the option that is being written first: of a topology, a
 * mapper, an allocator, a distribution, or of a job of a placement. Undefined outside of parentheses. O(offset).
 */
export function signatureHelp({ document, offset }: PositionInput): SignatureHelp | undefined {
  const context = contextAt(document.getText(), offset);
  if (context.kind !== 'body' || context.last === undefined) return undefined;
  const { last } = context;
  if (!last.inParentheses) return last.own === undefined ? undefined : ownSignature(last);
  const opening = last.taken.findLastIndex(({ tokenType }) => tokenType === LeftParenthesis);
  const entry = entryAt(last, opening);
  // The word that is being typed is none of the tokens before the cursor.
  const typed = document.getText().slice(context.start, offset);
  return entry && entrySignature(entry, argumentParts(last.taken.slice(opening + 1)), typed);
}

/** Of a list of choices the word before the parenthesis; of one choice its name, which an argument may follow. */
function entryAt({ property, taken }: OpenProperty, opening: number): CatalogueEntry | undefined {
  const name = taken[property.content.form === 'choices' ? opening - 1 : 0];
  return entryFor(property.word, name?.tokenType === StringToken ? property.word : (name?.image ?? ''));
}

function entrySignature(
  entry: CatalogueEntry,
  written: readonly (readonly IToken[])[],
  typed: string,
): SignatureHelp | undefined {
  if (entry.options.length === 0) return undefined;
  const parts = entry.options.map((option): Part => {
    const value = describeDefault(option);
    return {
      name: option.name,
      label: value === undefined ? `${option.name} …` : `${option.name} ${value}`,
      documentation: optionMarkdown(entry, option),
    };
  });
  const argument = entry.argument === undefined ? '' : ` ${describeArgument(entry.argument)}`;
  return signatureOf(`${entry.name}${argument}`, entry.summary, parts, activePart(entry, written, typed));
}

/** The option whose name or value stands at the cursor; between two of them the first that is not written yet. */
function activePart({ options }: CatalogueEntry, written: readonly (readonly IToken[])[], typed: string): number {
  const indexOf = (word: string | undefined): number => options.findIndex(({ name }) => name === word);
  const current = written.at(-1)?.[0]?.image;
  const named = indexOf(current ?? typed);
  if (named >= 0) return named;
  const before = written.slice(0, -1);
  const names = before.map(([name]) => name?.image);
  // A list of axes goes on behind each comma.
  const last = indexOf(names.findLast((name) => indexOf(name) >= 0));
  if (options[last]?.kind === 'axes') return last;
  // Values without names are of the options that may do without, in their order.
  const positional = options.flatMap(({ positional: may }, index) => (may === true ? [index] : []));
  const unnamed = names.filter((name) => indexOf(name) < 0).length;
  if (unnamed === before.length && unnamed < positional.length) return positional[unnamed] ?? 0;
  const begun = options.findIndex(({ name }) => typed !== '' && name.startsWith(typed) && !names.includes(name));
  return begun >= 0 ? begun : options.findIndex(({ name }) => !names.includes(name));
}

/** The tokens between commas that are in no brackets; the last part may be empty. */
function argumentParts(tokens: readonly IToken[]): readonly (readonly IToken[])[] {
  const parts: IToken[][] = [[]];
  let brackets = 0;
  for (const token of tokens) {
    if (token.tokenType === LeftBracket) brackets++;
    if (token.tokenType === RightBracket) brackets--;
    if (token.tokenType === Comma && brackets === 0) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

/** Behind `jobs a(`: what the job may choose for itself. */
function ownSignature({ own, property }: OpenProperty): SignatureHelp {
  const parts = ownProperties.map(({ word, summary, content }): Part => ({
    name: word,
    label: `${word} …`,
    documentation:
      content.form === 'choice'
        ? `One of ${catalogueFor(word)
            .map(({ name }) => `\`${name}\``)
            .join(', ')}`
        : summary,
  }));
  const active = own === 'begun' ? ownProperties.findIndex(({ word }) => word === property.word) : 0;
  return signatureOf('job', 'Its own nodes, mapper and limits, instead of those of the placement.', parts, active);
}

function signatureOf(head: string, summary: string, parts: readonly Part[], active: number): SignatureHelp {
  let label = `${head}(`;
  const parameters = parts.map(({ label: part, documentation }, index): ParameterInformation => {
    if (index > 0) label += ', ';
    const start = label.length;
    label += part;
    return { label: [start, label.length], documentation: markdownContent(documentation) };
  });
  // A number behind the last parameter marks none.
  const activeParameter = active < 0 ? parts.length : active;
  const signature = { label: `${label})`, documentation: markdownContent(paragraphs(summary)), parameters };
  return { signatures: [signature], activeSignature: 0, activeParameter };
}
