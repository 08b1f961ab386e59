import type { Scene } from './scene.ts';

/** A square inside a node, in half sides of the node from its middle. */
export interface InnerSquare {
  readonly x: number;
  readonly y: number;
  readonly half: number;
}

/** A rectangle inside a node, likewise. */
export interface InnerBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The inside of a node: a box for every socket, in it a square for every core or GPU; in the order of slots. */
export interface NodeInside {
  readonly sockets: readonly InnerBox[];
  readonly cores: readonly InnerSquare[];
}

/** Space round the sockets, between them, and inside them, in half sides of the node. */
const border = 0.12;
const seam = 0.1;
const inset = 0.06;
/** Share of its cell that a core takes. */
const fill = 0.84;

/** Sockets and cores as near to squares as their numbers allow. O(cores). */
export function nodeInside({ socketsPerNode, socketOfSlot }: Scene): NodeInside {
  const across = gridFor(socketsPerNode);
  const width = (2 - 2 * border - (across.columns - 1) * seam) / across.columns;
  const height = (2 - 2 * border - (across.rows - 1) * seam) / across.rows;
  const counts = new Int32Array(socketsPerNode);
  for (const socket of socketOfSlot) counts[socket]!++;
  const most = counts.reduce((largest, count) => Math.max(largest, count), 1);
  // One grid for all sockets, so that a core is as large in each.
  const within = coreGrid(most, width / height);
  const cell = Math.min((width - 2 * inset) / within.columns, (height - 2 * inset) / within.rows);
  const sockets = Array.from(counts, (_, socket): InnerBox => {
    const left = -1 + border + (socket % across.columns) * (width + seam);
    const top = -1 + border + Math.floor(socket / across.columns) * (height + seam);
    return { left, top, width, height };
  });
  const drawn = new Int32Array(socketsPerNode);
  const cores = Array.from(socketOfSlot, (socket): InnerSquare => {
    const { left, top } = sockets[socket]!;
    const core = drawn[socket]!++;
    return {
      x: left + width / 2 + ((core % within.columns) - (within.columns - 1) / 2) * cell,
      y: top + height / 2 + (Math.floor(core / within.columns) - (within.rows - 1) / 2) * cell,
      half: (cell / 2) * fill,
    };
  });
  return { sockets, cores };
}

/** Two sockets stand side by side, four two by two. */
const gridFor = (count: number): { readonly columns: number; readonly rows: number } => {
  const columns = Math.ceil(Math.sqrt(count));
  return { columns, rows: Math.ceil(count / columns) };
};

/** The grid whose cells are largest in a box of these proportions. */
function coreGrid(count: number, proportion: number): { readonly columns: number; readonly rows: number } {
  let best = { columns: 1, rows: count };
  let largest = 0;
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    const cell = Math.min(proportion / columns, 1 / rows);
    if (cell <= largest + 1e-9) continue;
    largest = cell;
    best = { columns, rows };
  }
  return best;
}

/** From this many pixels of half a core on, the inside of nodes is shown. */
const shownFrom = 1.6;

/** Whether a node of this half side in pixels shows its cores. */
export function showsCores(inside: NodeInside, half: number): boolean {
  const [core] = inside.cores;
  return inside.cores.length > 1 && core !== undefined && core.half * half >= shownFrom;
}

/** Place among the scene's tasks of the task on each core of a drawn node; −1 where a core is free. */
export function tasksOnCores(scene: Scene, entry: number): Int32Array {
  const places = new Int32Array(scene.socketOfSlot.length).fill(-1);
  const { taskStart, taskCore, taskJob } = scene.nodes;
  for (let place = taskStart[entry]!; place < taskStart[entry + 1]!; place++) {
    const { coresPerTask = 1 } = scene.jobs[taskJob[place]!] ?? {};
    const first = taskCore[place]!;
    places.fill(place, first, first + coresPerTask);
  }
  return places;
}
