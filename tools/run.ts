import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Shows the output only where it fails. */
  readonly quiet?: boolean;
}

/** What a program printed, and the processor time that it and the programs that it started took. */
export interface Finished {
  readonly printed: string;
  /** Seconds; 0 where the system does not say. */
  readonly cpuSeconds: number;
}

/** The shell runs its words as a program, and writes the processor time of its children to descriptor 3 (POSIX, `times`). */
const timed = ['-c', '"$@"; code=$?; times >&3; exit $code', 'sh'];

/** Runs a program with its output shown; fails with {@link CommandFailed} where it fails. */
export function run(program: string, parameters: readonly string[], options: RunOptions = {}): Promise<Finished> {
  const isPosix = process.platform !== 'win32';
  const [file, words] = isPosix ? ['sh', [...timed, program, ...parameters]] : [program, parameters];
  return new Promise((resolve, reject) => {
    const child = spawn(file, words, {
      cwd: options.cwd ?? root,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    let printed = '';
    let times = '';
    const show = (stream: NodeJS.WriteStream) => (chunk: Buffer) => {
      printed += chunk.toString();
      if (options.quiet !== true) stream.write(chunk);
    };
    child.stdout?.on('data', show(process.stdout));
    child.stderr?.on('data', show(process.stderr));
    child.stdio[3]?.on('data', (chunk: Buffer) => (times += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      const finished = { printed, cpuSeconds: secondsIn(times) };
      if (code === 0) {
        resolve(finished);
        return;
      }
      if (options.quiet === true) process.stderr.write(printed);
      reject(new CommandFailed(`${program} ${parameters.join(' ')}: ended with ${code ?? signal ?? '?'}`, finished));
    });
  });
}

/** Of `0m0.01s 0m0.00s\n1m2.50s 0m3.25s`, user and system time of the shell and of its children: the sum, 65.76. */
export const secondsIn = (times: string): number =>
  [...times.matchAll(/(\d+)m([\d.]+)s/g)]
    .map(([, minutes, seconds]) => 60 * Number(minutes) + Number(seconds))
    .reduce((sum, part) => sum + part, 0);

/** A program ended with another code than 0. */
export class CommandFailed extends Error {
  readonly finished: Finished;

  constructor(message: string, finished: Finished) {
    super(message);
    this.finished = finished;
  }
}

/** The repository's top directory. */
export const root = resolve(import.meta.dirname, '..');
