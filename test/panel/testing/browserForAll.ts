/** The bundles of the pages, and one browser, for all files of panel tests: to start one takes longer than most tests. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { serveBrowser } from '../../../e2e/browser.ts';
import { buildSome, bundles } from '../../../tools/build.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly panel: {
      /** The folder of the bundles. */
      readonly bundles: string;
      /** Address of the browser. */
      readonly browser: string;
    };
  }
}

/** Before the first file; what it answers with is done after the last. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const browser = await serveBrowser();
  const folder = await mkdtemp(join(tmpdir(), 'placewright-panel-'));
  const stop = async (): Promise<void> => {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const pages = bundles.filter(({ entry }) => entry.startsWith('webview/'));
    await buildSome(
      pages.map(({ out }) => out),
      folder,
    );
  } catch (error) {
    await stop();
    throw error;
  }
  provide('panel', { bundles: folder, browser: browser.wsEndpoint() });
  return stop;
}
