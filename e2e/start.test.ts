import { execFile, spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { root } from '../tools/root.ts';

describe('npm start without a desktop editor', () => {
  it('serves samples/ on the loopback address until it is told to stop', async () => {
    const child = spawn(process.execPath, [join(root, 'tools/start.ts'), '--embedded', '--port', '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    try {
      const address = (): string | undefined => /http:\/\/127\.0\.0\.1:\d+\/\?folder=\S+/.exec(printed)?.[0];
      await expect.poll(address, { timeout: 60_000 }).toBeDefined();
      const opened = decodeURIComponent(address() ?? '');
      expect(opened).toContain(join(root, 'samples'));
      expect(opened).toMatch(/openFile.*\/samples\/quickstart\.place/);
      // Nothing but where it is and how to end it.
      expect(printed.trim().split('\n').length).toBeLessThan(10);
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

  it.each([
    ['that another program has', (taken: number) => `${taken}`, /Port \d+ cannot be used/],
    ['that is none', () => 'http', /"http" is no port/],
  ])('says what to do about a port %s', async (_which, portOf, message) => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const taken = (server.address() as AddressInfo).port;
    const words = [join(root, 'tools/start.ts'), '--embedded', '--port', portOf(taken)];
    const failed = promisify(execFile)(process.execPath, words);
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(message) as string,
    });
    server.close();
  });
});
