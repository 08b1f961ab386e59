/**
 * Waiting jobs in a scheduler's order: by key, then by arrival. Blocks of a few hundred jobs know the smallest request and
 * the shortest estimate among them, so that a search for a job that fits passes over the others: a queue of a
 * million jobs costs some thousand steps a search.
 */
import { grown, intAt, itemAt, realAt } from '../numeric/elements.ts';
import { type JobTable } from './jobs.ts';

const blockLength = 256;

/** Jobs from `begin` to `end`, at least one; so the first is taken out without moving the others. */
class Block {
  readonly jobs = new Int32Array(blockLength);
  begin = 0;
  end = 0;
  fewestProcessors = Infinity;
  shortestEstimate = Infinity;
}

export class WaitingJobs {
  count = 0;
  readonly #table: JobTable;
  readonly #blocks: Block[] = [];
  /** Blocks that have become empty. */
  readonly #spare: Block[] = [];
  #keys = new Float64Array(0);

  constructor(table: JobTable) {
    this.#table = table;
  }

  /** The first job, −1 where none waits. */
  get first(): number {
    const block = this.#blocks[0];
    return block === undefined ? -1 : intAt(block.jobs, block.begin);
  }

  /** Among equal keys a job comes behind those with lower numbers. O(√jobs), O(1) behind all others. */
  add(job: number, key: number): void {
    if (job >= this.#keys.length) this.#keys = grown(this.#keys, new Float64Array(Math.max(256, job * 2)));
    this.#keys[job] = key;
    this.count++;
    const last = this.#blocks.at(-1);
    if (last === undefined || this.#precedes(intAt(last.jobs, last.end - 1), job)) {
      const block = last === undefined || last.end === blockLength ? this.#newBlock() : last;
      if (block !== last) this.#blocks.push(block);
      block.jobs[block.end++] = job;
      this.#include(block, job);
      return;
    }
    const index = Math.max(0, this.#blockBefore(job));
    let block = itemAt(this.#blocks, index);
    if (block.end === blockLength) {
      if (block.begin === 0) block = this.#split(index, job);
      else moveToBegin(block);
    }
    const at = this.#positionAfter(block, job);
    block.jobs.copyWithin(at + 1, at, block.end);
    block.jobs[at] = job;
    block.end++;
    this.#include(block, job);
  }

  /** O(√jobs), O(1) of the first. */
  remove(job: number): void {
    const index = job === this.first ? 0 : this.#blockBefore(job);
    const block = itemAt(this.#blocks, index);
    const at = block.jobs[block.begin] === job ? block.begin : this.#positionAfter(block, job) - 1;
    if (block.jobs[at] !== job) throw new RangeError(`Job ${job} is not waiting.`);
    if (at === block.begin) block.begin++;
    else block.jobs.copyWithin(at, at + 1, block.end--);
    this.count--;
    if (block.begin === block.end) {
      if (index === 0) this.#blocks.shift();
      else this.#blocks.splice(index, 1);
      this.#spare.push(block);
      return;
    }
    const { processors, estimate } = this.#table;
    if (processors[job] === block.fewestProcessors || estimate[job] === block.shortestEstimate) this.#summarise(block);
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
      for (let at = from < 0 ? block.begin : this.#positionAfter(block, from); at < block.end; at++) {
        const candidate = intAt(block.jobs, at);
        const size = intAt(processors, candidate);
        if (size <= few || (size <= most && realAt(estimate, candidate) <= longest)) return candidate;
      }
    }
    return -1;
  }

  /** The first of them in their order, at most so many: a copy. O(jobs). */
  firstJobs(most: number): Int32Array {
    const found = new Int32Array(Math.min(most, this.count));
    let place = 0;
    for (const { jobs, begin, end } of this.#blocks) {
      if (place === found.length) break;
      const taken = Math.min(end - begin, found.length - place);
      found.set(jobs.subarray(begin, begin + taken), place);
      place += taken;
    }
    return found;
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
      const { jobs, begin } = itemAt(this.#blocks, middle);
      if (this.#precedes(job, intAt(jobs, begin))) high = middle;
      else low = middle;
    }
    return low;
  }

  /** Behind all of the block that are `job` or before it. */
  #positionAfter(block: Block, job: number): number {
    let low = block.begin;
    let high = block.end;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#precedes(job, intAt(block.jobs, middle))) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #newBlock(): Block {
    const block = this.#spare.pop();
    if (block === undefined) return new Block();
    block.begin = block.end = 0;
    block.fewestProcessors = block.shortestEstimate = Infinity;
    return block;
  }

  /** Makes two of a full block; that of the two in which `job` belongs. */
  #split(index: number, job: number): Block {
    const lower = itemAt(this.#blocks, index);
    const upper = this.#newBlock();
    const half = blockLength / 2;
    upper.jobs.set(lower.jobs.subarray(half));
    upper.end = blockLength - half;
    lower.end = half;
    this.#blocks.splice(index + 1, 0, upper);
    this.#summarise(lower);
    this.#summarise(upper);
    return this.#precedes(job, intAt(upper.jobs, 0)) ? lower : upper;
  }

  #summarise(block: Block): void {
    block.fewestProcessors = Infinity;
    block.shortestEstimate = Infinity;
    for (let at = block.begin; at < block.end; at++) this.#include(block, intAt(block.jobs, at));
  }

  #include(block: Block, job: number): void {
    block.fewestProcessors = Math.min(block.fewestProcessors, intAt(this.#table.processors, job));
    const estimate = realAt(this.#table.estimate, job);
    if (estimate < block.shortestEstimate) block.shortestEstimate = estimate;
  }
}

function moveToBegin(block: Block): void {
  block.jobs.copyWithin(0, block.begin, block.end);
  block.end -= block.begin;
  block.begin = 0;
}
