import type { Position } from 'vscode-languageserver-types';
import type { TaskRange, TextThings } from '../../drawing/lit.ts';
import { expandHostlist } from '../../model/hostlist.ts';
import type { DeclarationNode, ListRange, ListValue, PropertyNode, StringValue } from '../tree.ts';
import { jobsNamedBy, mapProperty } from './givenList.ts';
import { documentOf, touches, type ServiceInput } from './input.ts';

/**
 * What a place in the text stands for in pictures of the file: the placement or machine that it is part of, and what of
 * it comes out there.
 */
export interface ThingOfText {
  /** That the place is part of, with its file. */
  readonly placement?: string;
  readonly machine?: string;
  readonly things?: TextThings;
}

/**
 * The way from the text to the picture; `origin` is the way back. `at` may be in a file that the input imports. A
 * placement: itself; its jobs, the tasks of an entry of a given list, the nodes of an entry of a node list, and where it maps
 * the heaviest hot link that the problem there tells of. A job, and what it sends by: its tasks, of an entry of a table those at both
 * ends. A machine: itself, and the cables of a `link`. Undefined where pictures show nothing of it. O(declarations + items of
 * a list).
 */
export function thingAt(
  input: ServiceInput,
  at: { readonly uri: string; readonly position: Position },
): ThingOfText | undefined {
  const document = at.uri === input.uri ? input.document : documentOf(input.sources, at.uri);
  const declarations = input.sources.files.get(at.uri)?.tree.declarations ?? [];
  const offset = document?.offsetAt(at.position) ?? 0;
  const declaration = declarations.find((node) => touches(node, offset));
  return declaration?.name && ofDeclaration(input, at.uri, declaration, declaration.name.text, offset);
}

function ofDeclaration(
  input: ServiceInput,
  uri: string,
  declaration: DeclarationNode,
  name: string,
  offset: number,
): ThingOfText | undefined {
  switch (declaration.kind) {
    case 'placement':
      // Those of imported files have pictures of their own.
      return uri === input.uri ? ofPlacement(input, declaration, name, offset) : undefined;
    case 'machine':
      return { machine: name, ...withThings(cablesAt(declaration, name, offset)) };
    case 'job':
      return { things: { kind: 'jobs', jobs: [name] } };
    case 'stencil':
    case 'table':
      return jobsThatSendBy(input, declaration, name, offset);
    case 'stream':
    case 'network':
    case 'experiment':
      return undefined;
  }
}

const withThings = (things: TextThings | undefined): Pick<ThingOfText, 'things'> =>
  things === undefined ? {} : { things };

function ofPlacement(input: ServiceInput, node: DeclarationNode, placement: string, offset: number): ThingOfText {
  const property = node.properties.find((one) => touches(one, offset));
  return { placement, ...withThings(property && ofProperty(input, node, placement, property, offset)) };
}

function ofProperty(
  input: ServiceInput,
  node: DeclarationNode,
  placement: string,
  property: PropertyNode,
  offset: number,
): TextThings | undefined {
  const { word, content } = property;
  if (content.kind === 'names' && word.text !== 'machine') {
    const position = content.names.findIndex((named) =>
      touches({ start: named.start, end: named.parentheses?.end ?? named.end }, offset),
    );
    const named = content.names[position];
    if (named === undefined) return undefined;
    const own = named.own?.find((one) => touches(one, offset));
    const inOwn = own && ofChoice(input, node, placement, own, offset, position);
    return inOwn ?? { kind: 'jobs', jobs: [named.text] };
  }
  return ofChoice(input, node, placement, property, offset, undefined);
}

/** `position`: of the job whose own choice it is. */
function ofChoice(
  input: ServiceInput,
  node: DeclarationNode,
  placement: string,
  { word, content }: PropertyNode,
  offset: number,
  position: number | undefined,
): TextThings | undefined {
  if (content.kind !== 'choice') return undefined;
  const { name, argument } = content.choice;
  const list = argument?.kind === 'list' && touches(argument, offset) ? argument : undefined;
  if (word.text === 'map') {
    return name.text === 'given' && list !== undefined
      ? tasksAt(input, node, list, offset, position)
      : hotLinkOf(input, placement);
  }
  return word.text === 'allocate' && name.text === 'nodes' && list !== undefined ? nodesAt(list, offset) : undefined;
}

type Item = ListRange | StringValue;

const isItemAt = (item: Item, offset: number): boolean =>
  touches(item.kind === 'string' ? item : { start: item.from.start, end: (item.to ?? item.from).end }, offset);

/** The item of a node list as nodes, by number or by the names of hosts. */
function nodesAt({ items }: ListValue, offset: number): TextThings | undefined {
  const item = items.find((one) => isItemAt(one, offset));
  if (item === undefined) return undefined;
  if (item.kind === 'range') return { kind: 'nodes', first: item.from.value, last: (item.to ?? item.from).value };
  const names = expandHostlist(item.text);
  return names.ok ? { kind: 'hosts', names: names.value } : undefined;
}

/** The item of a given list as tasks: its entries go on from one job to the next that has no mapper of its own. */
function tasksAt(
  { checked }: ServiceInput,
  node: DeclarationNode,
  { items }: ListValue,
  offset: number,
  position: number | undefined,
): TextThings | undefined {
  let first = 0;
  for (const item of items) {
    if (item.kind === 'string') return undefined;
    const last = first + (item.to ?? item.from).value - item.from.value;
    if (isItemAt(item, offset)) {
      const tasks = tasksOfEntries(
        jobsOfList(node, position),
        (job) => checked.program.jobs.get(job)?.taskCount,
        first,
        last,
      );
      return tasks.length === 0 ? undefined : { kind: 'tasks', tasks };
    }
    first = last + 1;
  }
  return undefined;
}

/** The jobs whose slots stand in a list, in order. */
function jobsOfList(node: DeclarationNode, position: number | undefined): readonly string[] {
  const named = jobsNamedBy(node);
  const own = position === undefined ? undefined : named[position];
  const ofList = own === undefined ? named.filter((job) => mapProperty(job.own ?? []) === undefined) : [own];
  return ofList.map(({ text }) => text);
}

function tasksOfEntries(
  jobs: readonly string[],
  countOf: (job: string) => number | undefined,
  first: number,
  last: number,
): readonly TaskRange[] {
  const ranges: TaskRange[] = [];
  let before = 0;
  for (const job of jobs) {
    const count = countOf(job);
    if (count === undefined) break;
    const [from, to] = [Math.max(first - before, 0), Math.min(last - before, count - 1)];
    if (from <= to) ranges.push({ job, first: from, last: to });
    before += count;
  }
  return ranges;
}

/** What the problem at `map` tells of; nothing where it is of an older text. */
function hotLinkOf({ summary, stale }: ServiceInput, placement: string): TextThings | undefined {
  const outline = summary?.placements.find(({ name }) => name === placement);
  const [heaviest] = outline?.hotLinks ?? [];
  if (heaviest === undefined || stale?.has(placement) === true) return undefined;
  return { kind: 'cables', cables: [{ from: heaviest.from, to: heaviest.to }] };
}

/** A `link` from its first end to all others; on one of these, to that one. */
function cablesAt({ properties }: DeclarationNode, machine: string, offset: number): TextThings | undefined {
  const content = properties.find((property) => touches(property, offset))?.content;
  if (content?.kind !== 'link' || content.from === undefined) return undefined;
  const from = content.from.value;
  const at = content.to.find((end) => touches(end, offset));
  const ends = at === undefined ? content.to : [at];
  return { kind: 'cables', machine, cables: ends.map(({ value }) => ({ from, to: value })) };
}

/** Of a stencil or table, and of an entry of a table. */
function jobsThatSendBy(
  { checked }: ServiceInput,
  declaration: DeclarationNode,
  name: string,
  offset: number,
): ThingOfText | undefined {
  const jobs = checked.symbols
    .all('job')
    .filter(({ node }) =>
      node.properties.some(
        ({ word, content }) =>
          word.text === declaration.kind && content.kind === 'choice' && content.choice.name.text === name,
      ),
    )
    .map((job) => job.name);
  const entry = declaration.entries.find((one) => touches(one, offset));
  const flow = entry && { from: entry.from.value, to: entry.to.value };
  return jobs.length === 0 ? undefined : { things: { kind: 'jobs', jobs, ...(flow && { flow }) } };
}
