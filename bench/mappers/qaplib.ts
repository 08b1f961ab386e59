/** Instances of QAPLIB in the shared folder: n, then two n × n matrices, and the best values known. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchFolder } from './cases.ts';

export interface QuadraticAssignment {
  readonly name: string;
  readonly size: number;
  /** Row-major; which of the two is called flow makes no difference to the optimum. */
  readonly flow: Float64Array;
  readonly distance: Float64Array;
  /** The sum over ordered pairs of the best assignment known. */
  readonly bestKnown: number;
}

export function quadraticAssignment(name: string): QuadraticAssignment {
  const folder = join(benchFolder(), 'qaplib');
  const [size = 0, ...values] = readFileSync(join(folder, `${name}.dat`), 'utf8')
    .trim()
    .split(/\s+/)
    .map(Number);
  const row = readFileSync(join(folder, 'BKV.tsv'), 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .find(([instance]) => instance === name);
  if (row === undefined) throw new Error(`${name} is not in BKV.tsv.`);
  return {
    name,
    size,
    flow: Float64Array.from(values.slice(0, size * size)),
    distance: Float64Array.from(values.slice(size * size, 2 * size * size)),
    bestKnown: Number(row[4]),
  };
}
