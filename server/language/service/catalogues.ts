import { fileFormats } from '../../interchange/catalogue.ts';
import {
  type ArgumentSpecification,
  type CatalogueEntry,
  type OptionSpecification,
  findEntry,
  type Budget,
  type OptionValue,
} from '../../model/catalogue.ts';
import { formatNumber, formatSeconds } from '../../model/quantities.ts';
import { axisName, formatShape } from '../../model/shape.ts';
import { catalogueFor } from '../schema.ts';

/** The formats that a file may have behind a name of the property: `from "FILE" as FORMAT`. */
export function formatsFor(property: string, name: string): readonly CatalogueEntry[] {
  const content = entryFor(property, name)?.argument?.describes;
  return content === undefined ? [] : fileFormats[content];
}

export const entryFor = (property: string, name: string): CatalogueEntry | undefined =>
  findEntry(catalogueFor(property), name);

/** What may be written as the value of an option: `1 to 64`, `hops or equivalent`, `a shape`. */
export function describeRange(option: OptionSpecification): string {
  switch (option.kind) {
    case 'integer':
    case 'number':
      return describeLimits(option.minimum, option.maximum, formatNumber);
    case 'fraction':
      return describeLimits(option.minimum, option.maximum, formatPercentage);
    case 'time':
      return describeLimits(option.minimum, option.maximum, formatSeconds);
    case 'budget':
      return `a time, ${describeLimits(option.seconds.minimum, option.seconds.maximum, formatSeconds)}, or a number of steps`;
    case 'shape':
      return 'a shape: `2 x 2 x 4`';
    case 'choice':
      return option.choices.map((choice) => `\`${choice}\``).join(', ');
    case 'axes':
      return option.some === true ? 'one or more axes: `x, z`' : 'all axes in an order: `z, y, x`';
    case 'name':
      return 'a name';
    case 'numbers':
      return 'a list of numbers: `[2, 4, 8]`';
    case 'routers':
      return 'a list of switches: `[0..3, "spine-7"]`';
    case 'device':
      return 'a switch or host: `"leaf-3"`';
    case 'shares':
      return 'shares that add up to 100 %: `[40 %, 60 %]`';
  }
}

function describeLimits(minimum: number, maximum: number, format: (value: number) => string): string {
  return Number.isFinite(maximum) && maximum < 2 ** 31 - 1
    ? `${format(minimum)} to ${format(maximum)}`
    : `at least ${format(minimum)}`;
}

/** The default of an option as it would be written; undefined where the algorithm decides. */
export function describeDefault(option: OptionSpecification): string | undefined {
  return option.default === undefined ? undefined : writeValue(option.kind, option.default);
}

function writeValue(kind: OptionSpecification['kind'], value: OptionValue): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && 'amount' in value) return formatBudget(value);
  if (typeof value === 'object' && 'items' in value) return `[${value.items.join(', ')}]`;
  if (typeof value !== 'number' && kind === 'numbers') return `[${value.join(', ')}]`;
  if (typeof value !== 'number' && kind === 'shares') return `[${value.map(formatPercentage).join(', ')}]`;
  if (typeof value !== 'number') return kind === 'axes' ? value.map(axisName).join(', ') : formatShape(value);
  if (kind === 'time') return formatSeconds(value);
  return kind === 'fraction' ? formatPercentage(value) : String(value);
}

const formatBudget = ({ kind, amount }: Budget): string =>
  kind === 'seconds' ? formatSeconds(amount) : String(amount);

const formatPercentage = (value: number): string => `${formatNumber(value * 100)}%`;

/** How the argument of an entry is written: `4 x 4`, `[0..3] or "FILE"`. */
export function describeArgument(argument: ArgumentSpecification): string {
  const file = argument.describes === undefined ? '"FILE"' : '"FILE" as FORMAT';
  const forms: Record<ArgumentSpecification['kind'], string> = {
    shape: '4 x 4',
    integer: 'N',
    'node-list-or-file': `[0..3, "n07"] or ${file}`,
    'integer-list-or-file': `[0..3, 7] or ${file}`,
    'integer-list': '[0..3, 7]',
    numbers: '[0, 2.5, 10]',
    weights: '[2: 40 %, 4: 60 %]',
    placement: 'PLACEMENT',
    file,
  };
  return forms[argument.kind];
}
