import { largestOf } from '../../model/lists.ts';
import type { Topology } from '../../model/machine.ts';
import { distancesFrom } from '../../numeric/breadthFirst.ts';
import { DisjointSets } from '../../numeric/unionFind.ts';
import type { SceneArea } from '../scene.ts';
import { usualProportion, type Layout, type Network } from './contract.ts';
import {
  discSize,
  fabricLayout,
  frameRouters,
  type NodePlaces,
  nodesOfRouters,
  placeHosts,
  riseOf,
  type RouterPlaces,
  rowDrop,
  rowReach,
  rowWidth,
} from './frames.ts';

/** Free space between switches side by side, and between pods per tier. */
const gap = 0.36;
const podGap = 0.3;
/** Between the lines of a tier that is folded. */
const lineGap = 0.4;
/** A picture wider than this many times what its height is wide in its room has its leaves folded. */
const widest = 1.85;
/** Leaves show their nodes in a row below up to so many nodes each and in all: more stand in a block inside the leaf. */
const rowNodes = 4;
/** Where their rails are on several leaves, more: there each node has a line to each of them. */
const railRowNodes = 12;
/** So much further below stand the nodes by the width of what shares its nodes, so that their lines are not all flat. */
const dropPerWidth = 0.22;
/** In a room of usual proportions; as much fewer in a narrower one. */
const unfoldedLeaves = 16;
const rowNodesInAll = 128;
/** Rows of nodes cannot be folded: in a room that is narrower for its height there are none. */
const rowsFrom = 0.9;

/**
 * Trees of switches by tier, the roots on top, the leaves at the bottom with their nodes. What
 * holds together below the top stands together as a pod, and pods within pods, so that the
 * cables of a pod stay above it. O(tiers · routers + links).
 */
export function layoutTiers(topology: Network, tier: Int32Array, proportion = usualProportion): Layout {
  const own = nodesOfRouters(topology);
  const dealt = dealtNodes(topology, own);
  // Below the switches of their rails nodes stand in rows, or else in the switch of their first one.
  const hasRows =
    proportion >= rowsFrom && hasRoomForRows(tier, dealt?.first ?? own, dealt === undefined ? rowNodes : railRowNodes);
  const first = hasRows ? (dealt?.first ?? own) : own;
  const places = frameRouters(first);
  if (hasRows) unframeLeaves(tier, places);
  const whole = podsOf(topology.links, tier);
  const drop = hasRows ? rowDrop + (dealt?.widest ?? 0) * dropPerWidth : undefined;
  const plan = tierPlan(whole, tier, first, places, drop, proportion);
  placePod(whole, 0, plan, places);
  placeTierRows(tier, plan, places);
  const areas = podAreas(whole, first, places, drop);
  const nodes =
    drop !== undefined && dealt !== undefined ? inOrderOf(dealt.node, placeHosts(first, places, drop)) : undefined;
  return fabricLayout(first, places, { areas, rank: tier, rankWord: 'tier' }, nodes);
}

/**
 * Where nodes hang on several switches by their rails, the nodes that share switches dealt evenly over these, in order: how many stand
 * below each, as `nodesOfRouters` has it, the node of each place, and the width of the widest row. Undefined where all nodes hang on one switch each. O(adapters).
 */
function dealtNodes(
  { routerCount, routerOfNode, rails }: Network,
  own: Int32Array,
): { readonly first: Int32Array; readonly node: Int32Array; readonly widest: number } | undefined {
  if (rails === undefined) return undefined;
  const sets = new DisjointSets(routerCount);
  rails.nodeOfPort.forEach((node, port) => sets.join(routerOfNode[node]!, rails.routerOfPort[port]!));
  const switches = new Map<number, number[]>();
  const nodes = new Map<number, number[]>();
  const add = (groups: Map<number, number[]>, root: number, each: number): void => {
    const group = groups.get(root);
    if (group === undefined) groups.set(root, [each]);
    else group.push(each);
  };
  const isUsed = new Uint8Array(routerCount);
  for (const router of [...routerOfNode, ...rails.routerOfPort]) isUsed[router] = 1;
  for (let router = 0; router < routerCount; router++)
    if (isUsed[router] === 1) add(switches, sets.rootOf(router), router);
  if ([...switches.values()].every(({ length }) => length < 2)) return undefined;
  for (let node = 0; node < routerOfNode.length; node++) add(nodes, sets.rootOf(routerOfNode[node]!), node);
  const below: number[][] = Array.from({ length: own.length - 1 }, () => []);
  for (const [root, routers] of switches) {
    const all = nodes.get(root) ?? [];
    routers.forEach((router, place) => {
      const cut = (at: number): number => Math.floor((at * all.length) / routers.length);
      below[router] = all.slice(cut(place), cut(place + 1));
    });
  }
  const first = new Int32Array(own.length);
  below.forEach(({ length }, router) => (first[router + 1] = first[router]! + length));
  const widest = largestOf([...nodes.values()].map(({ length }) => rowWidth(length)));
  return { first, node: Int32Array.from(below.flat()), widest };
}

/** Places of nodes one after the other, as places by node. */
function inOrderOf(node: Int32Array, places: NodePlaces): NodePlaces {
  const byNode = (byPlace: Float32Array): Float32Array => {
    const values = new Float32Array(byPlace.length);
    node.forEach((each, place) => (values[each] = byPlace[place]!));
    return values;
  };
  return { nodeX: byNode(places.nodeX), nodeY: byNode(places.nodeY), nodeSize: byNode(places.nodeSize) };
}

/**
 * Tier of each switch above the leaves, where the network is a tree of switches: what the
 * topology says, else the distance from the nearest switch with nodes, provided that every cable
 * then leads from one tier to the next. Undefined for other networks. O(routers + links).
 */
export function tiersOf(topology: Topology): Int32Array | undefined {
  if (topology.tiers !== undefined) return topology.tiers;
  const { firstLink, to, from, routerLinkCount } = topology.links;
  const first = nodesOfRouters(topology);
  const hasNodes = (router: number): boolean =>
    first[router + 1] !== first[router] || topology.rails?.routerOfPort.includes(router) === true;
  const leaves = Array.from({ length: topology.routerCount }, (_, router) => router).filter(hasNodes);
  if (leaves.length < 2 || leaves.length === topology.routerCount) return undefined;
  const tier = distancesFrom(firstLink, to, leaves);
  for (let link = 0; link < routerLinkCount; link++) {
    if (Math.abs(tier[from[link]!]! - tier[to[link]!]!) !== 1) return undefined;
  }
  return tier;
}

/** Few leaves with at most so many nodes show them below instead of inside; where there are none at all there is no row. */
const hasRoomForRows = (tier: Int32Array, first: Int32Array, most: number): boolean =>
  first.at(-1)! > 0 &&
  first.at(-1)! <= rowNodesInAll &&
  tier.every((each, router) => each !== 0 || first[router + 1]! - first[router]! <= most);

function unframeLeaves(tier: Int32Array, { size, framed }: RouterPlaces): void {
  tier.forEach((each, router) => {
    if (each !== 0) return;
    framed[router] = 0;
    size[router] = discSize;
  });
}

/** What all pods share: the width of a leaf, and how wide and how folded things are. */
interface Plan {
  readonly leafWidth: number;
  /** Half the height of a line of each tier. */
  readonly half: readonly number[];
  /** Lines that the leaves of a pod take. */
  readonly leafLines: number;
  /** Lines of each tier, by the pods of that tier. */
  readonly lines: number[];
  /** From a leaf to the row of its nodes; undefined where they stand inside. */
  readonly drop: number | undefined;
  readonly width: number;
  readonly proportion: number;
}

function tierPlan(
  whole: Pod,
  tier: Int32Array,
  first: Int32Array,
  { size }: RouterPlaces,
  drop: number | undefined,
  proportion: number,
): Plan {
  const half = new Array<number>(Math.max(0, largestOf(tier)) + 1).fill(discSize);
  let leafWidth = 2 * discSize;
  tier.forEach((each, router) => {
    half[each] = Math.max(half[each]!, size[router]!);
    if (each === 0)
      leafWidth = Math.max(
        leafWidth,
        drop !== undefined ? rowWidth(first[router + 1]! - first[router]!) : 2 * size[router]!,
      );
  });
  const leafCount = tier.reduce((count, each) => count + Number(each === 0), 0);
  const unfolded = unfoldedLeaves * Math.min(1, proportion / usualProportion);
  for (let leafLines = 1; ; leafLines++) {
    const plan = { leafWidth, half, leafLines, lines: half.map(() => 1), drop, proportion };
    const width = podWidth(whole, plan);
    countPodLines(whole, plan);
    const own = ownHeight(plan);
    const height = own + half.length * riseOf(width, own, 0, proportion);
    // Behind a folded leaf the cables of the next one pass: few leaves stand side by side.
    if (drop !== undefined || leafCount <= unfolded || width <= widest * proportion * height || leafLines > 40)
      return { ...plan, width };
  }
}

type Sizes = Omit<Plan, 'width'>;

/** Leaves stand in columns of `leafLines`; a pod is as wide as its children, and never narrower than one head. */
function podWidth(pod: Pod, sizes: Sizes): number {
  const { leaves, pods } = podParts(pod);
  const columns = Math.ceil(leaves.length / sizes.leafLines);
  const leavesWidth = columns * (sizes.leafWidth + gap) - (columns > 0 ? gap : 0);
  const podsWidth = pods.reduce((sum, each) => sum + podWidth(each, sizes), 0);
  const gaps = podGap * pod.tier * Math.max(0, pods.length - (leaves.length > 0 ? 0 : 1));
  return Math.max(leavesWidth + podsWidth + gaps, podHeadWidth(pod, sizes) - gap);
}

/** Leaves that stand alone, and everything larger. A pod of leaves alone has its heads as leaves. */
function podParts(pod: Pod): { readonly leaves: readonly number[]; readonly pods: readonly Pod[] } {
  if (pod.tier === 0) return { leaves: pod.heads, pods: [] };
  const isLeaf = ({ tier, heads }: Pod): boolean => tier === 0 && heads.length === 1;
  return {
    leaves: pod.children.filter(isLeaf).map(({ heads }) => heads[0]!),
    pods: pod.children.filter((child) => !isLeaf(child)),
  };
}

const podHeadWidth = (pod: Pod, { half }: Sizes): number => (pod.heads.length === 0 ? 0 : 2 * half[pod.tier]! + gap);

/** Heads fold where they are wider than what is below them. */
function countPodLines(pod: Pod, sizes: Sizes): void {
  if (pod.tier === 0 || pod.heads.length > 0) {
    const perLine = Math.max(1, Math.floor((podWidth(pod, sizes) + gap) / podHeadWidth(pod, sizes)));
    const lines = pod.tier === 0 ? sizes.leafLines : Math.ceil(pod.heads.length / perLine);
    sizes.lines[pod.tier] = Math.max(sizes.lines[pod.tier]!, lines);
  }
  const { leaves, pods } = podParts(pod);
  if (leaves.length > 0) sizes.lines[0] = Math.max(sizes.lines[0]!, Math.min(leaves.length, sizes.leafLines));
  for (const each of pods) countPodLines(each, sizes);
}

/** Height of the lines of one tier. */
const tierHeight = ({ lines, half }: Sizes, tier: number): number =>
  lines[tier]! * (2 * half[tier]! + lineGap) - lineGap;

/** Height of all tiers, without what is between them. */
const ownHeight = (sizes: Sizes): number =>
  sizes.half.reduce(
    (sum, _, tier) => sum + tierHeight(sizes, tier),
    sizes.drop === undefined ? 0 : rowReach(sizes.drop),
  );

/** Places a pod from `left` on and returns its right end. Lines within a tier are told apart in `y` for now. */
function placePod(pod: Pod, left: number, plan: Plan, places: RouterPlaces): number {
  const width = podWidth(pod, plan);
  const { leaves, pods } = podParts(pod);
  let next = left;
  leaves.forEach((router, index) => {
    const column = Math.floor(index / plan.leafLines);
    places.x[router] = left + column * (plan.leafWidth + gap) + plan.leafWidth / 2;
    places.y[router] = index % plan.leafLines;
  });
  if (leaves.length > 0) {
    next += Math.ceil(leaves.length / plan.leafLines) * (plan.leafWidth + gap) - gap + podGap * pod.tier;
  }
  for (const each of pods) next = placePod(each, next, plan, places) + podGap * pod.tier;
  if (pod.tier > 0) setHeads(pod, left, width, plan, places);
  return left + width;
}

/** Heads evenly across the width of their pod, in as many lines as they need. */
function setHeads({ heads, tier }: Pod, left: number, width: number, { lines }: Plan, { x, y }: RouterPlaces): void {
  const columns = Math.ceil(heads.length / (lines[tier] ?? 1));
  heads.forEach((router, index) => {
    const line = Math.floor(index / columns);
    // Every second line half a step aside, so that cables pass between.
    const aside = (line % 2) * 0.25 - (lines[tier]! > 1 ? 0.125 : 0);
    x[router] = left + (width * ((index % columns) + 0.5 + aside)) / columns;
    y[router] = line;
  });
}

/** From tiers and lines to heights, the top tier uppermost. */
function placeTierRows(tier: Int32Array, plan: Plan, { y }: RouterPlaces): void {
  const tops: number[] = [];
  const rise = riseOf(plan.width, ownHeight(plan), plan.half.length, plan.proportion);
  let top = 0;
  for (let height = plan.half.length - 1; height >= 0; height--) {
    tops[height] = top;
    top += tierHeight(plan, height) + rise;
  }
  tier.forEach((each, router) => {
    y[router] = tops[each]! + plan.half[each]! + y[router]! * (2 * plan.half[each]! + lineGap);
  });
}

/** A patch behind each pod below the top, where there are several. */
function podAreas(whole: Pod, first: Int32Array, { x, y, size }: RouterPlaces, drop: number | undefined): SceneArea[] {
  const pods = whole.children.filter(({ tier }) => tier > 0);
  if (pods.length < 2) return [];
  const margin = 0.14;
  return pods.map((pod) => {
    const area = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity, round: false, label: '' };
    for (const router of podRouters(pod)) {
      const nodes = first[router + 1]! - first[router]!;
      const row = drop === undefined || nodes === 0 ? undefined : drop;
      const across = margin + (row === undefined ? size[router]! : rowWidth(nodes) / 2);
      area.left = Math.min(area.left, x[router]! - across);
      area.right = Math.max(area.right, x[router]! + across);
      area.top = Math.min(area.top, y[router]! - size[router]! - margin);
      area.bottom = Math.max(area.bottom, y[router]! + (row === undefined ? size[router]! : rowReach(row)) + margin);
    }
    return area;
  });
}

const podRouters = (pod: Pod): number[] => [...pod.heads, ...pod.children.flatMap(podRouters)];

/**
 * A tree of switches cut into pods: what holds together below some tier. The switches of the
 * pod's uppermost tier are its heads; what falls apart without them are its children.
 */
interface Pod {
  readonly tier: number;
  readonly heads: readonly number[];
  readonly children: readonly Pod[];
}

/**
 * The whole network as a pod. Union-find, tier by tier from the leaves up: O(tiers · routers +
 * links). A network that holds together only by a lower tier has no heads on top.
 */
function podsOf(links: Network['links'], tier: Int32Array): Pod {
  // The lowest number is the root: pods are in the order of their first switch.
  const sets = new DisjointSets(tier.length);
  let pods = new Map<number, Pod>();
  const top = Math.max(0, largestOf(tier));
  for (let height = 0; height <= top; height++) {
    for (let link = 0; link < links.routerLinkCount; link++) {
      const [from, to] = [links.from[link]!, links.to[link]!];
      if (tier[from]! > height || tier[to]! > height) continue;
      sets.join(from, to);
    }
    pods = gatherPods(pods, tier, height, sets);
  }
  const whole = [...pods.values()];
  return whole.length === 1 ? whole[0]! : { tier: top + 1, heads: [], children: whole };
}

function gatherPods(below: Map<number, Pod>, tier: Int32Array, height: number, sets: DisjointSets): Map<number, Pod> {
  const growing = new Map<number, { heads: number[]; children: Pod[] }>();
  const at = (root: number): { heads: number[]; children: Pod[] } => {
    const found = growing.get(root) ?? { heads: [], children: [] };
    growing.set(root, found);
    return found;
  };
  for (const [root, pod] of below) at(sets.rootOf(root)).children.push(pod);
  tier.forEach((each, router) => {
    if (each === height) at(sets.rootOf(router)).heads.push(router);
  });
  const pods = new Map<number, Pod>();
  for (const [root, { heads, children }] of growing) {
    const [only] = children;
    pods.set(root, heads.length === 0 && children.length === 1 ? only! : { tier: height, heads, children });
  }
  return pods;
}
