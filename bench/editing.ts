/** What a user waits for while editing: diagnostics after a keystroke, and the report after a save. */
import { checkSources } from '../server/language/check.ts';
import { parseText } from '../server/language/parse.ts';
import { gatherSources } from '../server/language/sources.ts';
import { succeed } from '../server/model/result.ts';
import { quantile, type Figure, median, timesOf } from './measure.ts';
import { globSync } from 'node:fs';
import { createStudyCache } from '../server/study/study.ts';
import { loadFile, loadText, study } from './program.ts';

const uri = 'file:///bench.place';

/** A file of about a thousand lines: machines, jobs and placements as users write them. */
function thousandLines(): string {
  const blocks: string[] = [];
  for (let index = 0; index < 50; index++) {
    blocks.push(
      `/// Machine number ${index}.\nmachine m${index} {\n  topology torus 8 x 8 x 8\n  cores 4\n}\n`,
      `job j${index} {\n  grid 8 x 8 x 8\n  stencil seven-point\n  bytes 64 KiB\n}\n`,
      `placement p${index} {\n  job j${index}\n  machine m${index}\n  map rcb\n}\n`,
    );
  }
  return blocks.join('\n');
}

/** A key at a random place, then everything that the server does before it can answer with diagnostics. */
export async function keystrokes(): Promise<Figure[]> {
  const text = thousandLines();
  const times: number[] = [];
  for (let key = 0; key < 300; key++) {
    const at = (key * 7919) % text.length;
    const edited = `${text.slice(0, at)}x${text.slice(at)}`;
    const start = performance.now();
    const sources = await gatherSources(uri, () => Promise.resolve(succeed(edited)));
    checkSources(sources);
    if (key >= 20) times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const parses = [...Array(30).keys()].map(() => {
    const start = performance.now();
    parseText(text);
    return performance.now() - start;
  });
  const lines = text.split('\n').length;
  return [
    {
      what: `keystroke to diagnostics, ${lines} lines, 95th percentile`,
      milliseconds: quantile(times, 0.95),
      against: 'budget',
      againstMilliseconds: 30,
    },
    {
      what: 'of which parsing, median',
      milliseconds: quantile(
        parses.sort((a, b) => a - b),
        0.5,
      ),
      against: 'all of it, median',
      againstMilliseconds: quantile(times, 0.5),
    },
  ];
}

const largeStencil = `
machine torus { topology torus 16 x 16 x 16 }
job ghost { grid 16 x 16 x 16  stencil seven-point  bytes 40 KiB }
placement structured { job ghost  machine torus  map rcb }
`;

/** Save to report: nothing remembered, and everything remembered but nothing changed. */
export async function saveToReport(): Promise<Figure[]> {
  const figures: Figure[] = [];
  const large = await loadText(largeStencil);
  figures.push({
    what: '4,096 tasks on 16 x 16 x 16, rcb',
    milliseconds: median(timesOf(5, () => study(large))),
    against: 'budget',
    againstMilliseconds: 300,
  });
  for (const path of globSync('samples/**/*.place').sort()) {
    const program = await loadFile(path);
    const cache = createStudyCache();
    figures.push({
      what: `${path}, first save`,
      milliseconds: median(timesOf(5, () => study(program))),
      against: 'budget of 64 tasks',
      againstMilliseconds: 100,
    });
    const first = figures.at(-1)!.milliseconds;
    figures.push({
      what: `${path}, saved again`,
      milliseconds: median(timesOf(20, () => study(program, cache))),
      against: 'its first save',
      againstMilliseconds: first,
    });
  }
  return figures;
}
