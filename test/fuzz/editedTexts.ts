import { globSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { checkSources } from '../../server/language/check.ts';
import { parseText } from '../../server/language/parse.ts';
import { parsePieces, type Pieces } from '../../server/language/pieces.ts';
import { gatherSources, type Sources } from '../../server/language/sources.ts';
import { seededRandom, type RandomSource } from '../../server/model/random.ts';
import { fail, succeed } from '../../server/model/result.ts';
import { mutate } from './mutations.ts';
import { programAtRandom } from './programs.ts';

const uri = 'file:///folder/main.place';

const readAs = (text: string, previous?: Sources): Promise<Sources> =>
  gatherSources(
    uri,
    (wanted) => Promise.resolve(wanted === uri ? succeed(text) : fail('no-file', `there is no ${wanted}.`)),
    previous,
  );

/** Texts one after the other, as an editor has them: each is damaged further, until all is undone. */
function* edits(original: string, count: number, random: RandomSource): Generator<string> {
  let text = original;
  for (let edit = 0; edit < count; edit++) {
    text = random.integer(8) === 0 ? original : mutate(text, random);
    yield text;
  }
}

const samples = globSync('samples/*.place')
  .sort()
  .map((path) => readFileSync(path, 'utf8'));

/** Expects that texts which are read in pieces are the whole after every edit. */
export async function expectWholeAfterEdits(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const programs = [...samples, ...Array.from({ length: 12 }, () => programAtRandom(random))];
  let reused = 0;
  for (const original of [...samples, programs.join('\n'), programs.slice(samples.length).join('\n')]) {
    let pieces: Pieces = new Map();
    let sources: Sources | undefined;
    for (const text of edits(original, 12, random)) {
      const known = pieces;
      const read = parsePieces(text, known);
      ({ pieces } = read);
      reused += [...pieces.keys()].filter((image) => known.has(image)).length;
      expect(read.parsed, text).toEqual(parseText(text));
      if (random.integer(5) > 0) continue;
      sources = await readAs(text, sources);
      const [checked, anew] = [checkSources(sources), checkSources(await readAs(text))].map(
        ({ program, problems, experiments, fileUris }) => ({ program, problems, experiments, fileUris }),
      );
      expect(checked, text).toEqual(anew);
    }
  }
  expect(reused).toBeGreaterThan(300);
}
