/**
 * Other editors as judges of the language server: headless Neovim and Emacs, set up as docs/how-to/other-editors.md says, by its own
 * blocks. One session each, on a copy of two files; what the user saw and what lies on the disk behind it is looked at.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../../tools/run.ts';
import { binary } from '../../cli/binary.ts';

const cli = binary();

const page = readFileSync(resolve(root, 'docs/how-to/other-editors.md'), 'utf8');
const blockOf = (language: string): string => new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'm').exec(page)![1]!;

/** A mistake to mend, a machine of another file to rename, and lines that no formatter leaves so. */
const program = `import "machine.place"
job heat {
    grid 4 x 4
stencil   five-point
  bytes 64 KiB
}
placement first-try {
  job     heat
  machine small
  map     row-mayor
}
`;

/** As it is when all was done. */
const finished = `import "machine.place"
job heat {
  grid    4 x 4
  stencil five-point
  bytes   64 KiB
}
placement first-try {
  job     heat
  machine tiny
  map     row-major
}
`;

interface Session {
  readonly fault?: string;
  readonly problems: readonly string[];
  readonly hover: string;
  readonly completion: readonly string[];
  readonly fixes: readonly string[];
}

const editors = [
  {
    editor: 'Neovim',
    debianPackage: 'neovim',
    configuration: 'configuration.lua',
    block: 'lua',
    words: ['nvim', '--headless', '-u', 'NONE', '-i', 'NONE', '-n', '-S', 'session.lua'],
  },
  {
    editor: 'Emacs',
    debianPackage: 'emacs-nox elpa-eglot',
    configuration: 'configuration.el',
    block: 'elisp',
    words: ['emacs', '-Q', '--batch', '-l', 'session.el'],
  },
] as const;

describe.each(editors)(
  '$editor, set up as the page says,',
  ({ editor, debianPackage, configuration, block, words }) => {
    it('shows problems, hovers and completion, mends, renames over files, and formats', () => {
      const folder = join(cli.scratch(), editor);
      mkdirSync(join(folder, 'bin'), { recursive: true });
      const script = words.at(-1)!;
      cpSync(join(import.meta.dirname, script), join(folder, script));
      writeFileSync(join(folder, configuration), blockOf(block));
      writeFileSync(join(folder, 'main.place'), program);
      writeFileSync(join(folder, 'machine.place'), 'machine small { topology torus 4 x 4 }\n');
      const command = join(folder, 'bin/placewright');
      writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${cli.bundle()}" "$@"\n`);
      chmodSync(command, 0o755);
      const session = join(folder, 'session.json');
      const { error, stderr } = spawnSync(words[0], words.slice(1), {
        cwd: folder,
        env: {
          ...process.env,
          HOME: folder,
          XDG_CONFIG_HOME: folder,
          XDG_STATE_HOME: folder,
          XDG_CACHE_HOME: folder,
          PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
          CONFIGURATION: join(folder, configuration),
          SESSION: session,
        },
        encoding: 'utf8',
        timeout: 150_000,
      });
      if (error !== undefined) {
        throw new Error(
          `${editor} is needed to judge the server: apt-get install --no-install-recommends ${debianPackage}`,
        );
      }
      const { fault, problems, hover, completion, fixes } = JSON.parse(readFileSync(session, 'utf8')) as Session;
      expect(fault, stderr).toBeUndefined();
      expect(problems).toEqual([expect.stringContaining('row-mayor')]);
      expect(hover).toContain('five-point');
      expect(completion).toEqual(expect.arrayContaining(['row-major', 'rcb', 'auto']));
      expect(fixes[0]).toContain('row-major');
      expect(readFileSync(join(folder, 'main.place'), 'utf8')).toBe(finished);
      expect(readFileSync(join(folder, 'machine.place'), 'utf8')).toContain('machine tiny {');
    });
  },
);

describe('the blocks of the page', () => {
  it('know every word that begins a declaration, and no others', () => {
    const grammar = readFileSync(resolve(root, 'syntaxes/place.tmLanguage.json'), 'utf8');
    const declarations = ['machine', 'stream'].flatMap((first) =>
      new RegExp(`\\((${first}\\|[a-z|]+)\\)`).exec(grammar)![1]!.split('|'),
    );
    const wanted = [...declarations, 'import', 'table'].sort().join('|');
    expect(/\\\\\((experiment[^)]*)\\\\\)/.exec(blockOf('elisp'))?.[1]?.replaceAll('\\\\|', '|')).toBe(wanted);
    expect(/\((experiment\|[a-z|]+)\)/.exec(blockOf('yaml'))?.[1]).toBe(wanted);
  });

  it('start the same command', () => {
    const words = page.match(/"?placewright"?[',\s[\]a-z="]*lsp['"]?,? ?['"]?--stdio/g) ?? [];
    expect(words.length).toBeGreaterThanOrEqual(4);
    expect(() => JSON.parse(blockOf('json')) as unknown).not.toThrow();
  });
});
