/**
 * `npm run lint`: types, rules, layout and spelling of the whole repository. What did not change since it was found to be
 * good is not looked at again: `tsc -b`, Prettier and CSpell remember files, and `build/lint/rooms.json` the rooms without
 * a finding.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readRooms, type Room } from './lintRooms.ts';
import { CommandFailed, root, run } from './run.ts';

const results = resolve(root, 'build/lint');
const remembered = resolve(results, 'rooms.json');

/** Runs a program of a package on this Node; ends with what it printed where it fails. */
async function failureOf(path: string, parameters: readonly string[], env: NodeJS.ProcessEnv = {}) {
  try {
    await run(process.execPath, [resolve(root, 'node_modules', path), ...parameters], { env });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    // A program that was killed has printed nothing.
    if (error.finished.printed === '') console.error(error.message);
    return error.finished.printed;
  }
}

const types = () => failureOf('typescript-7/bin/tsc', ['-b']);

const layout = () =>
  failureOf('prettier/bin/prettier.cjs', [
    ...['--check', '--log-level', 'warn', '.'],
    ...['--cache', '--cache-strategy', 'content', '--cache-location', resolve(results, 'layout.json')],
  ]);

/** The words of all Markdown. `cspell.config.yaml` says what is read; `tools/words.txt` has the words of the project. */
const spelling = () =>
  failureOf('cspell/bin.mjs', [
    ...['lint', '--no-progress', '--no-summary', '--show-suggestions'],
    ...['--cache', '--cache-strategy', 'content', '--cache-location', resolve(results, 'spelling.json')],
  ]);

/** Lints the rooms that changed since they were without a finding. */
async function rules(): Promise<string | undefined> {
  const rooms = await readRooms(root);
  const good = new Map(Object.entries(await readRemembered()));
  const changed = rooms.filter(({ name, key }) => good.get(name) !== key);
  if (changed.length === 0) return undefined;
  console.log(`Rules: ${changed.length} of ${rooms.length} rooms: ${changed.map(({ name }) => name).join(', ')}`);
  const printed = await failureOf(
    'oxlint/bin/oxlint',
    ['--format', 'stylish', ...changed.flatMap(({ files }) => files)],
    // The limit makes the garbage collector of the linter tidy up more often where memory is short.
    { GOMEMLIMIT: '1200MiB', ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }) },
  );
  const failed = changed.filter((room) => printed !== undefined && hasFinding(room, printed));
  // A linter that fails without a finding has not done its work.
  if (printed !== undefined && failed.length === 0) return printed;
  for (const room of changed) {
    if (!failed.includes(room)) good.set(room.name, room.key);
  }
  await mkdir(results, { recursive: true });
  await writeFile(remembered, JSON.stringify(Object.fromEntries(good), undefined, 2));
  return printed;
}

const hasFinding = ({ files }: Room, printed: string): boolean =>
  files.some((file) => printed.includes(resolve(root, file)));

async function readRemembered(): Promise<Record<string, string>> {
  const text = await readFile(remembered, 'utf8').catch(() => '{}');
  return JSON.parse(text) as Record<string, string>;
}

const layoutDone = layout();
const failures = [await types(), await rules(), await layoutDone, await spelling()];
if (failures.some((failure) => failure !== undefined)) process.exitCode = 1;
