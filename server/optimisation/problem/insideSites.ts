/**
 * Sites inside of nodes, where distances there count: the slots of a node that are 0 apart are one site. What two sites of different nodes
 * cost is what their nodes cost, and the ways to the network adapters.
 */
import { largestOf } from '../../model/lists.ts';
import { intAt } from '../../numeric/elements.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import { insideUnit, waysOut, type InsideDistances } from '../../model/nodeInside.ts';
import { cancelled, succeed, type Result } from '../../model/result.ts';
import { coreOfSlot, endsOfSlots } from '../../model/slots.ts';
import { costTable } from './gridCosts.ts';
import { placesByEnd, type Places } from './places.ts';
import { costBetween, tableSiteLimit, type SiteCosts } from './siteCosts.ts';

/** Undefined where such distances do not count, or there are more sites than a table of costs takes. O(slots). */
export function placesInside(machine: Machine, slots: Int32Array): Places | undefined {
  const { distances } = machine.inside;
  if (distances === undefined) return undefined;
  const ends = endsOfSlots(machine, slots);
  const runs = new Int32Array(slots.length);
  let run = 0;
  const classOf = (place: number): number => intAt(distances.classOfSlot, coreOfSlot(machine, intAt(slots, place)));
  for (let place = 1; place < slots.length; place++) {
    if (ends[place] !== ends[place - 1] || classOf(place) !== classOf(place - 1)) run++;
    runs[place] = run;
  }
  if (run >= tableSiteLimit) return undefined;
  const places = placesByEnd(machine, slots, runs);
  // No two sites are alike: what is known of routers by their coordinates stands beside.
  const routers = machine.topology.routerOfNode;
  return {
    ...places,
    routerOfSite: places.nodeOfSite.map((_, site) => site),
    coordinateOfSite: places.nodeOfSite.map((node) => intAt(routers, node)),
  };
}

/** Costs are multiples of this where they are no multiples of something coarser, as the mean over rails may be. */
const finestUnit = 2 ** -20;
/** What a cell of a table holds. */
const largestCost = 2 ** 30;

/** The costs between sites inside of nodes, out of those between nodes. O(sites²). Fails with `cancelled`. */
export function costsInside(
  machine: Machine,
  distances: InsideDistances,
  nodes: { readonly places: Places; readonly costs: SiteCosts },
  places: Places,
  cancellation: Cancellation,
): Result<SiteCosts> {
  const { classCount, classOfSlot, between } = distances;
  const out = waysOut(machine) ?? new Float64Array(classCount);
  const { siteCount, nodeOfSite, firstPlace, slotOfPlace } = places;
  const most = between.reduce((longest, hops) => Math.max(longest, hops), 2 * largestOf(out));
  const unit = coarsestSharedUnit(
    [...new Set(out)],
    Math.min(insideUnit, nodes.costs.unit),
    nodes.costs.maximum * nodes.costs.unit + most,
  );
  const scale = nodes.costs.unit / unit;
  const [wholeBetween, wholeOut] = [between, out].map((hops) =>
    Int32Array.from(hops, (value) => Math.round(value / unit)),
  ) as [Int32Array, Int32Array];
  const nodeSite = Int32Array.from({ length: siteCount }, (_, site) =>
    intAt(nodes.places.siteOfPlace, intAt(firstPlace, site)),
  );
  const classOf = Int32Array.from({ length: siteCount }, (_, site) =>
    intAt(classOfSlot, coreOfSlot(machine, intAt(slotOfPlace, intAt(firstPlace, site)))),
  );
  const cost = (from: number, to: number): number => {
    if (from === to) return 0;
    const [one, other] = [intAt(classOf, from), intAt(classOf, to)];
    if (nodeOfSite[from] === nodeOfSite[to]) return intAt(wholeBetween, one * classCount + other);
    const ofNodes = Math.round(costBetween(nodes.costs, intAt(nodeSite, from), intAt(nodeSite, to)) * scale);
    return ofNodes + intAt(wholeOut, one) + intAt(wholeOut, other);
  };
  const table = costTable(siteCount ** 2, Math.ceil(nodes.costs.maximum * scale + most / unit));
  let maximum = 0;
  for (let from = 0; from < siteCount; from++) {
    if ((from & 15) === 0 && cancellation.isCancelled()) return cancelled();
    for (let to = 0; to < siteCount; to++) {
      const found = cost(from, to);
      table[from * siteCount + to] = found;
      maximum = Math.max(maximum, found);
    }
  }
  return succeed({ kind: 'table', siteCount, unit, maximum, table });
}

/** The coarsest power of two, at most `coarsest`, of which all values are multiples, as far as 32 bits hold the longest. */
function coarsestSharedUnit(values: readonly number[], coarsest: number, longest: number): number {
  let unit = coarsest;
  for (const value of values) {
    const rounded = Math.round(value / finestUnit) * finestUnit;
    while (unit > finestUnit && !Number.isInteger(rounded / unit)) unit /= 2;
  }
  while (longest / unit > largestCost) unit *= 2;
  return unit;
}
