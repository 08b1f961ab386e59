import { intAt } from '../../numeric/elements.ts';
import type { Topology } from '../../model/machine.ts';
import { fail } from '../../model/result.ts';
import type { RoutingEntry } from '../contract.ts';
import { buildTables, type TableFiller } from './tableRouting.ts';

export const fatTreeShift: RoutingEntry = {
  name: 'fat-tree',
  summary: 'one up-down route per node in a tree, chosen so that shifts do not collide',
  source: 'Zahavi 2010, D-Mod-K, section 4; what `ftree` of OpenSM does for shift permutations (Zahavi et al. 2010)',
  details:
    'At tier l, the route up to node d uses link ⌊d / (w₁ ⋯ wₗ)⌋ mod wₗ₊₁. Here w are the uplinks of a switch in each tier, and d counts nodes by leaves. The route down follows from it. On a full tree every shift (node i to i + s) is contention-free. Needs a topology with tiers. Tables have at most 134,217,728 entries.',
  options: [],
  choosesCables: true,
  build: (topology, _options, cancellation) => {
    const { tiers } = topology;
    if (tiers === undefined) {
      return fail(
        'routing-does-not-fit',
        'Routing `fat-tree` needs a tree with tiers. Write `routing static` or `routing up-down`.',
      );
    }
    return buildTables('fat-tree', topology, modularChoice(topology, tiers), cancellation);
  },
};

function modularChoice(topology: Topology, tiers: Int32Array): TableFiller {
  const { links, routerCount } = topology;
  const divisors = linksUpBelow(topology, tiers);
  return {
    choose(router, candidates, count, address) {
      const rank = address < routerCount ? address : address - routerCount;
      const up = intAt(tiers, intAt(links.to, intAt(candidates, 0))) > intAt(tiers, router);
      // Parallel cables down are chosen by the same digit as they are on the way up from below.
      const tier = up ? intAt(tiers, router) : Math.max(0, intAt(tiers, router) - 1);
      const digit = Math.floor(rank / (divisors[tier] ?? 1));
      return intAt(candidates, digit % count);
    },
  };
}

/** For each tier the product of the links up of a switch of each tier below: of its first switch. */
function linksUpBelow({ links, routerCount }: Topology, tiers: Int32Array): readonly number[] {
  const divisors = [1];
  for (let tier = 0; ; tier++) {
    const router = tiers.indexOf(tier);
    if (router < 0 || router >= routerCount) return divisors;
    const row = links.to.subarray(intAt(links.firstLink, router), intAt(links.firstLink, router + 1));
    const up = row.reduce((count, to) => count + (intAt(tiers, to) > tier ? 1 : 0), 0);
    divisors.push((divisors[tier] ?? 1) * Math.max(1, up));
  }
}
