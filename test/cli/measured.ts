/** What tests of memory share: how much a command held at most, and small programs that ask for large things. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { binary } from './binary.ts';
import type { Outcome } from './commandLine.ts';

/**
 * Says on the last line of stderr how much memory the process held at most, in kilobytes. On Linux the figure of `resourceUsage` is
 * at least that of the process which started this one, here the tests themselves; that of the status file is not.
 */
const tellPeak =
  'data:text/javascript,' +
  encodeURIComponent(
    "import { readFileSync } from 'node:fs';" +
      "import { isMainThread } from 'node:worker_threads';" +
      "const ofLinux = () => /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1];" +
      "const peak = () => process.platform === 'linux' ? ofLinux() : process.resourceUsage().maxRSS;" +
      "if (isMainThread) process.on('exit', () => process.stderr.write(`peak ${peak()}\\n`));",
  );

export interface Measured extends Outcome {
  /** In bytes. */
  readonly peak: number;
}

/** Runs the built command line on a program, and measures it. To be called by each file of tests. */
export function measuring() {
  const built = binary();
  const measured = (program: string, ...words: string[]): Measured => {
    const directory = mkdtempSync(join(built.scratch(), 'case-'));
    writeFileSync(join(directory, 'a.place'), program);
    const outcome = built.run(words, directory, ['--import', tellPeak]);
    return { ...outcome, peak: 1024 * Number(/peak (\d+)/.exec(outcome.err)?.[1]) };
  };
  return { scratch: built.scratch, measured };
}

export const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
export const dense = numbersTo(20).map((job) => `job j${job} { tasks ${8000 + job} pattern all-to-all }`);
export const densePlacements = (map: string) => [
  'machine m { topology torus 96 x 96 }',
  ...numbersTo(20).map((job) => `placement p${job} { job j${job} machine m ${map} }`),
];
/** A placement of a square torus, a task on each node. */
export const torusOf = (side: number): string => `job j { tasks ${side * side} pattern ring }
machine m { topology torus ${side} x ${side} }
placement p { job j machine m map blocked }
`;
/** Four million nodes, the most that there may be. */
export const largeTorus = torusOf(2048);
