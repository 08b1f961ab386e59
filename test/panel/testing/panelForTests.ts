import { afterEach, beforeAll, expect, inject } from 'vitest';
import { connectBrowser } from '../../../e2e/browser.ts';
import './browserForAll.ts';
import { startPanelHost, type PanelHost } from './panelPage.ts';

/** The page of all files that this process runs. It ends with the process. */
let shared: Promise<PanelHost> | undefined;
const complaints: string[] = [];

/** The panel for the tests of a file. After each test its page must have had no problem. */
export function panelForTests(): Pick<PanelHost, 'open'> {
  let host: PanelHost | undefined;
  beforeAll(async () => {
    shared ??= start();
    host = await shared;
  });
  afterEach(() => {
    expect(complaints.splice(0)).toEqual([]);
  });
  return { open: (options) => host!.open(options) };
}

async function start(): Promise<PanelHost> {
  const { bundles, browser } = inject('panel');
  return startPanelHost(bundles, await connectBrowser(browser), complaints);
}
