import type { Cancellation } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import type { DistanceEffort } from '../contract.ts';
import { pairClassesOf, type PairClasses } from './pairClasses.ts';
import { routeCircuitsOf, type RouteCircuits, type WantedDistances } from './routeCircuits.ts';

/** Above this many distances no more are taken in: 128 MiB of them, as many as the largest table has. */
export const knownDistanceLimit = 2 ** 24;

const unknown = -1;
const asked = -2;

/** Targets that are worked out at a time where all have one source, so that threads can share them. */
const targetsAtATime = 16;

/**
 * Equivalent distances of one machine, worked out when they are asked for and never twice: first
 * `ask` for all that are needed, then `workOut`, then look `between` routers. A row of cells for
 * each source that was asked for.
 */
export class KnownDistances {
  readonly #circuits: RouteCircuits;
  readonly #classes: PairClasses;
  readonly #rows: (Float64Array | undefined)[];
  readonly #firstTarget: (source: number) => number;
  readonly #asked = new Set<number>();
  #cells = 0;
  #askedCount = 0;

  /** Undefined where the routing does not tell its routes. O(links + steps). */
  static of(machine: Machine): KnownDistances | undefined {
    const circuits = routeCircuitsOf(machine);
    return circuits && new KnownDistances(machine, circuits);
  }

  private constructor(machine: Machine, circuits: RouteCircuits) {
    const { symmetric } = machine.routing;
    this.#circuits = circuits;
    this.#classes = pairClassesOf(machine);
    this.#rows = new Array<undefined>(circuits.routerCount).fill(undefined);
    // The targets of a row are never below its source where the smaller of two routers is the source.
    this.#firstTarget = symmetric ? (source) => source : () => 0;
  }

  /** Marks a distance as needed; false where it would be one too many. O(1), but for a new row. */
  ask(from: number, to: number): boolean {
    const source = this.#classes.source(from, to);
    const row = this.#rows[source] ?? this.#newRow(source);
    if (row === undefined) return false;
    const cell = this.#classes.target(from, to) - this.#firstTarget(source);
    if (row[cell] === unknown) {
      row[cell] = asked;
      this.#asked.add(source);
      this.#askedCount++;
    }
    return true;
  }

  /** Works out all that was asked for; false where it was cancelled. */
  workOut({ solve, cancellation, progress }: DistanceEffort): boolean {
    if (!this.#takeKnown(cancellation)) return false;
    if (this.#askedCount === 0) {
      this.#asked.clear();
      return true;
    }
    const wanted = this.#wanted();
    const values = solve(this.#circuits, wanted, cancellation, progress);
    if (values === undefined) return false;
    for (let position = 0; position < wanted.sources.length; position++) {
      const source = wanted.sources[position]!;
      const row = this.#rows[source]!;
      let value = wanted.firstValue[position]!;
      for (let at = wanted.firstTarget[position]!; at < wanted.endTarget[position]!; at++) {
        row[wanted.targets[at]! - this.#firstTarget(source)] = values[value++]!;
      }
    }
    this.#asked.clear();
    this.#askedCount = 0;
    return true;
  }

  /** A distance that has been worked out; NaN where no route leads. O(1). */
  between(from: number, to: number): number {
    const source = this.#classes.source(from, to);
    return this.#rows[source]![this.#classes.target(from, to) - this.#firstTarget(source)]!;
  }

  /** Fills in what a formula gives; false where it was cancelled. */
  #takeKnown(cancellation: Cancellation): boolean {
    const { known } = this.#classes;
    if (known === undefined) return true;
    for (const source of this.#asked) {
      const row = this.#rows[source]!;
      for (let cell = 0; cell < row.length; cell++) {
        if (row[cell] !== asked) continue;
        if (cancellation.isCancelled()) return false;
        const value = known(this.#firstTarget(source) + cell);
        if (value === undefined) continue;
        row[cell] = value;
        this.#askedCount--;
      }
    }
    return true;
  }

  #newRow(source: number): Float64Array | undefined {
    const length = this.#circuits.routerCount - this.#firstTarget(source);
    if (this.#cells + length > knownDistanceLimit) return undefined;
    this.#cells += length;
    return (this.#rows[source] = new Float64Array(length).fill(unknown));
  }

  /** What is asked for, sources and targets ascending. */
  #wanted(): WantedDistances {
    const sources: number[] = [];
    const first: number[] = [];
    const targets = new Int32Array(this.#askedCount);
    let at = 0;
    const most = this.#classes.oneSource ? targetsAtATime : Infinity;
    for (const source of [...this.#asked].sort((a, b) => a - b)) {
      const row = this.#rows[source]!;
      let count = 0;
      for (let cell = 0; cell < row.length; cell++) {
        if (row[cell] !== asked) continue;
        if (count++ % most === 0) {
          sources.push(source);
          first.push(at);
        }
        targets[at++] = this.#firstTarget(source) + cell;
      }
    }
    const firstTarget = Int32Array.from(first);
    return {
      sources: Int32Array.from(sources),
      targets,
      firstTarget,
      endTarget: Int32Array.from([...first.slice(1), at]),
      firstValue: firstTarget,
      valueCount: at,
    };
  }
}
