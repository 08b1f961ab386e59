/** The nodes of a machine as a mesh of at most three dimensions, and the submeshes that jobs ask for. */
import type { Machine } from '../model/machine.ts';
import { fail, succeed, type Result } from '../model/result.ts';
import { formatShape } from '../model/shape.ts';
import { itemAt } from '../numeric/elements.ts';
import type { NodeRequest } from './contract.ts';

/**
 * NodeId = x + width · (y + height · z). Several nodes of a router stand side by side in x. A torus is the mesh that it
 * becomes when its wrap-around cables are left out: a submesh of that is a submesh of the torus too.
 */
export interface Mesh {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  /** 1 to 3. Sides of further axes are 1. */
  readonly dimensions: number;
  readonly nodeCount: number;
}

/** Width, height and depth. */
export type Sides = readonly [number, number, number];

/** The mesh of a machine with at most `most` dimensions, for the allocator `name`. */
export function meshOf(machine: Machine, name: string, most: number): Result<Mesh> {
  const { shape, kind } = machine.topology;
  if (shape === undefined) {
    return fail(
      'no-coordinates',
      `\`allocate ${name}\` needs coordinates (torus, mesh or hypercube), found \`topology ${kind}\`.`,
    );
  }
  let dimensions = shape.length;
  while (dimensions > 1 && shape[dimensions - 1] === 1) dimensions--;
  if (dimensions > most) {
    return fail(
      'wrong-dimensions',
      `\`allocate ${name}\` supports at most ${most} dimensions; this ${kind} is ${formatShape(shape)}.`,
    );
  }
  const [width = 1, height = 1, depth = 1] = shape;
  return succeed({
    width: width * machine.hostsPerRouter,
    height,
    depth,
    dimensions,
    nodeCount: machine.nodeCount,
  });
}

/**
 * The sides of the submesh that a request asks for. O(1) where it names them, else O(√nodeCount) divisors at most
 * squared.
 */
export function sidesOf(request: NodeRequest, mesh: Mesh): Sides {
  const { sides, nodeCount } = request;
  if (sides === undefined || sides.some((side, axis) => axis >= mesh.dimensions && side > 1)) {
    return squarestSides(nodeCount, mesh);
  }
  return [sides[0] ?? 1, sides[1] ?? 1, sides[2] ?? 1];
}

/**
 * The submesh of exactly `nodeCount` nodes whose sides have the least sum, of those that the mesh can hold where there
 * are any; the shorter sides lie along the shorter sides of the mesh (of equal ones x before y before z).
 */
function squarestSides(nodeCount: number, mesh: Mesh): Sides {
  const lengths = [mesh.width, mesh.height, mesh.depth].slice(0, mesh.dimensions);
  const axes = lengths.map((_, axis) => axis).sort((a, b) => itemAt(lengths, a) - itemAt(lengths, b));
  let best: readonly number[] = [];
  let bestRank = Infinity;
  for (const factors of ascendingFactors(nodeCount, mesh.dimensions, 1)) {
    const fits = factors.every((factor, index) => factor <= itemAt(lengths, itemAt(axes, index)));
    // A sum is at most nodeCount + 2: those that do not fit come behind all that do.
    const rank = factors.reduce((sum, factor) => sum + factor, fits ? 0 : nodeCount + 3);
    if (rank < bestRank) [best, bestRank] = [factors, rank];
  }
  const sides: [number, number, number] = [1, 1, 1];
  for (const [index, factor] of best.entries()) sides[itemAt(axes, index)] = factor;
  return sides;
}

/** All ways to write a number as a product of `count` factors of at least `least`, each ascending. */
function ascendingFactors(product: number, count: number, least: number): number[][] {
  if (count === 1) return [[product]];
  const found: number[][] = [];
  for (let first = least; first ** count <= product; first++) {
    if (product % first !== 0) continue;
    for (const rest of ascendingFactors(product / first, count - 1, first)) found.push([first, ...rest]);
  }
  return found;
}

/**
 * Writes the nodes of a submesh in row-major order to `out` from `at` on; returns where the next one goes. O(nodes).
 */
export function writeSubmesh(mesh: Mesh, origin: number, sides: Sides, out: Int32Array, at: number): number {
  const [width, height, depth] = sides;
  const plane = mesh.width * mesh.height;
  for (let z = 0; z < depth; z++) {
    for (let y = 0; y < height; y++) {
      const first = origin + z * plane + y * mesh.width;
      for (let x = 0; x < width; x++) out[at++] = first + x;
    }
  }
  return at;
}

/** How many nodes no job holds. O(nodes). */
export function countFree(busy: Uint8Array): number {
  let free = busy.length;
  for (const held of busy) free -= held;
  return free;
}
