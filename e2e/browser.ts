import { chromium, type Browser } from 'playwright-core';
import { findChromium } from '../tools/realEditor.ts';

/** A headless Chromium without GPU, network or first-run pages. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = await findChromium();
  if (executablePath === undefined) throw new Error('There is no Chromium: npm test installs one, or says how.');
  const still = ['--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
  return chromium.launch({
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
  });
}
