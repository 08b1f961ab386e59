import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectGeneratedBlock } from '../docs/generatedBlock.ts';
import { readImports, type Import, type ImportMap } from './imports.ts';
import {
  catalogueFiles,
  entryFiles,
  fewestLines,
  fewestLinesOfShared,
  floorOf,
  floors,
  functionsOfOneName,
  insides,
  isTest,
  mostFiles,
  longFiles,
  mostFolders,
  mostLines,
  mostNonNullAssertions,
  partOf,
  roomOf,
  shortFiles,
  views,
} from './rooms.ts';

let map: ImportMap;
/** Without tests and what helps them. */
let product: ImportMap;
beforeAll(async () => {
  map = await readImports();
  product = {
    files: new Map([...map.files].filter(([path]) => !isTest(path))),
    imports: map.imports.filter(({ source, target }) => !isTest(source) && !isTest(target)),
    packages: map.packages.filter(({ source }) => !isTest(source)),
    cycles: map.cycles,
  };
});

const shown = (imports: readonly Import[]): string[] => imports.map(({ source, target }) => `${source} → ${target}`);
const between = ({ imports }: ImportMap): Import[] =>
  imports.filter(({ source, target }) => roomOf(source) !== roomOf(target));
const floorOfFile = (path: string): number => floorOf(roomOf(path)!);

describe('the rooms of the house', () => {
  it('hold every file, and were found at all', () => {
    expect(map.files.size).toBeGreaterThan(500);
    expect(map.imports.length).toBeGreaterThan(2000);
    expect([...map.files.keys()].filter((path) => roomOf(path) === undefined)).toEqual([]);
  });

  it('import only from floors below', () => {
    const upward = between(product).filter(({ source, target }) => floorOfFile(source) <= floorOfFile(target));
    expect(shown(upward)).toEqual([]);
  });

  it('are tested by what is on their own floor or below', () => {
    const upward = between(map).filter(({ source, target }) => floorOfFile(source) < floorOfFile(target));
    expect(shown(upward)).toEqual([]);
  });

  it('import no tests and no testing helpers into the product', () => {
    const helped = map.imports.filter(
      ({ source, target }) => !isTest(source) && isTest(target) && !['bench', 'e2e'].includes(roomOf(source)!),
    );
    expect(shown(helped)).toEqual([]);
  });

  it('have no cycles of files, tests included', () => {
    expect(map.cycles).toEqual([]);
  });

  it.each(Object.keys(insides))('are built from the ground up inside: %s', (room) => {
    const parts = insides[room]!;
    const inRoom = [...product.files.keys()].filter((path) => roomOf(path) === room);
    expect(inRoom.filter((path) => !parts.includes(partOf(path, room)))).toEqual([]);
    expect(parts.filter((part) => !inRoom.some((path) => partOf(path, room) === part))).toEqual([]);
    const backwards = product.imports.filter(({ source, target }) => {
      if (roomOf(source) !== room || roomOf(target) !== room) return false;
      const [from, to] = [partOf(source, room), partOf(target, room)];
      return parts.indexOf(from) < parts.indexOf(to);
    });
    expect(shown(backwards)).toEqual([]);
  });

  it('with folders say their order', () => {
    const inFolders = [...product.files.keys()].filter((path) => path.slice(roomOf(path)!.length + 1).includes('/'));
    expect([...new Set(inFolders.map((path) => roomOf(path)!))].filter((room) => !(room in insides))).toEqual([]);
  });

  it('are drawn in docs/architecture.md as they are', () => {
    expectGeneratedBlock('docs/architecture.md', 'rooms', drawHouse());
  });
});

describe('what a room never knows', () => {
  const houseRooms = floors.flat().filter((room) => floorOf(room) < floorOf('tools'));

  it('is said of every room', () => {
    expect(Object.keys(views).sort()).toEqual([...houseRooms].sort());
  });

  it.each(Object.entries(views))('%s: packages and modules of Node beside its own', (room, { packages }) => {
    const isAllowed = (name: string): boolean =>
      packages.some((one) => name === one || name.startsWith(one.endsWith(':') ? one : `${one}/`));
    const foreign = product.packages.filter(({ source, target }) => roomOf(source) === room && !isAllowed(target));
    expect(shown(foreign)).toEqual([]);
  });

  it.each(Object.entries(views))('%s: the inside of other rooms', (room, { rooms, files = {} }) => {
    const beyond = between(product).filter(({ source, target }) => {
      if (roomOf(source) !== room) return false;
      const other = roomOf(target)!;
      const known = files[other];
      return rooms?.includes(other) === false || known?.includes(target.slice(other.length + 1)) === false;
    });
    expect(shown(beyond)).toEqual([]);
  });
});

describe('files are as large as ideas', () => {
  /** Each kernel has its numbers that were chosen by trying in such a file, however few. */
  const isParameters = (path: string): boolean => path.endsWith('/parameters.ts');

  it('a file stands in a catalogue, has enough lines, or there is a reason why it has few', () => {
    const importers = new Map<string, Set<string>>();
    for (const { source, target } of product.imports) {
      if (!importers.has(target)) importers.set(target, new Set());
      importers.get(target)!.add(source);
    }
    const inHouse = [...product.files].filter(([path]) => floorOfFile(path) < floorOf('tools'));
    const unused = inHouse.filter(([path]) => !importers.has(path) && !entryFiles.includes(path));
    expect(unused.map(([path]) => path)).toEqual([]);
    const short = inHouse.filter(([path, lines]) => {
      const from = [...(importers.get(path) ?? [])];
      if (from.length === 0 || from.some((importer) => catalogueFiles.includes(importer))) return false;
      if (catalogueFiles.includes(path) || isParameters(path)) return false;
      return lines < (from.length === 1 ? fewestLines : fewestLinesOfShared);
    });
    // Put a new one where it is used; take one that is no longer short out of the list of exceptions.
    expect(short.map(([path]) => path).sort()).toEqual(Object.keys(shortFiles).sort());
  });

  it('a file is one idea, which fits into so many lines, or there is a reason why it has more', () => {
    const long = [...product.files].filter(
      ([path, lines]) => floorOfFile(path) < floorOf('tools') && lines > mostLines,
    );
    expect(long.map(([path]) => path).sort()).toEqual(Object.keys(longFiles).sort());
  });

  it('there are few of them, in few folders', () => {
    const inHouse = [...product.files.keys()].filter((path) => floorOfFile(path) < floorOf('tools'));
    const folders = new Set(inHouse.map((path) => path.slice(0, path.lastIndexOf('/'))));
    expect(inHouse.length).toBeLessThanOrEqual(mostFiles);
    expect(folders.size).toBeLessThanOrEqual(mostFolders);
  });
});

describe('entries of arrays in rooms of the engine', () => {
  it('are read by the accessors of numeric/elements.ts, but in inner loops', () => {
    const engine = [...product.files.keys()].filter((path) => floorOfFile(path) <= floorOf('server/output'));
    const asserted = engine.map((path) => nonNullAssertions(path)).reduce((sum, count) => sum + count, 0);
    // Take a smaller count over; a larger one needs a benchmark that shows what the accessors cost there.
    expect(asserted).toBeLessThanOrEqual(mostNonNullAssertions);
  });
});

describe('names of functions', () => {
  it('can be searched: no other file of the product has a function of the name, or there is a reason', () => {
    const filesOfName = new Map<string, string[]>();
    for (const path of product.files.keys()) {
      if (floorOfFile(path) >= floorOf('tools')) continue;
      for (const name of functionsIn(path)) filesOfName.set(name, [...(filesOfName.get(name) ?? []), path]);
    }
    expect(filesOfName.size).toBeGreaterThan(4000);
    const inSeveral = [...filesOfName].filter(([, paths]) => paths.length > 1);
    // Where two do the same, make them one; else say what each of them returns of what.
    expect(inSeveral.map(([name, paths]) => `${name}: ${paths.join(', ')}`)).toEqual(
      Object.keys(functionsOfOneName).map((name) => `${name}: ${filesOfName.get(name)?.join(', ') ?? 'no file'}`),
    );
  });
});

describe('lines', () => {
  it('are laid out by the formatter, without an exception', () => {
    const excepted = [...map.files.keys()].filter((path) => /prettier[-]ignore/.test(readFileSync(path, 'utf8')));
    expect(excepted).toEqual([]);
  });
});

describe('calls', () => {
  it('take no list of any length apart into their arguments: that overflows the stack', () => {
    const apart =
      /\.(?:push|unshift)\(\.\.\.|\bMath\.(?:max|min)\((?:[^()]*, )?\.\.\.|\bfromC(?:har|ode)(?:Code|Point)\(\.\.\./;
    const server = [...product.files.keys()].filter(
      (path) => path.startsWith('server/') && path !== 'server/model/lists.ts',
    );
    // `appendAll`, `largestOf` and `leastOf` of model/lists.ts take any.
    expect(server.filter((path) => apart.test(readFileSync(path, 'utf8')))).toEqual([]);
  });
});

/** The functions that a file declares outside of all others. */
function functionsIn(path: string): ReadonlySet<string> {
  const { statements } = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  const names = statements.flatMap((statement): string[] => {
    if (ts.isFunctionDeclaration(statement)) return statement.name === undefined ? [] : [statement.name.text];
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.flatMap(({ name, initializer }) => {
      const isFunction = initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer));
      return isFunction && ts.isIdentifier(name) ? [name.text] : [];
    });
  });
  return new Set(names);
}

/** How often a file says that something is there which the compiler cannot see (`x!`). */
function nonNullAssertions(path: string): number {
  const count = (node: ts.Node): number => {
    let inside = ts.isNonNullExpression(node) ? 1 : 0;
    ts.forEachChild(node, (child) => void (inside += count(child)));
    return inside;
  };
  return count(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest));
}

/** The house as Mermaid: floors as bands, one arrow for each pair of rooms that imports. */
function drawHouse(): string {
  const arrows = between(product)
    .filter(({ source }) => floorOfFile(source) < floorOf('tools'))
    .map(({ source, target }) => ({ from: roomOf(source)!, to: roomOf(target)! }));
  const used = new Set(arrows.flatMap(({ from, to }) => [from, to]));
  const lines = ['```mermaid', 'flowchart TD'];
  [...floors].reverse().forEach((floor, index) => {
    const present = floor.filter((room) => used.has(room));
    if (present.length === 0) return;
    lines.push(`  subgraph floor${floors.length - 1 - index}[" "]`);
    for (const room of present) lines.push(`    ${idOf(room)}["${room}"]`);
    lines.push('  end');
  });
  const pairs = new Set(arrows.map(({ from, to }) => `  ${idOf(from)} --> ${idOf(to)}`));
  return [...lines, ...[...pairs].sort(), '```'].join('\n');
}

const idOf = (room: string): string => room.replaceAll('/', '_');
