import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/root.ts';
import { commandLine } from '../cli/commandLine.ts';

/** Lines of the shell examples, without what is said of them behind a `#`. */
const shellLines = (file: string): string[] =>
  [...readFileSync(resolve(root, file), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    .flatMap((match) => (match[1] ?? '').split('\n'))
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line !== '');

const scripts = (JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> })
  .scripts;

describe('every command in the documentation', () => {
  const placewright = commandLine();
  const lines = ['README.md', 'CONTRIBUTING.md'].flatMap(shellLines);
  const ours = lines.filter((line) => line.startsWith('npx placewright '));

  it.each(ours)('%s', (line) => {
    mkdirSync(resolve(root, 'build'), { recursive: true });
    const { code, out, err } = placewright.run(line.split(/\s+/).slice(2));
    expect({ code, errors: err.includes('error:') }).toEqual({ code: 0, errors: false });
    const written = /-o (\S+)/.exec(line)?.[1];
    if (written !== undefined) expect(existsSync(resolve(root, written))).toBe(true);
    else if (!line.includes(' check ')) expect(out).not.toBe('');
  });

  // The rest is npm: `.ci/run` and the developer run these; here we see that each of them exists.
  it.each(lines.filter((line) => !ours.includes(line)))('%s', (line) => {
    const steps = line.split('&&').map((step) => step.trim());
    for (const step of steps) {
      const script = /^npm (?:run )?(\S+)$/.exec(step)?.[1];
      expect(script, `unknown command: ${step}`).toBeDefined();
      expect(script === 'ci' || script! in scripts, step).toBe(true);
    }
  });

  it('are there', () => {
    expect(ours.length).toBeGreaterThan(5);
  });
});
