import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../../server/entrypoints/cli/commands.ts';
import { terminalOn } from '../../server/entrypoints/cli/terminal.ts';
import { root } from '../../tools/run.ts';

const page = readFileSync(join(root, 'docs/language.md'), 'utf8');
/** The lines under "On the command line", each with those that it goes on in. */
const [, , synopsis = ''] = /\n## On the command line\n(.*?)```\n(.*?)\n```/s.exec(page) ?? [];
const entries = synopsis.split(/\n(?=placewright )/);

/** Of pictures, told once for all of them as `LOOK`; and what the text below tells of several commands. */
const toldBelow = ['--legend', '--theme', '--page', '--width', '--height', '--hot-link-factor'];

const ignore = (): void => undefined;
const program = commands(terminalOn(ignore, ignore), () => Promise.reject(new Error('nothing is run')), ignore);

describe('the commands in docs/language.md', () => {
  it('are those that there are', () => {
    const told = new Set(entries.map((entry) => /^placewright (\S+)/.exec(entry)?.[1]));
    expect([...told].sort()).toEqual(program.commands.map((command) => command.name()).sort());
  });

  it.each(program.commands.map((command) => [command.name(), command] as const))(
    '%s: all of its options',
    (name, { options }) => {
      const text = entries.filter((entry) => entry.startsWith(`placewright ${name} `)).join('\n');
      const flags = options.filter(({ hidden }) => !hidden).map(({ short, long }) => short ?? long ?? '');
      expect(flags.filter((flag) => !toldBelow.includes(flag) && !new RegExp(`${flag}\\b`).test(text))).toEqual([]);
      for (const { long, argChoices = [] } of options) {
        const lists = text.matchAll(new RegExp(`${long ?? ''} ([a-z-]+(?:\\|[a-z-]+)*)`, 'g'));
        const written = new Set([...lists].flatMap(([, words = '']) => words.split('|')));
        if (argChoices.length > 0 && written.size > 0) expect([...written].sort()).toEqual([...argChoices].sort());
      }
      for (const flag of toldBelow) if (flags.includes(flag)) expect(page).toContain(`\`${flag}`);
    },
  );
});
