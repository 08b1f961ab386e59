import { quote } from '../model/quote.ts';

/**
 * What a number in a table may be. Sums of bytes are exact only below 2^53, so a larger amount is
 * refused rather than rounded.
 */
export const largestAmount = 2 ** 53;

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The number a text spells in plain decimal notation, or undefined: no hexadecimal, no NaN, no infinity. */
export const parseDecimal = (text: string): number | undefined => (decimal.test(text) ? Number(text) : undefined);

/** Why a text is no amount of a table, as the end of a sentence; undefined where it is one. */
export function faultOfAmount(text: string): string | undefined {
  const value = parseDecimal(text);
  if (value === undefined) {
    return /^\d+,\d+$/.test(text) ? `'${text}' has a decimal comma: write a point` : `${quote(text)} is not a number`;
  }
  if (value < 0) return `${quote(text)} is negative, and an amount cannot be`;
  if (value > largestAmount)
    return `${quote(text)} is larger than 2^53 (${largestAmount}), above which sums are not exact`;
  return undefined;
}
