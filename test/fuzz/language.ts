import { checkSources } from '../../server/language/check.ts';
import { formatText, isSameTree, layOut } from '../../server/language/format.ts';
import { parseText } from '../../server/language/parse.ts';
import { gatherSources } from '../../server/language/sources.ts';
import type { Problem } from '../../server/language/tree.ts';
import { seededRandom, type RandomSource } from '../../server/model/random.ts';
import { fail, succeed } from '../../server/model/result.ts';
import { mutate } from './mutations.ts';
import { programAtRandom } from './programs.ts';

/**
 * What must hold of every text, whatever stands in it. Run on many of them outside of the tests:
 * `node test/fuzz/language.ts 1000000 1` tries a million texts from seed 1.
 */

const uri = 'file:///folder/main.place';
/** What is said of two things that are right alone: mending one of them may bring it to light. */
const agreements = new Set([
  'does-not-fit',
  'wrong-dimensions',
  'task-out-of-range',
  'given-length',
  'unknown-name',
  'out-of-range',
]);
/** Of texts with more problems than this fixes are not tried: what a fix uncovers cannot be told from harm. */
const fixedProblems = 3;

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

/** Reads the text twice with another one between, formats it, and applies each of its fixes. */
export async function tryText(text: string, other: string): Promise<Trial> {
  const failures: string[] = [];
  const parsed = parseText(text);
  const others = parseText(other);
  if (!isSame(parseText(text), parsed)) failures.push('is read in another way after another text');
  if (!isSame(parseText(other), others)) failures.push('changes how another text is read');
  const formatted = !parsed.problems.some(({ severity }) => severity === 'error');
  const laidOut = formatted ? layOut(text, parsed.tree) : text;
  const fenced = !isSameTree(parsed.tree, parseText(laidOut).tree);
  if (formatText(laidOut) !== laidOut) failures.push(`is laid out in another way the second time: ${laidOut}`);
  const fixes = await tryFixes(text, failures);
  return { formatted, fenced, fixes, failures };
}

async function tryFixes(text: string, failures: string[]): Promise<number> {
  const errors = await errorsOf(text);
  if (errors.length === 0 || errors.length > fixedProblems) return 0;
  let tried = 0;
  const offered = errors.flatMap(({ code, fix, otherFixes = [] }) =>
    [...(fix === undefined ? [] : [fix]), ...otherFixes].map((each) => ({ code, fix: each })),
  );
  for (const { code, fix } of offered) {
    tried++;
    const fixed = text.slice(0, fix.start) + fix.text + text.slice(fix.end);
    const left = await errorsOf(fixed);
    const alone = left.filter((error) => !agreements.has(error.code));
    // A brace or a keyword hides what stands behind it: then more may come to light.
    const uncovers = code === 'unknown-declaration' || /[{}]/.test(text.slice(fix.start, fix.end) + fix.text);
    if (alone.length <= errors.length || uncovers) continue;
    failures.push(`has more errors after "${fix.title}" of ${code}: ${fixed}`);
  }
  return tried;
}

/** A program at random, as it is or damaged. */
export function textAtRandom(random: RandomSource): string {
  const program = programAtRandom(random);
  return random.integer(2) === 0 ? program : mutate(program, random);
}

/** Tries texts from a seed on; `report` is told of each that fails. */
export async function tryTexts(seed: number, count: number, report: (failure: string, text: string) => void) {
  const sum = { texts: 0, formatted: 0, fenced: 0, fixes: 0, failures: 0 };
  let other = '';
  for (let index = 0; index < count; index++) {
    const random = seededRandom(seed + index);
    const text = textAtRandom(random);
    const trial = await tryText(text, other);
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
