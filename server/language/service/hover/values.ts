/** Hovers of numbers and paths: what they come to, and what is known of the file. */
import { slotsText } from '../words.ts';
import type { Choice } from '../../../model/catalogue.ts';
import { countOf, formatExactBytes, formatNumber, formatShare } from '../../../model/quantities.ts';
import type { MachineFacts } from '../../../study/report.ts';
import { amountLimit } from '../../propertyForms.ts';
import { propertyOf } from '../../schema.ts';
import type {
  DeclarationNode,
  NumberValue,
  PropertyNode,
  Span,
  StringValue,
  SyntaxTree,
  TableEntryNode,
  Value,
} from '../../tree.ts';
import { fileNameOf, resolvePath } from '../../uris.ts';
import { touches, treeOf, type PositionInput, type ServiceInput } from '../input.ts';
import { markAt } from '../marks.ts';
import { code, codeBlock, facts, paragraphs, plain } from './markdown.ts';

/** What is known of a file that a path names; `size` in bytes, undefined where it cannot be read. */
export interface FileFacts {
  readonly size: number | undefined;
}

/** The file that the string at the offset names; undefined where none stands, or where it names hosts. */
export function fileAt(input: Pick<PositionInput, 'uri' | 'sources' | 'offset'>): string | undefined {
  const tree = input.sources.files.get(input.uri)?.tree;
  const mark = tree && markAt(tree, input.offset);
  return mark?.kind === 'string' ? resolvePath(input.uri, mark.value.text) : undefined;
}

/** Which file a string names, how large it is, and what was found in it. */
export function fileMarkdown(
  input: PositionInput,
  { text }: StringValue,
  file: FileFacts | undefined,
): string | undefined {
  const target = resolvePath(input.uri, text);
  if (target === undefined || file === undefined) return undefined;
  const imported = input.sources.files.get(target)?.tree;
  const rows = [
    ['Size', file.size === undefined ? 'cannot be read' : formatExactBytes(file.size)],
    ['Format', formatOf(input, target)],
    ['Declares', imported && target !== input.uri ? declarationsText(imported) : undefined],
  ] as const;
  return facts('File', [['Name', code(fileNameOf(target))], ...rows]);
}

/** What the study took the file for. */
function formatOf({ checked, summary }: ServiceInput, uri: string): string | undefined {
  const isOf = (choice: Choice | undefined): boolean =>
    choice?.argument?.kind === 'file' && choice.argument.uri === uri;
  for (const [name, { topology, routing }] of checked.program.machines) {
    if (!isOf(topology) && !isOf(routing)) continue;
    const details = summary?.machines.find((machine) => machine.name === name)?.details;
    const format = isOf(topology) ? details?.format : details?.tablesFormat;
    return format === undefined ? undefined : code(format);
  }
  return undefined;
}

/** `2 machines, 1 job`. */
function declarationsText({ declarations }: SyntaxTree): string {
  const counts = new Map<string, number>();
  for (const { kind } of declarations) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => countOf(count, kind)).join(', ') || 'nothing';
}

/** A hover of what has no mark of its own. */
export interface ValueHover {
  readonly span: Span;
  readonly markdown: string;
}

/** What a number, a shape, an offset or an entry of a table at the offset comes to. */
export function valueHover(input: PositionInput): ValueHover | undefined {
  const { offset } = input;
  const declaration = treeOf(input).declarations.find((one) => touches(one, offset));
  if (declaration === undefined) return undefined;
  const entry = declaration.entries.find((one) => touches(one, offset));
  if (entry !== undefined) return { span: entry, markdown: tableEntryMarkdown(declaration, entry) };
  const property = declaration.properties.find((one) => touches(one, offset));
  return property && hoverIn(input, declaration, property);
}

function hoverIn(input: PositionInput, declaration: DeclarationNode, property: PropertyNode): ValueHover | undefined {
  const { content } = property;
  if (content.kind === 'offset') {
    const components = content.components.map(({ value }) => formatNumber(value, 0)).join(', ');
    const weight =
      content.weight === undefined
        ? 'with the bytes of the job'
        : `with **${formatNumber(content.weight.value)}** times the bytes of the job`;
    return { span: property, markdown: `Every task sends to the task at (${components}) from it, ${weight}.` };
  }
  const value =
    content.kind === 'value' ? content.value : content.kind === 'choice' ? content.choice.argument : undefined;
  if (value === undefined || !touches(value, input.offset)) return undefined;
  const markdown = valueMarkdown(input, declaration, property, value);
  return markdown === undefined ? undefined : { span: value, markdown };
}

function valueMarkdown(
  input: ServiceInput,
  { kind, name }: DeclarationNode,
  { word }: PropertyNode,
  value: Value,
): string | undefined {
  const count = countIn(value);
  if (count === undefined) return undefined;
  const written = value.kind === 'shape' ? `${value.sides.map(({ text }) => text).join(' × ')} = ` : '';
  const amount = (what: string): string => `${written}**${formatNumber(count)}** ${count === 1 ? what : `${what}s`}`;
  const specification = propertyOf(kind, word.text);
  const meaning = specification && paragraphs(codeBlock(specification.example), specification.summary);
  const about = name?.text ?? '';
  if (kind === 'machine') {
    const machine = input.summary?.machines.find((one) => one.name === about);
    const found = machine && machineFactsText(machine);
    if (word.text === 'topology') return paragraphs(written === '' ? undefined : amount('router'), found);
    return ['hosts', 'sockets', 'gpus'].includes(word.text) ? paragraphs(found, meaning) : meaning;
  }
  if (kind !== 'job') return meaning;
  if (word.text === 'messages') return paragraphs(messagesText(input, about, count), meaning);
  return ['grid', 'tasks'].includes(word.text) ? paragraphs(amount('task'), meaning) : meaning;
}

function countIn(value: Value): number | undefined {
  const count = value.kind === 'number' ? value.value : value.kind === 'shape' ? productOf(value.sides) : Number.NaN;
  return Number.isFinite(count) ? count : undefined;
}

const productOf = (sides: readonly NumberValue[]): number => sides.reduce((product, { value }) => product * value, 1);

const machineFactsText = ({ name, routers, nodes, ...slots }: MachineFacts): string =>
  `${code(name)}: ${countOf(routers, 'router')}, **${countOf(nodes, 'node')}**, **${slotsText(slots)}** in all.`;

/** `2,000 messages of 64 KiB: 125 MiB from each task to each of its partners`. */
function messagesText({ checked }: ServiceInput, job: string, messages: number): string | undefined {
  const bytes = checked.program.jobs.get(job)?.bytes;
  if (bytes === undefined) return undefined;
  return `${countOf(messages, 'message')} of ${formatExactBytes(bytes)}: **${formatExactBytes(messages * bytes)}** between each pair of communicating tasks.`;
}

/** The amounts of a table that are in range. O(entries). */
export const sumOfAmounts = ({ entries }: DeclarationNode): number =>
  entries.reduce((sum, { amount }) => sum + (amount.value >= 0 && amount.value <= amountLimit ? amount.value : 0), 0);

/** O(entries). */
function tableEntryMarkdown(declaration: DeclarationNode, { from, to, amount }: TableEntryNode): string {
  const content = declaration.properties.find(({ word }) => word.text === 'unit')?.content;
  const named = content?.kind === 'choice' ? content.choice.name.text : undefined;
  const written = content?.kind === 'value' && content.value?.kind === 'name' ? content.value.text : named;
  // An amount that is out of range has no share.
  if (!(amount.value >= 0 && amount.value <= amountLimit)) return `Task **${from.text}** sends to task **${to.text}**.`;
  const sum = sumOfAmounts(declaration);
  const share = sum > 0 ? `, ${formatShare(amount.value / sum)} of the table` : '';
  return `Task **${from.text}** sends **${formatNumber(amount.value)}** ${plain(written ?? 'bytes')} to task **${to.text}**${share}.`;
}
