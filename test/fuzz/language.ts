import { checkSources } from '../../server/language/check.ts';
import { formatText, isSameTree, layOut } from '../../server/language/format.ts';
import { parseText } from '../../server/language/parse.ts';
import { gatherSources } from '../../server/language/sources.ts';
import type { Fix, Problem } from '../../server/language/tree.ts';
import { seededRandom, type RandomSource } from '../../server/model/random.ts';
import { fail, succeed } from '../../server/model/result.ts';
import { mutate } from './mutations.ts';
import { programAtRandom } from './programs.ts';

/**
 * What must hold of every text, whatever stands in it. Run on many of them outside of the tests:
 * `node test/fuzz/language.ts 1000000 1` tries a million texts from seed 1.
 */

const uri = 'file:///folder/main.place';
/**
 * What is found where two declarations are compared, which is not done while something of one is unknown: mending that
 * may bring several of these to light. Each must stand outside of what the fix wrote.
 */
const comparisons = new Map([
  ['does-not-fit', 'tasks are counted against cores once both are known, at each placement'],
  ['out-of-range', 'nodes and switches are counted once the machine has a size'],
  ['given-length', 'slots are counted against tasks once the jobs have sizes'],
  ['task-out-of-range', 'tables are held against jobs once these have sizes'],
  ['wrong-dimensions', 'stencils are held against grids once both have dimensions'],
  ['wrong-value', 'the ends of a range are compared once both are possible'],
  ['duplicate-number', 'the numbers of a list are compared once all are possible'],
  ['duplicate-declaration', 'names are compared once the keyword of each declaration is known'],
  ['same-as-cycle', 'placements are followed from one to the next once each is known'],
  ['unknown-path', 'what an experiment varies is looked up once its stream is sound'],
  ['unknown-option', 'options are looked up once the word that takes them is known'],
]);
/** What was tried of a text, and what is wrong. */
export interface Trial {
  readonly formatted: boolean;
  /** Formatting would have changed what the text means, and was given up. */
  readonly fenced: boolean;
  readonly fixes: number;
  readonly failures: readonly string[];
}

async function errorsOf(text: string): Promise<readonly Problem[]> {
  const sources = await gatherSources(uri, (wanted) =>
    Promise.resolve(wanted === uri ? succeed(text) : fail('no-file', `there is no ${wanted}.`)),
  );
  return (checkSources(sources).problems.get(uri) ?? []).filter(({ severity }) => severity === 'error');
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Reads the text twice with another one between, lays it out, and applies each of its fixes. */
export async function tryText(text: string, other: string, lay = layOut): Promise<Trial> {
  const failures: string[] = [];
  const parsed = parseText(text);
  const others = parseText(other);
  if (!isSame(parseText(text), parsed)) failures.push('is read in another way after another text');
  if (!isSame(parseText(other), others)) failures.push('changes how another text is read');
  const formatted = !parsed.problems.some(({ severity }) => severity === 'error');
  const laidOut = formatted ? lay(text, parsed.tree) : formatText(text);
  const isOther = !isSameTree(parsed.tree, parseText(laidOut).tree);
  const fenced = formatted && isOther;
  if (!formatted && isOther)
    failures.push(`means something else once its declarations without errors are laid out: ${laidOut}`);
  if (formatText(laidOut) !== laidOut) failures.push(`is laid out in another way the second time: ${laidOut}`);
  const fixes = await tryFixes(text, failures);
  return { formatted, fenced, fixes, failures };
}

/**
 * Whoever takes a quick fix is rid of the problem, and has no more errors than before but for what {@link comparisons}
 * bring to light. Tried where the syntax has no other error: what stands behind a break is read in a way that was
 * guessed, and mending something beside it makes for another guess.
 */
async function tryFixes(text: string, failures: string[]): Promise<number> {
  const errors = await errorsOf(text);
  const breaks = parseText(text).problems.filter(({ severity }) => severity === 'error');
  const isTried = ({ code, start }: Problem): boolean =>
    breaks.every((other) => other.code === code && other.start === start) && breaks.length <= 1;
  let tried = 0;
  for (const error of errors.filter(isTried)) {
    const { fix: first, otherFixes = [] } = error;
    for (const fix of first === undefined ? otherFixes : [first, ...otherFixes]) {
      tried++;
      const fault = faultOf(errors, error, fix, await errorsOf(withFix(text, fix)));
      if (fault !== undefined) failures.push(`${fault} after "${fix.title}" of ${error.code}: ${withFix(text, fix)}`);
    }
  }
  return tried;
}

const withFix = (text: string, { start, end, text: put }: Fix): string => text.slice(0, start) + put + text.slice(end);

/** What is wrong with the errors that are left after the fix of one. */
function faultOf(before: readonly Problem[], mended: Problem, fix: Fix, left: readonly Problem[]): string | undefined {
  const shift = fix.text.length - (fix.end - fix.start);
  const isKnown = (error: Problem, known: Problem): boolean =>
    error.code === known.code && error.start === (known.start >= fix.end ? known.start + shift : known.start);
  const countOf = (errors: readonly Problem[]): number => errors.filter(({ code }) => code === mended.code).length;
  const isLeft = left.some((error) => isKnown(error, mended) && error.message === mended.message);
  // Of two parentheses that are open at one place, either may be the one that was closed.
  if (isLeft && countOf(left) >= countOf(before)) return 'has the same error';
  const gone = before.filter((known) => !left.some((error) => isKnown(error, known))).length;
  const fresh = left.filter((error) => !before.some((known) => isKnown(error, known)));
  const touches = ({ start, end }: Problem): boolean => start <= fix.start + fix.text.length && end >= fix.start;
  const counted = fresh.filter((error) => !comparisons.has(error.code) || touches(error));
  return counted.length > gone ? `has more errors (${counted.map(({ code }) => code).join(', ')})` : undefined;
}

/** A program at random, as it is or damaged. */
export function textAtRandom(random: RandomSource): string {
  const program = programAtRandom(random);
  return random.integer(2) === 0 ? program : mutate(program, random);
}

/** Tries texts from a seed on; `report` is told of each that fails. `lay` is what lays them out. */
export async function tryTexts(
  seed: number,
  count: number,
  report: (failure: string, text: string) => void,
  lay = layOut,
) {
  const sum = { texts: 0, formatted: 0, fenced: 0, fixes: 0, failures: 0 };
  let other = '';
  for (let index = 0; index < count; index++) {
    const random = seededRandom(seed + index);
    const text = textAtRandom(random);
    const trial = await tryText(text, other, lay);
    sum.texts++;
    sum.formatted += trial.formatted ? 1 : 0;
    sum.fenced += trial.fenced ? 1 : 0;
    sum.fixes += trial.fixes;
    const failures = trial.fenced ? ['is formatted to another meaning', ...trial.failures] : trial.failures;
    sum.failures += failures.length;
    for (const failure of failures) report(`${seed + index}: ${failure}`, text);
    other = text;
  }
  return sum;
}

if (import.meta.main) {
  const [count = '10000', seed = '1'] = process.argv.slice(2);
  const shown = 40;
  let reported = 0;
  const started = process.cpuUsage().user;
  const sum = await tryTexts(Number(seed), Number(count), (failure, text) => {
    if (reported++ < shown) console.log(`${failure}\n---\n${text}\n===`);
  });
  console.log({ ...sum, seconds: Math.round((process.cpuUsage().user - started) / 1e6) });
  process.exitCode = sum.failures === 0 ? 0 : 1;
}
