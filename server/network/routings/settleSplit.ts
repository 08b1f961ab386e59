/**
 * How adaptive routing settles: of each pair of routers the share that goes minimally, the rest by way of others, such that the busiest
 * link works as short as can be.
 *
 * The busiest link is the limit p → ∞ of the norm (Σ u^p)^(1/p) of what links work, u. The norm is minimised by the method of Frank and
 * Wolfe (1956): links have prices u^(p−1), every pair would rather go the cheaper way, and all shares move towards that as far as an
 * exact search along the line says. p is doubled while the split improves no further. The prices give a bound from below as well: no
 * split does better than when every pair goes the cheaper way, Σ amount · price ≤ max u · Σ λ (Young 1995, the dual of the least
 * maximum), so how far the answer may be from the best is known, and told as the gap.
 */
import { WorkMeter, type Cancellation } from '../../model/cancellation.ts';
import type { RouterFlows, Routing, RoutingSplit, Topology } from '../../model/machine.ts';
import { intAt, realAt } from '../../numeric/elements.ts';
import { addSplitLoads, weightedRows, type Detours } from './detours.ts';

/** What the split is among. */
interface Ways {
  readonly topology: Topology;
  readonly straight: Routing;
  readonly detours: Detours;
}

/** The gap at which it ends. */
const smallestGap = 0.005;
/** Steps at most, and where each is a lot of work. */
const mostSteps = 100;
const fewestSteps = 12;
/** States, steps and flows that are looked at, of all steps together: some seconds. */
const mostWork = 2 ** 31;
const [firstPower, lastPower] = [16, 1024];
/** Steps that must make the busiest link less busy by a thousandth, else the power is doubled. */
const patience = 6;
const worthTelling = 0.999;
/** Of a line search: as exact as doubles are, and no sum without end. */
const [halvings, largestSlope] = [40, 1e200];

/** A split and what links carry under it. */
interface Split {
  readonly share: Float64Array;
  readonly loads: Float64Array;
  /** What the busiest link works. */
  readonly busiest: number;
}

/**
 * The split that flows settle on. `times` is what a byte takes on each link, by LinkId, the same on all where it is left out. Of all splits
 * that were seen, all minimal and all by detours among them, the one with the least busy busiest link, of equal ones the first. Undefined
 * if cancelled. O(steps · (receivers · (states + steps of the graph) + flows · groups)).
 */
export function settleSplit(
  ways: Ways,
  given: RouterFlows,
  times: Float64Array | undefined,
  cancellation: Cancellation,
): RoutingSplit | undefined {
  const flows = mergedFlows(given, ways.topology.routerCount);
  const search = new SplitSearch(ways, flows, times, cancellation);
  while (search.goesOn()) if (!search.step()) return undefined;
  if (cancellation.isCancelled()) return undefined;
  const { share } = search.best;
  const amount = flows.amount.reduce((sum, bytes) => sum + bytes, 0);
  const direct = flows.amount.reduce((sum, bytes, flow) => sum + bytes * realAt(share, flow), 0);
  return {
    from: flows.from,
    to: flows.to,
    minimalShares: share,
    prices: search.pricesOf(search.best).prices,
    minimal: amount === 0 ? 1 : direct / amount,
    gap: search.gap,
    steps: search.steps,
  };
}

/** Steps of Frank and Wolfe from the better of all minimally and all by detours, which is never lost. */
class SplitSearch {
  best: Split;
  steps = 0;
  readonly #ways: Ways;
  readonly #flows: RouterFlows;
  readonly #times: Float64Array;
  readonly #cancellation: Cancellation;
  readonly #limit: number;
  #now: Split;
  #bound = 0;
  #power = firstPower;
  /** Steps without an improvement worth telling. */
  #idle = 0;
  #isDone = false;

  constructor(ways: Ways, flows: RouterFlows, times: Float64Array | undefined, cancellation: Cancellation) {
    const { topology, straight } = ways;
    this.#ways = ways;
    this.#flows = flows;
    this.#times = times ?? new Float64Array(topology.links.routerLinkCount).fill(1);
    this.#cancellation = cancellation;
    const { stateCount, stepTo } = straight.graph ?? { stateCount: 0, stepTo: [] };
    const workOfStep = 3 * topology.routerCount * (stateCount + stepTo.length) + flows.amount.length * 64;
    this.#limit = Math.max(fewestSteps, Math.min(mostSteps, Math.floor(mostWork / workOfStep)));
    const [minimally, round] = [1, 0].map((all) => this.#splitOf(new Float64Array(flows.amount.length).fill(all))) as [
      Split,
      Split,
    ];
    this.best = round.busiest < minimally.busiest ? round : minimally;
    this.#now = this.best;
  }

  /** How much less the busiest link could work at most, as a share. */
  get gap(): number {
    return this.best.busiest === 0 ? 0 : Math.max(0, 1 - this.#bound / this.best.busiest);
  }

  goesOn(): boolean {
    return !this.#isDone && this.best.busiest > 0 && this.steps < this.#limit;
  }

  /** What links cost, and the sum of λ of the bound. O(links). */
  pricesOf({ loads, busiest }: Split): { readonly prices: Float64Array; readonly sum: number } {
    let sum = 0;
    const prices = loads.map((load, link) => {
      const time = realAt(this.#times, link);
      const part = busiest === 0 ? 0 : ((load * time) / busiest) ** (this.#power - 1);
      sum += part;
      return part * time;
    });
    return { prices, sum };
  }

  /** False where it was cancelled. */
  step(): boolean {
    const target = this.#cheaperWays();
    if (target === undefined) return false;
    this.#isDone = this.gap <= smallestGap;
    if (this.#isDone) return true;
    const aim = this.#splitOf(target);
    if (this.#cancellation.isCancelled()) return false;
    this.steps++;
    const part = lineSearch(this.#now, aim, this.#times, this.#power);
    const between = (from: Float64Array, to: Float64Array): Float64Array =>
      from.map((value, at) => value + part * (realAt(to, at) - value));
    const loads = between(this.#now.loads, aim.loads);
    this.#now = { share: between(this.#now.share, aim.share), loads, busiest: this.#busiestOf(loads) };
    this.#idle = this.#now.busiest < this.best.busiest * worthTelling ? 0 : this.#idle + 1;
    if (this.#now.busiest < this.best.busiest) this.best = this.#now;
    if (this.#idle < patience) return true;
    this.#isDone = this.#power >= lastPower && this.#idle > 4 * patience;
    if (this.#power < lastPower) [this.#power, this.#idle] = [2 * this.#power, 0];
    return true;
  }

  /** Where all flows would rather go, minimally where both cost the same; undefined if cancelled. Tightens the bound. */
  #cheaperWays(): Float64Array | undefined {
    const { from, to, amount } = this.#flows;
    const { prices, sum } = this.pricesOf(this.#now);
    const row = weightedRows(this.#ways.straight, prices);
    const round = this.#ways.detours.weigh(prices, row);
    const meter = new WorkMeter(this.#cancellation);
    const target = new Float64Array(amount.length);
    let cheapest = 0;
    for (let flow = 0; flow < amount.length; flow++) {
      const [source, receiver] = [intAt(from, flow), intAt(to, flow)];
      const [direct, detour] = [realAt(row(receiver), source), round(source, receiver)];
      target[flow] = direct <= detour ? 1 : 0;
      cheapest += realAt(amount, flow) * Math.min(direct, detour);
      if (meter.isCancelledAfter(64)) return undefined;
    }
    this.#bound = Math.max(this.#bound, cheapest / sum);
    return target;
  }

  #splitOf(share: Float64Array): Split {
    const loads = new Float64Array(this.#ways.topology.links.routerLinkCount);
    addSplitLoads(this.#ways, this.#flows, share, loads, this.#cancellation);
    return { share, loads, busiest: this.#busiestOf(loads) };
  }

  #busiestOf(loads: Float64Array): number {
    return loads.reduce((most, load, link) => Math.max(most, load * realAt(this.#times, link)), 0);
  }
}

/** Where between two splits the norm is least: the root of its derivative, which grows, by bisection. O(links). */
function lineSearch({ loads, busiest }: Split, aim: Split, times: Float64Array, power: number): number {
  const slope = (part: number): number =>
    loads.reduce((sum, from, link) => {
      const change = realAt(aim.loads, link) - from;
      if (change === 0) return sum;
      const time = realAt(times, link) / busiest;
      return sum + Math.min(largestSlope, ((from + part * change) * time) ** (power - 1)) * change * time;
    }, 0);
  if (slope(1) <= 0) return 1;
  let [low, high] = [0, 1];
  for (let halving = 0; halving < halvings; halving++) {
    const middle = (low + high) / 2;
    if (slope(middle) <= 0) low = middle;
    else high = middle;
  }
  return low;
}

/** Each pair once, in order of receivers and senders, those that travel. */
function mergedFlows({ from, to, amount }: RouterFlows, routerCount: number): RouterFlows {
  const sums = new Map<number, number>();
  amount.forEach((bytes, flow) => {
    const [source, target] = [intAt(from, flow), intAt(to, flow)];
    if (source === target || bytes === 0) return;
    const pair = target * routerCount + source;
    sums.set(pair, (sums.get(pair) ?? 0) + bytes);
  });
  const pairs = Float64Array.from(sums.keys()).sort();
  return {
    from: Int32Array.from(pairs, (pair) => pair % routerCount),
    to: Int32Array.from(pairs, (pair) => Math.floor(pair / routerCount)),
    amount: Float64Array.from(pairs, (pair) => sums.get(pair) ?? 0),
  };
}
