/**
 * The equivalent distances of a machine that are known by now (`KnownDistances`), the circuits that they are solved of,
 * and the closed form for pairs whose routes fill a grid (`stretchResistance`).
 */
import { intAt, itemAt, realAt } from '../../numeric/elements.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import { hasAllCables, type Machine, type Routing, type Topology } from '../../model/machine.ts';
import { reverseLinks } from '../links.ts';
import type { DistanceContext, KeptDistances, RouteCircuits, WantedDistances } from './contract.ts';
import { axisDistance, closesToRing, coordinatesOf } from '../../model/shape.ts';
import { cosine, sine } from '../../numeric/elementary.ts';
import { leafBlocks } from '../routings/leafRoutes.ts';
import { minimal } from '../routings/minimal.ts';
import { topTier } from '../routings/roots.ts';
import { automorphismsOf, orbitClasses } from '../symmetry.ts';

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
export class KnownDistances implements KeptDistances {
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
    this.#firstTarget = symmetric && this.#classes.byNumber === true ? (source) => source : () => 0;
  }

  /** O(1), but for a new row. */
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

  workOut({ solve, cancellation, progress }: DistanceContext): boolean {
    if (!this.#takeKnown(cancellation)) return false;
    if (this.#askedCount === 0) {
      this.#asked.clear();
      return true;
    }
    const wanted = this.#wanted();
    const values = solve(this.#circuits, wanted, cancellation, progress);
    if (values === undefined) return false;
    for (let position = 0; position < wanted.sources.length; position++) {
      const source = intAt(wanted.sources, position);
      const row = itemAt(this.#rows, source);
      let value = intAt(wanted.firstValue, position);
      for (let at = intAt(wanted.firstTarget, position); at < intAt(wanted.endTarget, position); at++) {
        row[intAt(wanted.targets, at) - this.#firstTarget(source)] = realAt(values, value++);
      }
    }
    this.#asked.clear();
    this.#askedCount = 0;
    return true;
  }

  /** O(1). */
  between(from: number, to: number): number {
    const source = this.#classes.source(from, to);
    return realAt(itemAt(this.#rows, source), this.#classes.target(from, to) - this.#firstTarget(source));
  }

  /** Fills in what a formula gives; false if cancelled. */
  #takeKnown(cancellation: Cancellation): boolean {
    const { known } = this.#classes;
    if (known === undefined) return true;
    for (const source of this.#asked) {
      const row = itemAt(this.#rows, source);
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
      const row = itemAt(this.#rows, source);
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

/** Undefined where the routing has no graph: then every pair has one route. O(links + steps). */
export function routeCircuitsOf({ topology, routing }: Machine): RouteCircuits | undefined {
  const { graph } = routing;
  if (graph === undefined) return undefined;
  const reverse = reverseLinks(topology.links);
  return {
    routerCount: topology.routerCount,
    graph,
    stepCable: graph.stepLink.map((link) => Math.min(link, intAt(reverse, link))),
    cableLimit: topology.links.routerLinkCount,
  };
}

/**
 * Ordered pairs of routers that are certain to have the same equivalent distance, and the pair that
 * is worked out for all of them.
 */
interface PairClasses {
  /** Source and target of the pair that stands for this one. */
  source(from: number, to: number): number;
  target(from: number, to: number): number;
  /** Whether router 0 is the source of all of them. */
  readonly oneSource: boolean;
  /** Pairs stand for themselves, the router of the smaller number first. */
  readonly byNumber?: true;
  /**
   * The distance of the pair that stands for others, where it is known by a formula; undefined where it must be solved.
   */
  readonly known?: (target: number) => number | undefined;
}

/** Up to this many routers a circuit is solved: by elimination, which is exact where all values are. */
const solvedSize = 64;

/**
 * Where ways and ways back are the same, (a, b) and (b, a). On a torus, mesh or hypercube under
 * minimal routing all pairs as far apart along each axis: their routes fill boxes of the same
 * sides. Leaves of a fat tree whose routes turn round at the same level. Else pairs that renumberings of the routers map
 * onto each other without a change of any route. O(routers · dimensions), or that of `automorphismsOf`.
 */
function pairClassesOf(machine: Machine): PairClasses {
  const { routing, topology } = machine;
  const { shape, wraps } = topology;
  if (routing.kind === minimal.name && shape && wraps && hasAllCables(topology)) {
    return {
      source: () => 0,
      target: offsetOfRouters(shape, wraps, topology.routerCount),
      oneSource: true,
      known: resistanceFromCorner(shape, wraps),
    };
  }
  const leaves = leafClasses(machine);
  if (leaves !== undefined) return leaves;
  const images = automorphismsOf(topology, routing);
  if (images.length > 1) return orbitClasses(images, routing.symmetric);
  if (routing.symmetric) return { source: Math.min, target: Math.max, oneSource: false, byNumber: true };
  return { source: (from) => from, target: (_, to) => to, oneSource: false };
}

/** In a fat tree all pairs of leaves are alike whose nearest common ancestors are on one level: children can be exchanged. */
function leafClasses({ topology, routing }: Machine): PairClasses | undefined {
  const blocks = goesUpToTheTop(topology, routing) ? leafBlocks(topology) : undefined;
  if (blocks === undefined) return undefined;
  const { leaves, sizes } = blocks;
  const areLeaves = (from: number, to: number): boolean => from < leaves && to < leaves;
  return {
    source: (from, to) => (areLeaves(from, to) ? 0 : Math.min(from, to)),
    target(from, to) {
      if (!areLeaves(from, to)) return Math.max(from, to);
      if (from === to) return 0;
      let level = 0;
      while (Math.floor(from / intAt(sizes, level)) !== Math.floor(to / intAt(sizes, level))) level++;
      // The first leaf that is outside of the block of leaf 0 one level below.
      return intAt(sizes, level - 1);
    },
    oneSource: false,
    byNumber: true,
  };
}

/** Shortest ways of all, or those whose roots are exactly the top tier. */
function goesUpToTheTop(topology: Topology, { kind, hierarchy }: Routing): boolean {
  if (kind === minimal.name) return true;
  const top = topTier(topology);
  return hierarchy !== undefined && top.length > 0 && hierarchy.roots.join() === top.join();
}

/**
 * The resistance between router 0 and another, no farther along a ring than half of it, where their routes fill a large
 * grid.
 */
function resistanceFromCorner(
  shape: readonly number[],
  wraps: readonly boolean[],
): (target: number) => number | undefined {
  return (target) => {
    let stride = 1;
    let size = 1;
    const axes = shape.map((side, axis): AxisStretch => {
      const distance = Math.floor(target / stride) % side;
      stride *= side;
      const isRing = closesToRing(side, wraps[axis] === true) && 2 * distance === side;
      const length = isRing ? side : distance + 1;
      size *= length;
      return { length, isRing };
    });
    return size > solvedSize ? stretchResistance(axes) : undefined;
  };
}

/** The router that is as far from router 0 along each axis as `to` is from `from`. */
function offsetOfRouters(
  shape: readonly number[],
  wraps: readonly boolean[],
  routers: number,
): (from: number, to: number) => number {
  const axes = shape.length;
  const coordinates = new Int32Array(routers * axes);
  for (let router = 0; router < routers; router++) coordinatesOf(shape, router, coordinates.subarray(router * axes));
  return (from, to) => {
    let router = 0;
    for (let axis = axes - 1; axis >= 0; axis--) {
      const side = itemAt(shape, axis);
      const [one, other] = [intAt(coordinates, from * axes + axis), intAt(coordinates, to * axes + axis)];
      router = router * side + axisDistance(side, wraps[axis] === true, one, other);
    }
    return router;
  };
}

/**
 * One axis of a grid of one-ohm cables whose two terminals are as far apart along every axis as that axis
 * allows: on a line its ends, on a ring (of even length) two opposite routers. The shortest routes between
 * two routers of a torus or mesh fill such a grid under minimal routing.
 */
interface AxisStretch {
  /** Routers along the axis. */
  readonly length: number;
  readonly isRing: boolean;
}

/**
 * Spectral form of the resistance, Σ |φ(from) − φ(to)|² / λ over the eigenvectors φ of the Laplacian
 * (Klein and Randić 1993, Resistance distance). Those of a product are products: on a line of n routers
 * cos(πi(x + 1/2)/n) with λ = 2 − 2 cos(πi/n), on a ring of n the waves with λ = 2 − 2 cos(2πk/n). From one
 * end to the other each changes sign or not with its index, so a mode with an even sum of indices has
 * nothing to say and one with an odd sum 4 |φ(from)|² / λ. O(routers of the stretch).
 */
export function stretchResistance(axes: readonly AxisStretch[]): number {
  const spectra = axes.filter(({ length }) => length > 1).map(spectrumOf);
  const sumFrom = (axis: number, weight: number, eigenvalue: number, isOdd: boolean): number => {
    if (axis === spectra.length) return isOdd ? (4 * weight) / eigenvalue : 0;
    const { weights, eigenvalues } = itemAt(spectra, axis);
    let sum = 0;
    for (let mode = 0; mode < weights.length; mode++) {
      sum += sumFrom(
        axis + 1,
        weight * realAt(weights, mode),
        eigenvalue + realAt(eigenvalues, mode),
        isOdd !== (mode % 2 === 1),
      );
    }
    return sum;
  };
  return sumFrom(0, 1, 0, false);
}

interface Spectrum {
  /** |φ|² at the end of the axis, by mode. */
  readonly weights: Float64Array;
  readonly eigenvalues: Float64Array;
}

function spectrumOf({ length, isRing }: AxisStretch): Spectrum {
  const weights = new Float64Array(length);
  const eigenvalues = new Float64Array(length);
  for (let mode = 0; mode < length; mode++) {
    const angle = (Math.PI * mode) / length;
    // 2 − 2 cos 2a is 4 sin² a, which does not cancel.
    const half = sine(isRing ? angle : angle / 2);
    eigenvalues[mode] = 4 * half * half;
    const end = cosine(angle / 2);
    weights[mode] = isRing ? 1 / length : (mode === 0 ? 1 : 2) * ((end * end) / length);
  }
  return { weights, eigenvalues };
}
