/**
 * The JSON that `run --json` and `export --format json` write. Of a large file its lists, which have a number for each task, are read from
 * the bytes; the little that is left between them is parsed as JSON.
 */
import { WorkMeter, type Cancellation } from '../model/cancellation.ts';
import type { GivenFile, GivenJob, GivenPlacement, GivenResults } from '../model/given.ts';
import { taskLimit } from '../model/job.ts';
import { formatNumber } from '../model/quantities.ts';
import { fail, quote, type Result, succeed } from '../model/result.ts';
import { at, type KnownMembers, lineOfValue, passedOver, readJson, unknownInJson } from './jsonText.ts';

/** The one document of a text of JSON. */
export function readDocument(text: string, fileName: string, code: string): Result<unknown> {
  const documents = readJson(text, fileName, code);
  if (!documents.ok) return documents;
  const [first, ...others] = documents.value;
  if (others.length === 0) return succeed(first);
  return fail(code, `${fileName}:1: The file has ${others.length + 1} JSON documents. Keep the one with the mapping.`);
}

/** A text of JSON, and the lists that were cut out of it, see {@link withoutLists}. */
interface ResultsText {
  readonly text: string;
  readonly lists?: readonly Int32Array[];
}

/** Nodes and mappings of the JSON that `run --json` and `export --format json` write; the rest is passed over. */
export function readResults({ text, lists }: ResultsText, fileName: string, code: string): Result<GivenFile> {
  const parsed = readDocument(text, fileName, code);
  if (!parsed.ok) return parsed;
  const written = at(parsed.value, 'placements');
  const refused = (message: string, ...path: readonly (string | number)[]): Result<never> => {
    const way = written === undefined ? path.slice(2) : path;
    return fail(code, `${fileName}:${lineOfValue(text, way)}: ${message}`);
  };
  const listed = written ?? [parsed.value];
  if (!Array.isArray(listed)) return refused('`placements` must be a list.', 'placements');
  const placements: GivenPlacement[] = [];
  for (const [index, placement] of (listed as readonly unknown[]).entries()) {
    const read = readPlacement(placement, lists);
    if (!read.ok) return refused(read.failure.message, 'placements', index, ...read.failure.path);
    placements.push(read.value);
  }
  return placements.length === 0
    ? refused(
        'The file has no placement. Create it with `placewright run --json` or `export --format json`.',
        'placements',
      )
    : succeed({ kind: 'results', placements, ...unknownMembersWarnings(text, parsed.value) });
}

const jobMembers: KnownMembers = passedOver(
  'name',
  'tasks',
  'allocator',
  'mapper',
  'nodes',
  'hosts',
  'mapping',
  'coresPerTask',
  'search',
);
const placementMembers: KnownMembers = {
  ...passedOver('name', 'machine', 'seed', 'metrics', 'split', 'notes', 'milliseconds'),
  jobs: jobMembers,
};
const knownMembers: KnownMembers = {
  ...placementMembers,
  ...passedOver('program', 'diagnostics', 'placewrightDigest'),
  placements: placementMembers,
};

function unknownMembersWarnings(text: string, document: unknown): Pick<GivenResults, 'warnings'> {
  const warnings = unknownInJson(text, [document], knownMembers);
  return warnings.length > 0 ? { warnings } : {};
}

/** What is wrong with a value of JSON, and the way to it. */
interface ValueFault {
  readonly message: string;
  readonly path: readonly (string | number)[];
}

const wrong = (
  message: string,
  ...path: readonly (string | number)[]
): { readonly ok: false; readonly failure: ValueFault } => ({ ok: false, failure: { message, path } });

function readPlacement(value: unknown, lists: ResultsText['lists']): Result<GivenPlacement, ValueFault> {
  const [name, jobs] = [at(value, 'name'), at(value, 'jobs')];
  if (typeof name !== 'string' || !Array.isArray(jobs)) {
    return wrong(
      'The JSON is not from `placewright run --json` or `export --format json`. A placement needs `name` and `jobs`.',
    );
  }
  const read: GivenJob[] = [];
  for (const [index, job] of (jobs as readonly unknown[]).entries()) {
    const own = at(job, 'name');
    if (typeof own !== 'string') return wrong('A job in the JSON needs a `name`.', 'jobs', index, 'name');
    const nodes = wholeNumberList(job, 'nodes', lists);
    if (!nodes.ok) return wrong(nodes.failure.message, 'jobs', index, ...nodes.failure.path);
    const mapping = wholeNumberList(job, 'mapping', lists);
    if (!mapping.ok) return wrong(mapping.failure.message, 'jobs', index, ...mapping.failure.path);
    read.push({ kind: 'job', name: own, nodes: nodes.value, mapping: mapping.value });
  }
  return succeed({ name, jobs: read });
}

function wholeNumberList(job: unknown, key: string, lists: ResultsText['lists']): Result<Int32Array, ValueFault> {
  const value = at(job, key);
  if (!Array.isArray(value))
    return wrong('A job in the JSON needs `nodes` and `mapping`, lists of whole numbers.', key);
  if (value.length > taskLimit)
    return wrong(`\`${key}\` has more than ${formatNumber(taskLimit)} numbers, the maximum.`, key);
  const cutOut = lists && listIn(value, lists);
  if (cutOut !== undefined) return succeed(cutOut);
  const isNumber = (item: unknown): boolean =>
    Number.isInteger(item) && (item as number) >= 0 && (item as number) < 2 ** 31;
  const odd = value.findIndex((item) => !isNumber(item));
  return odd < 0
    ? succeed(Int32Array.from(value as number[]))
    : wrong(
        `${quote(JSON.stringify(value[odd]))} in \`${key}\` is not a whole number from 0 to ${2 ** 31 - 1}.`,
        key,
        odd,
      );
}

/** The list that stood in a place: `[[k]]` for the k-th of `lists`. */
function listIn(value: readonly unknown[], lists: readonly Int32Array[]): Int32Array | undefined {
  const [inner] = value;
  const place: unknown = Array.isArray(inner) ? inner[0] : undefined;
  const list = typeof place === 'number' ? lists[place] : undefined;
  return list !== undefined && list.length <= taskLimit ? list : undefined;
}

const [quotes, backslash, opening, closing, comma, zero, nine] = [34, 92, 91, 93, 44, 48, 57];

/** Where the first byte is that is no blank. */
function behindBlanks(bytes: Uint8Array, at: number): number {
  let behind = at;
  for (let byte = bytes[behind]; byte === 32 || byte === 10 || byte === 13 || byte === 9; byte = bytes[behind])
    behind++;
  return behind;
}

/**
 * A text of JSON with `[[k]]` in the place of each list of whole numbers below 2^31, and these lists by k. Their line ends
 * stay, so that lines are told right. A list that begins with a list already gets `null` in front, so that nothing is taken for one of these
 * that was none. Leaves off where cancelled. O(bytes).
 */
export function withoutLists(
  bytes: Uint8Array,
  cancellation: Cancellation,
): { readonly text: string; readonly lists: readonly Int32Array[] } {
  const decoder = new TextDecoder();
  const meter = new WorkMeter(cancellation);
  const parts: string[] = [];
  const lists: Int32Array[] = [];
  let done = 0;
  let isInText = false;
  for (let at = 0; at < bytes.length && !meter.isCancelledAfter(1); at++) {
    const byte = bytes[at];
    if (isInText && byte === backslash) at++;
    else if (byte === quotes) isInText = !isInText;
    else if (!isInText && byte === opening) {
      const list = numberListAt(bytes, at + 1, meter);
      if (list === undefined) {
        if (bytes[behindBlanks(bytes, at + 1)] !== opening) continue;
        parts.push(decoder.decode(bytes.subarray(done, at + 1)), 'null,');
        done = at + 1;
        continue;
      }
      parts.push(
        decoder.decode(bytes.subarray(done, at)),
        `[[${lists.length}]]`,
        '\n'.repeat(linesIn(bytes, at, list.end)),
      );
      lists.push(list.numbers);
      done = list.end;
      at = list.end - 1;
    }
  }
  parts.push(decoder.decode(bytes.subarray(done)));
  return { text: parts.join(''), lists };
}

/** Ends of lines from one byte up to another. */
function linesIn(bytes: Uint8Array, first: number, end: number): number {
  let lines = 0;
  for (let next = bytes.indexOf(10, first); next >= 0 && next < end; next = bytes.indexOf(10, next + 1)) lines++;
  return lines;
}

/** Whole numbers with commas between them, and where their list ends; undefined where it is none, or is empty. O(length). */
function numberListAt(
  bytes: Uint8Array,
  first: number,
  meter: WorkMeter,
): { readonly numbers: Int32Array; readonly end: number } | undefined {
  let numbers = new Int32Array(16);
  let count = 0;
  for (let at = first; at < bytes.length; at++) {
    at = behindBlanks(bytes, at);
    const start = at;
    let value = 0;
    for (let digit = bytes[at] ?? 0; digit >= zero && digit <= nine; digit = bytes[++at] ?? 0)
      value = 10 * value + digit - zero;
    // JSON has no numbers that begin with 0 but 0 itself.
    if (at === start || value >= 2 ** 31 || (bytes[start] === zero && at > start + 1)) return undefined;
    at = behindBlanks(bytes, at);
    if (count === numbers.length) {
      const longer = new Int32Array(2 * count);
      longer.set(numbers);
      numbers = longer;
    }
    numbers[count++] = value;
    if (meter.isCancelledAfter(at - start)) return undefined;
    if (bytes[at] === closing) return { numbers: numbers.slice(0, count), end: at + 1 };
    if (bytes[at] !== comma) return undefined;
  }
  return undefined;
}
