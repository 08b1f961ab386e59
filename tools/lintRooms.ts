/**
 * Which rooms must be linted again. `tsc -b` writes a build information for each room: every file on which its types
 * depend, with a hash of the content. While that stays the same, the linter says the same.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';

export interface Room {
  /** Its folder, or the path of its `tsconfig` where that has a name of its own. */
  readonly name: string;
  /** The paths of its TypeScript files, from the top directory. */
  readonly files: readonly string[];
  /** Hash of everything that decides what the linter says of its files. */
  readonly key: string;
}

/** What changes the findings in every room: rules, options of the compiler, and versions of packages. */
const settings = [
  'eslint.config.js',
  'oxlint.config.ts',
  'package-lock.json',
  'e2e/package-lock.json',
  'tsconfig.json',
  'tsconfig.base.json',
  'tools/lint.ts',
  'tools/lintRooms.ts',
];

interface RoomConfig {
  readonly references?: readonly { readonly path: string }[];
  readonly compilerOptions?: { readonly tsBuildInfoFile?: string };
}

/** The parts of TypeScript's build information that are used here. Files are numbered from 1. */
interface BuildInfo {
  readonly fileNames: readonly string[];
  /** Files of the room itself: a number, or the first and the last of a range. */
  readonly root: readonly (number | readonly [number, number])[];
}

/** The rooms that the top `tsconfig.json` names; those without a build information are left out. */
export async function readRooms(top: string): Promise<readonly Room[]> {
  const solution = JSON.parse(await readFile(resolve(top, 'tsconfig.json'), 'utf8')) as RoomConfig;
  const configs = (solution.references ?? []).map(({ path }) =>
    resolve(top, path.endsWith('.json') ? path : `${path}/tsconfig.json`),
  );
  const texts = await Promise.all([...settings.map((path) => resolve(top, path)), ...configs].map(read));
  const common = hash(texts);
  const rooms = await Promise.all(configs.map((config) => readRoom(top, config, common)));
  return rooms.filter((room) => room !== undefined);
}

async function readRoom(top: string, config: string, common: string): Promise<Room | undefined> {
  const { compilerOptions } = JSON.parse(await readFile(config, 'utf8')) as RoomConfig;
  const path = resolve(dirname(config), compilerOptions?.tsBuildInfoFile ?? 'tsconfig.tsbuildinfo');
  const text = await read(path);
  if (text === '') return undefined;
  const { fileNames, root } = JSON.parse(text) as BuildInfo;
  const numbers = root.flatMap((part) => {
    const [first, last] = typeof part === 'number' ? [part, part] : part;
    return fileNames.slice(first - 1, last);
  });
  return {
    name: relative(top, config).replace('/tsconfig.json', ''),
    files: numbers.map((file) => relative(top, resolve(dirname(path), file))),
    key: hash([common, text]),
  };
}

/** The text of a file, empty where there is none. */
const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

function hash(texts: readonly string[]): string {
  const sum = createHash('sha256');
  for (const text of texts) sum.update(`${text.length}\n${text}`);
  return sum.digest('hex');
}
