/** What stands where an entry of a catalogue is named: `map grasp(iterations 10)`, `allocate nodes [0..7]`, `topology from "FILE" as csv`. */
import { fileFormats } from '../../interchange/catalogue.ts';
import {
  defaultOptions,
  findEntry,
  type ArgumentSpecification,
  type ArgumentValue,
  type CatalogueEntry,
  type Choice,
  type FileContent,
} from '../../model/catalogue.ts';
import { slotLimit } from '../../model/machine.ts';
import { replace, replaceByMeant } from '../codes.ts';
import { didYouMean, nearest, oneOf } from '../suggestions.ts';
import { isWord } from '../tokens.ts';
import type { ChoiceNode, Span, StringValue, Value, Word } from '../tree.ts';
import { listValue, numbersValue, weightsValue } from './lists.ts';
import { fileUri, takesMessage, type Expectation, type Scope } from './scope.ts';
import { integerValue, type Bounds, shapeValue } from './numbers.ts';
import { exampleFix, optionValues } from './options.ts';

const countLimit = 2 ** 53;

/** The numbers that a list may hold, where the machine is not known. */
export const anyList: Bounds = { minimum: 0, maximum: slotLimit - 1 };

/** A name of a list of entries; reports an unknown one with the nearest. */
function entryNamed<Entry extends CatalogueEntry>(
  scope: Scope,
  name: Word,
  noun: string,
  entries: readonly Entry[],
): Entry | undefined {
  const found = entries.find((entry) => entry.name === name.text);
  if (found === undefined) reportUnknown(scope, name, noun, candidatesFor(scope, name, entries));
  return found;
}

/**
 * What could have been meant by a name. `same-asbase` is `same-as base` where there is such a placement; `same-as`
 * alone would take the word behind it for one.
 */
const candidatesFor = ({ symbols }: Scope, { text }: Word, entries: readonly CatalogueEntry[]): readonly string[] =>
  entries.flatMap(({ name, argument }) => {
    const rest = text.slice(name.length);
    const isJoined = argument?.kind === 'placement' && text.startsWith(name) && isWord(rest);
    if (!isJoined) return [name];
    return symbols.lookup('placement', rest) === undefined ? [] : [`${name} ${rest}`];
  });

/** "There is no mapper `foo`. Did you mean `for`?" */
export function reportUnknown(
  scope: Scope,
  name: Word,
  noun: string,
  names: readonly string[],
  code: 'unknown-name' | 'unknown-path' = 'unknown-name',
): void {
  const candidates = scope.hasTooManyProblems() ? [] : names;
  const meant = nearest(name.text, candidates);
  const known = candidates.length === 0 ? '' : ` Use ${oneOf(candidates, 24)}.`;
  const message = `There is no ${noun} \`${name.text}\`.${meant === undefined ? known : didYouMean(meant)}`;
  scope.report(name, code, message, { fix: replaceByMeant(name, meant) });
}

/** What was checked of a choice: its entry, and the choice itself where nothing is wrong with it. */
interface CheckedChoice<Entry> {
  readonly entry: Entry | undefined;
  readonly choice: Choice | undefined;
  /** Length of the list it was given. */
  readonly listLength?: number;
}

/** Checks name, argument and options of a choice against a catalogue. */
export function checkChoice<Entry extends CatalogueEntry>(
  scope: Scope,
  node: ChoiceNode,
  noun: string,
  entries: readonly Entry[],
  listBounds: Bounds = anyList,
): CheckedChoice<Entry> {
  const entry = entryNamed(scope, node.name, noun, entries);
  if (entry === undefined) return { entry, choice: undefined };
  const argument = checkArgument(scope, entry, node, listBounds);
  const format = checkFormat(scope, entry, node);
  const options = optionValues(scope, entry, node);
  if (argument === 'wrong' || format === 'wrong' || options === undefined) {
    return { entry, choice: undefined, ...(argument !== 'wrong' && lengthOf(argument)) };
  }
  const { value } = argument;
  // A mapping is known by file and format wherever its argument goes.
  const ofFile = value?.kind === 'file' && entry.argument?.describes === 'mapping' ? { ...value, ...format } : value;
  const choice = { name: entry.name, ...(ofFile === undefined ? {} : { argument: ofFile }), ...format, options };
  return { entry, choice, ...lengthOf(argument) };
}

/** The entry that stands where none is written. */
export function defaultChoice(entries: readonly CatalogueEntry[], name: string): Choice {
  const entry = findEntry(entries, name);
  return { name, options: entry === undefined ? {} : defaultOptions(entry) };
}

const lengthOf = ({ listLength }: GivenArgument): { readonly listLength?: number } =>
  listLength === undefined ? {} : { listLength };

/** The format of `from "FILE" as FORMAT`, where one is named. */
function checkFormat(
  scope: Scope,
  { name, argument }: CatalogueEntry,
  { as, argument: value }: ChoiceNode,
): { readonly format?: string } | 'wrong' {
  if (as === undefined) return {};
  if (argument?.describes === undefined) {
    const message = `\`${name}\` takes no format. Only fabrics, forwarding tables, traces and mappings do: \`from "FILE" as FORMAT\`.`;
    scope.report(as, 'unexpected-argument', message);
    return 'wrong';
  }
  if (value !== undefined && value.kind !== 'string') {
    scope.report(as, 'unexpected-argument', 'A format needs a file before it. Remove it.');
    return 'wrong';
  }
  return isFormat(scope, as, argument.describes) ? { format: as.text } : 'wrong';
}

const nounOfContent: Readonly<Record<FileContent, string>> = {
  network: 'fabrics',
  routing: 'forwarding tables',
  node: 'nodes',
  mapping: 'mappings',
  table: 'tables',
  trace: 'traces',
};

/** Whether a word names a format of such files; reports it if not. */
export function isFormat(scope: Scope, word: Word, content: FileContent): boolean {
  const formats = fileFormats[content];
  if (findEntry(formats, word.text) !== undefined) return true;
  const names = formats.map(({ name }) => name);
  reportUnknown(scope, word, `format of ${nounOfContent[content]}`, names);
  return false;
}

/** What stands behind a name; nothing where nothing has to. */
interface GivenArgument {
  readonly value?: ArgumentValue;
  readonly listLength?: number;
}

type CheckedArgument = GivenArgument | 'wrong';

function checkArgument(scope: Scope, entry: CatalogueEntry, node: ChoiceNode, bounds: Bounds): CheckedArgument {
  const { argument: value } = node;
  const specification = entry.argument;
  if (specification === undefined) return value === undefined ? {} : unexpectedArgument(scope, entry, value);
  if (value !== undefined) return argumentOfKind(scope, entry, specification, value, bounds);
  if (!specification.required) return {};
  const message = `\`${entry.name}\` needs ${specification.summary}: write \`${entry.name} ${examples[specification.kind]}\`.`;
  const fix = namesSomething.has(specification.kind) ? undefined : exampleFix(entry, node);
  scope.report(node.name, 'missing-argument', message, { fix });
  return 'wrong';
}

/** What an argument of these kinds names must be there; an example of it is not. */
const namesSomething: ReadonlySet<ArgumentSpecification['kind']> = new Set([
  'node-list-or-file',
  'integer-list-or-file',
  'placement',
  'file',
]);

const examples: Readonly<Record<ArgumentSpecification['kind'], string>> = {
  shape: '4 x 4',
  integer: '10',
  'node-list-or-file': '[0..63]',
  'integer-list-or-file': '[0..63]',
  'integer-list': '[0..7]',
  numbers: '[0, 2.5, 10]',
  weights: '[2: 40 %, 4: 60 %]',
  placement: 'first-try',
  file: '"fabric.txt"',
};

function unexpectedArgument(scope: Scope, entry: CatalogueEntry, value: Span): CheckedArgument {
  const more = entry.options.length === 0 ? '' : ' but options in parentheses';
  scope.report(value, 'unexpected-argument', `\`${entry.name}\` takes nothing after its name${more}: remove this.`);
  return 'wrong';
}

function argumentOfKind(
  scope: Scope,
  entry: CatalogueEntry,
  specification: ArgumentSpecification,
  value: Value,
  listBounds: Bounds,
): CheckedArgument {
  const example = `${entry.name} ${examples[specification.kind]}`;
  const expected: Expectation = { name: `\`${entry.name}\``, takes: specification.summary, example };
  const bounds = { minimum: specification.minimum ?? 0, maximum: specification.maximum ?? countLimit };
  switch (specification.kind) {
    case 'shape':
      return numbersArgument(shapeValue(scope, value, expected, bounds));
    case 'integer': {
      const number = integerValue(scope, value, expected, bounds);
      return numbersArgument(number === undefined ? undefined : [number]);
    }
    case 'node-list-or-file':
      return value.kind === 'string'
        ? hostsFileArgument(scope, value, expected)
        : listArgument(scope, value, expected, listBounds, true);
    case 'integer-list-or-file':
      return value.kind === 'string'
        ? checkFileArgument(scope, value, expected)
        : listArgument(scope, value, expected, listBounds);
    case 'integer-list':
      return listArgument(scope, value, expected, listBounds);
    case 'numbers':
      return numbersArgument(numbersValue(scope, value, expected, bounds));
    case 'weights': {
      const weights = weightsValue(scope, value, expected, bounds);
      return weights === undefined ? 'wrong' : { value: { kind: 'weights', ...weights } };
    }
    case 'file':
      return checkFileArgument(scope, value, expected);
    default:
      return nameArgument(scope, value, expected);
  }
}

const numbersArgument = (numbers: readonly number[] | undefined): CheckedArgument =>
  numbers === undefined ? 'wrong' : { value: { kind: 'numbers', numbers } };

function nameArgument(scope: Scope, value: Value, expected: Expectation): CheckedArgument {
  if (value.kind === 'name') return { value: { kind: 'name', name: value.text } };
  scope.report(value, 'wrong-value', takesMessage(expected));
  return 'wrong';
}

/** A hostlist that stands without brackets, as `$SLURM_JOB_NODELIST` does, is taken for no file. */
function hostsFileArgument(scope: Scope, value: StringValue, expected: Expectation): CheckedArgument {
  if (!/[[\],]/.test(value.text)) return checkFileArgument(scope, value, expected);
  const message = `${expected.name} takes a file here, not a list of hosts. Put brackets around a list.`;
  const { start, end } = value;
  const fix = { title: 'Put brackets around the list', start, end, text: `["${value.text}"]` };
  scope.report(value, 'wrong-value', message, { fix });
  return 'wrong';
}

function listArgument(
  scope: Scope,
  value: Value,
  expected: Expectation,
  bounds: Bounds,
  takesNames = false,
): CheckedArgument {
  if (value.kind !== 'list') {
    const fix = value.kind === 'number' ? replace(value, `[${value.text}]`) : undefined;
    scope.report(value, 'wrong-value', takesMessage(expected), { fix });
    return 'wrong';
  }
  const list = listValue(scope, value, expected.name, bounds, takesNames);
  if (list === undefined) return 'wrong';
  const { count, items, numbers } = list;
  return { listLength: count, value: items ? { kind: 'nodes', items } : { kind: 'numbers', numbers } };
}

function checkFileArgument(scope: Scope, value: Value, expected: Expectation): CheckedArgument {
  const uri = value.kind === 'string' ? fileUri(scope, value) : undefined;
  if (uri !== undefined) return { value: { kind: 'file', uri } };
  if (value.kind !== 'string') scope.report(value, 'wrong-value', takesMessage(expected));
  return 'wrong';
}
