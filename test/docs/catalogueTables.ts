import type { MetricEntry } from '../../server/study/metrics/contract.ts';
import type { DeclarationSpecification } from '../../server/language/propertyForms.ts';
import { describeDefault, describeRange } from '../../server/language/service/catalogues.ts';
import type { ArgumentSpecification, CatalogueEntry, OptionSpecification } from '../../server/model/catalogue.ts';

/** Catalogues, properties and settings as the Markdown tables of docs/language.md. */

const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

/** The entries, and below them their options: each once, whoever shares it. */
export function catalogueTable(entries: readonly CatalogueEntry[]): string {
  const options = optionRows(entries);
  if (options.length === 0) {
    return table(
      ['name', 'means', 'source'],
      entries.map((entry) => [wordOf(entry), entry.summary, entry.source]),
    );
  }
  const listed = table(
    ['name', 'means', 'options', 'source'],
    entries.map((entry) => {
      const names = entry.options.map(({ name }) => `\`${name}\``).join(', ');
      return [wordOf(entry), entry.summary, names, entry.source];
    }),
  );
  return [listed, table(['option', 'of', 'values', 'default', 'means'], options)].join('\n\n');
}

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
function optionRows(entries: readonly CatalogueEntry[]): readonly (readonly string[])[] {
  const shared = new Map<string, { readonly option: OptionSpecification; readonly of: string[] }>();
  for (const entry of entries) {
    for (const option of entry.options) {
      const key = JSON.stringify(option);
      const known = shared.get(key) ?? { option, of: [] };
      shared.set(key, known);
      known.of.push(`\`${entry.name}\``);
    }
  }
  return [...shared.values()].map(({ option, of }) => [
    `\`${option.name}\``,
    of.join(', '),
    describeRange(option),
    defaultText(option),
    option.summary,
  ]);
}

/** A dash where the option has no fixed default; its meaning then says what holds. */
function defaultText(option: OptionSpecification): string {
  const fallback = describeDefault(option);
  if (fallback !== undefined) return `\`${fallback}\``;
  return option.required === true ? 'required' : '–';
}

/** The metrics as JSON names them; those of an inner object stand as `queueing.waiting`. */
export function metricTable(entries: readonly MetricEntry[]): string {
  const rows = entries.map(({ key, group, label = '', unit, definition, needs }) =>
    row([
      `\`${group === undefined ? key : `${group}.${key}`}\``,
      label,
      unit,
      needs === undefined ? definition : `${definition}. *Needs ${needs}*`,
    ]),
  );
  return [row(['JSON key', 'shown as', 'unit', 'definition']), row(['---', '---', '---', '---']), ...rows].join('\n');
}

export function propertyTables(declarations: readonly DeclarationSpecification[]): string {
  return declarations
    .map((declaration) => {
      const rows = declaration.properties.map((property) => {
        const notes = [property.required ? 'required' : '', property.repeatable ? 'may be repeated' : ''];
        const note = notes.filter((text) => text !== '').join(', ');
        return [`\`${property.example}\``, note === '' ? property.summary : `${property.summary} (${note})`];
      });
      return [`### ${declaration.kind}`, '', declaration.summary, '', table(['property', 'means'], rows)].join('\n');
    })
    .join('\n\n');
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
    return [`\`${name}\``, values.join(' ') || least, `\`${setting.default}\``, setting.markdownDescription];
  });
  return table(['setting', 'values', 'default', 'means'], rows);
}
