/** `--from`: the mappings of an earlier `run --json` instead of a new search. */
import { pathToFileURL } from 'node:url';
import type { SearchRecord } from '../../model/searchRecord.ts';
import type { PlacedBefore } from '../../study/run.ts';
import { endWords } from '../../study/explain/words.ts';
import { readText, tableFileLimit } from '../files.ts';
import { contentDigest, type LoadedProgram } from './program.ts';
import { UsageError } from './terminal.ts';

/** A result of `run --json` that is used again. */
export interface KeptResult {
  readonly uri: string;
  readonly placedBefore: (placement: string) => readonly PlacedBefore[] | undefined;
}

type PrintedJob = Partial<Record<'name' | 'nodes' | 'mapping' | 'search', unknown>>;

/** As it was printed, if it was. */
interface Printed {
  readonly program?: unknown;
  readonly placements?: readonly { readonly name?: unknown; readonly jobs?: readonly PrintedJob[] }[];
}

/**
 * Reads the mappings of a result that `run --json` printed of this very program: not one byte of what it is made of
 * may differ, or the figures would be of something else. All else is wrong usage. The study checks the numbers.
 */
export async function keptResult(path: string, loaded: LoadedProgram, placement?: string): Promise<KeptResult> {
  const { href: uri } = pathToFileURL(path);
  const text = await readText(uri, {}, { limit: tableFileLimit });
  if (!text.ok) throw new UsageError(`--from: ${text.failure.message}`);
  const printed = parse(text.value);
  if (typeof printed?.program !== 'string') {
    throw new UsageError(`--from: ${path} is no result of \`placewright run FILE --json\`.`);
  }
  if (printed.program !== (await contentDigest(loaded))) {
    throw new UsageError(
      `--from: ${path} is the result of another text: the file, or one that it names, was changed since. ` +
        'Run it again with `placewright run FILE --json`.',
    );
  }
  const placements = new Map((printed.placements ?? []).map(({ name, jobs }) => [name, jobs]));
  if (placement !== undefined && !placements.has(placement)) {
    throw new UsageError(`--from: ${path} has no placement '${placement}'.`);
  }
  return { uri, placedBefore: (name) => placements.get(name)?.map(placedBefore) };
}

function parse(text: string): Printed | undefined {
  try {
    return JSON.parse(text) as Printed;
  } catch {
    return undefined;
  }
}

const numbers = (value: unknown): readonly number[] =>
  Array.isArray(value) ? value.map((one) => (typeof one === 'number' ? one : Number.NaN)) : [];

const placedBefore = ({ name, nodes, mapping, search }: PrintedJob): PlacedBefore => ({
  name: String(name),
  nodes: numbers(nodes),
  mapping: numbers(mapping),
  ...(isSearch(search) ? { search } : {}),
});

/** Whether it can be told as a search is: somebody may have edited it. */
function isSearch(value: unknown): value is SearchRecord {
  const { criterion, value: cost, evaluations, milliseconds, end, ...more } = (value ?? {}) as Partial<SearchRecord>;
  const { tried = [], untried = [], budget } = more;
  return (
    typeof criterion === 'string' &&
    [cost, evaluations, milliseconds].every((number) => typeof number === 'number') &&
    end !== undefined &&
    Object.hasOwn(endWords, end) &&
    Array.isArray(tried) &&
    Array.isArray(untried) &&
    (budget === undefined || isBudget(budget))
  );
}

const isBudget = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'amount' in value && typeof value.amount === 'number';
