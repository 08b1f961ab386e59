import { chromium, type Browser, type BrowserServer, type LaunchOptions, type Page } from 'playwright-core';
import type { Editor } from '../tools/editor.ts';
import { findChromium } from '../tools/realEditor.ts';

/** Where an editor listens, without a path, and what it asks for. */
export type EditorAccess = Pick<Editor, 'url' | 'password'>;

/** For editors of tests: no dialog asks whether to trust a folder that a test has made. */
export const trustingSettings = { 'security.workspace.trust.enabled': false };

/** A headless Chromium without GPU, network or first-run pages. */
export const startBrowser = async (): Promise<Browser> => chromium.launch(await launchOptions());

/** The same for several processes, which connect to it one after the other. */
export const serveBrowser = async (): Promise<BrowserServer> => chromium.launchServer(await launchOptions());

/** A browser that is served. Closing it closes the pages that were opened by it, and not the browser. */
export const connectBrowser = (address: string): Promise<Browser> => chromium.connect(address);

/** Gives the password of an editor, as its login page does: the page may open it from then on. */
export async function logIn(page: Page, { url, password }: EditorAccess): Promise<void> {
  const answer = await page.request.post(`${url}/login`, { form: { password }, maxRedirects: 0 });
  if (answer.status() !== 302) throw new Error(`The editor at ${url} refuses its password: ${answer.status()}.`);
}

async function launchOptions(): Promise<LaunchOptions> {
  const executablePath = await findChromium();
  if (executablePath === undefined) throw new Error('There is no Chromium: npm test installs one, or says how.');
  const still = ['--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
  return {
    executablePath,
    // Memory is measured at once, rather than when the browser next happens to collect it.
    args: [
      '--enable-blink-features=ForceEagerMeasureMemory',
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      ...still,
    ],
  };
}
