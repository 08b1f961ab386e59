import type { LinkId, NodeId } from '../../../model/identifiers.ts';
import type { Machine } from '../../../model/machine.ts';
import { visitNodeShares } from '../../../network/nodeShares.ts';
import type { Change } from './changes.ts';
import type { MovedFlows } from './movedFlows.ts';

/** The loads of a placement as it is, with its hot links, heaviest first. */
export interface Loads {
  readonly linkLoads: Float64Array;
  readonly hotLinks: readonly { readonly link: LinkId; readonly load: number }[];
}

/** Link loads once a change is made. */
export interface LoadsAfter {
  /** The largest of those links that the change makes heavier; 0 where it makes none so. */
  readonly raised: number;
  /** The largest of all. */
  readonly maximum: number;
}

/**
 * The heaviest links once the change is made: the routes of the flows it moves are taken out and
 * put in again. The heaviest link that is left alone is among the hot ones, or all are looked
 * through. O(moved flows · hops).
 */
export function loadsAfter(
  machine: Machine,
  { linkLoads, hotLinks }: Loads,
  flows: MovedFlows,
  change: Change,
): LoadsAfter {
  const loads = new Map<LinkId, number>();
  const add = (from: number, to: number, bytes: number): void => {
    visitNodeShares(machine, from as NodeId, to as NodeId, (link, share) => {
      loads.set(link, (loads.get(link) ?? linkLoads[link]!) + bytes * share);
    });
  };
  flows.visit(change, (bytes, from, to, newFrom, newTo) => {
    add(from, to, -bytes);
    add(newFrom, newTo, bytes);
  });
  let raised = 0;
  let maximum = hotLinks.find(({ link }) => !loads.has(link))?.load ?? heaviestBut(linkLoads, loads);
  for (const [link, load] of loads) {
    if (load > maximum) maximum = load;
    if (load > linkLoads[link]! && load > raised) raised = load;
  }
  return { raised, maximum };
}

function heaviestBut(linkLoads: Float64Array, others: ReadonlyMap<LinkId, number>): number {
  let maximum = 0;
  for (let link = 0; link < linkLoads.length; link++) {
    if (linkLoads[link]! > maximum && !others.has(link as LinkId)) maximum = linkLoads[link]!;
  }
  return maximum;
}
