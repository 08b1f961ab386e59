import type { TableEntries } from '../model/traffic.ts';

/** Entries read so far, in arrays that double: a file never says reliably how many it holds. */
export class EntryList {
  private from = new Int32Array(1024);
  private to = new Int32Array(1024);
  private amount = new Float64Array(1024);
  private count = 0;

  /** Appends one entry, 0-based; zero amounts are dropped because they say nothing. Amortised O(1). */
  add(from: number, to: number, amount: number): void {
    if (amount === 0) return;
    if (this.count === this.from.length) this.grow();
    this.from[this.count] = from;
    this.to[this.count] = to;
    this.amount[this.count] = amount;
    this.count++;
  }

  /** The entries, copied to their exact length. */
  finish(size: number): TableEntries {
    return {
      size,
      from: this.from.slice(0, this.count),
      to: this.to.slice(0, this.count),
      amount: this.amount.slice(0, this.count),
    };
  }

  private grow(): void {
    const { from, to, amount } = this;
    this.from = new Int32Array(from.length * 2);
    this.from.set(from);
    this.to = new Int32Array(to.length * 2);
    this.to.set(to);
    this.amount = new Float64Array(amount.length * 2);
    this.amount.set(amount);
  }
}
