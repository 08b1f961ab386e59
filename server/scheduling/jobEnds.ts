/**
 * When running jobs end: the ends that are known, which come as events, and those that users expect, by which schedulers plan.
 */
import { intAt, realAt } from '../numeric/elements.ts';
import { IndexedHeap } from '../numeric/heap.ts';
import type { RunningJobs } from './contract.ts';

/** Known ends of running jobs, of each at most one: a heap over slots, of which there are as many as jobs may run at a time. O(log running). */
export class KnownEnds {
  /** By slot: the heap has the largest key first. */
  readonly #keys: Float64Array;
  readonly #slots: IndexedHeap;
  readonly #jobOfSlot: Int32Array;
  readonly #freeSlots: Int32Array;
  #freeSlotCount: number;

  constructor(mostJobs: number) {
    this.#keys = new Float64Array(mostJobs);
    this.#slots = new IndexedHeap(this.#keys);
    this.#jobOfSlot = new Int32Array(mostJobs);
    this.#freeSlots = Int32Array.from({ length: mostJobs }, (_, slot) => slot);
    this.#freeSlotCount = mostJobs;
  }

  /** The first end, `Infinity` where none is known. */
  get earliest(): number {
    return this.#slots.count > 0 ? -realAt(this.#keys, this.#slots.top) : Infinity;
  }

  add(job: number, end: number): void {
    const slot = intAt(this.#freeSlots, --this.#freeSlotCount);
    this.#jobOfSlot[slot] = job;
    this.#keys[slot] = -end;
    this.#slots.add(slot);
  }

  /** The job with the first end, which is known no more. */
  takeFirst(): number {
    const slot = this.#slots.top;
    this.#slots.remove(slot);
    this.#freeSlots[this.#freeSlotCount++] = slot;
    return intAt(this.#jobOfSlot, slot);
  }
}

/** Running jobs in order of expected ends, then of numbers. Insertion and removal move O(running) entries. */
export class ExpectedEnds implements RunningJobs {
  count = 0;
  readonly #jobs: Int32Array;
  readonly #ends: Float64Array;
  readonly #nodeCounts: Int32Array;

  constructor(mostJobs: number) {
    this.#jobs = new Int32Array(mostJobs);
    this.#ends = new Float64Array(mostJobs);
    this.#nodeCounts = new Int32Array(mostJobs);
  }

  jobAt(position: number): number {
    return intAt(this.#jobs, position);
  }

  expectedEndAt(position: number): number {
    return realAt(this.#ends, position);
  }

  nodeCountAt(position: number): number {
    return intAt(this.#nodeCounts, position);
  }

  /** Unknown ends are behind all others. */
  add(job: number, end: number, nodeCount: number): void {
    const known = Number.isNaN(end) ? Infinity : end;
    const at = this.#positionOf(job, known);
    for (const values of [this.#jobs, this.#ends, this.#nodeCounts]) values.copyWithin(at + 1, at, this.count);
    this.#jobs[at] = job;
    this.#ends[at] = known;
    this.#nodeCounts[at] = nodeCount;
    this.count++;
  }

  /** The nodes that it held. */
  remove(job: number, end: number): number {
    const at = this.#positionOf(job, Number.isNaN(end) ? Infinity : end);
    const nodeCount = intAt(this.#nodeCounts, at);
    for (const values of [this.#jobs, this.#ends, this.#nodeCounts]) values.copyWithin(at, at + 1, this.count);
    this.count--;
    return nodeCount;
  }

  #positionOf(job: number, end: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = realAt(this.#ends, middle);
      if (other < end || (other === end && intAt(this.#jobs, middle) < job)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
