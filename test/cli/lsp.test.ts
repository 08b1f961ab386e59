/** `placewright lsp`: the language server as other editors start it. What it answers is in test/lsp. */
import { describe, expect, it } from 'vitest';
import { binary } from './binary.ts';
import { oneSession } from './oneSession.ts';

const cli = binary();

describe('placewright lsp', () => {
  it.each([[[]], [['--stdio']]])('answers over standard input and output, with %j', async (words) => {
    const { code, out, err } = await oneSession([process.execPath, cli.bundle(), 'lsp', ...words]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^Content-Length: /);
    expect(out).toContain('"hoverProvider":true');
    expect(out).toContain('"serverInfo":{"name":"placewright"');
  });

  it('is told of in the help, and refuses what it does not know', () => {
    expect(cli.run(['--help']).out).toMatch(/lsp +\[?.*answer an editor/);
    const { code, err } = cli.run(['lsp', '--socket=7000']);
    expect(code).toBe(2);
    expect(err).toContain("unknown option '--socket=7000'");
  });
});
