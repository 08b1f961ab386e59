import type { TokenType } from 'chevrotain';
import { allocators } from '../allocation/catalogue.ts';
import { mappers } from '../mapping/catalogue.ts';
import type { CatalogueEntry, Choice } from '../model/catalogue.ts';
import { namesOfChoices } from '../model/experiment.ts';
import { succeed, type Result } from '../model/result.ts';
import { routings } from '../network/catalogue.ts';
import { checkChoice } from './check/choices.ts';
import { quantityValue } from './check/quantities.ts';
import { takesMessage, scopeOf, type Scope } from './check/scope.ts';
import { parseText } from './parse.ts';
import { symbolsOf } from './symbols.ts';
import { Comma, tokenEnd, LeftBracket, LeftParenthesis, RightBracket, RightParenthesis, tokenize } from './tokens.ts';
import type { DeclarationNode, Problem, PropertyNode, Span } from './tree.ts';

/** A mapper as a user wrote it outside of a file. */
interface WrittenMapper {
  /** Without blanks round it: `grasp(iterations 10)`. */
  readonly text: string;
  readonly choice: Choice;
}

/**
 * Mappers with commas between them, as after `map`: `rcb, grasp(iterations 10)`. Files that they
 * name are relative to the one at `uri`. Fails with a sentence for each mistake. O(length).
 */
export function readMappers(text: string, uri: string): Result<readonly WrittenMapper[], readonly string[]> {
  const found = topLevelPieces(text).map((piece) => ({ text: piece, ...readMapper(piece, uri) }));
  const mistakes = found.flatMap((piece) => piece.mistakes);
  if (mistakes.length > 0) return { ok: false, failure: mistakes };
  return { ok: true, value: found.flatMap(({ text: written, choice }) => (choice ? [{ text: written, choice }] : [])) };
}

/**
 * Seconds of a time as in a file: `10 s`, `500 ms`. Fails with a sentence for each mistake; `name` is what it is for.
 */
export function readTime(text: string, name: string): Result<number, readonly string[]> {
  const { property, problems, scope } = readProperty(`machine m { latency ${text}\n}`, '');
  const value = property?.content.kind === 'value' ? property.content.value : undefined;
  const expected = { name, takes: 'a time', example: '10 s' };
  const isOneValue = value !== undefined && problems.length === 0;
  const seconds = isOneValue ? quantityValue(scope, value, 'time', expected) : undefined;
  if (seconds !== undefined) return { ok: true, value: seconds };
  return { ok: false, failure: isOneValue ? errorMessages(problems) : [takesMessage(expected)] };
}

/**
 * The mappers that a placement gives its jobs, options included, as its text has them: each job's own, else that of the
 * placement, else `usual`. O(length).
 */
export function mappersAsWritten(text: string, placement: DeclarationNode, usual: string): readonly string[] {
  const textOf = (properties: readonly PropertyNode[] | undefined): string | undefined => {
    const span = mapperIn(properties);
    return span && onOneLine(text.slice(span.start, span.end));
  };
  const shared = textOf(placement.properties) ?? usual;
  return jobNamesIn(placement).map(({ own }) => textOf(own) ?? shared);
}

/** The lists of an experiment whose entries are written with options. */
const writtenLists = {
  routing: ['routing', routings],
  allocate: ['allocator', allocators],
  map: ['mapper', mappers],
} as const;
export type WrittenList = keyof typeof writtenLists;

/** How the entries of a list of an experiment are written, options included, by the names of their rows. O(length of the list). */
export function writtenRows(
  text: string,
  uri: string,
  experiment: DeclarationNode,
  list: WrittenList,
): ReadonlyMap<string, string> {
  const [noun, entries] = writtenLists[list];
  const content = experiment.properties.find(({ word }) => word.text === list)?.content;
  const scope = scopeOf(uri, symbolsOf({ root: uri, files: new Map() }), []);
  const found = new Map<string, { readonly choice: Choice; readonly written: string }>();
  for (const node of content?.kind === 'choices' ? content.choices : []) {
    const { choice } = checkChoice<CatalogueEntry>(scope, node, noun, entries);
    const key = JSON.stringify(choice);
    // The second of two that are the same is no row of its own.
    if (choice !== undefined && !found.has(key))
      found.set(key, { choice, written: onOneLine(text.slice(node.start, node.end)) });
  }
  const rows = namesOfChoices([...found.values()].map(({ choice }) => choice));
  return new Map([...rows].map(([name, choice]) => [name, found.get(JSON.stringify(choice))?.written ?? name]));
}

/** What replaces a piece of a text. */
export interface TextEdit extends Span {
  readonly text: string;
}

/**
 * Writes another mapper into a placement: in the place of the one that it has, else behind its last property. All else
 * stays as it is; fails with a sentence where that cannot be. O(length of the declaration).
 */
export function mapperEdit(text: string, placement: DeclarationNode, mapper: string): Result<TextEdit, string> {
  const withOwn = jobNamesIn(placement).find(({ own }) => mapperIn(own) !== undefined);
  if (withOwn !== undefined) {
    const failure = `Job \`${withOwn.text}\` has its own mapper, which overrides that of the placement. Remove it from the parentheses first.`;
    return { ok: false, failure };
  }
  const present = mapperIn(placement.properties);
  if (present !== undefined) {
    if (/\/\/|\/\*/.test(text.slice(present.start, present.end))) {
      return { ok: false, failure: 'Its mapper contains a comment, which would be deleted. Move the comment first.' };
    }
    return succeed({ start: present.start, end: present.end, text: mapper });
  }
  return propertyBehind(text, placement, `map ${mapper}`);
}

/** Writes another seed into a placement, as {@link mapperEdit} does a mapper. O(length of the declaration). */
export function seedEdit(text: string, placement: DeclarationNode, seed: number): Result<TextEdit, string> {
  const present = placement.properties.find(({ word }) => word.text === 'seed');
  if (present === undefined) return propertyBehind(text, placement, `seed ${seed}`);
  const value = present.content.kind === 'value' ? present.content.value : undefined;
  if (value === undefined) return { ok: false, failure: 'Its seed cannot be read.' };
  return succeed({ start: value.start, end: value.end, text: String(seed) });
}

/** Another property behind the last one of a declaration, on a line of its own where the others have one. O(length of the declaration). */
export function propertyBehind(text: string, declaration: DeclarationNode, property: string): Result<TextEdit, string> {
  const last = declaration.properties.at(-1);
  if (last === undefined) return { ok: false, failure: 'It has no properties.' };
  const behind = /^[^\S\r\n]*(?:\/\/[^\r\n]*)?(\r\n|\r|\n)/.exec(text.slice(last.end));
  // A property behind others on its line has no indentation to go by.
  const [, indentation] = /(?:^|[\r\n])([^\S\r\n]*)$/.exec(text.slice(0, last.start)) ?? [];
  if (behind === null || indentation === undefined) {
    return succeed({ start: last.end, end: last.end, text: `  ${property}` });
  }
  const [line, lineEnd = ''] = behind;
  const at = last.end + line.length - lineEnd.length;
  return succeed({ start: at, end: at, text: `${lineEnd}${indentation}${property}` });
}

function mapperIn(properties: readonly PropertyNode[] = []): Span | undefined {
  const content = properties.find(({ word }) => word.text === 'map')?.content;
  return content?.kind === 'choice' ? content.choice : undefined;
}

const jobNamesIn = ({ properties }: DeclarationNode) =>
  properties.flatMap(({ word, content }) =>
    (word.text === 'job' || word.text === 'jobs') && content.kind === 'names' ? content.names : [],
  );

/**
 * The tokens of a piece of text with one blank where there were blanks, lines or comments and behind commas, none
 * inside of brackets.
 */
export function onOneLine(text: string): string {
  let line = '';
  let before: number | undefined;
  let previous: TokenType = LeftParenthesis;
  for (const token of tokenize(text).tokens) {
    const { tokenType, image, startOffset } = token;
    const closes = tokenType === RightParenthesis || tokenType === RightBracket || tokenType === Comma;
    const opened = previous === LeftParenthesis || previous === LeftBracket;
    const isApart = startOffset !== before || previous === Comma;
    line += `${isApart && !opened && !closes ? ' ' : ''}${image}`;
    previous = tokenType;
    before = tokenEnd(token);
  }
  return line;
}

/** The text between the commas that stand in no parentheses or brackets. */
function topLevelPieces(text: string): readonly string[] {
  const pieces: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { tokenType, startOffset } of tokenize(text).tokens) {
    if (tokenType === LeftParenthesis || tokenType === LeftBracket) depth++;
    if (tokenType === RightParenthesis || tokenType === RightBracket) depth--;
    if (tokenType !== Comma || depth > 0) continue;
    pieces.push(text.slice(start, startOffset).trim());
    start = startOffset + 1;
  }
  return [...pieces, text.slice(start).trim()];
}

function readMapper(
  piece: string,
  uri: string,
): { readonly choice: Choice | undefined; readonly mistakes: readonly string[] } {
  const wrong = (...mistakes: readonly string[]) => ({ choice: undefined, mistakes });
  if (piece === '') return wrong('Expected a mapper on both sides of the comma: `rcb, grasp(iterations 10)`.');
  const head = 'placement p { map ';
  const { property, problems, scope } = readProperty(`${head}${piece}\n}`, uri);
  const node = property?.content.kind === 'choice' ? property.content.choice : undefined;
  if (node === undefined) return wrong(`\`${piece}\` is not a mapper. Write its name, with options in parentheses.`);
  const surplus = piece.slice(node.end - head.length).trim();
  if (surplus !== '') return wrong(`\`${surplus}\` is unexpected here. Write a comma between mappers.`);
  const { choice } = checkChoice(scope, node, 'mapper', mappers);
  return { choice, mistakes: errorMessages(problems) };
}

/** The one property of a declaration made round what the user wrote; checks report into `problems`. */
function readProperty(
  text: string,
  uri: string,
): { readonly property: PropertyNode | undefined; readonly problems: Problem[]; readonly scope: Scope } {
  const { tree, problems: syntax } = parseText(text);
  const problems = [...syntax];
  const scope = scopeOf(uri, symbolsOf({ root: uri, files: new Map() }), problems);
  return { property: tree.declarations[0]?.properties[0], problems, scope };
}

const errorMessages = (problems: readonly Problem[]): readonly string[] =>
  problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
