/** What of a scene lies under the pointer. An index finds it in the time that the things of one cell of a grid take. */
import { nodeInside, showsCores, tasksOnCores, type NodeInside } from '../../server/drawing/cores.ts';
import type { Scene } from '../../server/drawing/scene.ts';
import { isTick, pointOn } from '../../server/drawing/strokes.ts';
import { groupedBy } from '../../server/numeric/grouping.ts';
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

/** Looks into a grid over the scene, which is made when it is first asked: a picture is on the screen before. O(1). */
export function createPicker(scene: Scene): Picker {
  const inside = nodeInside(scene);
  let known: CellGrid | undefined;
  return {
    pick(x, y, reach, scale) {
      const grid = (known ??= new CellGrid(scene));
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

/** Which cells things touch, as they are found; `lists` has them by cell. */
class Touched {
  private readonly cells: number[] = [];
  private readonly things: number[] = [];

  put(cell: number, thing: number): void {
    this.cells.push(cell);
    this.things.push(thing);
  }

  /** O(touched + cells). */
  lists(cellCount: number): CellLists {
    const { start, members } = groupedBy(this.cells, cellCount);
    return { start, things: members.map((place) => this.things[place]!) };
  }
}

/** The things of cell c are `things[start[c]] … things[start[c + 1] − 1]`, ascending. */
interface CellLists {
  readonly start: Int32Array;
  readonly things: Int32Array;
}

/** What touches which cell of a regular grid over the scene's bounds. */
class CellGrid {
  readonly nodes: CellLists;
  readonly routers: CellLists;
  readonly links: CellLists;
  private readonly left: number;
  private readonly top: number;
  private readonly cell: number;
  private readonly columns: number;
  private readonly rows: number;

  /** O(nodes + routers + cells that links cross). */
  constructor(scene: Scene) {
    const { bounds } = scene;
    this.left = bounds.left;
    this.top = bounds.top;
    const longer = Math.max(bounds.right - bounds.left, bounds.bottom - bounds.top);
    this.cell = Math.max(0.5, longer / cellLimit);
    this.columns = Math.floor((bounds.right - bounds.left) / this.cell) + 2;
    this.rows = Math.floor((bounds.bottom - bounds.top) / this.cell) + 2;
    this.nodes = this.squares(scene.nodes);
    this.routers = this.squares(scene.routers);
    this.links = this.lines(scene);
  }

  private squares({ x, y, size }: Pick<Scene['nodes'], 'x' | 'y' | 'size'>): CellLists {
    const touched = new Touched();
    for (let entry = 0; entry < x.length; entry++) {
      const [right, down, half] = [x[entry]!, y[entry]!, size[entry]!];
      this.forEachCell(right - half, down - half, right + half, down + half, (cell) => {
        touched.put(cell, entry);
      });
    }
    return touched.lists(this.columns * this.rows);
  }

  /**
   * Each in the cells that its line touches, not in all of its rectangle: a long cable would be in
   * thousands. Steps of half a cell may cut a corner: `around` looks half a cell further.
   */
  private lines(scene: Scene): CellLists {
    const touched = new Touched();
    for (let link = 0; link < scene.links.from.length; link++) {
      const points = curveOf(scene, link);
      let last = -1;
      for (let next = 1; next < points.length; next++) {
        const [[x1, y1], [x2, y2]] = [points[next - 1]!, points[next]!];
        const steps = Math.max(1, Math.ceil((2 * Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1))) / this.cell));
        for (let step = 0; step <= steps; step++) {
          const cell =
            this.row(y1 + ((y2 - y1) * step) / steps) * this.columns + this.column(x1 + ((x2 - x1) * step) / steps);
          if (cell !== last) touched.put(cell, link);
          last = cell;
        }
      }
    }
    return touched.lists(this.columns * this.rows);
  }

  at({ start, things }: CellLists, x: number, y: number): Int32Array {
    const cell = this.row(y) * this.columns + this.column(x);
    return things.subarray(start[cell], start[cell + 1]);
  }

  /** Everything within `reach`, and in the cells beside; an index may come several times. */
  around({ start, things }: CellLists, x: number, y: number, reach: number): readonly number[] {
    const found: number[] = [];
    const wide = Math.max(reach, this.cell / 2);
    this.forEachCell(x - wide, y - wide, x + wide, y + wide, (cell) => {
      for (let place = start[cell]!; place < start[cell + 1]!; place++) found.push(things[place]!);
    });
    return found;
  }

  private forEachCell(left: number, top: number, right: number, bottom: number, visit: (cell: number) => void): void {
    for (let row = this.row(top); row <= this.row(bottom); row++) {
      for (let column = this.column(left); column <= this.column(right); column++) visit(row * this.columns + column);
    }
  }

  private row(y: number): number {
    return Math.min(this.rows - 1, Math.max(0, Math.floor((y - this.top) / this.cell)));
  }

  private column(x: number): number {
    return Math.min(this.columns - 1, Math.max(0, Math.floor((x - this.left) / this.cell)));
  }
}
