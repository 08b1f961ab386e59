/**
 * A task on each of the 7,630,848 cores of Fugaku, by every mapper that grows as the job: from checked text to report. Each runs in a process
 * of its own, `node bench/wholeMachine.ts MAPPER`, because memory is that of a process.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ignoreProgress } from '../server/model/cancellation.ts';
import { defaultStudySettings } from '../server/study/report.ts';
import { createStudyCache, runStudy } from '../server/study/study.ts';
import { root } from '../tools/run.ts';
import type { Figure } from './measure.ts';
import { loadText } from './program.ts';

const mappers = [
  ...['baseline', 'blocked', 'cyclic', 'consecutive', 'random', 'grouping'],
  ...['row-major', 'column-major', 'ordered', 'corner', 'all-corners', 'overlay', 'two-way-overlay', 'rcb'],
];

const textOf = (mapper: string): string => `machine fugaku { topology torus 24 x 23 x 24 x 2 x 3 x 2  cores 48 }
job whole { grid 192 x 184 x 216  stencil seven-point }
placement p { job whole  machine fugaku  map ${mapper} }`;

/** What one mapper took: milliseconds from text to report, the most bytes that the process held, milliseconds between two looks at a flag. */
interface Taken {
  readonly milliseconds: number;
  readonly bytes: number;
  readonly longestGap: number;
  /** What looked at the end of the longest time. */
  readonly where: string;
}

async function take(mapper: string): Promise<Taken> {
  const { checked, files } = await loadText(textOf(mapper));
  const before = performance.now();
  let [last, longestGap, where] = [busyTime(), 0, ''];
  const look = (): boolean => {
    const gap = busyTime() - last;
    if (gap > longestGap) [longestGap, where] = [gap, callersOf(new Error().stack)];
    last = busyTime();
    return false;
  };
  const cache = createStudyCache();
  const context = {
    cancellation: { isCancelled: look },
    progress: ignoreProgress,
    now: () => performance.now(),
    cache,
  };
  const report = runStudy(checked.program, files, defaultStudySettings, context);
  const milliseconds = performance.now() - before;
  look();
  if (report.placements.length === 0) throw new Error(report.problems.map(({ message }) => message).join('\n'));
  return { milliseconds, bytes: 1024 * process.resourceUsage().maxRSS, longestGap, where };
}

/** Files and lines of the functions that looked, the nearest first. */
const callersOf = (stack = ''): string =>
  Array.from(stack.matchAll(/server\/(\S+?:\d+):\d+/g), ([, place]) => place)
    .filter((place) => !place?.startsWith('model/cancellation'))
    .slice(0, 3)
    .join(' ← ');

/** Milliseconds that this thread has computed: those that it waited for others are none of its own. Goes on by 4 at a time on Linux. */
function busyTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The house's budgets: some tens of seconds, 2 GB, and a cancel that is noticed within 30 ms. */
const budget = { milliseconds: 40_000, bytes: 2e9, longestGap: 30 };

export function wholeMachine(): Figure[] {
  return mappers.flatMap((mapper): Figure[] => {
    const command = [resolve(root, 'bench', 'wholeMachine.ts'), mapper];
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${mapper}: ${stderr}`);
    const { milliseconds, bytes, longestGap, where } = JSON.parse(stdout) as Taken;
    if (bytes > budget.bytes) throw new Error(`${mapper} held ${bytes} bytes.`);
    const what = `all cores of Fugaku, ${mapper}`;
    return [
      {
        what: `${what} (${Math.round(bytes / 1e6)} MB of 2,000)`,
        milliseconds,
        against: 'budget',
        againstMilliseconds: budget.milliseconds,
      },
      {
        what: `${what}, longest time between two looks at the flag of its cancellation, before ${where}`,
        milliseconds: longestGap,
        against: 'budget',
        againstMilliseconds: budget.longestGap,
      },
    ];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(JSON.stringify(await take(process.argv[2] ?? 'baseline')));
}
