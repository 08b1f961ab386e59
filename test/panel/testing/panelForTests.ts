import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { builtBundles } from '../../builtOnce.ts';
import { startPanelHost, type PanelHost } from './panelPage.ts';

/** Starts the browser for the tests of a file. Behind each test its page must have had no problem. */
export function panelForTests(): Pick<PanelHost, 'open'> {
  let host: PanelHost | undefined;
  const complaints: string[] = [];
  beforeAll(async () => {
    host = await startPanelHost(await builtBundles(), complaints);
  });
  afterEach(() => {
    expect(complaints.splice(0)).toEqual([]);
  });
  afterAll(() => host?.stop());
  return { open: (options) => host!.open(options) };
}
