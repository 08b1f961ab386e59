/** Valiant's detours by way of any switch with nodes (Valiant 1982, section 2). */
import { asRouterId, type LinkId } from '../../model/identifiers.ts';
import { neverCancelled, WorkMeter, type Cancellation } from '../../model/cancellation.ts';
import { nodeWorks, routerWorks, type RouterFlows, type Routing, type Topology } from '../../model/machine.ts';
import { intAt, realAt } from '../../numeric/elements.ts';
import { FlowBatch, type Detours } from './detours.ts';

/** Bytes of rows of shares that are kept. */
const memoryLimit = 32 * 2 ** 20;

/** By way of any switch with nodes: n of them, each drawn by one packet in n. */
export class SwitchDetours implements Detours {
  readonly #topology: Topology;
  readonly #straight: Routing;
  /** RouterIds of what may be drawn, ascending. */
  readonly #drawn: Int32Array;
  /** Of each router the sum of hops to all that may be drawn; NaN where nobody has asked. */
  readonly #hopSums: Float64Array;
  /** Of first halves from a router, and of second ones to it, the share over each link. */
  readonly #rows = new Map<number, Float64Array>();

  constructor(topology: Topology, straight: Routing) {
    this.#topology = topology;
    this.#straight = straight;
    const { routerOfNode } = topology;
    const drawn = new Set(
      routerOfNode.filter((router, node) => nodeWorks(topology, node) && routerWorks(topology, router)),
    );
    this.#drawn = Int32Array.from(drawn).sort();
    this.#hopSums = new Float64Array(topology.routerCount).fill(NaN);
  }

  hops(from: number, to: number): number {
    return (this.#hopSum(from) + this.#hopSum(to)) / this.#drawn.length;
  }

  /** O(switches). */
  hopShares(from: number, to: number, visit: (hops: number, share: number) => void): void {
    const counts: number[] = [];
    for (const by of this.#drawn) {
      const hops =
        this.#straight.hops(asRouterId(from), asRouterId(by)) + this.#straight.hops(asRouterId(by), asRouterId(to));
      counts[hops] = (counts[hops] ?? 0) + 1;
    }
    counts.forEach((count, hops) => {
      visit(hops, count / this.#drawn.length);
    });
  }

  addShares(from: number, to: number, add: (link: LinkId, share: number) => void): void {
    if (this.#hasNoWay(from, to)) return;
    const [first, second] = [this.#firstHalves(from), this.#secondHalves(to)];
    for (let link = 0; link < first.length; link++) add(link as LinkId, realAt(first, link) + realAt(second, link));
  }

  /**
   * What one router sends goes evenly to all that may be drawn, and from all of them evenly to where it is received: flows of
   * minimal routing between all pairs. O(flows + switches²) and the time of minimal routing.
   */
  addLoads({ from, to, amount }: RouterFlows, loads: Float64Array, cancellation: Cancellation): void {
    const { routerCount } = this.#topology;
    const [sent, received] = [new Float64Array(routerCount), new Float64Array(routerCount)];
    const mayBeDrawn = new Uint8Array(routerCount);
    for (const by of this.#drawn) mayBeDrawn[by] = 1;
    let isEmpty = true;
    for (let flow = 0; flow < amount.length; flow++) {
      const [source, target] = [intAt(from, flow), intAt(to, flow)];
      if (source === target || this.#hasNoWay(source, target)) continue;
      const part = realAt(amount, flow) / this.#drawn.length;
      sent[source] = realAt(sent, source) + part;
      received[target] = realAt(received, target) + part;
      isEmpty = false;
    }
    if (isEmpty) return;
    const batch = new FlowBatch(this.#straight, loads, cancellation);
    const meter = new WorkMeter(cancellation);
    for (let target = 0; target < routerCount; target++) {
      if (meter.isCancelledAfter(routerCount)) return;
      const [isDrawn, arriving] = [mayBeDrawn[target] === 1, realAt(received, target)];
      for (let source = 0; source < routerCount; source++) {
        batch.add(source, target, (isDrawn ? realAt(sent, source) : 0) + (mayBeDrawn[source] === 1 ? arriving : 0));
      }
    }
    batch.flush();
  }

  /** Set up in one row for each that may be drawn, then O(1) for a pair. */
  weigh(_weights: Float64Array, row: (to: number) => Float64Array): (from: number, to: number) => number {
    const first = new Float64Array(this.#topology.routerCount);
    for (const by of this.#drawn) row(by).forEach((weight, from) => (first[from] = realAt(first, from) + weight));
    const second = new Float64Array(first.length).fill(NaN);
    return (from, to) => {
      if (Number.isNaN(realAt(second, to))) second[to] = this.#drawn.reduce((sum, by) => sum + realAt(row(to), by), 0);
      return (realAt(first, from) + realAt(second, to)) / this.#drawn.length;
    };
  }

  #hasNoWay(from: number, to: number): boolean {
    return !routerWorks(this.#topology, from) || !routerWorks(this.#topology, to);
  }

  /** Cables go both ways, and so do hops. */
  #hopSum(router: number): number {
    if (Number.isNaN(realAt(this.#hopSums, router))) {
      const sum = this.#drawn.reduce((hops, by) => hops + this.#straight.hops(asRouterId(router), asRouterId(by)), 0);
      this.#hopSums[router] = sum;
    }
    return realAt(this.#hopSums, router);
  }

  #firstHalves(from: number): Float64Array {
    return this.#row(from, (row) => {
      for (const by of this.#drawn) {
        this.#straight.visitShares(asRouterId(from), asRouterId(by), (link, share) => {
          row[link] = realAt(row, link) + share / this.#drawn.length;
        });
      }
    });
  }

  #secondHalves(to: number): Float64Array {
    return this.#row(~to, (row) => {
      const amount = new Float64Array(this.#drawn.length).fill(1 / this.#drawn.length);
      const flows = { from: this.#drawn, to: new Int32Array(amount.length).fill(to), amount };
      this.#straight.addLoads(flows, row, neverCancelled);
    });
  }

  #row(key: number, fill: (row: Float64Array) => void): Float64Array {
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const row = new Float64Array(this.#topology.links.routerLinkCount);
    fill(row);
    if ((this.#rows.size + 1) * row.byteLength > memoryLimit) this.#rows.clear();
    this.#rows.set(key, row);
    return row;
  }
}
