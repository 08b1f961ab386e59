/**
 * Waiting jobs in a scheduler's order: by key, then by arrival. Blocks of a few hundred jobs know the smallest request and
 * the shortest estimate among them, so that a search for a job that fits passes over the others: a queue of a
 * million jobs costs some thousand steps a search.
 */
import { intAt, itemAt, realAt } from '../numeric/elements.ts';
import { grown, type JobTable } from './jobs.ts';

const blockLength = 256;

class Block {
  readonly jobs = new Int32Array(blockLength);
  count = 0;
  fewestProcessors = Infinity;
  shortestEstimate = Infinity;
}

export class WaitingJobs {
  count = 0;
  readonly #table: JobTable;
  readonly #blocks: Block[] = [];
  #keys = new Float64Array(0);

  constructor(table: JobTable) {
    this.#table = table;
  }

  /** The first job, −1 where none waits. */
  get first(): number {
    const block = this.#blocks[0];
    return block === undefined ? -1 : intAt(block.jobs, 0);
  }

  /** Among equal keys a job comes behind those with lower numbers. O(√jobs). */
  add(job: number, key: number): void {
    if (job >= this.#keys.length) this.#keys = grown(this.#keys, new Float64Array(Math.max(256, job * 2)));
    this.#keys[job] = key;
    const index = this.#blocks.length === 0 ? -1 : Math.max(0, this.#blockBefore(job));
    let block = this.#blocks[index];
    if (
      block === undefined ||
      (block.count === blockLength &&
        index === this.#blocks.length - 1 &&
        this.#precedes(intAt(block.jobs, block.count - 1), job))
    ) {
      block = new Block();
      this.#blocks.push(block);
    } else if (block.count === blockLength) block = this.#split(index, job);
    const at = this.#positionAfter(block, job);
    block.jobs.copyWithin(at + 1, at, block.count);
    block.jobs[at] = job;
    block.count++;
    this.#include(block, job);
    this.count++;
  }

  /** O(√jobs). */
  remove(job: number): void {
    const index = this.#blockBefore(job);
    const block = itemAt(this.#blocks, index);
    const at = this.#positionAfter(block, job) - 1;
    if (block.jobs[at] !== job) throw new RangeError(`Job ${job} does not wait.`);
    block.jobs.copyWithin(at, at + 1, block.count);
    block.count--;
    this.count--;
    if (block.count === 0) this.#blocks.splice(index, 1);
    else {
      const { processors, estimate } = this.#table;
      if (processors[job] === block.fewestProcessors || estimate[job] === block.shortestEstimate)
        this.#summarise(block);
    }
  }

  /**
   * The first job behind `job` (from the beginning: −1) that asks for at most `most` processors, and of these for at most
   * `beyond` or has an estimate of at most `longest`; −1 where there is none. `job` itself need not wait any more.
   */
  next(job: number, most = Infinity, beyond = most, longest = -Infinity): number {
    const { processors, estimate } = this.#table;
    const few = Math.min(most, beyond);
    let index = job < 0 ? 0 : Math.max(0, this.#blockBefore(job));
    for (let from = job; index < this.#blocks.length; index++, from = -1) {
      const block = itemAt(this.#blocks, index);
      const fewest = block.fewestProcessors;
      if (fewest > few && !(fewest <= most && block.shortestEstimate <= longest)) continue;
      for (let at = from < 0 ? 0 : this.#positionAfter(block, from); at < block.count; at++) {
        const candidate = intAt(block.jobs, at);
        const size = intAt(processors, candidate);
        if (size <= few || (size <= most && realAt(estimate, candidate) <= longest)) return candidate;
      }
    }
    return -1;
  }

  #precedes(one: number, other: number): boolean {
    const [a, b] = [realAt(this.#keys, one), realAt(this.#keys, other)];
    return a < b || (a === b && one < other);
  }

  /** The last block that begins with `job` or with one before it; −1 where all begin behind it. */
  #blockBefore(job: number): number {
    let low = -1;
    let high = this.#blocks.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#precedes(job, intAt(itemAt(this.#blocks, middle).jobs, 0))) high = middle;
      else low = middle;
    }
    return low;
  }

  /** Behind all of the block that are `job` or before it. */
  #positionAfter(block: Block, job: number): number {
    let low = 0;
    let high = block.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#precedes(job, intAt(block.jobs, middle))) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Makes two of a full block; that of the two in which `job` belongs. */
  #split(index: number, job: number): Block {
    const lower = itemAt(this.#blocks, index);
    const upper = new Block();
    const half = blockLength / 2;
    upper.jobs.set(lower.jobs.subarray(half));
    upper.count = blockLength - half;
    lower.count = half;
    this.#blocks.splice(index + 1, 0, upper);
    this.#summarise(lower);
    this.#summarise(upper);
    return this.#precedes(job, intAt(upper.jobs, 0)) ? lower : upper;
  }

  #summarise(block: Block): void {
    block.fewestProcessors = Infinity;
    block.shortestEstimate = Infinity;
    for (let at = 0; at < block.count; at++) this.#include(block, intAt(block.jobs, at));
  }

  #include(block: Block, job: number): void {
    block.fewestProcessors = Math.min(block.fewestProcessors, intAt(this.#table.processors, job));
    const estimate = realAt(this.#table.estimate, job);
    if (estimate < block.shortestEstimate) block.shortestEstimate = estimate;
  }
}
