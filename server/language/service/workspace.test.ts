import { globSync, readFileSync } from 'node:fs';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { WorkspaceEdit } from 'vscode-languageserver-types';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../model/random.ts';
import { checkSources } from '../check.ts';
import { fileRenames, prepareRename, rename } from './rename.ts';
import { marksOf } from './marks.ts';
import { references } from './navigation.ts';
import { atCursor, textIn, uriOf, workspaceOf } from './testing/input.ts';
import { smallText, wideText } from './testing/texts.ts';
import { workspaceFiles, namedBy, type Workspace } from './workspace.ts';
import { workspaceSymbols } from './symbols.ts';
import { casesOf } from '../../model/testing/thoroughness.ts';

type Files = Readonly<Record<string, string>>;

const library = 'machine far { topology torus 4 x 4 }\njob heat { tasks 4 pattern ring }\n';
/** A library, two programs that import it, one of them through another file, and one that has nothing to do with it. */
const study: Files = {
  'lib.place': library,
  'first.place': 'import "lib.place"\nplacement p { job heat machine far }\nplacement q { job heat machine far }\n',
  'middle.place': 'import "lib.place"\n',
  'second.place': 'import "middle.place"\njob cold { tasks 4 pattern ring }\nplacement p { job heat machine far }\n',
  'alone.place':
    'machine far { topology torus 2 x 2 }\njob j { tasks 2 pattern ring }\nplacement p { job j machine far }\n',
};

/** The files after an edit. */
function edited(files: Files, { changes = {} }: WorkspaceEdit): Files {
  const texts = Object.entries(files).map(([path, text]) => {
    const uri = uriOf(path);
    return [path, TextDocument.applyEdits(TextDocument.create(uri, 'place', 0, text), changes[uri] ?? [])];
  });
  return Object.fromEntries(texts) as Files;
}

const errorsOf = ({ programs }: Workspace): readonly string[] =>
  [...programs.values()].flatMap((program) =>
    [...checkSources(program).problems.values()].flatMap((problems) =>
      problems.filter(({ severity }) => severity === 'error').map(({ message }) => message),
    ),
  );

async function renamed(files: Files, path: string, needle: string, newName: string): Promise<Files | string> {
  const offset = files[path]!.indexOf(needle);
  const edit = await rename(await workspaceOf(files), uriOf(path), offset, newName);
  return edit.ok ? edited(files, edit.value) : edit.failure.message;
}

const linesOf = async (files: Files, path: string, needle: string, includeDeclaration = true) => {
  const found = references(await workspaceOf(files), uriOf(path), files[path]!.indexOf(needle), { includeDeclaration });
  return found.map(({ uri, range }) => `${uri.slice(uriOf('').length)}:${range.start.line}`).toSorted();
};

describe('references', () => {
  const everywhere = ['first.place:1', 'first.place:2', 'lib.place:0', 'second.place:2'];

  it.each([
    ['the declaration', 'lib.place', 'far'],
    ['an importer', 'first.place', 'far'],
    ['an importer of an importer', 'second.place', 'far'],
  ])('are found in all files from %s', async (_from, path, needle) => {
    expect(await linesOf(study, path, needle)).toEqual(everywhere);
    const uses = everywhere.filter((place) => place !== 'lib.place:0');
    expect(await linesOf(study, path, needle, false)).toEqual(uses);
  });

  it('of another thing with the same name are others', async () => {
    expect(await linesOf(study, 'alone.place', 'far')).toEqual(['alone.place:0', 'alone.place:2']);
    const text = 'job x { } machine x { } placement p { job x machine x }';
    const found = references(await workspaceOf({ 'main.place': text }), uriOf('main.place'), 18, {
      includeDeclaration: true,
    });
    expect(found.map(({ range }) => range.start.character)).toEqual([18, 52]);
  });
});

describe('rename', () => {
  it.each(['lib.place', 'first.place', 'second.place'])(
    'edits every file that reads the name, from %s',
    async (path) => {
      const after = await renamed(study, path, 'far', 'near-by');
      expect(after).toEqual({
        ...study,
        'lib.place': library.replace('far', 'near-by'),
        'first.place': study['first.place']!.replaceAll('far', 'near-by'),
        'second.place': study['second.place']!.replace('far', 'near-by'),
      });
    },
  );

  it('renames the second of two declarations by itself', async () => {
    const twice = { 'main.place': 'job a { tasks 2 pattern ring }\njob a { tasks 4 pattern ring }\n' };
    const edit = await rename(
      await workspaceOf(twice),
      uriOf('main.place'),
      twice['main.place'].lastIndexOf('a {'),
      'b',
    );
    const after = edit.ok ? edited(twice, edit.value) : {};
    expect(after).toEqual({ 'main.place': 'job a { tasks 2 pattern ring }\njob b { tasks 4 pattern ring }\n' });
  });

  it.each([
    'stream old { } experiment e { stream old allocate rbs }',
    'network old { } experiment e { network old }',
    'machine old { } stream s { } experiment e { stream s machine old }',
    'stream s { } experiment old { stream s }',
  ])('edits the declaration and the experiments that name it: %s', async (text) => {
    const after = await renamed({ 'main.place': text }, 'main.place', 'old', 'new');
    expect(after).toEqual({ 'main.place': text.replaceAll('old', 'new') });
  });

  it('finds the name at the cursor', async () => {
    const input = await atCursor('job heat { } placement p { job h|eat }');
    const prepared = prepareRename(input);
    expect(prepared?.placeholder).toBe('heat');
    expect(prepared && textIn(input, prepared.range)).toBe('heat');
  });

  it.each([
    ['two words', 'lib.place', 'heat', 'two words', /is not a valid name/],
    ['no letter first', 'lib.place', 'heat', '4x', /is not a valid name/],
    ['no declared name', 'lib.place', 'torus', 'mesh', /Only declared names can be renamed/],
    ['a name of the same file', 'second.place', 'cold', 'heat', /There is a job `heat` already in lib.place/],
    ['a name of a file that reads both', 'lib.place', 'heat', 'cold', /`cold` already in second.place/],
  ])('is refused for %s', async (_why, path, needle, newName, expected) => {
    expect(await renamed(study, path, needle, newName)).toMatch(expected);
  });

  it('is refused for a stencil of the language', async () => {
    const files = { 'main.place': 'stencil mine { dimensions 1 offset (1) }\n' };
    expect(await renamed(files, 'main.place', 'mine', 'five-point')).toMatch(/is a built-in stencil/);
  });

  it('is refused where a file takes the name for another thing elsewhere', async () => {
    const files = {
      'use.place': 'placement p { job j machine m }\n',
      'one.place': 'import "use.place"\njob j { tasks 2 pattern ring }\nmachine m { topology torus 2 x 2 }\n',
      'two.place': 'import "use.place"\njob j { tasks 4 pattern ring }\nmachine m { topology torus 2 x 2 }\n',
    };
    expect(await renamed(files, 'one.place', 'j {', 'k')).toMatch(/two.place means another job/);
  });

  it('is refused where not all files could be looked at', async () => {
    const edit = await rename(
      await workspaceOf(study, false),
      uriOf('lib.place'),
      study['lib.place']!.indexOf('far'),
      'x',
    );
    expect(!edit.ok && edit.failure.code).toBe('too-many-files');
  });
});

/** Programs without an error, each a workspace. */
const programs: readonly Files[] = [
  study,
  { 'main.place': smallText },
  {
    'machines/cielo.place': 'machine c { topology torus 2 x 2 }',
    'main.place': wideText.replace('job ghost { grid 8 x 8', 'job ghost { grid 4 x 4'),
  },
  {
    'main.place':
      'machine m { topology torus 4 x 4 }\njob a { tasks 4 pattern ring }\njob b { tasks 4 pattern ring }\n' +
      'placement one { job a machine m allocate nodes [0..3] }\n' +
      'placement two { jobs a(allocate nodes [4..7], map rcb), b(allocate nodes [8..11], map cyclic) machine m }\n',
  },
  samples(),
];

function samples(): Files {
  const root = new URL('../../../samples/', import.meta.url);
  const paths = globSync('**/*.place', { cwd: root });
  return Object.fromEntries(paths.map((path) => [path, readFileSync(new URL(path, root), 'utf8')]));
}

/** Words that mean something to the language, so that a name of the kind is a trap somewhere. */
const traps =
  'job jobs machine placement import table stencil map allocate as from seed weight offset link periodic auto same-as given node all torus x ns s B grid tasks pattern bytes dimensions unit packets five-point ring hops e1 x4'.split(
    ' ',
  );

describe('a rename', () => {
  it.each([0, 1, 2, 3, 4])(
    'never makes a program wrong or another, and can be taken back: programs %i',
    async (index) => {
      const files = programs[index]!;
      const workspace = await workspaceOf(files);
      expect(errorsOf(workspace)).toEqual([]);
      const random = seededRandom(index + 1);
      const names = workspaceFiles(workspace).flatMap(({ uri, tree }) =>
        marksOf(tree).flatMap((mark) => (namedBy(mark) === undefined ? [] : [{ uri, mark, named: namedBy(mark)! }])),
      );
      let accepted = 0;
      // Fewer where each is made in dozens of files.
      const tried = Object.keys(files).length > 20 ? casesOf(4, 16) : casesOf(50, 150);
      for (let count = 0; count < tried; count++) {
        const { uri, mark, named } = names[random.integer(names.length)]!;
        const other = names[random.integer(names.length)]!.named.name;
        const newName = [...traps, other, `new-${count}`][random.integer(traps.length + 2)]!;
        const edit = await rename(workspace, uri, mark.span.start, newName);
        if (!edit.ok || newName === named.name) continue;
        accepted++;
        const after = edited(files, edit.value);
        const changed = await workspaceOf(after);
        expect(errorsOf(changed), `${named.kind} ${named.name} → ${newName} in ${uri}`).toEqual([]);
        const path = uri.slice(uriOf('').length);
        const [first] = edit.value.changes![uri]!;
        const start = TextDocument.create(uri, 'place', 0, files[path]!).offsetAt(first!.range.start);
        const back = await rename(changed, uri, start, named.name);
        expect(back.ok && edited(after, back.value)).toEqual(files);
      }
      expect(accepted).toBeGreaterThan(tried / 10);
    },
  );
});

describe('symbols of the workspace', () => {
  it.each([
    ['', 9],
    ['hea', 1],
    ['FR', 2],
    ['zzz', 0],
  ])('match %j: %i', async (query, count) => {
    expect(workspaceSymbols(await workspaceOf(study), query)).toHaveLength(count);
  });
});

describe('renaming files', () => {
  const files: Files = {
    'runs/main.place':
      'import "../lib/a b.place"\ntable t from "../data/t.csv"\nmachine m { topology from "net.txt" as csv }\n',
    'lib/a b.place': 'table u from "../data/t.csv"\n',
  };
  const moved = async (from: string, to: string) =>
    edited(files, fileRenames(await workspaceOf(files), [{ from: uriOf(from), to: uriOf(to) }]));

  it.each([
    ['a file that is imported', 'lib/a%20b.place', 'lib/c.place', 'runs/main.place', 'import "../lib/c.place"'],
    ['a folder', 'lib', 'machines/old', 'runs/main.place', 'import "../machines/old/a b.place"'],
    ['a folder, seen from within', 'lib', 'machines/old', 'lib/a b.place', 'from "../../data/t.csv"'],
    ['a table', 'data/t.csv', 'runs/t.csv', 'runs/main.place', 'table t from "t.csv"'],
    ['a network', 'runs/net.txt', 'net%20v2.txt', 'runs/main.place', 'topology from "../net v2.txt" as csv'],
    ['the program itself', 'runs/main.place', 'main.place', 'runs/main.place', 'topology from "runs/net.txt" as csv'],
  ])('changes the paths for %s', async (_what, from, to, path, expected) => {
    expect((await moved(from, to))[path]).toContain(expected);
  });

  it('leaves all others alone', async () => {
    expect(await moved('other.place', 'more.place')).toEqual(files);
    // A folder whose name is the beginning of another one's.
    expect(await moved('dat', 'tables')).toEqual(files);
    expect((await moved('data', 'tables'))['runs/main.place']).toBe(
      files['runs/main.place']!.replace('../data/', '../tables/'),
    );
  });
});
