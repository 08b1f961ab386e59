import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Shows the output only where it fails. */
  readonly quiet?: boolean;
}

/** Runs a program with its output shown; ends with what it printed, fails where it fails. */
export function run(program: string, parameters: readonly string[], options: RunOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, {
      cwd: options.cwd ?? root,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    const show = (stream: NodeJS.WriteStream) => (chunk: Buffer) => {
      printed += chunk.toString();
      if (options.quiet !== true) stream.write(chunk);
    };
    child.stdout.on('data', show(process.stdout));
    child.stderr.on('data', show(process.stderr));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) {
        resolve(printed);
        return;
      }
      if (options.quiet === true) process.stderr.write(printed);
      reject(new CommandFailed(`${program} ${parameters.join(' ')}: ended with ${code ?? signal ?? '?'}`, printed));
    });
  });
}

/** A program ended with another code than 0. */
export class CommandFailed extends Error {
  readonly printed: string;

  constructor(message: string, printed: string) {
    super(message);
    this.printed = printed;
  }
}

/** The repository's top directory. */
export const root = resolve(import.meta.dirname, '..');
