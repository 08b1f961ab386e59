import { formatNumber } from '../../model/quantities.ts';
import { insert, replace } from '../codes.ts';
import { amountLimit } from '../propertyForms.ts';
import { oneOf } from '../suggestions.ts';
import type { NumberValue, QuantityValue, Value, Word } from '../tree.ts';
import {
  bytesOfBits,
  frequencyUnits,
  looksLikeUnit,
  rateUnits,
  shownUnits,
  sizeUnits,
  sizeUnitsMeant,
  timeUnitMeant,
  timeUnits,
} from '../units.ts';
import { numberWithin, type Bounds } from './numbers.ts';
import { takesMessage, type Expectation, type Scope } from './scope.ts';

/** Quantities in base units: bytes, seconds, bytes per second, per second. */
export type QuantityKind = 'size' | 'time' | 'rate' | 'frequency';

interface Quantity {
  readonly plural: string;
  /** With how many of the base unit each is. */
  readonly units: Readonly<Record<string, number>>;
  readonly base: string;
  /** What a fix writes behind a number without a unit. */
  readonly example: string;
  readonly canBeZero?: true;
}

const quantities: Readonly<Record<QuantityKind, Quantity>> = {
  size: { plural: 'sizes', units: sizeUnits, base: 'bytes', example: ' KiB' },
  time: { plural: 'times', units: timeUnits, base: 'seconds', example: ' us', canBeZero: true },
  rate: { plural: 'rates', units: rateUnits, base: 'bytes per second', example: ' GB/s' },
  frequency: { plural: 'frequencies', units: frequencyUnits, base: 'per second', example: '/s' },
};

/**
 * A quantity in base units, or undefined with a report. A bare number is bytes where a size is
 * meant; other quantities need their unit.
 */
export function quantityValue(
  scope: Scope,
  value: Value,
  kind: QuantityKind,
  expected: Expectation,
): number | undefined {
  if (value.kind === 'number') return bareNumber(scope, value, kind, expected);
  if (value.kind !== 'quantity') {
    scope.report(value, 'wrong-value', takesMessage(expected));
    return undefined;
  }
  if (kind === 'rate' && reportBits(scope, value, expected)) return undefined;
  const factor = factorOf(scope, value.unit, kind, expected);
  return factor === undefined ? undefined : inBounds(scope, value.number, factor, kind, expected);
}

/** `100 Gbit/s`: the bytes that these are. Whether it was such a rate. */
function reportBits(scope: Scope, { number, unit, start, end }: QuantityValue, expected: Expectation): boolean {
  const bytes = Object.hasOwn(rateUnits, unit.text) ? undefined : bytesOfBits(number.value, unit.text);
  if (bytes === undefined) return false;
  const asBytes = unitsMeant(unit.text, 'rate').slice(0, 1);
  const message = `${expected.name} takes ${expected.takes} in bytes: ${number.text} ${unit.text} are \`${bytes}\`, eight bits to a byte.`;
  scope.report(unit, 'unknown-unit', message, {
    fix: replace({ start, end }, bytes),
    otherFixes: asBytes.map((name) => replace(unit, name)),
  });
  return true;
}

function bareNumber(scope: Scope, value: NumberValue, kind: QuantityKind, expected: Expectation): number | undefined {
  if (kind === 'size') return inBounds(scope, value, 1, kind, expected);
  const { units, example } = quantities[kind];
  const message = `${expected.name} needs a unit: write ${oneOf(shownUnits(units))} after the number, as in \`${value.text}${example}\`.`;
  scope.report(value, 'wrong-unit', message, { fix: insert(value.end, example) });
  return undefined;
}

function inBounds(
  scope: Scope,
  number: NumberValue,
  factor: number,
  kind: QuantityKind,
  expected: Expectation,
): number | undefined {
  const value = number.value * factor;
  const { base, canBeZero } = quantities[kind];
  if (canBeZero ? value < 0 : value <= 0) {
    const message = `${expected.name} must be ${canBeZero ? 'at least' : 'more than'} 0, not ${number.text}.`;
    const positive = number.text.replace(/^-/, '');
    const fix = Number(positive) > 0 ? replace(number, positive) : undefined;
    scope.report(number, 'out-of-range', message, { otherFixes: [fix] });
    return undefined;
  }
  if (value > amountLimit) {
    const message = `${expected.name} must be at most 2^53 (${formatNumber(amountLimit)}) ${base}, not ${number.text}.`;
    scope.report(number, 'too-large', message);
    return undefined;
  }
  return value;
}

/** The factor of a unit of this kind; names the unit that is meant where it is another. */
function factorOf(scope: Scope, unit: Word, kind: QuantityKind, expected: Expectation): number | undefined {
  const { units, plural } = quantities[kind];
  const factor = Object.hasOwn(units, unit.text) ? units[unit.text] : undefined;
  if (factor !== undefined) return factor;
  const meant = unitsMeant(unit.text, kind);
  const known = Object.values(quantities).some((other) => Object.hasOwn(other.units, unit.text)) || unit.text === '%';
  const problem = known ? `\`${unit.text}\` is no unit of ${plural}` : `\`${unit.text}\` is no unit`;
  const advice = meant.length > 0 ? `write ${meant.map(explainUnit).join(' or ')}` : `use ${oneOf(shownUnits(units))}`;
  const [fix, ...others] = meant.map((name) => replace(unit, name));
  // A unit of another kind says nothing of the one meant.
  const guesses = kind === 'frequency' ? [] : Object.keys(units).filter((name) => name !== 'µs' && name !== 'μs');
  const otherFixes = fix === undefined ? guesses.map((name) => replace(unit, name)) : others;
  const message = `${problem}; ${expected.name} takes ${expected.takes}: ${advice}.`;
  scope.report(unit, known ? 'wrong-unit' : 'unknown-unit', message, { fix, otherFixes });
  return undefined;
}

/** "`KiB` (1,024 bytes)". */
function explainUnit(unit: string): string {
  const factor = sizeUnits[unit.replace('/s', '')];
  return factor === undefined
    ? `\`${unit}\``
    : `\`${unit}\` (${formatNumber(factor)} bytes${unit.endsWith('/s') ? ' per second' : ''})`;
}

/** The units of this kind that a wrong one may stand for, the likelier first. */
function unitsMeant(text: string, kind: QuantityKind): readonly string[] {
  const size = text.replace(/\/.*$|ps$/i, '');
  const sizes = sizeUnits[size] === undefined ? sizeUnitsMeant(size) : [size];
  if (kind === 'size') return sizes;
  if (kind === 'rate') return sizes.map((unit) => `${unit}/s`);
  if (kind === 'time') {
    const meant = timeUnitMeant(text);
    return meant === undefined ? [] : [meant];
  }
  return text === 's' || /^(?:hz|per-second|\/sec.*|\/.*)$/i.test(text) ? ['/s'] : [];
}

/** `20%` or `0.2` as 0.2. */
export function fractionValue(scope: Scope, value: Value, expected: Expectation, bounds: Bounds): number | undefined {
  if (value.kind === 'number') return numberWithin(scope, value, expected.name, bounds);
  if (value.kind !== 'quantity' || value.unit.text !== '%') {
    const unit = value.kind === 'quantity' && looksLikeUnit(value.unit.text);
    scope.report(value, unit ? 'wrong-unit' : 'wrong-value', takesMessage(expected));
    return undefined;
  }
  return percentage(scope, value, expected, bounds);
}

function percentage(scope: Scope, value: QuantityValue, expected: Expectation, bounds: Bounds): number | undefined {
  const percents = { minimum: bounds.minimum * 100, maximum: bounds.maximum * 100 };
  const percent = numberWithin(scope, value.number, `The percentage of ${expected.name}`, percents);
  return percent === undefined ? undefined : percent / 100;
}
