import type { Cancellation } from '../../model/cancellation.ts';
import type { SearchProblem } from '../problem/searchProblem.ts';

/**
 * A problem whose edges are counted as they are read, and a flag that is set after so many polls. More than
 * `mostVisits` edges between two polls, or after the last one, throw: so much work would go by before a search
 * hears that it was cancelled.
 */
export class WatchedProblem {
  readonly problem: SearchProblem;
  readonly cancellation: Cancellation;
  /** Edges read in all. */
  visits = 0;
  polls = 0;
  readonly #mostVisits: number;
  #atLastPoll = 0;

  constructor(problem: SearchProblem, mostVisits: number, polls: number) {
    this.#mostVisits = mostVisits;
    const { graph } = problem;
    this.problem = { ...problem, graph: { ...graph, partner: this.#counted(graph.partner) } };
    this.cancellation = {
      isCancelled: () => {
        this.#atLastPoll = this.visits;
        return ++this.polls > polls;
      },
    };
  }

  #visit(count: number): void {
    this.visits += count;
    const unpolled = this.visits - this.#atLastPoll;
    if (unpolled > this.#mostVisits) throw new Error(`${unpolled} edges were read since poll ${this.polls}.`);
  }

  /** The same array; every entry that is read counts, and all of them where a method reads them. */
  #counted(array: Int32Array): Int32Array {
    return new Proxy(array, {
      get: (target, key) => {
        if (typeof key === 'string' && key.charCodeAt(0) <= 57) this.#visit(1);
        const value = Reflect.get(target, key, target) as unknown;
        if (typeof value !== 'function') return value;
        return (...parameters: unknown[]): unknown => {
          const answer = (value as (...all: unknown[]) => unknown).apply(target, parameters);
          this.#visit(key === 'subarray' || key === 'slice' ? (answer as Int32Array).length : target.length);
          return answer;
        };
      },
    });
  }
}
