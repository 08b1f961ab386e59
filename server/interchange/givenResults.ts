import type { GivenJob, GivenPlacement, GivenResults } from '../model/given.ts';
import { slotLimit } from '../model/machine.ts';
import { type Result, succeed } from '../model/result.ts';
import { calling } from './reading.ts';

/** Nodes and mappings of the JSON that `run --json` and `export --format json` write; the rest is passed over. */
export function readResults(text: string): Result<GivenResults, string> {
  const parsed = calling<unknown>(() => JSON.parse(text), 'The JSON is damaged');
  if (!parsed.ok) return parsed;
  const root = parsed.value;
  const listed = memberOf(root, 'placements') ?? [root];
  if (!Array.isArray(listed)) return refuse('`placements` is no list.');
  const placements: GivenPlacement[] = [];
  for (const placement of listed) {
    const read = readPlacement(placement);
    if (!read.ok) return read;
    placements.push(read.value);
  }
  return placements.length === 0 ? refuse('The file holds no placement.') : succeed({ kind: 'results', placements });
}

const refuse = (failure: string): { readonly ok: false; readonly failure: string } => ({ ok: false, failure });

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;

function readPlacement(value: unknown): Result<GivenPlacement, string> {
  const [name, jobs] = [memberOf(value, 'name'), memberOf(value, 'jobs')];
  if (typeof name !== 'string' || !Array.isArray(jobs)) {
    return refuse(
      'The JSON is not of `placewright run --json` or `export --format json`: a placement has `name` and `jobs`.',
    );
  }
  const read: GivenJob[] = [];
  for (const job of jobs) {
    const own = memberOf(job, 'name');
    const [nodes, mapping] = [numbersOf(memberOf(job, 'nodes')), numbersOf(memberOf(job, 'mapping'))];
    if (typeof own !== 'string' || nodes === undefined || mapping === undefined) {
      return refuse('A job of the JSON has `name`, and `nodes` and `mapping` as lists of whole numbers.');
    }
    read.push({ kind: 'job', name: own, nodes, mapping });
  }
  return succeed({ name, jobs: read });
}

function numbersOf(value: unknown): Int32Array | undefined {
  if (!Array.isArray(value) || value.length > slotLimit) return undefined;
  const isNumber = (item: unknown): boolean =>
    Number.isInteger(item) && (item as number) >= 0 && (item as number) < 2 ** 31;
  return value.every(isNumber) ? Int32Array.from(value as number[]) : undefined;
}
