/**
 * What every allocator gives, written as plainly as its description and with no table: the judge of the fast ones.
 * Nodes are points with a busy flag, submeshes are tried one by one. Two dimensions.
 */
export interface PlainMesh {
  readonly width: number;
  readonly height: number;
  readonly busy: Uint8Array;
}

type Point = readonly [x: number, y: number];
type Reference = (mesh: PlainMesh, width: number, height: number) => number[] | undefined;

const range = (end: number, start = 0): number[] =>
  Array.from({ length: Math.max(0, end - start) }, (_, i) => start + i);
const points = ({ width, height }: PlainMesh): Point[] =>
  range(height).flatMap((y) => range(width).map((x): Point => [x, y]));
const isInside = ({ width, height }: PlainMesh, [x, y]: Point): boolean => x >= 0 && y >= 0 && x < width && y < height;
const nodeOf = ({ width }: PlainMesh, [x, y]: Point): number => y * width + x;
const isFree = (mesh: PlainMesh, point: Point): boolean =>
  isInside(mesh, point) && mesh.busy[nodeOf(mesh, point)] === 0;
const freePoints = (mesh: PlainMesh): Point[] => points(mesh).filter((point) => isFree(mesh, point));
const box = ([x, y]: Point, width: number, height: number): Point[] =>
  range(height).flatMap((dy) => range(width).map((dx): Point => [x + dx, y + dy]));
const isFreeBox = (mesh: PlainMesh, origin: Point, width: number, height: number): boolean =>
  box(origin, width, height).every((point) => isFree(mesh, point));
const places = (mesh: PlainMesh, width: number, height: number): Point[] =>
  points(mesh).filter((origin) => isFreeBox(mesh, origin, width, height));
const nodesOf = (mesh: PlainMesh, list: readonly Point[]): number[] => list.map((point) => nodeOf(mesh, point));
const hasEnough = (mesh: PlainMesh, count: number): boolean => freePoints(mesh).length >= count;
const holding = (mesh: PlainMesh, list: readonly Point[]): PlainMesh => {
  const busy = mesh.busy.slice();
  for (const point of list) busy[nodeOf(mesh, point)] = 1;
  return { ...mesh, busy };
};
/** The first of those for which `of` is least. */
function leastOf<Item>(items: readonly Item[], of: (item: Item) => number): Item | undefined {
  return items.reduce<Item | undefined>(
    (best, item) => (best === undefined || of(item) < of(best) ? item : best),
    undefined,
  );
}
const submesh = (mesh: PlainMesh, origin: Point | undefined, width: number, height: number): number[] | undefined =>
  origin === undefined ? undefined : nodesOf(mesh, box(origin, width, height));

const firstFit: Reference = (mesh, width, height) => submesh(mesh, places(mesh, width, height)[0], width, height);

const bestFit: Reference = (mesh, width, height) => {
  const freeAround = ([x, y]: Point): number =>
    [
      ...range(width).flatMap((dx): Point[] => [
        [x + dx, y - 1],
        [x + dx, y + height],
      ]),
      ...range(height).flatMap((dy): Point[] => [
        [x - 1, y + dy],
        [x + width, y + dy],
      ]),
    ].filter((point) => isFree(mesh, point)).length;
  return submesh(mesh, leastOf(places(mesh, width, height), freeAround), width, height);
};

const frameSliding: Reference = (mesh, width, height) => {
  const [first] = freePoints(mesh);
  if (first === undefined) return undefined;
  const isFrame = ([x, y]: Point): boolean =>
    (x - first[0]) % width === 0 && y >= first[1] && (y - first[1]) % height === 0;
  return submesh(mesh, places(mesh, width, height).find(isFrame), width, height);
};

/** The buddy system on an explicit list of blocks: the mesh, or what it falls into where it is not free as a whole. */
const buddies: Reference = (mesh, width, height) => {
  let side = 1;
  while (side < width || side < height) side *= 2;
  const free = new Set(freePoints(mesh).map((point) => nodeOf(mesh, point)));
  const blocksIn = ([x, y]: Point, block: number): { readonly origin: Point; readonly block: number }[] => {
    if (box([x, y], block, block).every((point) => free.has(nodeOf(mesh, point)))) return [{ origin: [x, y], block }];
    if (block === 1) return [];
    const half = block / 2;
    const quarters: readonly Point[] = [
      [x, y],
      [x + half, y],
      [x, y + half],
      [x + half, y + half],
    ];
    return quarters.flatMap((quarter) => blocksIn(quarter, half));
  };
  const [found] = blocksIn([0, 0], mesh.width)
    .filter(({ block }) => block >= side)
    .sort(
      (one, other) => one.block - other.block || one.origin[1] - other.origin[1] || one.origin[0] - other.origin[0],
    );
  if (found === undefined) return undefined;
  const wanted = box(found.origin, width, height).map((point) => nodeOf(mesh, point));
  const all = box(found.origin, side, side).map((point) => nodeOf(mesh, point));
  return [...wanted, ...all.filter((node) => !wanted.includes(node))];
};

const paging: Reference = (mesh, width, height) =>
  hasEnough(mesh, width * height) ? nodesOf(mesh, freePoints(mesh).slice(0, width * height)) : undefined;

/** The multiple buddy strategy on explicit lists of blocks. */
const mbs: Reference = (mesh, width, height) => {
  if (!hasEnough(mesh, width * height)) return undefined;
  let most = 1;
  while (2 * most <= Math.min(mesh.width, mesh.height)) most *= 2;
  let lists = new Map<number, Point[]>();
  const inLarger = (larger: readonly { origin: Point; side: number }[], [x, y]: Point): boolean =>
    larger.some(({ origin: [a, b], side }) => x >= a && x < a + side && y >= b && y < b + side);
  const found: { origin: Point; side: number }[] = [];
  for (let side = most; side >= 1; side /= 2) {
    const own = places(mesh, side, side).filter(
      (at) => at[0] % side === 0 && at[1] % side === 0 && !inLarger(found, at),
    );
    lists = lists.set(side, own);
    found.push(...own.map((origin) => ({ origin, side })));
  }
  const taken: Point[] = [];
  const blockOf = (side: number): Point | undefined => {
    if (side > most) return undefined;
    const own = lists.get(side) ?? [];
    if (own.length === 0) {
      const larger = blockOf(2 * side);
      if (larger === undefined) return undefined;
      const [x, y] = larger;
      own.push([x, y], [x + side, y], [x, y + side], [x + side, y + side]);
    }
    return own.shift();
  };
  const ask = (side: number, count: number): void => {
    let left = count;
    for (; left > 0; left--) {
      const block = blockOf(side);
      if (block === undefined) break;
      taken.push(...box(block, side, side));
    }
    if (side === 1) return;
    const rest = width * height - Math.floor((width * height) / side ** 2) * side ** 2;
    ask(side / 2, 4 * left + Math.floor(rest / (side / 2) ** 2));
  };
  ask(most, Math.floor((width * height) / most ** 2));
  return nodesOf(mesh, taken);
};

const gabl: Reference = (mesh, width, height) => {
  if (!hasEnough(mesh, width * height)) return undefined;
  const taken: Point[] = [];
  let [w, h] = [width, height];
  while (taken.length < width * height) {
    const left = holding(mesh, taken);
    const turns = [
      [w, h],
      [h, w],
    ] as const;
    const turn =
      w * h <= width * height - taken.length ? turns.find(([a, b]) => places(left, a, b).length > 0) : undefined;
    if (turn !== undefined) taken.push(...box(places(left, ...turn)[0]!, ...turn));
    else if (w >= h) w--;
    else h--;
  }
  return nodesOf(mesh, taken);
};

const rbs: Reference = (mesh, width, height) => {
  const k = width * height;
  if (!hasEnough(mesh, k)) return undefined;
  const row = (y: number): Point[] =>
    range(mesh.width)
      .map((x): Point => [x, y])
      .filter((at) => isFree(mesh, at));
  const free = (y: number): number => (y < 0 || y >= mesh.height ? 0 : row(y).length);
  const upwards = (y: number): Point[] => range(mesh.height, y).flatMap(row);
  if (k <= mesh.width) {
    const tall = range(mesh.height).reverse();
    const single = tall.find((y) => free(y) >= k);
    return nodesOf(
      mesh,
      single !== undefined ? row(single).slice(0, k) : tall.flatMap((y) => row(y).reverse()).slice(0, k),
    );
  }
  const isFull = (y: number): boolean => free(y) === mesh.width;
  const blocks = range(mesh.height)
    .filter((b) => isFull(b) && !isFull(b - 1))
    .map((b) => {
      const e = range(mesh.height, b).find((y) => !isFull(y + 1))!;
      return { b, e, inside: (e - b + 1) * mesh.width };
    });
  const whole = blocks.find(({ inside }) => inside >= k);
  if (whole) return nodesOf(mesh, upwards(whole.b).slice(0, k));
  const shared = blocks.filter(({ b, e, inside }) => inside + free(b - 1) + free(e + 1) >= k);
  const chosen = leastOf(shared, ({ e }) => -free(e + 1));
  if (!chosen) return nodesOf(mesh, upwards(0).slice(0, k));
  const x = Math.max(k - chosen.inside - free(chosen.e + 1), 0);
  const under =
    x === 0
      ? []
      : row(chosen.b - 1)
          .reverse()
          .slice(0, x);
  return nodesOf(mesh, [...under, ...upwards(chosen.b).slice(0, k - x)]);
};

const chebyshev = ([a, b]: Point, [c, d]: Point): number => Math.max(Math.abs(a - c), Math.abs(b - d));
const manhattan = ([a, b]: Point, [c, d]: Point): number => Math.abs(a - c) + Math.abs(b - d);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const ess: Reference = (mesh, width, height) => {
  const k = width * height;
  if (!hasEnough(mesh, k)) return undefined;
  const clusters = freePoints(mesh).map((centre) => {
    const byRing = freePoints(mesh).sort((a, b) => chebyshev(a, centre) - chebyshev(b, centre));
    const last = chebyshev(byRing[k - 1]!, centre);
    const core = byRing.filter((point) => chebyshev(point, centre) < last);
    const toCore = (point: Point): number => sum(core.map((other) => manhattan(point, other)));
    const ring = byRing.filter((point) => chebyshev(point, centre) === last).sort((a, b) => toCore(a) - toCore(b));
    return [...core, ...ring.slice(0, k - core.length)];
  });
  return nodesOf(
    mesh,
    leastOf(clusters, (cluster) => sum(cluster.flatMap((a) => cluster.map((b) => manhattan(a, b)))))!,
  );
};

/** The allocation round each free node, by the shell that each node is in. */
function contention(mesh: PlainMesh, k: number, width: number, height: number): number[] | undefined {
  if (!hasEnough(mesh, k)) return undefined;
  const [left, below] = [Math.floor((width - 1) / 2), Math.floor((height - 1) / 2)];
  const candidates = freePoints(mesh).map(([x, y]) => {
    const shell = ([a, b]: Point): number =>
      Math.max(0, x - left - a, a - (x - left + width - 1), y - below - b, b - (y - below + height - 1));
    const nearest = freePoints(mesh)
      .sort((a, b) => shell(a) - shell(b))
      .slice(0, k);
    return { nearest, cost: sum(nearest.map(shell)) };
  });
  return nodesOf(mesh, leastOf(candidates, ({ cost }) => cost)!.nearest);
}

const snakeBestFit: Reference = (mesh, width, height) => {
  const k = width * height;
  const flipped = mesh.height < mesh.width;
  const [long, short] = flipped ? [mesh.width, mesh.height] : [mesh.height, mesh.width];
  const order = range(long).flatMap((row) => {
    const line = range(short).map((at): Point => (flipped ? [row, at] : [at, row]));
    return row % 2 === 0 ? line : line.reverse();
  });
  const free = range(order.length).filter((place) => isFree(mesh, order[place]!));
  if (free.length < k) return undefined;
  const starts = free.filter((place) => !free.includes(place - 1));
  const intervals = starts.map((start) => range(order.length + 1, start).findIndex((place) => !free.includes(place)));
  const large = range(starts.length).filter((index) => intervals[index]! >= k);
  const best = leastOf(large, (index) => intervals[index]!);
  const chosen =
    best !== undefined
      ? range(starts[best]! + k, starts[best])
      : leastOf(
          range(free.length - k + 1).map((from) => free.slice(from, from + k)),
          (window) => window[k - 1]! - window[0]!,
        )!;
  return nodesOf(
    mesh,
    chosen.map((place) => order[place]!),
  );
};

/** By the name of the catalogue, with its default options. */
export const plainAllocators: Readonly<Record<string, Reference>> = {
  'first-fit': firstFit,
  'best-fit': bestFit,
  'frame-sliding': frameSliding,
  'buddy-2d': buddies,
  paging,
  mbs,
  gabl,
  rbs,
  ess,
  mc: (mesh, width, height) => contention(mesh, width * height, width, height),
  mc1x1: (mesh, width, height) => contention(mesh, width * height, 1, 1),
  curve: snakeBestFit,
};
