import { formatNumber } from '../model/quantities.ts';
import { quote } from '../model/result.ts';
import type { TableEntries } from '../model/traffic.ts';

/** Entries of traffic tables: which amounts are read, and the growing list that readers fill. */

/** Pairs of one file: a dense matrix of 4,096 tasks. Sixteen bytes each are then 256 MiB. */
const entryLimit = 2 ** 24;

export const tooManyEntries = `The file has more than ${formatNumber(entryLimit)} pairs with traffic, the maximum.`;

/** Entries read so far, in arrays that double: a file never says reliably how many it holds. */
export class EntryList {
  private from = new Int32Array(1024);
  private to = new Int32Array(1024);
  private amount = new Float64Array(1024);
  private count = 0;

  /**
   * Appends one entry, 0-based; zero amounts are dropped because they say nothing. False where there is no room.
   * Amortised O(1).
   */
  add(from: number, to: number, amount: number): boolean {
    return amount === 0 || this.put(from, to, amount);
  }

  /** As {@link add}, of zero amounts as well. */
  put(from: number, to: number, amount: number): boolean {
    if (this.count === this.from.length) {
      if (this.count === entryLimit) return false;
      this.grow();
    }
    this.from[this.count] = from;
    this.to[this.count] = to;
    this.amount[this.count] = amount;
    this.count++;
    return true;
  }

  /** The entries; copied to their exact length where much of the arrays is empty. */
  finish(size: number): TableEntries {
    const { count, from, to, amount } = this;
    const end = count < 0.9 * from.length ? 'slice' : 'subarray';
    return { size, from: from[end](0, count), to: to[end](0, count), amount: amount[end](0, count) };
  }

  private grow(): void {
    const length = 2 * this.count;
    const from = new Int32Array(length);
    from.set(this.from);
    this.from = from;
    const to = new Int32Array(length);
    to.set(this.to);
    this.to = to;
    const amount = new Float64Array(length);
    amount.set(this.amount);
    this.amount = amount;
  }
}

/**
 * What a number in a table may be. Sums of bytes are exact only below 2^53, so a larger amount is
 * refused rather than rounded.
 */
const largestAmount = 2 ** 53;

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The number a text spells in plain decimal notation, or undefined: no hexadecimal, no NaN, no infinity. */
export const parseDecimal = (text: string): number | undefined => (decimal.test(text) ? Number(text) : undefined);

/** Why a text is no amount of a table, as the end of a sentence; undefined where it is one. */
export function faultOfAmount(text: string): string | undefined {
  const value = parseDecimal(text);
  if (value === undefined) {
    return /^\d+,\d+$/.test(text) ? `'${text}' has a decimal comma; write a point` : `${quote(text)} is not a number`;
  }
  if (value < 0) return `${quote(text)} is negative; write a number ≥ 0`;
  if (value > largestAmount) return `${quote(text)} exceeds 2^53 (${largestAmount}), the largest exact sum`;
  return undefined;
}
