import type { Machine } from '../model/machine.ts';
import type { PlacementReport } from '../model/report.ts';
import { goesUp } from '../network/routings/upDown.ts';
import { AxisFinder } from './axisFinder.ts';
import { cablesOf, type Cables } from './cables.ts';
import type { FabricLayout, Layout } from './layout/contract.ts';
import { nodesOfRouters } from './layout/frames.ts';
import { LineList, type Cable, type Segment } from './lineList.ts';
import { hostFlag, hotFlag, stubFlag, upFlag, type SceneLinks } from './scene.ts';

/**
 * The cables between routers, then those between nodes and their routers, with the load of both
 * directions. Under up/down routing cables run from the lower end to the upper.
 * O(links · degree).
 */
export function drawLinks(report: PlacementReport, layout: Layout): SceneLinks {
  const { topology } = report.machine;
  const cables = cablesOf(topology.links);
  const lines = new LineList(2 * cables.count + (layout.fabric === undefined ? 0 : topology.routerOfNode.length));
  const cableOf = cableReader(report);
  addCables(report.machine, layout, cables, cableOf, lines);
  if (layout.fabric !== undefined) addHostLinks(report.machine, layout, layout.fabric, cableOf, lines);
  return lines.finish();
}

type CableReader = (ends: { from: number; to: number }, forwardLink: number, backwardLink: number) => Cable;

/** Loads and heat of the two directions of a cable; −1 for a direction that is not there. */
function cableReader({ linkLoads, hotLinks }: PlacementReport): CableReader {
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

function addCables(machine: Machine, layout: Layout, cables: Cables, cableOf: CableReader, lines: LineList): void {
  const { topology } = machine;
  const axes = new AxisFinder(topology);
  const { from: fromOf, to: toOf } = topology.links;
  for (let index = 0; index < cables.count; index++) {
    const [forward, backward] = [cables.forward[index]!, cables.backward[index]!];
    const ends = { from: fromOf[forward]!, to: toOf[forward]! };
    const { axis, wraps } = axes.find(ends.from, ends.to);
    const stub = layout.stub(axis, wraps);
    const shift = shiftOf(cables, index, layout, ends);
    const segments = stub === undefined ? [straight(layout, ends, shift)] : stubs(layout, ends, stub);
    const turned = goesDown(machine, ends.from, ends.to);
    const cable = turned
      ? cableOf({ from: ends.to, to: ends.from }, backward, forward)
      : cableOf(ends, forward, backward);
    const flags =
      cable.flags | (stub === undefined ? 0 : stubFlag) | (machine.routing.hierarchy === undefined ? 0 : upFlag);
    const placed = turned ? segments.map(reversed).reverse() : segments;
    for (const segment of placed) lines.add(segment, { ...cable, flags });
  }
}

/** Under up/down routing: whether the way from one router to the other leads away from the root. */
function goesDown({ routing }: Machine, from: number, to: number): boolean {
  if (routing.hierarchy === undefined) return false;
  return goesUp(routing.hierarchy.level, to, from);
}

/** Parallel cables stand side by side: how far each is to the right of the middle. */
const cableGap = 0.26;

function shiftOf(
  { parallel, parallelCount }: Cables,
  index: number,
  { size }: Layout,
  { from, to }: { readonly from: number; readonly to: number },
): number {
  const count = parallelCount[index]!;
  if (count === 1) return 0;
  const room = 1.5 * Math.min(size[from]!, size[to]!);
  return (parallel[index]! - (count - 1) / 2) * Math.min(cableGap, room / count);
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

const reversed = ({ x1, y1, x2, y2, bend }: Segment): Segment => ({ x1: x2, y1: y2, x2: x1, y2: y1, bend: -bend });

/** How far the host link of a node inside a frame reaches up from its square, in half sides. */
const tick = 1;

/**
 * From every node to its switch: a line, or inside the frame of the switch a tick on top of the
 * node, because lines would run across other nodes.
 */
function addHostLinks(
  { topology }: Machine,
  { x, y }: Layout,
  { nodeX, nodeY, nodeSize, framed }: FabricLayout,
  cableOf: CableReader,
  lines: LineList,
): void {
  const first = nodesOfRouters(topology);
  const { routerLinkCount } = topology.links;
  for (let router = 0; router < topology.routerCount; router++) {
    for (let node = first[router]!; node < first[router + 1]!; node++) {
      const [right, down, half] = [nodeX[node]!, nodeY[node]!, nodeSize[node]!];
      const inside = framed[router] === 1;
      const start = { x1: right, y1: inside ? down - half : down };
      const end = inside ? { x2: right, y2: down - half * (1 + tick) } : { x2: x[router]!, y2: y[router]! };
      const upwards = routerLinkCount + 2 * node;
      const cable = cableOf({ from: node, to: router }, upwards, upwards + 1);
      lines.add({ ...start, ...end, bend: 0 }, { ...cable, flags: cable.flags | hostFlag });
    }
  }
}
