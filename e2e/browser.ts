import { chromium, type Browser, type BrowserServer, type LaunchOptions } from 'playwright-core';
import { findChromium } from '../tools/realEditor.ts';

/** A headless Chromium without GPU, network or first-run pages. */
export const startBrowser = async (): Promise<Browser> => chromium.launch(await launchOptions());

/** The same for several processes, which connect to it one after the other. */
export const serveBrowser = async (): Promise<BrowserServer> => chromium.launchServer(await launchOptions());

/** A browser that is served. Closing it closes the pages that were opened by it, and not the browser. */
export const connectBrowser = (address: string): Promise<Browser> => chromium.connect(address);

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
