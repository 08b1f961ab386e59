/** Ways that lead by something that is drawn first, as Valiant's do, and what the kinds of them share. */
import type { LinkId } from '../../model/identifiers.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import type { RouterFlows, Routing } from '../../model/machine.ts';
import { grown, intAt, realAt } from '../../numeric/elements.ts';
import { reversedGraph, RouteWeights } from './routeGraph.ts';

/** Ways by a switch or a group that is drawn; all sums are means over what may be drawn. */
export interface Detours {
  /** Mean hops between two different routers. */
  hops(from: number, to: number): number;
  hopShares(from: number, to: number, visit: (hops: number, share: number) => void): void;
  /** Adds the share of a flow between two different routers that takes each link. */
  addShares(from: number, to: number, add: (link: LinkId, share: number) => void): void;
  addLoads(flows: RouterFlows, loads: Float64Array, cancellation: Cancellation): void;
  /** Σ share · weight of a pair, where `row(to)` has the same of minimal routes from every router to one. */
  weigh(weights: Float64Array, row: (to: number) => Float64Array): (from: number, to: number) => number;
}

/** What minimal routes from every router to one weigh. */
export function weightedRows({ graph }: Routing, weights: Float64Array): (to: number) => Float64Array {
  if (graph === undefined) throw new TypeError('Non-minimal routes need a route graph.');
  const known = new RouteWeights(graph, reversedGraph(graph), weights);
  return (to) => known.rowTo(to);
}

/** How near to 1 a sum of shares is taken for all of a flow. */
const whole = 1e-12;

/** Shares that come in parts, added up by link. */
export class SharesByLink {
  readonly #share: Float64Array;
  readonly #links: Int32Array;
  #count = 0;

  constructor(linkCount: number) {
    this.#share = new Float64Array(linkCount);
    this.#links = new Int32Array(linkCount);
  }

  readonly add = (link: number, share: number): void => {
    if (share === 0) return;
    const before = realAt(this.#share, link);
    if (before === 0) this.#links[this.#count++] = link;
    this.#share[link] = before + share;
  };

  /** Whether all of the flow takes each of the links. */
  areWhole(): boolean {
    return this.#links.subarray(0, this.#count).every((link) => realAt(this.#share, link) > 1 - whole);
  }

  clear(): void {
    this.visit(() => undefined);
  }

  /** Each link once, with all that was added since the last visit. */
  visit(visit: (link: LinkId, share: number) => void): void {
    const count = this.#count;
    this.#count = 0;
    for (let index = 0; index < count; index++) {
      const link = intAt(this.#links, index) as LinkId;
      const share = realAt(this.#share, link);
      this.#share[link] = 0;
      visit(link, share > 1 - whole ? 1 : share);
    }
  }
}

/** Flows handed to minimal routing at a time, at most. */
const flowsPerBatch = 1 << 20;
/** Flows that there is room for at first: a search for a split makes a batch in every step, most of them small. */
const smallBatch = 1 << 8;

/** Flows on their way to minimal routing, so many at a time. */
export class FlowBatch {
  readonly #routing: Routing;
  readonly #loads: Float64Array;
  readonly #cancellation: Cancellation;
  #from = new Int32Array(smallBatch);
  #to = new Int32Array(smallBatch);
  #amount = new Float64Array(smallBatch);
  #count = 0;

  constructor(routing: Routing, loads: Float64Array, cancellation: Cancellation) {
    this.#routing = routing;
    this.#loads = loads;
    this.#cancellation = cancellation;
  }

  add(from: number, to: number, amount: number): void {
    if (amount === 0 || from === to) return;
    if (this.#count === flowsPerBatch) this.flush();
    else if (this.#count === this.#amount.length) this.#grow();
    this.#from[this.#count] = from;
    this.#to[this.#count] = to;
    this.#amount[this.#count++] = amount;
  }

  #grow(): void {
    const room = 2 * this.#amount.length;
    this.#from = grown(this.#from, new Int32Array(room));
    this.#to = grown(this.#to, new Int32Array(room));
    this.#amount = grown(this.#amount, new Float64Array(room));
  }

  flush(): void {
    const [from, to] = [this.#from.subarray(0, this.#count), this.#to.subarray(0, this.#count)];
    this.#count = 0;
    this.#routing.addLoads(
      { from, to, amount: this.#amount.subarray(0, from.length) },
      this.#loads,
      this.#cancellation,
    );
  }
}

/** Adds the loads of flows of which the share of each goes minimally. */
export function addSplitLoads(
  { straight, detours }: { readonly straight: Routing; readonly detours: Detours },
  flows: RouterFlows,
  share: Float64Array,
  loads: Float64Array,
  cancellation: Cancellation,
): void {
  const direct = partialFlows(flows, (flow) => realAt(share, flow));
  if (direct.amount.length > 0) straight.addLoads(direct, loads, cancellation);
  const round = partialFlows(flows, (flow) => 1 - realAt(share, flow));
  if (round.amount.length > 0) detours.addLoads(round, loads, cancellation);
}

/** The part of each flow, those of which there is none left out. */
function partialFlows({ from, to, amount }: RouterFlows, part: (flow: number) => number): RouterFlows {
  const chosen = from.map((_, flow) => flow).filter((flow) => part(flow) > 0);
  return {
    from: chosen.map((flow) => intAt(from, flow)),
    to: chosen.map((flow) => intAt(to, flow)),
    amount: Float64Array.from(chosen, (flow) => realAt(amount, flow) * part(flow)),
  };
}
