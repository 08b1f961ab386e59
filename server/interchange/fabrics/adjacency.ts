import type { Cancellation } from '../../model/cancellation.ts';
import type { Fabric } from '../../model/fabric.ts';
import type { LinkSpeed } from '../../model/machine.ts';
import { countOf } from '../../model/quantities.ts';
import { type Result, succeed, fail } from '../../model/result.ts';
import type { MachineFormatEntry } from '../contract.ts';
import { readMatrixMarket } from '../matrixMarket.ts';
import { FabricBuilder, faultOfCount, badFabric } from './builder.ts';
import { textLines } from '../reading.ts';

const name = 'matrix-market';

export const adjacencyMatrixMarket: MachineFormatEntry = {
  name,
  summary: 'adjacency matrix of the switches in Matrix Market form',
  source: 'Boisvert, Pozo & Remington, NISTIR 5935 (1996)',
  details:
    'Entries are numbers of parallel links; `pattern` counts one each. The matrix is symmetric, or one triangle alone. Switch names are row numbers, from 0. The file has no hosts: add `hosts N`.',
  options: [],
  recognizes: (text) => /^%%MatrixMarket\b/i.test(text),
  read: readAdjacency,
};

/** Numbers of cables between switches, as a matrix or a list gives them. */
interface Adjacency {
  readonly format: string;
  /** Names of the switches, by row. */
  readonly names: readonly string[];
  /** One entry per cell that is not zero; repeated cells add up. */
  readonly from: ArrayLike<number>;
  readonly to: ArrayLike<number>;
  readonly amount: ArrayLike<number>;
  /** What an entry says of its cables, where the file has figures of them. */
  readonly speedOf?: (entry: number) => LinkSpeed;
  /** Whether a cable may be told of in one direction while others are in both: in lists it may. */
  readonly isList: boolean;
  /** Hosts of switches by their ids, where the file counts them. */
  readonly hosts?: ReadonlyMap<number, number>;
  /** The line of an entry, by its position; searched only where something is wrong. */
  readonly lineOf: (entry: number) => number;
}

/** What is known of a pair of switches: cables told of from the lower to the higher and back. */
interface Pair {
  readonly low: number;
  readonly high: number;
  readonly entry: number;
  up: number;
  down: number;
  /** Speeds of the cables, each way as it was told, where there are figures of them. */
  readonly upward: LinkSpeed[];
  readonly downward: LinkSpeed[];
}

/**
 * Makes cables of an adjacency: a cell is the number of parallel cables, the matrix is symmetric,
 * or only one triangle is filled and stands for both. Hosts are those that are counted. Cables of switches to themselves
 * are left out with a warning. O(entries + cables + hosts).
 */
export function adjacencyFabric(adjacency: Adjacency, fileName: string): Result<Fabric> {
  const builder = new FabricBuilder();
  for (const name of adjacency.names) builder.addRouter(name);
  const pairs = gatherPairs(adjacency, builder, fileName);
  if (!pairs.ok) return pairs;
  const isTriangle = pairs.value.every(({ up }) => up === 0) || pairs.value.every(({ down }) => down === 0);
  const oneWay = isTriangle || adjacency.isList;
  let cables = 0;
  for (const pair of pairs.value) {
    const { low, high, up, down, entry } = pair;
    if (up !== down && !(oneWay && Math.min(up, down) === 0)) {
      const [here, there] = [adjacency.names[low]!, adjacency.names[high]!];
      return badFabric(
        fileName,
        adjacency.lineOf(entry),
        `Between ${here} and ${there}: ${countOf(up, 'cable')} in one direction, ${down} in the other. Write the same number for both, or one triangle only.`,
      );
    }
    cables += Math.max(up, down);
    const excess = faultOfCount('cables', cables);
    if (excess !== undefined) return badFabric(fileName, adjacency.lineOf(entry), excess);
  }
  // Only now, when their number is known, are there as many objects.
  for (const { low, high, up, down, upward, downward } of pairs.value) {
    const speeds = upward.length > 0 ? upward : downward;
    for (let cable = 0; cable < Math.max(up, down); cable++) builder.addCable(low, high, speeds[cable]);
  }
  addAdjacencyHosts(adjacency, builder);
  const fabric = builder.finish(adjacency.format);
  return succeed(fabric.nodes.length > 0 ? { ...fabric, nodesAreCounted: true } : fabric);
}

function addAdjacencyHosts({ names, hosts = new Map() }: Adjacency, builder: FabricBuilder): void {
  for (const [router, count] of hosts) {
    for (let host = 0; host < count; host++) builder.addHost(`${names[router]!}:${host}`, router);
  }
}

function gatherPairs(adjacency: Adjacency, builder: FabricBuilder, fileName: string): Result<Pair[]> {
  const { names, from, to, amount, lineOf } = adjacency;
  const pairs = new Map<number, Pair>();
  const selfCabled = { switches: 0, entry: 0 };
  let total = 0;
  for (let entry = 0; entry < amount.length; entry++) {
    const [one, other, cables] = [from[entry]!, to[entry]!, amount[entry]!];
    if (!Number.isInteger(cables)) {
      const place = `Between ${names[one]!} and ${names[other]!}`;
      return badFabric(fileName, lineOf(entry), `${place}: ${cables} links. Expected a whole number.`);
    }
    if (one === other) {
      if (selfCabled.switches++ === 0) selfCabled.entry = entry;
      continue;
    }
    const [low, high] = one < other ? [one, other] : [other, one];
    const key = low * names.length + high;
    const pair = pairs.get(key) ?? { low, high, entry, up: 0, down: 0, upward: [], downward: [] };
    pairs.set(key, pair);
    const excess = faultOfCount('cables', pairs.size);
    if (excess !== undefined) return badFabric(fileName, lineOf(entry), excess);
    if (one === low) pair.up += cables;
    else pair.down += cables;
    if (adjacency.speedOf === undefined) continue;
    const speeds = one === low ? pair.upward : pair.downward;
    total += cables;
    const many = faultOfCount('cables', total / 2);
    if (many !== undefined) return badFabric(fileName, lineOf(entry), many);
    for (let cable = 0; cable < cables; cable++) speeds.push(adjacency.speedOf(entry));
  }
  if (selfCabled.switches > 0) {
    const switches = countOf(selfCabled.switches, 'switch', 'switches');
    builder.warn(
      `${switches} with a link to itself, the first here: these links are skipped.`,
      lineOf(selfCabled.entry),
    );
  }
  return succeed(Array.from(pairs.values()));
}

/** The matrix itself is read as a table of traffic is. O(text). */
function readAdjacency(text: string, fileName: string, cancellation: Cancellation): Result<Fabric> {
  const table = readMatrixMarket(new TextEncoder().encode(text), fileName, cancellation);
  if (!table.ok) return fail('bad-fabric', table.failure.message);
  const { size, from, to, amount } = table.value;
  const excess = faultOfCount('switches', size);
  if (excess !== undefined) return badFabric(fileName, 1, excess);
  const names = Array.from({ length: size }, (_, index) => String(index));
  const lineOf = (entry: number): number => findLine(text, from[entry]! + 1, to[entry]! + 1);
  return adjacencyFabric({ format: name, names, from, to, amount, isList: false, lineOf }, fileName);
}

/** The line of a coordinate, or of its mirror image; 1 in a matrix in array form. */
function findLine(text: string, row: number, column: number): number {
  for (const { line, content } of textLines(text)) {
    const [one, other, amount] = content.trim().split(/\s+/).map(Number);
    const isHere = (one === row && other === column) || (one === column && other === row);
    if (isHere && (amount === undefined || !Number.isNaN(amount)) && !isSizes(text, line)) return line;
  }
  return 1;
}

/** Whether the line is that of sizes: the first that is no comment. */
function isSizes(text: string, asked: number): boolean {
  for (const { line, content } of textLines(text)) {
    if (content.trim() !== '' && !content.trim().startsWith('%')) return line === asked;
  }
  return false;
}
