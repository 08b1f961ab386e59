import { describe, expect, it } from 'vitest';
import { declarations } from '../schema.ts';
import { topologies } from '../../network/catalogue.ts';
import { completion } from './completion.ts';
import { atCursor } from './testing/input.ts';
import { errorsIn, expand, expansions, stopsIn } from './testing/snippets.ts';

/** What is offered at the mark and has stops. */
async function snippetsAt(marked: string): Promise<ReadonlyMap<string, string>> {
  const items = completion(await atCursor(marked));
  const written = items.map(({ label, textEdit }) => [label, textEdit?.newText ?? ''] as const);
  return new Map(written.filter(([, text]) => stopsIn(text).length > 0));
}

const declared = `machine small { topology torus 4 x 4 }
job heat { tasks 4 pattern ring }
stencil cross { dimensions 2 offset (1, 0) }
`;

describe('Tab through the snippet of a declaration', () => {
  it('leaves no error in an empty file, whatever is chosen', async () => {
    const snippets = await snippetsAt('|');
    // The name of a file, which nobody else knows.
    expect(snippets.get('import')).toBe('import "$1"$0');
    const texts = [...snippets].flatMap(([label, snippet]) => (label === 'import' ? [] : expansions(snippet)));
    expect(texts.length).toBeGreaterThan(80);
    expect((await Promise.all(texts.map((text) => errorsIn(text)))).flat()).toEqual([]);
  });

  it('leaves no error behind other declarations, one after the other', async () => {
    let text = declared;
    for (const label of (await snippetsAt(`${text}|`)).keys()) {
      if (label !== 'import') text += `${expand((await snippetsAt(`${text}|`)).get(label) ?? '')}\n`;
    }
    expect(await errorsIn(text)).toEqual([]);
    expect(text).toContain('machine name-3 {');
  });

  it('offers all topologies, each with what it needs', async () => {
    const offered = stopsIn((await snippetsAt('|')).get('machine') ?? '').flatMap(({ choices = [] }) => choices);
    expect(offered[0]).toBe('torus 4 x 4');
    expect(offered.map((text) => /^[\w-]+/.exec(text)?.[0])).toEqual(topologies.map(({ name }) => name));
    expect(offered).toContain('fat-tree(k 4, n 3)');
  });

  it('refers to what is declared, and writes what is not', async () => {
    expect((await snippetsAt(`${declared}|`)).get('placement')).toContain('job     ${2|heat|}\n\tmachine ${3|small|}');
    const alone = (await snippetsAt('|')).get('placement') ?? '';
    expect(expand(alone)).toMatch(
      /^machine small {[^]*^job heat {[^]*^placement name {\n\tjob {5}heat\n\tmachine small/m,
    );
    // Where the job is called otherwise, the placement follows.
    expect(expand(alone, { stop: '3', value: 'wave' })).toContain('job     wave');
    const withMachine = (await snippetsAt('machine big { topology torus 8 x 8 }\n|')).get('placement') ?? '';
    expect(expand(withMachine)).toMatch(/^job heat {[^]*machine big/);
  });
});

describe('Tab through the snippet of a property', () => {
  it('compares with the rows of the experiment', async () => {
    const marked = 'experiment e { allocate rbs, random(count 4) map rcb compare | }';
    expect((await snippetsAt(marked)).get('paired-ratio')).toBe('paired-ratio(to ${1|rbs,rcb|})');
  });

  it('leaves no error in what it wrote, whatever is chosen', async () => {
    const words = declarations.flatMap(({ kind, properties }) => properties.map(({ word }) => `${kind} n { ${word} `));
    const texts: [string, number][] = [];
    for (const head of words) {
      for (const snippet of (await snippetsAt(`${head}|\n}`)).values()) {
        for (const text of expansions(snippet)) texts.push([`${head}${text}\n}`, head.length]);
      }
    }
    expect(texts.length).toBeGreaterThan(50);
    expect((await Promise.all(texts.map(([text, from]) => errorsIn(text, from)))).flat()).toEqual([]);
  });
});
