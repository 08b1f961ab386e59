/** What a user waits for while editing: diagnostics after a keystroke, and the report after a save. */
import { checkSources } from '../server/language/check.ts';
import { gatherSources } from '../server/language/sources.ts';
import { succeed } from '../server/model/result.ts';
import { quantile, type Figure, median, timesOf } from './measure.ts';
import { globSync } from 'node:fs';
import { createStudyCache } from '../server/study/study.ts';
import { loadFile, loadText, study } from './program.ts';

const uri = 'file:///bench.place';

/** As many machines, jobs and placements as users write them. */
const placements = (count: number): string[] =>
  [...Array(count).keys()].flatMap((index) => [
    `/// Machine number ${index}.\nmachine m${index} {\n  topology torus 8 x 8 x 8\n  cores 4\n}\n`,
    `job j${index} {\n  grid 8 x 8 x 8\n  stencil seven-point\n  bytes 64 KiB\n}\n`,
    `placement p${index} {\n  job j${index}\n  machine m${index}\n  map rcb\n}\n`,
  ]);

const experiment = (index: number): readonly string[] => [
  `machine mesh${index} { topology mesh 16 x 16 }\n`,
  `stream s${index} {\n  arrivals exponential(rate 0.001)\n  width uniform(1, 8)  height uniform(1, 8)\n  traffic one-to-all(root random)  flits 8\n  jobs 200 completed\n}\n`,
  `experiment e${index} {\n  stream s${index}  machine mesh${index}\n  network wormhole(router 3, buffer 1)\n  schedule fcfs\n  allocate rbs, gabl, first-fit\n  vary arrivals.rate 0.001 .. 0.003 step 0.002\n  replications until 10% at 95% (at most 20)\n  report turnaround, utilisation\n  compare paired-ratio(to first-fit)\n}\n`,
];

function table(index: number): readonly string[] {
  const entries = [...Array(150).keys()].map((entry) => `  ${entry % 64} -> ${(entry * 7 + 1) % 64} : ${entry + 1}`);
  return [`table t${index} {\n${entries.join('\n')}\n}\n`, `job tj${index} {\n  tasks 64\n  table t${index}\n}\n`];
}

const several = (count: number, make: (index: number) => readonly string[]): string[] =>
  [...Array(count).keys()].flatMap(make);

const texts = [
  placements(50).join('\n'),
  [...placements(50), ...several(30, experiment), ...several(20, table)].join('\n'),
];

/** A key at a random place, then everything that the server does before it can answer with diagnostics. */
export async function keystrokes(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const text of texts) figures.push(...(await keystrokesIn(text)));
  return figures;
}

/** Of the whole process, milliseconds. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function keystrokesIn(text: string): Promise<Figure[]> {
  const read = (edited: string) => () => Promise.resolve(succeed(edited));
  let sources = await gatherSources(uri, read(text));
  const times: number[] = [];
  const wholes: number[] = [];
  for (let key = 0; key < 300; key++) {
    const at = (key * 7919) % text.length;
    const edited = `${text.slice(0, at)}x${text.slice(at)}`;
    const start = cpuTime();
    sources = await gatherSources(uri, read(edited), sources);
    checkSources(sources);
    const end = cpuTime();
    if (key < 20) continue;
    times.push(end - start);
    if (key % 5 > 0) continue;
    checkSources(await gatherSources(uri, read(edited)));
    wholes.push(cpuTime() - end);
  }
  for (const list of [times, wholes]) list.sort((a, b) => a - b);
  const lines = text.split('\n').length;
  return [
    {
      what: `keystroke to diagnostics, ${lines} lines, CPU time, 95th percentile`,
      milliseconds: quantile(times, 0.95),
      against: 'budget',
      againstMilliseconds: 30,
    },
    {
      what: 'the same, median',
      milliseconds: quantile(times, 0.5),
      against: 'nothing known of the text before',
      againstMilliseconds: quantile(wholes, 0.5),
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
