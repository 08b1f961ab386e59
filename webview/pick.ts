import type { Scene } from '../server/drawing/scene.ts';

/** What lies under the pointer: an index into the scene's nodes or links. */
export type Thing =
  | { readonly kind: 'node'; readonly entry: number }
  /** `rightSide`: the pointer is to the right of from → to, where that direction has its lane. */
  | { readonly kind: 'link'; readonly link: number; readonly rightSide: boolean };

/** Finds things by place. */
export interface Picker {
  /** The node that covers a world point, else the nearest link within `reach`. O(things of one cell). */
  pick(x: number, y: number, reach: number): Thing | undefined;
}

/** Cells of the index along the longer side are at most this many. */
const cellLimit = 256;

/** A grid over the scene; each cell lists the nodes and links that touch it. O(nodes + links). */
export function createPicker(scene: Scene): Picker {
  const grid = new CellGrid(scene);
  const { nodes, links } = scene;
  for (let entry = 0; entry < nodes.id.length; entry++) {
    const [x, y, half] = [nodes.x[entry]!, nodes.y[entry]!, nodes.size[entry]!];
    grid.add(grid.nodes, entry, x - half, y - half, x + half, y + half);
  }
  for (let link = 0; link < links.from.length; link++) {
    const [x1, y1, x2, y2] = [links.x1[link]!, links.y1[link]!, links.x2[link]!, links.y2[link]!];
    grid.add(grid.links, link, Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2));
  }
  return {
    pick: (x, y, reach) => pickNode(scene, grid, x, y) ?? pickLink(scene, grid, x, y, reach),
  };
}

function pickNode({ nodes }: Scene, grid: CellGrid, x: number, y: number): Thing | undefined {
  let found = -1;
  for (const entry of grid.at(grid.nodes, x, y)) {
    const half = nodes.size[entry]!;
    const covers = Math.abs(x - nodes.x[entry]!) <= half && Math.abs(y - nodes.y[entry]!) <= half;
    // The last painted lies on top.
    if (covers && entry > found) found = entry;
  }
  return found < 0 ? undefined : { kind: 'node', entry: found };
}

function pickLink({ links }: Scene, grid: CellGrid, x: number, y: number, reach: number): Thing | undefined {
  let found = -1;
  let nearest = reach;
  for (const link of grid.around(grid.links, x, y, reach)) {
    const distance = distanceToSegment(x, y, links.x1[link]!, links.y1[link]!, links.x2[link]!, links.y2[link]!);
    if (distance > nearest || (distance === nearest && link < found)) continue;
    nearest = distance;
    found = link;
  }
  if (found < 0) return undefined;
  const [x1, y1] = [links.x1[found]!, links.y1[found]!];
  const cross = (links.x2[found]! - x1) * (y - y1) - (links.y2[found]! - y1) * (x - x1);
  return { kind: 'link', link: found, rightSide: cross >= 0 };
}

export function distanceToSegment(x: number, y: number, x1: number, y1: number, x2: number, y2: number): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const squared = dx * dx + dy * dy;
  const share = squared === 0 ? 0 : Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / squared));
  return Math.hypot(x - x1 - share * dx, y - y1 - share * dy);
}

/** Lists of indices per cell of a regular grid over the scene's bounds. */
class CellGrid {
  readonly nodes = new Map<number, number[]>();
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
      const list = lists.get(key);
      if (list === undefined) lists.set(key, [index]);
      else list.push(index);
    });
  }

  at(lists: Map<number, number[]>, x: number, y: number): readonly number[] {
    return lists.get(this.row(y) * this.columns + this.column(x)) ?? [];
  }

  /** Everything within `reach`; an index may come several times. */
  around(lists: Map<number, number[]>, x: number, y: number, reach: number): readonly number[] {
    const found: number[] = [];
    this.forEachCell(x - reach, y - reach, x + reach, y + reach, (key) => {
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
