import type { Scene } from '../server/drawing/scene.ts';

export type Point = readonly [x: number, y: number];

/** Cells of the index along the longer side are at most this many. */
const cellLimit = 256;

/** Lists of indices per cell of a regular grid over the scene's bounds. */
export class CellGrid {
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
