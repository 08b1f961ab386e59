import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { root } from '../tools/run.ts';
import { connectBrowser } from './browser.ts';
import './sharedEditor.ts';
import { panelIn, patience, screenshots } from './workbench.ts';

/** What `npm start` has Node run. */
function start(port: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } };
  return [...scripts.start.split(' ').slice(1), '--embedded', '--port', port];
}

/** A newcomer has pressed nothing yet. */
async function expectPictureBesideText(address: string): Promise<void> {
  const browser = await connectBrowser(inject('browser'));
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 850 } });
    page.setDefaultTimeout(patience);
    await page.goto(address);
    const [text, picture] = [
      page.locator('.editor-instance .view-line').first(),
      panelIn(page).locator('canvas.scene'),
    ];
    await page.locator('.codelens-decoration a', { hasText: 'on average' }).waitFor();
    await picture.waitFor();
    await panelIn(page).locator('.status[data-status="fresh"]').waitFor({ state: 'attached' });
    await page.screenshot({ path: join(screenshots, 'start.png') });
    const [left, right] = [await text.boundingBox(), await page.locator('iframe.webview.ready').boundingBox()];
    expect(left!.x).toBeLessThan(right!.x);
  } finally {
    await browser.close();
  }
}

describe('npm start without a desktop editor', () => {
  it('serves samples/ on the loopback address until it is told to stop', async () => {
    const child = spawn(process.execPath, start('0'), {
      cwd: root,
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
      await expectPictureBesideText(address() ?? '');
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
    const failed = promisify(execFile)(process.execPath, start(portOf(taken)), { cwd: root });
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(message) as string,
    });
    server.close();
  });
});
