import { checkSources } from '../server/language/check.ts';
import { parseText } from '../server/language/parse.ts';
import { gatherSources } from '../server/language/sources.ts';
import { succeed } from '../server/model/result.ts';
import { quantile, type Figure } from './measure.ts';

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
