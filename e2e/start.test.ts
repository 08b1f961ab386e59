import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../tools/root.ts';

describe('npm start without a desktop editor', () => {
  it('serves samples/ on the loopback address until it is told to stop', async () => {
    const child = spawn(process.execPath, [join(root, 'tools/start.ts'), '--embedded'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    try {
      const address = (): string | undefined => /http:\/\/127\.0\.0\.1:\d+\/\?folder=\S+/.exec(printed)?.[0];
      await expect.poll(address, { timeout: 60_000 }).toBeDefined();
      expect(decodeURIComponent(address() ?? '')).toContain(join(root, 'samples'));
      const answer = await fetch(address() ?? '');
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('workbench');
    } finally {
      child.kill('SIGTERM');
    }
    expect(await ended).toBe(0);
    const [origin = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
    await expect(fetch(origin)).rejects.toThrow();
  });
});
