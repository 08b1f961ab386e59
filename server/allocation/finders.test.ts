import { describe, expect, it } from 'vitest';
import { defaultOptions, findEntry, type OptionValues } from '../model/catalogue.ts';
import type { Machine } from '../model/machine.ts';
import { seededRandom } from '../model/random.ts';
import { testContract, type Contract } from '../model/testing/contract.ts';
import { volumeOf } from '../model/shape.ts';
import { gridMachine } from '../network/testing/machines.ts';
import { machinesWithoutCoordinates } from '../network/testing/networkMachines.ts';
import { allocators, finders } from './catalogue.ts';
import type { FinderEntry, NodeFinder, NodeRequest } from './contract.ts';
import { sidesOfGrid } from './strategy.ts';
import { plainAllocators } from './testing/plain.ts';

const named = (name: string): FinderEntry => finders.find((entry) => entry.name === name)!;

function finderOf(name: string, machine: Machine, options: OptionValues = {}): NodeFinder {
  const entry = named(name);
  const made = entry.finder(machine, { ...defaultOptions(entry), ...options }, seededRandom(3));
  if (!made.ok) throw new Error(made.failure.message);
  return made.value;
}

const requestOf = (...sides: number[]): NodeRequest => ({ nodeCount: volumeOf(sides), sides });

/** Nodes in rows from the top, as figures show them: `.` is free. */
function meshOf(...rows: string[]): { machine: Machine; busy: Uint8Array } {
  const machine = gridMachine('mesh', [rows[0]!.length, rows.length]);
  return { machine, busy: Uint8Array.from([...rows].reverse().join(''), (mark) => (mark === '.' ? 0 : 1)) };
}

const nodesOf = (found: Int32Array | undefined): number[] | undefined => found && [...found];
/** Nodes of the columns `x0` to `x1` of the rows `y0` to `y1`. */
const submesh = (width: number, [x0, y0, x1, y1]: readonly [number, number, number, number]): number[] => {
  const nodes: number[] = [];
  for (let y = y0; y <= y1; y++) for (let x = x0; x <= x1; x++) nodes.push(y * width + x);
  return nodes;
};

/** Calls `visit` for patterns of busy nodes: all of a small mesh, else random ones of every density. */
function forPatterns(nodeCount: number, visit: (busy: Uint8Array) => void): void {
  if (nodeCount <= 9) {
    for (let bits = 0; bits < 2 ** nodeCount; bits++)
      visit(Uint8Array.from({ length: nodeCount }, (_, i) => (bits >> i) & 1));
    return;
  }
  const random = seededRandom(nodeCount);
  for (let round = 0; round < 25; round++) {
    const share = random.fraction();
    visit(Uint8Array.from({ length: nodeCount }, () => (random.fraction() < share ? 1 : 0)));
  }
}

const meshes: readonly (readonly [number, number])[] = [
  [3, 3],
  [4, 2],
  [2, 4],
  [1, 6],
  [6, 1],
  [2, 2],
  [4, 4],
  [8, 8],
  [7, 5],
  [5, 8],
];

// Buddies want squares of a power of two; on a line the blocks of mbs are lines, which the plain code does not know.
const isKnown = (name: string, [width, height]: readonly [number, number]): boolean =>
  name === 'buddy-2d' ? width === height && width !== 3 : name !== 'mbs' || height > 1;

for (const [name, plain] of Object.entries(plainAllocators)) {
  testContract(`finder ${name} against plain code`, (contract) => {
    for (const [width, height] of meshes.filter((mesh) => isKnown(name, mesh))) {
      contract.on(`${width} x ${height}`, () => {
        const finder = finderOf(name, gridMachine('mesh', [width, height]));
        const random = seededRandom(5);
        contract.property('finds what plain code finds, for every shape and pattern of busy nodes', (look) => {
          forPatterns(width * height, (busy) => {
            for (let times = 0; times < 3; times++) {
              const sides = [1 + random.integer(width), 1 + random.integer(height)] as const;
              const found = finder.find(busy, requestOf(...sides))?.join();
              const expected = plain({ width, height, busy }, ...sides)?.join();
              look(found === expected, () => `${sides.join(' x ')} in ${busy.join('')}: ${found}, not ${expected}`);
            }
          });
        });
      });
    }
  });
}

const grids = [
  gridMachine('mesh', [8, 8]),
  gridMachine('torus', [16]),
  gridMachine('mesh', [40, 3], { hosts: 2 }),
  gridMachine('torus', [4, 3, 5]),
  gridMachine('hypercube', [4]),
];

for (const entry of finders) {
  testContract(`finder ${entry.name}`, (contract) => {
    const working = grids.filter((machine) => entry.finder(machine, defaultOptions(entry), seededRandom(1)).ok);
    contract.property('works on a mesh of 8 x 8', (look) => {
      look(working.includes(grids[0]!), 'refuses it');
    });
    if (!entry.contiguous) contract.notApplicable(hasShape, 'its nodes may be anywhere');
    if (entry.name === 'random') contract.notApplicable(isSameAgain, 'it draws anew');
    for (const machine of working) {
      contract.on(machine.topology.kind, () => {
        checkStream(contract, entry, machine);
      });
    }
    checkRefusals(contract, entry);
    contract.property('gives nothing where too few nodes are free', (look) => {
      const finder = finderOf(entry.name, grids[0]!);
      const oneFree = new Uint8Array(64).fill(1, 1);
      look(finder.find(oneFree, { nodeCount: 2 }) === undefined, 'two of one');
      look(finder.find(oneFree, { nodeCount: 1 })?.join() === '0', 'not the only one');
      look(finder.find(new Uint8Array(64), { nodeCount: 65 }) === undefined, '65 of 64');
    });
  });
}

const hasShape = 'gives nodes of the shape promised';
const isSameAgain = 'gives the same nodes after a release';

/** Requests one after the other, of which the oldest ends where one does not fit. */
function checkStream(contract: Contract, { name, contiguous }: FinderEntry, machine: Machine): void {
  const finder = finderOf(name, machine);
  const random = seededRandom(9);
  const busy = new Uint8Array(machine.nodeCount);
  const running: Int32Array[] = [];
  for (let step = 0; step < 150; step++) {
    const shape = machine.topology.shape ?? [machine.nodeCount];
    const request = requestOf(...shape.map((side) => 1 + random.integer(Math.max(1, side >> 1))));
    const { nodeCount, sides = [] } = request;
    const before = busy.slice();
    const free = before.filter((held) => held === 0).length;
    const found = finder.find(busy, request);
    contract.property('gives free nodes, each once, or nothing where too few are free', (look) => {
      if (found === undefined) {
        look(contiguous || free < nodeCount, () => `${nodeCount} of ${free} not found`);
      } else {
        const isEnough = found.length >= nodeCount && new Set(found).size === found.length;
        look(isEnough && found.every((node) => before[node] === 0), () => `${nodeCount}: ${found.join(' ')}`);
      }
      look(String(busy) === String(before), 'busy nodes changed');
    });
    if (found === undefined) {
      for (const node of running.shift() ?? []) busy[node] = 0;
      continue;
    }
    contract.property(hasShape, (look) => {
      if (!contiguous) return;
      const extents = extentsOf(machine, found.subarray(0, nodeCount));
      look(
        extents.every((extent, axis) => extent === (sides[axis] ?? 1)),
        () => `${sides.join()}: ${extents.join()}`,
      );
    });
    for (const node of found) busy[node] = 1;
    contract.property(isSameAgain, (look) => {
      if (name === 'random') return;
      finder.find(busy, request);
      for (const node of found) busy[node] = 0;
      const again = finder.find(busy, request);
      look(again?.join() === found.join(), () => `${again?.join(' ')}, not ${found.join(' ')}`);
      for (const node of found) busy[node] = 1;
    });
    running.push(found);
  }
}

function checkRefusals(contract: Contract, entry: FinderEntry): void {
  const others = [...grids, ...machinesWithoutCoordinates().map(([, machine]) => machine)];
  const refused = others.flatMap((machine) => {
    const made = entry.finder(machine, defaultOptions(entry), seededRandom(1));
    return made.ok ? [] : [made.failure];
  });
  const refuses = 'says of machines that it cannot work on why, and names itself';
  if (refused.length === 0) contract.notApplicable(refuses, 'it works on all machines');
  contract.property(refuses, (look) => {
    for (const { code, message } of refused) {
      const isKnownCode = ['no-coordinates', 'wrong-dimensions', 'does-not-apply'].includes(code);
      look(isKnownCode && message.includes(`allocate ${entry.name}`), () => `${code}: ${message}`);
    }
  });
}

/** So many positions of nodes there are along each axis, from the first to the last. */
function extentsOf(machine: Machine, found: Int32Array): number[] {
  const { shape = [] } = machine.topology;
  const lengths = shape.map((side, axis) => (axis === 0 ? side * machine.hostsPerRouter : side));
  const at = (node: number): number[] => {
    let rest = node;
    return lengths.map((side) => {
      const position = rest % side;
      rest = (rest - position) / side;
      return position;
    });
  };
  const all = [...found].map(at);
  return lengths.map((_, axis) => {
    const along = all.map((position) => position[axis]!);
    return Math.max(...along) - Math.min(...along) + 1;
  });
}

describe('the examples of the thesis', () => {
  it('gabl: 4 x 4 in three submeshes, (6,0,7,2), (3,0,5,1) and (6,6,7,7) (figure 2.7)', () => {
    const { machine, busy } = meshOf(
      '######..',
      '######..',
      '########',
      '########',
      '########',
      '######..',
      '###.....',
      '###.....',
    );
    const expected = [
      [6, 0, 7, 2],
      [3, 0, 5, 1],
      [6, 6, 7, 7],
    ] as const;
    expect(nodesOf(finderOf('gabl', machine).find(busy, requestOf(4, 4)))).toEqual(
      expected.flatMap((at) => submesh(8, at)),
    );
  });

  it.each([
    // Row 7 has two free processors, row 6 has five: the four leftmost of row 6.
    { what: 'S.1, figure 3.2', sides: [2, 2], counts: [8, 8, 8, 8, 8, 8, 5, 2], expected: { 6: 'left 4' } },
    {
      what: 'S.2, figure 3.3',
      sides: [1, 7],
      counts: [0, 0, 0, 0, 3, 4, 1, 2],
      expected: { 7: 'right 2', 6: 'right 1', 5: 'right 4' },
    },
    {
      what: 'L.1, figure 3.4',
      sides: [5, 4],
      counts: [3, 0, 2, 4, 8, 8, 8, 1],
      expected: { 4: 'left 8', 5: 'left 8', 6: 'left 4' },
    },
    {
      what: 'L.2, figure 3.5',
      sides: [7, 4],
      counts: [0, 1, 4, 8, 8, 8, 3, 2],
      expected: { 2: 'right 1', 3: 'left 8', 4: 'left 8', 5: 'left 8', 6: 'left 3' },
    },
    // The requests of figures 3.6 and 3.7, of which the text has no picture: beyond the mesh there are no free processors.
    {
      what: 'L.2, the block of free rows at the top',
      sides: [7, 4],
      counts: [2, 3, 1, 4, 5, 8, 8, 8],
      expected: { 4: 'right 4', 5: 'left 8', 6: 'left 8', 7: 'left 8' },
    },
    {
      what: 'L.2, the block of free rows at the bottom',
      sides: [5, 2],
      counts: [8, 3, 1, 2, 0, 4, 6, 7],
      expected: { 0: 'left 8', 1: 'left 2' },
    },
    {
      what: 'L.3, figure 3.8',
      sides: [8, 2],
      counts: [3, 4, 5, 4, 2, 6, 1, 0],
      expected: { 0: 'left 3', 1: 'left 4', 2: 'left 5', 3: 'left 4' },
    },
  ])('rbs: $what', ({ sides, counts, expected }) => {
    // The free nodes of a row stand in its even columns first.
    const columns = [0, 2, 4, 6, 1, 3, 5, 7];
    const freeOf = (row: number): number[] => columns.slice(0, counts[row]).sort((a, b) => a - b);
    const busy = new Uint8Array(64).fill(1);
    counts.forEach((_, row) => {
      freeOf(row).forEach((x) => (busy[row * 8 + x] = 0));
    });
    const wanted = Object.entries(expected).flatMap(([row, part]) => {
      const [end, count] = part.split(' ');
      const free = freeOf(Number(row)).map((x) => Number(row) * 8 + x);
      return end === 'left' ? free.slice(0, Number(count)) : free.slice(-Number(count));
    });
    const found = nodesOf(finderOf('rbs', gridMachine('mesh', [8, 8])).find(busy, requestOf(...sides)));
    expect(found?.toSorted((a, b) => a - b)).toEqual(wanted.toSorted((a, b) => a - b));
  });

  it('buddy-2d: 2 x 4 hold 4 x 4, half of it unused (figure 2.1)', () => {
    const found = nodesOf(finderOf('buddy-2d', gridMachine('mesh', [8, 8])).find(new Uint8Array(64), requestOf(2, 4)));
    expect(found?.slice(0, 8)).toEqual(submesh(8, [0, 0, 1, 3]));
    expect(found?.toSorted((a, b) => a - b)).toEqual(submesh(8, [0, 0, 3, 3]));
  });

  it('buddy-2d divides the smallest free block, not a quarter of a larger one', () => {
    const { machine, busy } = meshOf('....', '....', '....', '...#');
    expect(nodesOf(finderOf('buddy-2d', machine).find(busy, requestOf(1, 1)))).toEqual([2]);
    expect(nodesOf(finderOf('buddy-2d', machine).find(busy, requestOf(2, 2)))).toEqual([0, 1, 4, 5]);
  });

  it('frame-sliding misses a free submesh between its strides (figure 2.1)', () => {
    const { machine, busy } = meshOf('....', '#..#', '#..#', '.###');
    expect(nodesOf(finderOf('first-fit', machine).find(busy, requestOf(2, 3)))).toEqual([5, 6, 9, 10, 13, 14]);
    expect(finderOf('frame-sliding', machine).find(busy, requestOf(2, 3))).toBeUndefined();
  });

  it.each([
    { index: 'row-major', expected: [0, 1, 2, 3, 4, 5, 6, 7] },
    { index: 'snake', expected: [0, 1, 2, 3, 7, 6, 5, 4] },
    { index: 'shuffled-row-major', expected: [0, 1, 4, 5, 2, 3, 6, 7] },
    { index: 'shuffled-snake', expected: [0, 1, 5, 4, 2, 3, 7, 6] },
  ])('paging by $index (figure 2.3)', ({ index, expected }) => {
    const finder = finderOf('paging', gridMachine('mesh', [4, 4]), { index });
    expect(nodesOf(finder.find(new Uint8Array(16), { nodeCount: 8 }))).toEqual(expected);
  });

  it('paging(1) gives ⌈k / 4⌉ pages', () => {
    const finder = finderOf('paging', gridMachine('mesh', [4, 4]), { size: 1 });
    expect(nodesOf(finder.find(new Uint8Array(16), { nodeCount: 5 }))).toEqual([0, 1, 4, 5, 2, 3, 6, 7]);
    const busy = new Uint8Array(16).fill(1, 5, 6);
    expect(nodesOf(finder.find(busy, { nodeCount: 4 }))).toEqual([2, 3, 6, 7]);
    expect(finder.find(busy, { nodeCount: 13 })).toBeUndefined();
  });
});

describe('in three dimensions', () => {
  const onGrid = (
    name: string,
    shape: number[],
    request: NodeRequest,
    busyNodes: number[] = [],
    options: OptionValues = {},
  ) => {
    const machine = gridMachine('mesh', shape);
    const busy = new Uint8Array(machine.nodeCount);
    for (const node of busyNodes) busy[node] = 1;
    return nodesOf(finderOf(name, machine, options).find(busy, request));
  };

  it('mbs: 11 nodes are a cube of 2 and three single nodes of the next cube, or of the one that is broken', () => {
    const cube = [0, 1, 4, 5, 16, 17, 20, 21];
    expect(onGrid('mbs', [4, 4, 4], { nodeCount: 11 })).toEqual([...cube, 2, 3, 6]);
    expect(onGrid('mbs', [4, 4, 4], { nodeCount: 11 }, [0])).toEqual([...cube.map((node) => node + 2), 1, 4, 5]);
  });

  it('gabl: turns a submesh into any axis, and divides it where a plane is busy', () => {
    expect(onGrid('gabl', [2, 2, 4], requestOf(4, 2, 2))).toEqual([...Array(16).keys()]);
    const middle = [9, 10, 11, 12, 13, 14, 15, 16, 17];
    expect(onGrid('gabl', [3, 3, 3], requestOf(2, 2, 2), middle)).toEqual([0, 1, 3, 4, 18, 19, 21, 22]);
  });

  it('mc1x1: eight nodes are the cube at a corner; nine are nearer to the middle of an edge', () => {
    expect(onGrid('mc1x1', [3, 3, 3], { nodeCount: 8 })).toEqual([0, 1, 3, 4, 9, 10, 12, 13]);
    expect(onGrid('mc1x1', [3, 3, 3], { nodeCount: 9 })).toEqual([1, 0, 2, 3, 4, 5, 9, 10, 11]);
  });

  it('paging: pages are cubes, and planes follow each other', () => {
    const page = [0, 1, 4, 5, 8, 9, 12, 13];
    const other = page.map((node) => node + 2);
    expect(onGrid('paging', [4, 2, 2], { nodeCount: 9 }, [], { size: 1 })).toEqual([...page, ...other]);
    expect(onGrid('paging', [4, 2, 2], { nodeCount: 5 }, [8], { size: 1 })).toEqual(other);
    const by = (index: string, shape: number[]) => onGrid('paging', shape, { nodeCount: 8 }, [], { index });
    expect(by('row-major', [2, 2, 2])).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(by('snake', [2, 2, 2])).toEqual([0, 1, 3, 2, 6, 7, 5, 4]);
    expect(by('shuffled-row-major', [4, 4, 2])).toEqual([0, 1, 4, 5, 16, 17, 20, 21]);
  });

  it('paging by shuffled-snake says that it is for two', () => {
    const entry = named('paging');
    const made = entry.finder(gridMachine('mesh', [2, 2, 2]), { size: 0, index: 'shuffled-snake' }, seededRandom(1));
    expect(!made.ok && made.failure.message).toMatch(/^`index shuffled-snake` supports at most 2 dimensions\./);
  });
});

describe('curve', () => {
  const orderOf = (options: OptionValues, shape: number[]): number[] | undefined => {
    const machine = gridMachine('mesh', shape);
    return nodesOf(
      finderOf('curve', machine, options).find(new Uint8Array(machine.nodeCount), { nodeCount: machine.nodeCount }),
    );
  };

  it.each([{ shape: [8, 8] }, { shape: [4, 4, 4] }, { shape: [2, 2] }])(
    'hilbert on $shape goes from neighbour to neighbour',
    ({ shape }) => {
      const order = orderOf({ order: 'hilbert' }, shape)!;
      expect(new Set(order).size).toBe(volumeOf(shape));
      const { routing } = gridMachine('mesh', shape);
      for (let place = 1; place < order.length; place++) {
        expect(routing.hops(order[place - 1] as never, order[place] as never)).toBe(1);
      }
    },
  );

  it('the snake goes along the shortest side, in three dimensions too', () => {
    expect(orderOf({}, [3, 2])).toEqual([0, 3, 4, 1, 2, 5]);
    const { routing } = gridMachine('mesh', [4, 2, 3]);
    const order = orderOf({}, [4, 2, 3])!;
    expect(order.slice(0, 6)).toEqual([0, 4, 12, 8, 16, 20]);
    for (let place = 1; place < order.length; place++) {
      expect(routing.hops(order[place - 1] as never, order[place] as never)).toBe(1);
    }
  });

  it('first fit takes the first interval, best fit the smallest, the free list what is free', () => {
    const { machine, busy } = meshOf('.#....#..#');
    const by = (fit: string) =>
      nodesOf(finderOf('curve', machine, { order: 'row-major', fit }).find(busy, { nodeCount: 2 }));
    expect([by('first'), by('best'), by('free-list')]).toEqual([
      [2, 3],
      [7, 8],
      [0, 2],
    ]);
  });
});

describe('large machines', () => {
  it('mc1x1 on 96 x 96 finds what the sum over all centres finds', () => {
    const side = 96;
    const random = seededRandom(4);
    const busy = Uint8Array.from({ length: side * side }, () => (random.fraction() < 0.4 ? 1 : 0));
    const found = finderOf('mc1x1', gridMachine('mesh', [side, side])).find(busy, { nodeCount: 300 })!;
    const costOf = (centre: number): number => {
      const [x, y] = [centre % side, Math.floor(centre / side)];
      const shells: number[] = [];
      busy.forEach((held, node) => {
        if (held === 0) shells.push(Math.max(Math.abs((node % side) - x), Math.abs(Math.floor(node / side) - y)));
      });
      return shells
        .sort((a, b) => a - b)
        .slice(0, 300)
        .reduce((total, shell) => total + shell, 0);
    };
    const sampled = [...Array(40).keys()].map(() => random.integer(side * side)).filter((node) => busy[node] === 0);
    const cost = costOf(found[0]!);
    expect(sampled.every((node) => costOf(node) >= cost)).toBe(true);
  });
});

describe('in a placement', () => {
  it.each([
    { grid: [8, 6], cores: 4, expected: [4, 3] },
    { grid: [8, 6], cores: 1, expected: [8, 6] },
    { grid: [9, 2], cores: 6, expected: [3, 1] },
    { grid: [5, 5], cores: 2, expected: undefined },
    { grid: [4, 4, 4], cores: 8, expected: [2, 2, 2] },
  ])('a grid of $grid tasks on nodes of $cores cores is $expected nodes', ({ grid, cores, expected }) => {
    expect(sidesOfGrid(grid, cores)).toEqual(expected);
  });

  it('every finder is an allocator of the catalogue', () => {
    for (const entry of finders) expect(findEntry(allocators, entry.name)).toBe(entry);
  });
});
