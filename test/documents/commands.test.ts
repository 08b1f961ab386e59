/**
 * Every `placewright` line of the documentation, in the process of the tests, with a copy of the samples. npm's lines,
 * and one of each command as a shell runs it, are in commands.slow.test.ts.
 */
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';
import { commandLine } from '../cli/commandLine.ts';
import { allLines, isPlacewright, lines, runElsewhere, writtenBy } from './commands.ts';

const cli = commandLine();

beforeAll(() => {
  cpSync(join(root, 'samples'), join(cli.scratch(), 'samples'), { recursive: true });
  mkdirSync(join(cli.scratch(), 'build'));
});

const ours = lines.filter(({ line }) => isPlacewright(line));

/** The words of a line as a shell reads them, and the file that takes what is printed. */
function readLine(line: string): { words: string[]; outputFile: string | undefined } {
  expect(line, 'A shell would read more into this line.').not.toMatch(/[$`\\|&;*?~<']/);
  const [, command = '', outputFile] = /^(.*?)(?: > (\S+))?$/.exec(line.replace(/^(?:npx )?placewright /, '')) ?? [];
  return { words: (command.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', '')), outputFile };
}

describe('a placewright command in the documentation', () => {
  it('is found in many places', () => {
    expect(ours.length).toBeGreaterThan(30);
  });

  it.each(ours)('$file: $line', async ({ line }) => {
    const { words, outputFile } = readLine(line);
    const { code, out, err } = await cli.run(words, cli.scratch());
    if (outputFile !== undefined) writeFileSync(join(cli.scratch(), outputFile), out);
    expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
    expect(err).not.toMatch(/error:/);
    const written = writtenBy(line);
    if (written !== undefined) expect(existsSync(join(cli.scratch(), written))).toBe(!line.includes(' --dry-run'));
    else if (!line.includes(' check ')) expect(out).not.toBe('');
  });
});

describe('the list of lines that other suites run', () => {
  it('has only lines of the documentation', () => {
    const documented = allLines.map(({ line }) => line);
    expect(Object.keys(runElsewhere).filter((line) => !documented.includes(line))).toEqual([]);
  });
});
