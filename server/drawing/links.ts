import { axisBetween, portCount, type LinkTable, type Routing, type Topology } from '../model/machine.ts';
import { portsOfNode } from '../model/rails.ts';
import { goesUp } from '../network/routings/roots.ts';
import type { Layout } from './layout/contract.ts';
import { hostFlag, hotFlag, stubAtToFlag, stubFlag, tickFlag, upFlag, type SceneLinks } from './scene.ts';
import { reverseLinks } from '../network/links.ts';
import { forEachCable, railStep } from './strokes.ts';

/** What lines are drawn from: of a report, or of one whose nodes are blocks. */
export interface LinkedReport {
  readonly machine: { readonly topology: Topology; readonly routing: Pick<Routing, 'hierarchy'> };
  readonly linkLoads: Float64Array;
  readonly hotLinks: readonly { readonly link: number }[];
}

/**
 * The cables between routers, then those between nodes and their routers, with the load of both
 * directions. Under up/down routing cables run from the lower end to the upper.
 * O(links · degree).
 */
export function drawLinks(report: LinkedReport, layout: Layout): SceneLinks {
  const { topology } = report.machine;
  const cables = pairedCables(topology.links);
  const lines = new LineList(
    2 * cables.count + (layout.fabric === undefined ? 0 : portCount(topology)),
    topology.rails !== undefined,
  );
  const cableOf = cableReader(report);
  addCables(report.machine, layout, cables, cableOf, lines);
  if (layout.fabric !== undefined) addHostLinks(report.machine, layout, cableOf, lines);
  return lines.finish();
}

type CableReader = (ends: { from: number; to: number }, forwardLink: number, backwardLink: number) => Cable;

/** Loads and heat of the two directions of a cable; −1 for a direction that is not there. */
function cableReader({ linkLoads, hotLinks }: LinkedReport): CableReader {
  const isHot = new Uint8Array(linkLoads.length);
  for (const { link } of hotLinks) isHot[link] = 1;
  return ({ from, to }, forwardLink, backwardLink) => ({
    from,
    to,
    forwardLink,
    backwardLink,
    forward: linkLoads[forwardLink] ?? 0,
    backward: linkLoads[backwardLink] ?? 0,
    flags: isHot[forwardLink] === 1 || isHot[backwardLink] === 1 ? hotFlag : 0,
  });
}

function addCables(
  machine: LinkedReport['machine'],
  layout: Layout,
  cables: Cables,
  cableOf: CableReader,
  lines: LineList,
): void {
  const { topology } = machine;
  const axes: Coordinates = topology;
  const { from: fromOf, to: toOf } = topology.links;
  for (let index = 0; index < cables.count; index++) {
    const [forward, backward] = [cables.forward[index]!, cables.backward[index]!];
    const ends = { from: fromOf[forward]!, to: toOf[forward]! };
    const segments = segmentsOf(layout, axes, ends, cables.parallel[index]!, cables.parallelCount[index]!);
    const turned = goesDown(machine, ends.from, ends.to);
    const cable = turned
      ? cableOf({ from: ends.to, to: ends.from }, backward, forward)
      : cableOf(ends, forward, backward);
    const flags =
      cable.flags | (segments.length === 1 ? 0 : stubFlag) | (machine.routing.hierarchy === undefined ? 0 : upFlag);
    const placed = turned ? segments.map(reversedSegment).reverse() : segments;
    placed.forEach((segment, part) => {
      lines.add(segment, { ...cable, flags: flags | (part === 0 ? 0 : stubAtToFlag) });
    });
  }
}

/** Where routers stand in a grid, and how it comes back; absent where they have no coordinates. */
type Coordinates = Pick<Topology, 'shape' | 'twist'>;

const noAxis = { axis: -1, wraps: false };

/** The line of a cable, or its two stubs. Of parallel cables it is the one of this number of so many. */
function segmentsOf(
  layout: Layout,
  axes: Coordinates,
  ends: { readonly from: number; readonly to: number },
  parallel: number,
  parallelCount: number,
): readonly Segment[] {
  const { axis, wraps } = axes.shape === undefined ? noAxis : axisBetween(axes.shape, ends.from, ends.to, axes.twist);
  const stub = layout.stub(axis, wraps);
  const shift = shiftOf(parallel, parallelCount, layout, ends);
  return stub === undefined ? [straight(layout, ends, shift)] : stubs(layout, ends, stub);
}

/**
 * The cables of a scene, placed anew by another layout: the same cables in the same order, each with as many entries as
 * that draws it with. `source`: for each of them the entry that it was. O(links).
 */
export function placeAgain(
  links: SceneLinks,
  axes: Coordinates,
  layout: Layout,
): { readonly links: SceneLinks; readonly source: Int32Array } {
  const lines = new LineList(2 * links.from.length, links.rail !== undefined);
  const source: number[] = [];
  const cables: number[] = [];
  forEachCable(links, (entry) => cables.push(entry));
  const isHost = (cable: number): boolean => (links.flags[cables[cable]!]! & hostFlag) !== 0;
  for (let first = 0; first < cables.length;) {
    const [from, to] = [links.from[cables[first]!]!, links.to[cables[first]!]!];
    let end = first + 1;
    const isAlike = (cable: number): boolean =>
      isHost(cable) === isHost(first) &&
      links.from[cables[cable]!] === from &&
      (isHost(cable) || links.to[cables[cable]!] === to);
    while (end < cables.length && isAlike(end)) end++;
    const ports = isHost(first) ? portPlaces(cables.slice(first, end).map((entry) => links.to[entry]!)) : [];
    for (let cable = first; cable < end; cable++) {
      const entry = cables[cable]!;
      const segments = isHost(cable)
        ? [hostSegment(layout, from, links.to[entry]!, ports[cable - first]!)]
        : from < to
          ? segmentsOf(layout, axes, { from, to }, cable - first, end - first)
          : segmentsOf(layout, axes, { from: to, to: from }, cable - first, end - first)
              .map(reversedSegment)
              .reverse();
      const flags =
        (links.flags[entry]! & ~(stubFlag | stubAtToFlag | tickFlag)) |
        (segments.length === 1 ? 0 : stubFlag) |
        (isHost(cable) && layout.fabric?.inFrame[from] === 1 ? tickFlag : 0);
      const [forwardLink, backwardLink] = [links.forwardLink[entry]!, links.backwardLink[entry]!];
      const [forward, backward] = [links.forward[entry]!, links.backward[entry]!];
      segments.forEach((segment, part) => {
        const own = {
          from,
          to: links.to[entry]!,
          forwardLink,
          backwardLink,
          forward,
          backward,
          rail: links.rail?.[entry] ?? -1,
        };
        lines.add(segment, { ...own, flags: flags | (part === 0 ? 0 : stubAtToFlag) });
        source.push(entry);
      });
    }
    first = end;
  }
  return { links: lines.finish(), source: Int32Array.from(source) };
}

/** Under up/down routing: whether the way from one router to the other leads away from the root. */
function goesDown({ routing }: LinkedReport['machine'], from: number, to: number): boolean {
  if (routing.hierarchy === undefined) return false;
  return goesUp(routing.hierarchy.level, to, from);
}

/** Parallel cables stand side by side: how far each is to the right of the middle. */
const cableGap = 0.26;

function shiftOf(
  parallel: number,
  count: number,
  { size }: Layout,
  { from, to }: { readonly from: number; readonly to: number },
): number {
  if (count === 1) return 0;
  const room = 1.5 * Math.min(size[from]!, size[to]!);
  return (parallel - (count - 1) / 2) * Math.min(cableGap, room / count);
}

function straight({ x, y, fabric }: Layout, { from, to }: { from: number; to: number }, shift: number): Segment {
  const [x1, y1, x2, y2] = [x[from]!, y[from]!, x[to]!, y[to]!];
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [right, down] = [(-(y2 - y1) / length) * shift, ((x2 - x1) / length) * shift];
  return { x1: x1 + right, y1: y1 + down, x2: x2 + right, y2: y2 + down, bend: fabric?.bend(from, to) ?? 0 };
}

/** Both stubs point in the direction from → to, so that lanes keep their side. */
function stubs(
  { x, y }: Layout,
  { from, to }: { readonly from: number; readonly to: number },
  { dx, dy }: { readonly dx: number; readonly dy: number },
): Segment[] {
  return [
    { x1: x[from]!, y1: y[from]!, x2: x[from]! + dx, y2: y[from]! + dy, bend: 0 },
    { x1: x[to]! - dx, y1: y[to]! - dy, x2: x[to]!, y2: y[to]!, bend: 0 },
  ];
}

const reversedSegment = ({ x1, y1, x2, y2, bend }: Segment): Segment => ({
  x1: x2,
  y1: y2,
  x2: x1,
  y2: y1,
  bend: -bend,
});

/** How far the host link of a node inside a frame reaches up from its square, in half sides. */
const tick = 1;

/** From every node to its switch; with several adapters one link for each, by rail. */
function addHostLinks(
  { topology }: LinkedReport['machine'],
  layout: Layout,
  cableOf: CableReader,
  lines: LineList,
): void {
  const { rails, routerOfNode } = topology;
  const { routerLinkCount } = topology.links;
  for (let node = 0; node < routerOfNode.length; node++) {
    const ports = rails === undefined ? [node] : portsOfNode(rails, node);
    const routers = ports.map((port) => rails?.routerOfPort[port] ?? routerOfNode[node]!);
    const places = portPlaces(routers);
    ports.forEach((port, index) => {
      const upwards = routerLinkCount + 2 * port;
      const [to, rail] = [routers[index]!, rails?.railOfPort[port] ?? -1];
      const cable = cableOf({ from: node, to }, upwards, upwards + 1);
      const flags = cable.flags | hostFlag | (layout.fabric!.inFrame[node] === 1 ? tickFlag : 0);
      lines.add(hostSegment(layout, node, to, places[index]!), { ...cable, flags, rail });
    });
  }
}

/** Which of the links of its node a host link is, and which of those to the same switch, and how many there are of either. */
interface PortPlace {
  readonly index: number;
  readonly count: number;
  readonly parallel: number;
  readonly parallelCount: number;
}

const onlyPort: readonly PortPlace[] = [{ index: 0, count: 1, parallel: 0, parallelCount: 1 }];

/** Of the links of a node, by their switches. */
function portPlaces(routers: readonly number[]): readonly PortPlace[] {
  if (routers.length === 1) return onlyPort;
  const seen = new Map<number, number>();
  const parallels = routers.map((router) => {
    const before = seen.get(router) ?? 0;
    seen.set(router, before + 1);
    return before;
  });
  return routers.map((router, index) => ({
    index,
    count: routers.length,
    parallel: parallels[index]!,
    parallelCount: seen.get(router)!,
  }));
}

/**
 * From a node to its switch a line, or inside a frame a tick on top of the node, because lines would run across other nodes;
 * the ticks of its rails stand side by side in their order.
 */
function hostSegment({ x, y, fabric }: Layout, node: number, router: number, place: PortPlace): Segment {
  const { nodeX, nodeY, nodeSize, inFrame } = fabric!;
  const [right, down, half] = [nodeX[node]!, nodeY[node]!, nodeSize[node]!];
  const step = railStep(half, place.count);
  if (inFrame[node] === 1) {
    const across = right + (place.index - (place.count - 1) / 2) * step;
    return { x1: across, y1: down - half, x2: across, y2: down - half * (1 + tick), bend: 0 };
  }
  const [aside, above] = [x[router]! - right, y[router]! - down];
  const shift = ((place.parallel - (place.parallelCount - 1) / 2) * step) / (Math.hypot(aside, above) || 1);
  const [moveX, moveY] = [-above * shift, aside * shift];
  return { x1: right + moveX, y1: down + moveY, x2: x[router]! + moveX, y2: y[router]! + moveY, bend: 0 };
}

/** Where a cable or stub is drawn; `bend` as in the scene. */
interface Segment {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  readonly bend: number;
}

/** What a cable is and carries; names and flags as in the scene. */
interface Cable {
  readonly from: number;
  readonly to: number;
  readonly forwardLink: number;
  readonly backwardLink: number;
  readonly forward: number;
  readonly backward: number;
  readonly flags: number;
  /** Of host links of nodes with several adapters. */
  readonly rail?: number;
}

/** Collects the structure of arrays, at most `most` entries. */
class LineList {
  private readonly lines: SceneLinks;
  private count = 0;

  constructor(most: number, hasRails: boolean) {
    this.lines = {
      x1: new Float32Array(most),
      y1: new Float32Array(most),
      x2: new Float32Array(most),
      y2: new Float32Array(most),
      bend: new Float32Array(most),
      from: new Int32Array(most),
      to: new Int32Array(most),
      forwardLink: new Int32Array(most),
      backwardLink: new Int32Array(most),
      forward: new Float64Array(most),
      backward: new Float64Array(most),
      flags: new Uint8Array(most),
      ...(hasRails && { rail: new Int16Array(most).fill(-1) }),
    };
  }

  add(segment: Segment, cable: Cable): void {
    const { lines, count } = this;
    lines.x1[count] = segment.x1;
    lines.y1[count] = segment.y1;
    lines.x2[count] = segment.x2;
    lines.y2[count] = segment.y2;
    lines.bend[count] = segment.bend;
    lines.from[count] = cable.from;
    lines.to[count] = cable.to;
    lines.forwardLink[count] = cable.forwardLink;
    lines.backwardLink[count] = cable.backwardLink;
    lines.forward[count] = cable.forward;
    lines.backward[count] = cable.backward;
    lines.flags[count] = cable.flags;
    if (lines.rail !== undefined) lines.rail[count] = cable.rail ?? -1;
    this.count++;
  }

  finish(): SceneLinks {
    const { lines, count } = this;
    return {
      x1: lines.x1.slice(0, count),
      y1: lines.y1.slice(0, count),
      x2: lines.x2.slice(0, count),
      y2: lines.y2.slice(0, count),
      bend: lines.bend.slice(0, count),
      from: lines.from.slice(0, count),
      to: lines.to.slice(0, count),
      forwardLink: lines.forwardLink.slice(0, count),
      backwardLink: lines.backwardLink.slice(0, count),
      forward: lines.forward.slice(0, count),
      backward: lines.backward.slice(0, count),
      flags: lines.flags.slice(0, count),
      ...(lines.rail && { rail: lines.rail.slice(0, count) }),
    };
  }
}

/** Undirected cables between routers, each a pair of directed links. */
interface Cables {
  readonly count: number;
  /** LinkId from the lower router to the higher, and of the way back. */
  readonly forward: Int32Array;
  readonly backward: Int32Array;
  /** Which of the cables between the same two routers it is, and how many they are. */
  readonly parallel: Int32Array;
  readonly parallelCount: Int32Array;
}

/** Pairs the two directed links of every cable. Parallel cables follow one another. O(links). */
function pairedCables(links: LinkTable): Cables {
  const { from, to, routerLinkCount } = links;
  const reverse = reverseLinks(links);
  const forward = new Int32Array(routerLinkCount);
  const backward = new Int32Array(routerLinkCount);
  const parallel = new Int32Array(routerLinkCount);
  const parallelCount = new Int32Array(routerLinkCount);
  let count = 0;
  for (let link = 0; link < routerLinkCount;) {
    let end = link;
    while (end < routerLinkCount && from[end] === from[link] && to[end] === to[link]) end++;
    for (let cable = link; cable < end && from[cable]! < to[cable]!; cable++) {
      forward[count] = cable;
      backward[count] = reverse[cable]!;
      parallel[count] = cable - link;
      parallelCount[count] = end - link;
      count++;
    }
    link = end;
  }
  return { count, forward, backward, parallel, parallelCount };
}
