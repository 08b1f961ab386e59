import { globSync } from 'node:fs';
import { createStudyCache } from '../server/study/study.ts';
import { median, timesOf, type Figure } from './measure.ts';
import { loadFile, loadText, study } from './program.ts';

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
