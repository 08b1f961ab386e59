/** What a picture brings out of a selection, everything else stepping back: the same on screen and on paper. */

export interface Marks {
  /** By directed link, how much of what was asked about goes there: 0 … 1. */
  readonly links: ReadonlyMap<number, number>;
  /** Entries of nodes at which the flows begin and end. */
  readonly nodes: ReadonlySet<number>;
  /** By directed link, 1 for those whose cables are painted; all of them where it is absent. */
  readonly kept?: Uint8Array;
}

/** A way through the network: directed links, and the share of it that goes over each. */
export type Way = readonly { readonly link: number; readonly share: number }[];

/** How much of all goes over each link, at most 1, where each way has a weight of its own. O(links of the ways). */
export function weighWays(
  ways: readonly { readonly weight: number; readonly route: Way }[],
): ReadonlyMap<number, number> {
  const links = new Map<number, number>();
  for (const { weight, route } of ways) {
    for (const { link, share } of route) links.set(link, Math.min(1, (links.get(link) ?? 0) + weight * share));
  }
  return links;
}

/** How much a veil hides of what it lies over. */
export const veil = 0.72;
/** Pixels of a marked line: of a trace, and of the whole flow. */
const thin = 1.5;
const thick = 5;
/** A trace is still to be seen. */
const faintest = 0.3;

/** Lines are thinner in a picture of small nodes. */
export const markedRoom = (nodePixels: number): number => Math.min(1, Math.max(0.4, nodePixels / 10));
export const markedWidth = (weight: number): number => thin + (thick - thin) * weight;
export const markedOpacity = (weight: number): number => faintest + (1 - faintest) * weight;
