import type { LinkTable, Topology } from '../model/machine.ts';
import type { PlacementReport } from '../model/report.ts';
import { coordinatesOf } from '../model/shape.ts';
import type { Layout, StubVector } from './layout/contract.ts';
import { hotFlag, stubFlag, type SceneLinks } from './scene.ts';

/**
 * The cables between routers with the load of both directions. Host links are not drawn: no
 * topology of this release has them. O(links · degree).
 */
export function drawLinks(report: PlacementReport, layout: Layout): SceneLinks {
  const { topology } = report.machine;
  const cables = cablesOf(topology.links);
  const axes = new AxisFinder(topology);
  const isHot = new Uint8Array(report.linkLoads.length);
  for (const { link } of report.hotLinks) isHot[link] = 1;

  const lines = new LineList(cables.count);
  for (let cable = 0; cable < cables.count; cable++) {
    const forward = cables.forward[cable]!;
    const backward = cables.backward[cable]!;
    const from = topology.links.from[forward]!;
    const to = topology.links.to[forward]!;
    const { axis, wraps } = axes.find(from, to);
    lines.add(layout, from, to, layout.stub(axis, wraps), {
      forwardLink: forward,
      backwardLink: backward,
      forward: report.linkLoads[forward]!,
      backward: backward < 0 ? 0 : report.linkLoads[backward]!,
      hot: isHot[forward] === 1 || (backward >= 0 && isHot[backward] === 1),
    });
  }
  return lines.finish();
}

interface CableLoad {
  readonly forwardLink: number;
  readonly backwardLink: number;
  readonly forward: number;
  readonly backward: number;
  readonly hot: boolean;
}

/** Grows the structure of arrays; a stubbed cable takes two lines. */
class LineList {
  private readonly places: { x1: Float32Array; y1: Float32Array; x2: Float32Array; y2: Float32Array };
  private readonly from: Int32Array;
  private readonly to: Int32Array;
  private readonly forwardLink: Int32Array;
  private readonly backwardLink: Int32Array;
  private readonly forward: Float64Array;
  private readonly backward: Float64Array;
  private readonly flags: Uint8Array;
  private count = 0;

  constructor(cableCount: number) {
    const most = 2 * cableCount;
    const places = (): Float32Array => new Float32Array(most);
    this.places = { x1: places(), y1: places(), x2: places(), y2: places() };
    this.from = new Int32Array(most);
    this.to = new Int32Array(most);
    this.forwardLink = new Int32Array(most);
    this.backwardLink = new Int32Array(most);
    this.forward = new Float64Array(most);
    this.backward = new Float64Array(most);
    this.flags = new Uint8Array(most);
  }

  add(layout: Layout, from: number, to: number, stub: StubVector | undefined, load: CableLoad): void {
    const [fromX, fromY, toX, toY] = [layout.x[from]!, layout.y[from]!, layout.x[to]!, layout.y[to]!];
    const hot = load.hot ? hotFlag : 0;
    const write = (x1: number, y1: number, x2: number, y2: number, flags: number): void => {
      const { places, count } = this;
      places.x1[count] = x1;
      places.y1[count] = y1;
      places.x2[count] = x2;
      places.y2[count] = y2;
      this.from[count] = from;
      this.to[count] = to;
      this.forwardLink[count] = load.forwardLink;
      this.backwardLink[count] = load.backwardLink;
      this.forward[count] = load.forward;
      this.backward[count] = load.backward;
      this.flags[count] = flags;
      this.count++;
    };
    if (stub === undefined) {
      write(fromX, fromY, toX, toY, hot);
      return;
    }
    // Both stubs point in the direction from → to, so that lanes keep their side.
    write(fromX, fromY, fromX + stub.dx, fromY + stub.dy, hot | stubFlag);
    write(toX - stub.dx, toY - stub.dy, toX, toY, hot | stubFlag);
  }

  finish(): SceneLinks {
    const { places, count } = this;
    return {
      x1: places.x1.slice(0, count),
      y1: places.y1.slice(0, count),
      x2: places.x2.slice(0, count),
      y2: places.y2.slice(0, count),
      from: this.from.slice(0, count),
      to: this.to.slice(0, count),
      forwardLink: this.forwardLink.slice(0, count),
      backwardLink: this.backwardLink.slice(0, count),
      forward: this.forward.slice(0, count),
      backward: this.backward.slice(0, count),
      flags: this.flags.slice(0, count),
    };
  }
}

interface Cables {
  readonly count: number;
  /** LinkId from the lower router to the higher, and of the way back (−1: there is none). */
  readonly forward: Int32Array;
  readonly backward: Int32Array;
}

/** Pairs the two directed links of every cable; of parallel cables the k-th with the k-th. */
function cablesOf(links: LinkTable): Cables {
  const forward = new Int32Array(links.routerLinkCount);
  const backward = new Int32Array(links.routerLinkCount);
  let count = 0;
  const routerCount = links.firstLink.length - 1;
  for (let router = 0; router < routerCount; router++) {
    const first = links.firstLink[router]!;
    for (let link = first; link < links.firstLink[router + 1]!; link++) {
      const other = links.to[link]!;
      if (other < router) continue;
      let parallel = 0;
      for (let earlier = first; earlier < link; earlier++) if (links.to[earlier] === other) parallel++;
      forward[count] = link;
      backward[count] = reverseOf(links, other, router, parallel);
      count++;
    }
  }
  return { count, forward, backward };
}

/** The `skip`-th link from one router to another, −1 where there is none. */
function reverseOf(links: LinkTable, from: number, to: number, skip: number): number {
  let left = skip;
  for (let link = links.firstLink[from]!; link < links.firstLink[from + 1]!; link++) {
    if (links.to[link] === to && left-- === 0) return link;
  }
  return -1;
}

/** Tells along which axis a cable runs, and whether it closes a ring. */
class AxisFinder {
  private readonly shape: readonly number[] | undefined;
  private readonly fromCoordinates: Int32Array;
  private readonly toCoordinates: Int32Array;

  constructor(topology: Topology) {
    this.shape = topology.shape;
    this.fromCoordinates = new Int32Array(topology.shape?.length ?? 0);
    this.toCoordinates = new Int32Array(topology.shape?.length ?? 0);
  }

  find(from: number, to: number): { readonly axis: number; readonly wraps: boolean } {
    if (this.shape === undefined) return { axis: -1, wraps: false };
    coordinatesOf(this.shape, from, this.fromCoordinates);
    coordinatesOf(this.shape, to, this.toCoordinates);
    const axis = this.fromCoordinates.findIndex((value, index) => value !== this.toCoordinates[index]);
    const apart = Math.abs(this.toCoordinates[axis]! - this.fromCoordinates[axis]!);
    return { axis, wraps: apart > 1 };
  }
}
