import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../../server/entrypoints/cli/commands.ts';
import { examples } from '../../server/entrypoints/cli/examples.ts';
import { terminalOn } from '../../server/entrypoints/cli/terminal.ts';
import { root } from '../../tools/run.ts';
import { commandLine } from '../cli/commandLine.ts';
import { commandBlock } from './catalogueTables.ts';
import { expectGeneratedBlock } from './generatedBlock.ts';

/** The page of each command; command-line.md tells what they share. */
const pages: Readonly<Record<string, readonly string[]>> = {
  'commands-placements': ['check', 'run', 'compare', 'failures', 'export', 'draw'],
  'commands-experiments': ['experiment', 'sweep', 'simulate'],
  'commands-files': ['import', 'trace', 'describe', 'distances', 'list', 'lsp'],
};

const placewright = commandLine();
const ignore = (): void => undefined;
const program = commands(terminalOn(ignore, ignore), () => Promise.reject(new Error('nothing is run')), ignore);

describe('the commands in docs/reference', () => {
  it('are those that there are', () => {
    expect(Object.values(pages).flat().sort()).toEqual(program.commands.map((command) => command.name()).sort());
  });

  const all = Object.entries(pages).flatMap(([page, names]) => names.map((name) => ({ page, name })));
  it.each(all)('$page: $name with all arguments and options', ({ page, name }) => {
    const command = program.commands.find((one) => one.name() === name);
    if (command === undefined) throw new Error(`There is no command ${name}.`);
    expectGeneratedBlock(`docs/reference/${page}.md`, `command-${name}`, commandBlock(command, examples[name] ?? []));
  });

  it.each(all)('$name ends its help with two examples', async ({ name }) => {
    const { code, out } = await placewright.run([name, '--help']);
    expect(code).toBe(0);
    const lines = examples[name]?.map((line) => `  placewright ${line}`) ?? [];
    expect(out.trimEnd().split('\n').slice(-3)).toEqual(['Examples:', ...lines]);
    expect(lines.filter((line) => !line.startsWith(`  placewright ${name}`) || line.length > 80)).toEqual([]);
  });

  it('have a heading and an anchor each', () => {
    for (const [page, names] of Object.entries(pages)) {
      const text = readFileSync(join(root, `docs/reference/${page}.md`), 'utf8');
      const headings = [...text.matchAll(/^## (\S+)$/gm)].map(([, heading]) => heading);
      expect(headings).toEqual([...names]);
    }
  });

  it('are the only ones that pages name', () => {
    const known = new Set(program.commands.map((command) => command.name()));
    const texts = globSync('docs/reference/*.md', { cwd: root }).map((page) => readFileSync(join(root, page), 'utf8'));
    const named = texts.flatMap((text) =>
      [...text.matchAll(/(?:npx |`)placewright ([a-z]+)/g)].map(([, name]) => name),
    );
    expect(named.length).toBeGreaterThan(10);
    expect([...new Set(named)].filter((name) => !known.has(name!))).toEqual([]);
  });
});
