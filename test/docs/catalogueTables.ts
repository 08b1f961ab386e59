import type {
  ArgumentSpecification,
  Budget,
  CatalogueEntry,
  OptionSpecification,
} from '../../server/model/catalogue.ts';
import { axisName, formatShape } from '../../server/model/shape.ts';
import type { DeclarationSpecification } from '../../server/language/properties.ts';

/** Catalogues and properties as the Markdown tables of docs/language.md. */

const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

export function catalogueTable(entries: readonly CatalogueEntry[]): string {
  const lines = [row(['name', 'means', 'options', 'source']), row(['---', '---', '---', '---'])];
  for (const entry of entries) {
    const word = `\`${entry.name}${entry.argument ? ` ${argumentText(entry.argument)}` : ''}\``;
    const summary = entry.announced ? `*announced* ${entry.summary}` : entry.summary;
    lines.push(row([word, summary, entry.options.map(optionText).join('; '), entry.source]));
  }
  return lines.join('\n');
}

function argumentText(argument: ArgumentSpecification): string {
  const texts = {
    shape: 'SHAPE',
    integer: 'N',
    'node-list-or-file': '[…] or "FILE"',
    'integer-list-or-file': '[…] or "FILE"',
    placement: 'PLACEMENT',
    file: '"FILE"',
  } as const;
  return argument.required ? texts[argument.kind] : `(${texts[argument.kind]})`;
}

function optionText(option: OptionSpecification): string {
  const byDefault = option.default === undefined ? '' : `, default ${defaultText(option)}`;
  const range = option.kind === 'choice' ? option.choices.join(', ') : option.kind;
  return `\`${option.name}\` (${range}${byDefault}): ${option.summary}`;
}

function defaultText(option: OptionSpecification): string {
  switch (option.kind) {
    case 'shape':
      return formatShape(option.default ?? []);
    case 'axes':
      return (option.default ?? []).map(axisName).join(', ');
    case 'fraction':
      return `${(option.default ?? 0) * 100}%`;
    case 'budget':
      return option.default === undefined ? '' : budgetText(option.default);
    default:
      return String(option.default);
  }
}

const budgetText = ({ kind, amount }: Budget): string => (kind === 'seconds' ? `${amount} s` : `${amount} steps`);

export function propertyTables(declarations: readonly DeclarationSpecification[]): string {
  return declarations
    .map((declaration) => {
      const lines = [`### ${declaration.kind}`, '', declaration.summary, ''];
      lines.push(row(['property', 'means']), row(['---', '---']));
      for (const property of declaration.properties) {
        const notes = [
          property.required ? 'required' : '',
          property.repeatable ? 'may be repeated' : '',
          property.announced ? '*announced*' : '',
        ];
        const note = notes.filter((text) => text !== '').join(', ');
        lines.push(row([`\`${property.example}\``, note === '' ? property.summary : `${property.summary} (${note})`]));
      }
      return lines.join('\n');
    })
    .join('\n\n');
}
