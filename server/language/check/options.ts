/** Options of an entry of a catalogue: `(iterations 10, alpha 5%)`. */
import type {
  Budget,
  CatalogueEntry,
  OptionKind,
  OptionSpecification,
  OptionValue,
  OptionValues,
  Range,
} from '../../model/catalogue.ts';
import { formatNumber } from '../../model/quantities.ts';
import { axisNamed } from '../../model/shape.ts';
import { insert, replace, replaceByMeant, type Fix } from '../codes.ts';
import { didYouMean, nearest, oneOf } from '../suggestions.ts';
import { countLimit } from '../propertyForms.ts';
import type { ChoiceNode, NumberValue, OptionNode, Value } from '../tree.ts';
import { numbersValue, routersValue, sharesValue } from './lists.ts';
import { integerValue, numberValue, shapeValue } from './numbers.ts';
import { fractionValue, quantityValue } from './quantities.ts';
import { takesMessage, type Expectation, type Scope } from './scope.ts';

type OptionOf<Kind extends OptionKind> = Extract<OptionSpecification, { readonly kind: Kind }>;

/** Options with one value: all but those of axes, which stand one after the other. */
type SingleKind = Exclude<OptionKind, 'axes'>;

/** What an option takes, for messages, and how its value is read; undefined with a report where it cannot be. */
interface OptionReader<Kind extends SingleKind> {
  readonly takes: string | ((option: OptionOf<Kind>) => string);
  readonly read: (scope: Scope, value: Value, expected: Expectation, option: OptionOf<Kind>) => OptionValue | undefined;
}

const optionReaders: { readonly [Kind in SingleKind]: OptionReader<Kind> } = {
  integer: { takes: 'a whole number', read: integerValue },
  number: { takes: 'a number', read: numberValue },
  fraction: { takes: 'a share such as `20%` or `0.2`', read: fractionValue },
  time: { takes: 'a time such as `1 s`', read: timeWithin },
  budget: { takes: 'a time such as `1 s`, or a number of steps such as `1000000`', read: budget },
  shape: {
    takes: 'a shape such as `2 x 2`',
    read: (scope, value, expected) => shapeValue(scope, value, expected, { minimum: 1, maximum: countLimit }),
  },
  choice: {
    takes: ({ choices }) => oneOf(choices),
    read: (scope, value, expected, { choices }) => choiceWord(scope, value, choices, expected),
  },
  name: { takes: 'a name', read: nameOrText },
  device: { takes: 'the name of a switch or host in quotes, such as `"leaf-3"`', read: nameOrText },
  numbers: { takes: 'a list of numbers such as `[2, 4, 8]`', read: numbersValue },
  routers: { takes: 'a list of switches by number or name such as `[0..3, "spine-7"]`', read: routersValue },
  shares: { takes: 'a list of shares that add up to 100 %, such as `[40 %, 60 %]`', read: sharesValue },
};

/** The reader of an option: of its own kind, which the compiler cannot see in a table of all of them. */
const optionReaderOf = ({ kind }: OptionOf<SingleKind>) => optionReaders[kind] as OptionReader<SingleKind>;

function expectationOfOption(option: OptionSpecification): Expectation {
  return { name: `\`${option.name}\``, takes: takenBy(option) };
}

function takenBy(option: OptionSpecification): string {
  if (option.kind === 'axes')
    return option.some === true ? 'one or more axes, such as `x, z`' : 'all axes in order, such as `z, y, x`';
  const { takes } = optionReaderOf(option);
  return typeof takes === 'string' ? takes : takes(option);
}

/**
 * The options of an entry: defaults filled in, every bad one reported. Undefined where one is
 * wrong, so that nothing runs with a value that the user did not mean.
 */
export function optionValues(scope: Scope, entry: CatalogueEntry, choice: ChoiceNode): OptionValues | undefined {
  const values: Record<string, OptionValue> = {};
  const seen = new Set<string>();
  let sound = namelessValues(scope, entry, choice, values, seen);
  for (const node of choice.options) {
    const bare = bareChoice(entry, node, seen);
    if (bare !== undefined) {
      seen.add(bare.name);
      values[bare.name] = node.name.text;
      continue;
    }
    const option = optionNamed(scope, entry, node);
    if (option !== undefined && seen.has(option.name)) reportRepeated(scope, node);
    const value = option && !seen.has(option.name) ? optionValue(scope, option, node) : undefined;
    if (option !== undefined) seen.add(option.name);
    if (option === undefined || value === undefined) sound = false;
    else values[option.name] = value;
  }
  for (const option of entry.options) {
    if (!seen.has(option.name) && option.default !== undefined) values[option.name] = option.default;
  }
  return reportAbsent(scope, entry, choice, seen) || !sound ? undefined : values;
}

/** Reports every option that the entry needs and that does not stand there. Whether there is one. */
function reportAbsent(scope: Scope, entry: CatalogueEntry, choice: ChoiceNode, seen: ReadonlySet<string>): boolean {
  const absent = entry.options.filter(({ name, required }) => required === true && !seen.has(name));
  for (const option of absent) {
    const message = `\`${entry.name}\` needs ${option.summary}: write \`${entry.name}(${option.name} …)\`.`;
    scope.report(choice.name, 'missing-option', message, { fix: exampleFix(entry, choice) });
  }
  return absent.length > 0;
}

/**
 * Writes an entry of which only the name stands as its example in the catalogue, `aging` as `aging(limit 10)`; undefined
 * where more stands there, or where the example goes on in other properties.
 */
export function exampleFix({ name, skeleton }: CatalogueEntry, choice: ChoiceNode | undefined): Fix | undefined {
  const example = skeleton?.replace(/\$\{\d+:([^{}]*)\}/g, '$1');
  const isAlone = choice?.end === choice?.name.end;
  if (choice === undefined || !isAlone || example === undefined || /[$\n]/.test(example) || example === name)
    return undefined;
  return replace(choice, example);
}

/** `A` for `class A`: the option that may stand without its name and has this word among its choices. */
const bareChoice = (entry: CatalogueEntry, { name, values }: OptionNode, seen: ReadonlySet<string>) =>
  values.length > 0 || entry.options.some((option) => option.name === name.text)
    ? undefined
    : entry.options.find(
        (option) =>
          option.positional === true &&
          option.kind === 'choice' &&
          option.choices.includes(name.text) &&
          !seen.has(option.name),
      );

/** Adds the values whose names are left out; whether all are good. */
function namelessValues(
  scope: Scope,
  entry: CatalogueEntry,
  { positional = [] }: ChoiceNode,
  values: Record<string, OptionValue>,
  seen: Set<string>,
): boolean {
  const options = entry.options.filter((option) => option.positional === true);
  let sound = true;
  for (const [index, value] of positional.entries()) {
    const option = options[index];
    if (option !== undefined) seen.add(option.name);
    if (option === undefined || option.kind === 'axes') reportNameless(scope, entry, value);
    const checked =
      option === undefined || option.kind === 'axes'
        ? undefined
        : optionReaderOf(option).read(scope, value, expectationOfOption(option), option);
    if (option === undefined || checked === undefined) sound = false;
    else values[option.name] = checked;
  }
  return sound;
}

function reportNameless(scope: Scope, { name, options }: CatalogueEntry, value: Value): void {
  const named = options.map((option) => `\`${option.name}\``).join(', ');
  const advice = options.length === 0 ? 'it takes none' : `its options are ${named}, written \`name value\``;
  scope.report(value, 'unexpected-text', `\`${name}\` takes no further value without a name: ${advice}.`);
}

function reportRepeated(scope: Scope, node: OptionNode): void {
  scope.report(node, 'duplicate-option', `\`${node.name.text}\` is written twice. Remove one of them.`);
}

function optionNamed(scope: Scope, entry: CatalogueEntry, node: OptionNode): OptionSpecification | undefined {
  const name = node.name.text;
  const found = entry.options.find((option) => option.name === name);
  if (found !== undefined) return found;
  const names = entry.options.map((option) => option.name);
  const meant = nearest(name, names);
  const known = names.length === 0 ? ' It takes none.' : ` It takes ${oneOf(names)}.`;
  const message = `\`${entry.name}\` has no option \`${name}\`.${meant === undefined ? known : didYouMean(meant)}`;
  scope.report(node.name, 'unknown-option', message, { fix: replaceByMeant(node.name, meant) });
  return undefined;
}

function optionValue(scope: Scope, option: OptionSpecification, node: OptionNode): OptionValue | undefined {
  const expected = expectationOfOption(option);
  const [value, surplus] = node.values;
  if (value === undefined) {
    scope.report(node.name, 'missing-value', takesMessage(expected));
    return undefined;
  }
  if (option.kind === 'axes') return axes(scope, expected, node);
  if (surplus !== undefined) {
    scope.report(surplus, 'unexpected-text', `${expected.name} takes one value, ${expected.takes}: remove this.`);
    return undefined;
  }
  return optionReaderOf(option).read(scope, value, expected, option);
}

/** A name of the program as it is, the name of a device in quotes. */
function nameOrText(
  scope: Scope,
  value: Value,
  expected: Expectation,
  { kind }: { readonly kind: 'name' | 'device' },
): string | undefined {
  if (kind === 'name' && value.kind === 'name') return value.text;
  if (kind === 'device' && value.kind === 'string') return value.text;
  const fix = kind === 'device' && value.kind === 'name' ? replace(value, `"${value.text}"`) : undefined;
  scope.report(value, 'wrong-value', takesMessage(expected), { fix });
  return undefined;
}

function timeWithin(
  scope: Scope,
  value: Value,
  expected: Expectation,
  { minimum, maximum }: Range,
): number | undefined {
  const seconds = quantityValue(scope, value, 'time', expected);
  if (seconds === undefined || (seconds >= minimum && seconds <= maximum)) return seconds;
  const range = `${formatNumber(minimum)} s to ${formatNumber(maximum)} s`;
  scope.report(value, 'out-of-range', `${expected.name} may be ${range}.`);
  return undefined;
}

/** A time with its unit, or steps without one. */
function budget(
  scope: Scope,
  value: Value,
  expected: Expectation,
  { seconds, steps }: { readonly seconds: Range; readonly steps: Range },
): Budget | undefined {
  if (value.kind === 'number' && (value.value < steps.minimum || !Number.isInteger(value.value))) {
    reportTimeWithoutUnit(scope, value, expected, steps);
    return undefined;
  }
  const kind = value.kind === 'number' ? 'steps' : 'seconds';
  const amount =
    kind === 'steps' ? integerValue(scope, value, expected, steps) : timeWithin(scope, value, expected, seconds);
  return amount === undefined ? undefined : { kind, amount };
}

/** Nobody asks for half a step: seconds were meant. */
function reportTimeWithoutUnit(scope: Scope, value: NumberValue, { name }: Expectation, steps: Range): void {
  const message = `Without a unit, ${name} is a number of steps: whole and at least ${formatNumber(steps.minimum)}. For a time, write a unit, as in \`${value.text} s\`.`;
  scope.report(value, 'wrong-unit', message, { fix: insert(value.end, ' s') });
}

/** One of a few words. */
export function choiceWord(
  scope: Scope,
  value: Value,
  choices: readonly string[],
  expected: Expectation,
): string | undefined {
  if (value.kind === 'name' && choices.includes(value.text)) return value.text;
  const meant = value.kind === 'name' ? nearest(value.text, choices) : undefined;
  const message = `${expected.name} takes ${oneOf(choices)}.${didYouMean(meant)}`;
  scope.report(value, 'wrong-value', message, { fix: replaceByMeant(value, meant) });
  return undefined;
}

/** `z, y, x` as [2, 1, 0]: each axis once. Whether they are all there, the machine says. */
function axes(scope: Scope, expected: Expectation, node: OptionNode): readonly number[] | undefined {
  const found: number[] = [];
  for (const value of node.values) {
    const axis = value.kind === 'name' ? axisNamed(value.text) : undefined;
    if (axis === undefined) {
      scope.report(
        value,
        'wrong-value',
        `${takesMessage(expected)} The fourth axis is called \`w\`, a fifth \`axis-5\`.`,
      );
      return undefined;
    }
    if (found.includes(axis)) {
      const message = `${expected.name} names each axis once.`;
      const before = node.values[node.values.indexOf(value) - 1] ?? value;
      scope.report(value, 'duplicate-number', message, { fix: replace({ start: before.end, end: value.end }, '') });
      return undefined;
    }
    found.push(axis);
  }
  return found;
}
