import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { root } from '../tools/run.ts';
import { connectBrowser, type EditorAccess } from './browser.ts';
import './sharedEditor.ts';
import { panelIn, patience, screenshots } from './workbench.ts';

/** What `npm start` has Node run. */
function start(...parameters: readonly string[]): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } };
  return [...scripts.start.split(' ').slice(1), '--embedded', ...parameters];
}

/** `npm start` once it has printed where it is. */
interface Started extends EditorAccess {
  /** Of the page with the quickstart. */
  readonly address: string;
  readonly printed: string;
  /** Ends it as Ctrl-C does; its exit code. */
  readonly stop: () => Promise<number | null>;
}

async function started(): Promise<Started> {
  const child = spawn(process.execPath, start(), { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const stop = (): Promise<number | null> => {
    child.kill('SIGTERM');
    return ended;
  };
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const found = (): readonly string[] =>
    /(http:\/\/127\.0\.0\.1:\d+)\/\?folder=\S+\s+Password: (\S+)/.exec(printed) ?? [];
  try {
    await vi.waitFor(() => {
      expect(found()).toHaveLength(3);
    }, patience);
  } catch (error) {
    await stop();
    throw error;
  }
  const [text = '', url = '', password = ''] = found();
  return { url, password, address: /^\S+/.exec(text)?.[0] ?? '', printed, stop };
}

/** The parameters of all processes, which every user of the machine can read. */
async function readableParameters(): Promise<readonly string[]> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  // One may have ended since it was listed.
  return Promise.all(processes.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
}

/** A newcomer gives the password and has pressed nothing else yet: nor trusted the folder. */
async function expectPictureBesideText({ address, password }: Started): Promise<void> {
  const browser = await connectBrowser(inject('browser'));
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 850 } });
    page.setDefaultTimeout(patience);
    await page.goto(address);
    await page.getByText('The password is in the terminal').waitFor();
    await page.locator('input[type="password"]').fill(password);
    await page.screenshot({ path: join(screenshots, 'start-password.png') });
    await page.keyboard.press('Enter');
    const [text, picture] = [
      page.locator('.editor-instance .view-line').first(),
      panelIn(page).locator('canvas.scene'),
    ];
    await page.locator('.codelens-decoration a', { hasText: 'on average' }).waitFor();
    await picture.waitFor();
    await panelIn(page).locator('.status[data-status="fresh"]').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Restricted Mode' }).first().waitFor();
    await page.screenshot({ path: join(screenshots, 'start.png') });
    const [left, right] = [await text.boundingBox(), await page.locator('iframe.webview.ready').boundingBox()];
    expect(left!.x).toBeLessThan(right!.x);
  } finally {
    await browser.close();
  }
}

// One way, in order: each step goes on with what the one before left.
describe('npm start without a desktop editor', () => {
  let editor: Started;
  beforeAll(async () => {
    editor = await started();
    return editor.stop;
  });

  it('says where it serves samples/, and little else', () => {
    const opened = decodeURIComponent(editor.address);
    expect(opened).toContain(join(root, 'samples'));
    expect(opened).toMatch(/openFile.*\/samples\/quickstart\.place/);
    expect(editor.printed.trim().split('\n').length).toBeLessThan(10);
  });

  it('asks for a password, which no other user can read', async () => {
    expect(editor.password).toMatch(/^[\w-]{20,}$/);
    const page = await fetch(editor.address, { redirect: 'manual' });
    expect(page.status).toBe(302);
    expect(page.headers.get('location')).toMatch(/^\.\/login\?/);
    const parameters = await readableParameters();
    expect(parameters.some((words) => words.includes('code-server'))).toBe(true);
    expect(parameters.filter((words) => words.includes(editor.password))).toEqual([]);
  });

  it('runs beside another one, whose password is another', async () => {
    const other = await started();
    await other.stop();
    expect(new URL(other.url).port).not.toBe(new URL(editor.url).port);
    const body = new URLSearchParams({ password: other.password });
    const refused = await fetch(`${editor.url}/login`, { method: 'POST', body, redirect: 'manual' });
    // The login page again.
    expect(refused.status).toBe(200);
    expect(refused.headers.has('set-cookie')).toBe(false);
  });

  it('shows the picture beside the text to who has the password', () => expectPictureBesideText(editor));

  it('ends when it is told to', async () => {
    expect(await editor.stop()).toBe(0);
    await expect(fetch(editor.url)).rejects.toThrow();
  });

  it.each([
    ['that another program has', (taken: number) => `${taken}`, /Port \d+ cannot be used/],
    ['that is none', () => 'http', /"http" is no port/],
  ])('says what to do about a port %s', async (_which, portOf, message) => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const taken = (server.address() as AddressInfo).port;
    const failed = promisify(execFile)(process.execPath, start('--port', portOf(taken)), { cwd: root });
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(message) as string,
    });
    server.close();
  });
});
