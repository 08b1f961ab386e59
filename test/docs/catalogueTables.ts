import type { Command, Option } from 'commander';
import type { PlacementMetric } from '../../server/model/metricEntry.ts';
import type { DeclarationSpecification } from '../../server/language/propertyForms.ts';
import { describeDefault, describeRange } from '../../server/language/service/catalogues.ts';
import type { ArgumentSpecification, CatalogueEntry, OptionSpecification } from '../../server/model/catalogue.ts';

/** Catalogues, properties and settings as the Markdown tables of docs/reference. */

/** A row of a table. */
const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

/** The place that a link leads to; GitHub and VitePress both keep it, in cells of tables too. */
export const anchor = (id: string): string => `<a id="${id}"></a>`;

/** Letters, digits and single hyphens: `all-reduce ring` is `all-reduce-ring`. */
const idOf = (...parts: readonly string[]): string => parts.join('-').replaceAll(/[^\p{L}\p{N}]+/gu, '-');

/** The entries, and below them their options: each once, whoever shares it. Anchors are `mapper-rcb` and `mapper-rcb-rotate`. */
export function catalogueTable(prefix: string, entries: readonly CatalogueEntry[]): string {
  const options = optionRows(prefix, entries);
  const nameOf = (entry: CatalogueEntry): string => `${anchor(idOf(prefix, entry.name))}${wordOf(entry)}`;
  const haveTheSame = haveTheSameOptions(entries);
  const listed =
    options.length === 0 || haveTheSame
      ? table(
          ['name', 'meaning', 'source'],
          entries.map((entry) => [nameOf(entry), entry.summary, entry.source]),
        )
      : table(
          ['name', 'meaning', 'options', 'source'],
          entries.map((entry) => {
            const names = entry.options.map(({ name }) => `\`${name}\``).join(', ');
            return [nameOf(entry), entry.summary, names, entry.source];
          }),
        );
  if (options.length === 0) return listed;
  const head = haveTheSame
    ? ['option', 'values', 'default', 'meaning']
    : ['option', 'of', 'values', 'default', 'meaning'];
  return [listed, table(head, options)].join('\n\n');
}

const haveTheSameOptions = (entries: readonly CatalogueEntry[]): boolean =>
  entries.length > 1 && new Set(entries.map(({ options }) => JSON.stringify(options))).size === 1;

const wordOf = (entry: CatalogueEntry): string =>
  `\`${entry.name}${entry.argument ? ` ${argumentText(entry.argument)}` : ''}\``;

function argumentText(argument: ArgumentSpecification): string {
  const texts = {
    shape: 'SHAPE',
    integer: 'N',
    'node-list-or-file': '[…] or "FILE"',
    'integer-list-or-file': '[…] or "FILE"',
    'integer-list': '[…]',
    numbers: '[…]',
    weights: '[value: share, …]',
    placement: 'PLACEMENT',
    file: '"FILE"',
  } as const;
  return argument.required ? texts[argument.kind] : `(${texts[argument.kind]})`;
}

/** A row for each option; entries whose options are the same to the last word share one. */
function optionRows(prefix: string, entries: readonly CatalogueEntry[]): readonly (readonly string[])[] {
  const shared = new Map<string, { readonly option: OptionSpecification; readonly of: string[] }>();
  for (const entry of entries) {
    for (const option of entry.options) {
      const key = JSON.stringify(option);
      const known = shared.get(key) ?? { option, of: [] };
      shared.set(key, known);
      known.of.push(entry.name);
    }
  }
  const haveTheSame = haveTheSameOptions(entries);
  return [...shared.values()].map(({ option, of }) => {
    const anchors = haveTheSame
      ? anchor(idOf(prefix, option.name))
      : of.map((name) => anchor(idOf(prefix, name, option.name))).join('');
    const names = of.map((name) => `\`${name}\``).join(', ');
    return [
      `${anchors}\`${option.name}\``,
      ...(haveTheSame ? [] : [names]),
      describeRange(option),
      defaultText(option),
      option.summary,
    ];
  });
}

/** A dash where the option has no fixed default; its meaning then says what holds. */
function defaultText(option: OptionSpecification): string {
  const fallback = describeDefault(option);
  if (fallback !== undefined) return `\`${fallback}\``;
  return option.required === true ? 'required' : '–';
}

/** The metrics as JSON names them, which are their anchors; those of an inner object stand as `queueing.waiting`. */
export function metricTable(entries: readonly PlacementMetric[]): string {
  const rows = entries.map((entry) => {
    const { key, label = '', unit, definition, needs = '' } = entry;
    const name = 'group' in entry ? `${entry.group}.${key}` : key;
    return [`${anchor(name)}\`${name}\``, label, unit, definition, needs];
  });
  return table(['JSON key', 'label', 'unit', 'definition', 'needs'], rows);
}

/** The least that a declaration needs, and its properties; anchors are `machine-hosts`. */
export function propertyTable(declaration: DeclarationSpecification): string {
  const rows = declaration.properties.map((property) => {
    const notes = [
      property.required ? 'Required.' : '',
      property.repeatable ? 'Repeatable.' : '',
      withWords('Only with', property.onlyWith?.words),
      withWords('Not with', property.notWith?.words),
      withWords('For', property.goesWith),
    ];
    const meaning = [property.summary, ...notes.filter((text) => text !== '')].join(' ');
    return [
      `${anchor(idOf(declaration.kind, property.word))}\`${property.example}\``,
      capitalised(property.takes),
      meaning,
    ];
  });
  return [declaration.summary, '', table(['property', 'value', 'meaning'], rows)].join('\n');
}

const withWords = (start: string, words: readonly string[] = []): string =>
  words.length === 0 ? '' : `${start} ${words.map((word) => `\`${word}\``).join(', ')}.`;

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** How a command is called, its arguments and options, and its examples; anchors are `export-hosts`. */
export function commandBlock(command: Command, examples: readonly string[]): string {
  const known = command.options.filter(({ hidden }) => !hidden);
  const values = (choices: readonly string[] | undefined): string =>
    (choices ?? []).map((choice) => `\`${choice}\``).join(', ');
  const rows = [
    ...command.registeredArguments.map((argument) => [
      `\`${argument.required ? `<${argument.name()}>` : `[${argument.name()}]`}\``,
      argument.description,
      values(argument.argChoices),
      '',
    ]),
    ...known.map((option) => [
      `${anchor(idOf(command.name(), option.name()))}\`${option.flags}\``,
      option.description,
      values(option.argChoices),
      option.mandatory ? 'required' : defaultOf(option),
    ]),
  ];
  return [
    '```text',
    `placewright ${command.name()} ${command.usage()}`,
    '```',
    '',
    command.description(),
    '',
    table(['argument or option', 'meaning', 'values', 'default'], rows),
    '',
    '```sh',
    ...examples.map((line) => `npx placewright ${line}`),
    '```',
  ].join('\n');
}

/** Switches have none: `--no-computing` is true until it is written. */
function defaultOf({ defaultValue }: Option): string {
  const value: unknown = defaultValue;
  return typeof value === 'string' || typeof value === 'number' ? `\`${value}\`` : '';
}

/** A setting as package.json declares it. */
export interface SettingSpecification {
  readonly default: string | number;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly minimum?: number;
  readonly markdownDescription: string;
}

export function settingsTable(settings: Readonly<Record<string, SettingSpecification>>): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const values = (setting.enum ?? []).map((value, index) => {
      const meaning = setting.enumDescriptions?.[index];
      return meaning === undefined ? `\`${value}\`` : `\`${value}\`: ${meaning}`;
    });
    const least = setting.minimum === undefined ? 'any' : `at least ${setting.minimum}`;
    return [
      `${anchor(name)}\`${name}\``,
      values.join(' ') || least,
      `\`${setting.default}\``,
      setting.markdownDescription,
    ];
  });
  return table(['setting', 'values', 'default', 'meaning'], rows);
}
