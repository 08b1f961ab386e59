/** What of a scene lies under the pointer. An index finds it in the time that the things of one cell of a grid take. */
import { nodeInside, showsCores, tasksOnCores, type NodeInside } from '../server/drawing/cores.ts';
import type { Scene } from '../server/drawing/scene.ts';
import { isTick, pointOn } from '../server/drawing/strokes.ts';
import { showsFramedNodes, showsTicks } from './viewport.ts';

/** What lies under the pointer: an index into the scene's nodes, routers or links. */
export type Thing =
  /** `place`: of the task on the core under the pointer, among the scene's tasks, where cores show. */
  | { readonly kind: 'node'; readonly entry: number; readonly place?: number }
  | { readonly kind: 'router'; readonly entry: number }
  /** `rightSide`: the pointer is to the right of from → to, where that direction has its lane. */
  | { readonly kind: 'link'; readonly link: number; readonly rightSide: boolean };

/** Finds things by place. */
export interface Picker {
  /**
   * What is painted on top at a world point at a scale of so many pixels per unit: a node, a
   * host link or the switch itself, else the nearest cable within `reach`. O(things of one cell).
   */
  pick(x: number, y: number, reach: number, scale: number): Thing | undefined;
}

/** A grid over the scene; each cell lists the things that touch it. O(nodes + routers + cells that links cross). */
export function createPicker(scene: Scene): Picker {
  const grid = new CellGrid(scene);
  const inside = nodeInside(scene);
  for (const [lists, { x, y, size }] of [
    [grid.nodes, scene.nodes],
    [grid.routers, scene.routers],
  ] as const) {
    for (let entry = 0; entry < x.length; entry++) {
      const half = size[entry]!;
      grid.add(lists, entry, x[entry]! - half, y[entry]! - half, x[entry]! + half, y[entry]! + half);
    }
  }
  for (let link = 0; link < scene.links.from.length; link++) grid.addLine(grid.links, link, curveOf(scene, link));
  return {
    pick(x, y, reach, scale) {
      return (
        pickNode(scene, inside, grid, x, y, scale) ??
        pickRouter(scene, grid, x, y, reach, scale) ??
        pickLink(scene, grid, x, y, reach, false)
      );
    },
  };
}

function pickNode(
  scene: Scene,
  inside: NodeInside,
  grid: CellGrid,
  x: number,
  y: number,
  scale: number,
): Thing | undefined {
  const { nodes, routers } = scene;
  const framedToo = showsFramedNodes(scene, scale);
  let found = -1;
  for (const entry of grid.at(grid.nodes, x, y)) {
    if (!framedToo && routers.framed[nodes.router[entry]!] === 1) continue;
    // The last painted lies on top.
    if (covers(nodes, entry, x, y) && entry > found) found = entry;
  }
  if (found < 0) return undefined;
  const half = nodes.size[found]!;
  if (!showsCores(inside, half * scale)) return { kind: 'node', entry: found };
  const [right, down] = [(x - nodes.x[found]!) / half, (y - nodes.y[found]!) / half];
  const core = inside.cores.findIndex(
    (each) => Math.max(Math.abs(right - each.x), Math.abs(down - each.y)) <= each.half,
  );
  const place = tasksOnCores(scene, found)[core] ?? -1;
  return place < 0 ? { kind: 'node', entry: found } : { kind: 'node', entry: found, place };
}

const covers = (
  { x, y, size }: { readonly x: Float32Array; readonly y: Float32Array; readonly size: Float32Array },
  entry: number,
  atX: number,
  atY: number,
): boolean => Math.abs(atX - x[entry]!) <= size[entry]! && Math.abs(atY - y[entry]!) <= size[entry]!;

/** A switch hides the cables behind it; in front of a frame are the host links of its nodes, where they show. */
function pickRouter(
  scene: Scene,
  grid: CellGrid,
  x: number,
  y: number,
  reach: number,
  scale: number,
): Thing | undefined {
  const { routers } = scene;
  for (const entry of grid.at(grid.routers, x, y)) {
    if (!covers(routers, entry, x, y)) continue;
    if (routers.framed[entry] === 1) {
      const link = showsTicks(scene, scale) ? pickLink(scene, grid, x, y, reach, true) : undefined;
      return link ?? { kind: 'router', entry };
    }
    if (Math.hypot(x - routers.x[entry]!, y - routers.y[entry]!) <= routers.size[entry]!)
      return { kind: 'router', entry };
  }
  return undefined;
}

function pickLink(
  scene: Scene,
  grid: CellGrid,
  x: number,
  y: number,
  reach: number,
  ticks: boolean,
): Thing | undefined {
  let found = -1;
  let nearest = reach;
  for (const link of grid.around(grid.links, x, y, reach)) {
    if (isTick(scene, link) !== ticks) continue;
    const distance = distanceToLink(scene, link, x, y);
    if (distance > nearest || (distance === nearest && link < found)) continue;
    nearest = distance;
    found = link;
  }
  return found < 0 ? undefined : { kind: 'link', link: found, rightSide: isRightOf(scene, found, x, y) };
}

/** Of a bow: of the piece of it that is nearest. */
function isRightOf(scene: Scene, link: number, x: number, y: number): boolean {
  const points = curveOf(scene, link);
  let [nearest, right] = [Infinity, false];
  for (let index = 1; index < points.length; index++) {
    const [[x1, y1], [x2, y2]] = [points[index - 1]!, points[index]!];
    const distance = distanceToSegment(x, y, x1, y1, x2, y2);
    if (distance >= nearest) continue;
    nearest = distance;
    right = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) >= 0;
  }
  return right;
}

/** Straight pieces that stand for a bow. */
const pieces = 12;

/** Both ends of a line; of a bow points along it. */
function curveOf({ links }: Scene, link: number): readonly Point[] {
  const [x1, y1, x2, y2] = [links.x1[link]!, links.y1[link]!, links.x2[link]!, links.y2[link]!];
  const bend = links.bend[link]!;
  if (bend === 0)
    return [
      [x1, y1],
      [x2, y2],
    ];
  return Array.from({ length: pieces + 1 }, (_, index) => pointOn(x1, y1, x2, y2, bend, index / pieces));
}

function distanceToLink(scene: Scene, link: number, x: number, y: number): number {
  const points = curveOf(scene, link);
  let nearest = Infinity;
  for (let index = 1; index < points.length; index++) {
    const [[x1, y1], [x2, y2]] = [points[index - 1]!, points[index]!];
    nearest = Math.min(nearest, distanceToSegment(x, y, x1, y1, x2, y2));
  }
  return nearest;
}

export function distanceToSegment(x: number, y: number, x1: number, y1: number, x2: number, y2: number): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const squared = dx * dx + dy * dy;
  const share = squared === 0 ? 0 : Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / squared));
  return Math.hypot(x - x1 - share * dx, y - y1 - share * dy);
}

type Point = readonly [x: number, y: number];

/** Cells of the index along the longer side are at most this many. */
const cellLimit = 256;

/** Lists of indices per cell of a regular grid over the scene's bounds. */
class CellGrid {
  readonly nodes = new Map<number, number[]>();
  readonly routers = new Map<number, number[]>();
  readonly links = new Map<number, number[]>();
  private readonly left: number;
  private readonly top: number;
  private readonly cell: number;
  private readonly columns: number;

  constructor({ bounds }: Scene) {
    this.left = bounds.left;
    this.top = bounds.top;
    const longer = Math.max(bounds.right - bounds.left, bounds.bottom - bounds.top);
    this.cell = Math.max(0.5, longer / cellLimit);
    this.columns = Math.floor((bounds.right - bounds.left) / this.cell) + 2;
  }

  add(lists: Map<number, number[]>, index: number, left: number, top: number, right: number, bottom: number): void {
    this.forEachCell(left, top, right, bottom, (key) => {
      this.put(lists, key, index);
    });
  }

  /**
   * Into the cells that a line touches, not into all of its rectangle: a long cable would be in
   * thousands. Steps of half a cell may cut a corner: `around` looks half a cell further.
   */
  addLine(lists: Map<number, number[]>, index: number, points: readonly Point[]): void {
    let last = -1;
    for (let next = 1; next < points.length; next++) {
      const [[x1, y1], [x2, y2]] = [points[next - 1]!, points[next]!];
      const steps = Math.max(1, Math.ceil((2 * Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1))) / this.cell));
      for (let step = 0; step <= steps; step++) {
        const key =
          this.row(y1 + ((y2 - y1) * step) / steps) * this.columns + this.column(x1 + ((x2 - x1) * step) / steps);
        if (key !== last) this.put(lists, key, index);
        last = key;
      }
    }
  }

  private put(lists: Map<number, number[]>, key: number, index: number): void {
    const list = lists.get(key);
    if (list === undefined) lists.set(key, [index]);
    else list.push(index);
  }

  at(lists: Map<number, number[]>, x: number, y: number): readonly number[] {
    return lists.get(this.row(y) * this.columns + this.column(x)) ?? [];
  }

  /** Everything within `reach`, and in the cells beside; an index may come several times. */
  around(lists: Map<number, number[]>, x: number, y: number, reach: number): readonly number[] {
    const found: number[] = [];
    const wide = Math.max(reach, this.cell / 2);
    this.forEachCell(x - wide, y - wide, x + wide, y + wide, (key) => {
      found.push(...(lists.get(key) ?? []));
    });
    return found;
  }

  private forEachCell(left: number, top: number, right: number, bottom: number, visit: (key: number) => void): void {
    for (let row = this.row(top); row <= this.row(bottom); row++) {
      for (let column = this.column(left); column <= this.column(right); column++) visit(row * this.columns + column);
    }
  }

  private row(y: number): number {
    return Math.max(0, Math.floor((y - this.top) / this.cell));
  }

  private column(x: number): number {
    return Math.min(this.columns - 1, Math.max(0, Math.floor((x - this.left) / this.cell)));
  }
}
