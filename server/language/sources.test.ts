import { describe, expect, it } from 'vitest';
import { succeed } from '../model/result.ts';
import { checkSources } from './check.ts';
import { gatherSources, type Sources } from './sources.ts';
import { spanOfSubject } from './subject.ts';
import { checkText, mainUri, uriOf } from './testing/marked.ts';

/** `file: code message` of all files. */
async function allProblems(text: string, files: Readonly<Record<string, string>>): Promise<string[]> {
  const { program } = await checkText(text, files);
  return [...program.problems].flatMap(([uri, problems]) =>
    problems.map(({ code, message }) => `${uri.slice(uriOf('').length)}: ${code} ${message}`),
  );
}

describe('imports', () => {
  it('are relative to the file they stand in', async () => {
    const { program, problems } = await checkText('import "machines/a b.place"\nplacement p { job j machine m }', {
      'machines/a b.place': 'import "../job.place"\nmachine m { topology torus 4 }',
      'job.place': 'job j { tasks 4 pattern ring }',
    });
    expect(problems).toEqual([]);
    expect(program.program.placements.map(({ name }) => name)).toEqual(['p']);
  });

  it('may reach a file twice', async () => {
    const found = await allProblems('import "b.place"\nimport "c.place"', {
      'b.place': 'import "d.place"',
      'c.place': 'import "d.place"',
      'd.place': 'machine m { topology torus 4 }',
    });
    expect(found).toEqual([]);
  });

  it('that form a cycle are reported in every file of it, with the chain', async () => {
    const found = await allProblems('import "b.place"', {
      'b.place': 'import "c.place"',
      'c.place': 'import "b.place"',
    });
    expect(found.filter((problem) => problem.includes('import-cycle'))).toEqual([
      'b.place: import-cycle Files import each other: b.place → c.place → b.place. Remove one of these imports.',
      'c.place: import-cycle Files import each other: c.place → b.place → c.place. Remove one of these imports.',
    ]);
  });

  it('show the errors of imported files at the import', async () => {
    const found = await allProblems('import "b.place"', { 'b.place': 'machine m { topology tours 4 }' });
    expect(found).toEqual([
      'main.place: errors-in-import `b.place` has an error: There is no topology `tours`. Did you mean `torus`?',
      'b.place: unknown-name There is no topology `tours`. Did you mean `torus`?',
    ]);
  });

  it('show the errors of files that imported files import', async () => {
    const files = { 'b.place': 'import "c.place"', 'c.place': 'machine m { topology tours 4 }' };
    const found = await allProblems('import "b.place"', files);
    expect(found[0]).toContain(
      'main.place: errors-in-import `c.place`, which `b.place` imports, has an error: There is',
    );
  });

  it('may not declare a name twice', async () => {
    const found = await allProblems('import "b.place"\nmachine m { topology torus 4 }', {
      'b.place': '\nmachine m { topology mesh 4 }',
    });
    expect(found).toEqual([
      'main.place: duplicate-declaration There is a machine `m` already, on line 2 of b.place: give this one another name.',
    ]);
  });

  it('bring placements only where their allocation is shared', async () => {
    const base =
      'machine m { topology torus 4 } job j { tasks 2 pattern ring } placement p { job j machine m } placement q { job j machine m }';
    const { program } = await checkText('import "b.place"\nplacement r { job j machine m allocate same-as q }', {
      'b.place': base,
    });
    expect(program.program.placements.map(({ name }) => name)).toEqual(['r', 'q']);
  });

  it('stop at a limit', async () => {
    const sources = await gatherSources(mainUri, (uri) => {
      const number = Number(/(\d+)\.place/.exec(uri)?.[1] ?? 0);
      return Promise.resolve(succeed(`import "${number + 1}.place"`));
    });
    expect(sources.files.size).toBe(256);
    const codes = [...checkSources(sources).problems.values()].flat().map(({ code }) => code);
    expect(codes.filter((code) => code === 'too-many-imports')).toHaveLength(1);
  });
});

describe('sources', () => {
  it('of a root that cannot be read are one problem', async () => {
    const sources = await gatherSources(mainUri, () =>
      Promise.resolve({ ok: false, failure: { code: 'outside-workspace', message: 'No.' } }),
    );
    expect(sources.files.get(mainUri)?.problems).toMatchObject([{ code: 'outside-workspace', message: 'No.' }]);
  });

  it('keep the trees of files that did not change', async () => {
    const texts: Record<string, string> = { [mainUri]: 'import "b.place"', [uriOf('b.place')]: 'job j { }' };
    const read = (uri: string) => Promise.resolve(succeed(texts[uri] ?? ''));
    const before = await gatherSources(mainUri, read);
    texts[mainUri] = 'import "b.place"\n';
    const after = await gatherSources(mainUri, read, before);
    expect(after.files.get(uriOf('b.place'))?.tree).toBe(before.files.get(uriOf('b.place'))?.tree);
    expect(after.files.get(mainUri)?.tree.length).toBe(17);
  });

  it('keep the declarations before an edit, and move those behind it', async () => {
    const text = 'machine a { cores 1 }\nmachine b { cores 1 }\nmachine c { cores 1 }\n';
    const next = async (edited: string, previous?: Sources) => {
      const sources = await gatherSources(mainUri, () => Promise.resolve(succeed(edited)), previous);
      return { sources, declarations: sources.files.get(mainUri)!.tree.declarations };
    };
    const read = await next(`${text}\n`, (await next(text)).sources);
    const { declarations } = await next(text.replace('b {', 'bc {'), read.sources);
    expect(declarations[0]).toBe(read.declarations[0]);
    expect(declarations.map(({ name }) => name)).toMatchObject([
      { text: 'a', start: 8 },
      { text: 'bc', start: 30 },
      { text: 'c', start: 53 },
    ]);
  });
});

describe('subjects', () => {
  const text = 'machine m { topology torus 4 x 4 }\nplacement p { job j machine m }';
  it.each([
    [{ kind: 'machine', name: 'm', property: 'topology' }, 'torus 4 x 4'],
    [{ kind: 'machine', name: 'm', property: 'routing' }, 'm'],
    [{ kind: 'placement', name: 'p' }, 'p'],
    [{ kind: 'placement', name: 'p', property: 'jobs' }, 'j'],
    [{ kind: 'placement', name: 'q' }, undefined],
  ] as const)('%j', async (subject, expected) => {
    const { program } = await checkText(text);
    const found = spanOfSubject(program, subject);
    expect(found && text.slice(found.span.start, found.span.end)).toBe(expected);
  });
});
