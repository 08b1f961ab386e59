/**
 * Cables side by side where routes choose one of them: `sideBySide` makes of each link that stands for several cables as many
 * links. Routings that split evenly, or go axis after axis, know such a bundle as one link with the bandwidth of all of them, as
 * hardware that spreads packets over it does; the forwarding tables and hashes of others take one cable for a flow.
 */
import { linkLimit, type LinkTable, type MachineFigures, type OwnSpeeds, type Topology } from '../model/machine.ts';
import { formatNumber } from '../model/quantities.ts';
import { fail, succeed, type Result } from '../model/result.ts';
import { intAt, byteAt } from '../numeric/elements.ts';

/**
 * The topology with a link for each of the cables of a link, `cablesOf` by LinkId; those of one link follow one another. Itself where
 * each stands for one. Fails with `machine-too-large`. O(links).
 */
export function sideBySide(topology: Topology, cablesOf: (link: number) => number): Result<Topology> {
  const { links, ownSpeeds, subnet } = topology;
  const { firstLink, routerLinkCount, linkCount } = links;
  let count = 0;
  for (let link = 0; link < routerLinkCount; link++) count += cablesOf(link);
  if (count === routerLinkCount) return succeed(topology);
  if (count + linkCount - routerLinkCount > linkLimit) {
    return fail(
      'machine-too-large',
      `The parallel links of this machine add up to ${formatNumber(count)} directed links; the maximum is ${formatNumber(linkLimit)}. Reduce \`cables\`, or use a routing that merges them, such as \`minimal\`.`,
    );
  }
  /** The link that each of the new ones is a cable of; those of nodes stay as they are. */
  const bundleOf = new Int32Array(count + linkCount - routerLinkCount);
  const first = new Int32Array(firstLink.length);
  let next = 0;
  for (let router = 0; router + 1 < firstLink.length; router++) {
    for (let link = intAt(firstLink, router); link < intAt(firstLink, router + 1); link++) {
      const cables = cablesOf(link);
      bundleOf.fill(link, next, next + cables);
      next += cables;
    }
    first[router + 1] = next;
  }
  for (let link = routerLinkCount; link < linkCount; link++) bundleOf[next++] = link;
  const table: LinkTable = {
    firstLink: first,
    from: bundleOf.subarray(0, count).map((link) => intAt(links.from, link)),
    to: bundleOf.subarray(0, count).map((link) => intAt(links.to, link)),
    routerLinkCount: count,
    linkCount: bundleOf.length,
  };
  // The ports of a file are those of its cables: of others nobody knows any.
  const ports =
    subnet && Uint8Array.from(bundleOf, (link, at) => (bundleOf[at - 1] === link ? 0 : byteAt(subnet.ports, link)));
  return succeed({
    ...topology,
    links: table,
    ...(ownSpeeds && { ownSpeeds: bundleSpeeds(ownSpeeds, bundleOf) }),
    ...(subnet && ports && { subnet: { ...subnet, ports } }),
  });
}

const bundleSpeeds = (speeds: OwnSpeeds, bundleOf: Int32Array): OwnSpeeds => ({
  ...speeds,
  of: bundleOf.map((link) => intAt(speeds.of, link)),
});

/** Figures of links that stand for one cable each. */
export const figuresOfCables = ({ groups, ...figures }: MachineFigures): MachineFigures => ({
  ...figures,
  cables: 1,
  ...(groups && { groups: groups.map((group) => ({ ...group, cables: 1 })) }),
});

/**
 * Of each link between routers the number of the last of its cables, `cablesOf` by LinkId, among all between its two routers, from 1, as
 * they stand in the table. O(routers + links).
 */
export function lastCablesOf(
  { firstLink, to, routerLinkCount }: LinkTable,
  cablesOf: (link: number) => number,
): Int32Array {
  const numbers = new Int32Array(routerLinkCount);
  const counted = new Int32Array(firstLink.length - 1);
  for (let router = 0; router + 1 < firstLink.length; router++) {
    const row = to.subarray(intAt(firstLink, router), intAt(firstLink, router + 1));
    row.forEach((end, place) => {
      const link = intAt(firstLink, router) + place;
      counted[end] = intAt(counted, end) + cablesOf(link);
      numbers[link] = intAt(counted, end);
    });
    for (const end of row) counted[end] = 0;
  }
  return numbers;
}

/**
 * By which number `without` takes a cable of a link out: its own, or that of the last where it stands for several, `cablesOf` of each.
 * O(links of its router).
 */
export function numberOfCable(
  { links: { firstLink, from, to }, faults }: Pick<Topology, 'links' | 'faults'>,
  link: number,
  cablesOf: (link: number) => number,
): number {
  const known = faults?.lastCables?.[link];
  if (known !== undefined) return known;
  let number = 0;
  for (let other = intAt(firstLink, intAt(from, link)); other <= link; other++)
    if (to[other] === to[link]) number += cablesOf(other);
  return number;
}

/** How many parallel links lead the way of one. O(links of its router). */
export function parallelTo({ links: { firstLink, from, to } }: Pick<Topology, 'links'>, link: number): number {
  const router = intAt(from, link);
  const row = to.subarray(intAt(firstLink, router), intAt(firstLink, router + 1));
  return row.reduce((count, end) => count + (end === to[link] ? 1 : 0), 0);
}
