import type { Cancellation } from '../../model/cancellation.ts';
import type { Fabric } from '../../model/fabric.ts';
import { type Result, fail } from '../../model/result.ts';
import type { MachineFormatEntry } from '../contract.ts';
import { matrixMarket } from '../matrixMarket.ts';
import { adjacencyFabric } from './adjacency.ts';
import { faultOfCount } from './builder.ts';
import { complain, linesOf } from './lines.ts';

const name = 'matrix-market';

/** The matrix itself is read as a table of traffic is. O(text). */
function readAdjacency(text: string, fileName: string, cancellation: Cancellation): Result<Fabric> {
  const table = matrixMarket.read(new TextEncoder().encode(text), fileName, cancellation);
  if (!table.ok) return fail('bad-fabric', table.failure.message);
  const { size, from, to, amount } = table.value;
  const excess = faultOfCount('switches', size);
  if (excess !== undefined) return complain(fileName, 1, excess);
  const names = Array.from({ length: size }, (_, index) => String(index));
  const lineOf = (entry: number): number => findLine(text, from[entry]! + 1, to[entry]! + 1);
  return adjacencyFabric({ format: name, names, from, to, amount, isList: false, lineOf }, fileName);
}

/** The line of a coordinate, or of its mirror image; 1 in a matrix in array form. */
function findLine(text: string, row: number, column: number): number {
  for (const { line, content } of linesOf(text)) {
    const [one, other, amount] = content.trim().split(/\s+/).map(Number);
    const isHere = (one === row && other === column) || (one === column && other === row);
    if (isHere && (amount === undefined || !Number.isNaN(amount)) && !isSizes(text, line)) return line;
  }
  return 1;
}

/** Whether the line is that of sizes: the first that is no comment. */
function isSizes(text: string, asked: number): boolean {
  for (const { line, content } of linesOf(text)) {
    if (content.trim() !== '' && !content.trim().startsWith('%')) return line === asked;
  }
  return false;
}

export const adjacencyMatrixMarket: MachineFormatEntry = {
  name,
  summary: 'adjacency matrix of the switches in Matrix Market form',
  source: 'Boisvert, Pozo & Remington, NISTIR 5935 (1996)',
  details:
    'Entries are numbers of parallel cables; `pattern` is one each. Symmetric, or one triangle alone. Switches are named by their row, from 0. There are no hosts: add `hosts N`.',
  options: [],
  recognizes: (text) => /^%%MatrixMarket\b/i.test(text),
  read: readAdjacency,
};
