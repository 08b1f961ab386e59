/**
 * One editor with the package, one browser, and one folder for all files of tests: to start an editor and to load a page of it takes
 * longer than most tests. The user's settings are shared: what a test changes are settings of its folder.
 */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEditor } from '../tools/editor.ts';
import { packagePath } from '../tools/package.ts';
import { type EditorAccess, serveBrowser, trustingSettings } from './browser.ts';

declare module 'vitest' {
  interface ProvidedContext {
    editor: EditorAccess;
    /** Where the browser listens. */
    browser: string;
    /** The folder that the shared page has open. */
    folder: string;
  }
}

/** Settings for steady pictures, quick hovers, and terminals whose text stands in the page once. */
const steadySettings = {
  ...trustingSettings,
  'workbench.colorTheme': 'Default Dark Modern',
  'editor.hover.delay': 100,
  'editor.cursorBlinking': 'solid',
  'editor.stickyScroll.enabled': false,
  'terminal.integrated.stickyScroll.enabled': false,
  'terminal.integrated.gpuAcceleration': 'off',
};

/** Before the first file; what it answers with is done after the last. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const editor = await startEditor({ vsix: packagePath, settings: steadySettings });
  const browser = await serveBrowser().catch(async (error: unknown) => {
    await editor.stop();
    throw error;
  });
  provide('editor', { url: editor.url, password: editor.password });
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'pw-ws-')));
  provide('browser', browser.wsEndpoint());
  provide('folder', folder);
  return async () => {
    await browser.close();
    await editor.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
