#!/usr/bin/env node
/**
 * Stands in for the desktop `code` that `vscode-test` starts: runs the same suites in the
 * extension host of the embedded VS Code, with a headless Chromium as its window.
 */
import { resolve } from 'node:path';
import { format } from 'node:util';
import { logIn, startBrowser, trustingSettings } from './browser.ts';
import { startEditor } from '../tools/editor.ts';

/** Longest run of all suites, milliseconds. */
const limit = 180_000;

/** What the workbench itself writes to the console: no news for who reads test results. */
const noise =
  /^(Resolv|Creating a socket|Updating additional|Ignoring fetching|\[(reconnection-grace-time|Service Worker|AgentHost|AccountPolicyGate))/;

const given = process.argv.slice(2);
const valuesOf = (name: string): string[] =>
  given.filter((word) => word.startsWith(`--${name}=`)).map((word) => word.slice(name.length + 3));

async function runSuites(): Promise<number> {
  // Without this switch a built VS Code ignores what to test.
  const parameters = ['--vscode-option', 'enable-smoke-test-driver'];
  const editor = await startEditor({ parameters, settings: trustingSettings });
  const browser = await startBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const ended = new Promise<number>((done, fail) => {
      void page.exposeFunction('codeAutomationExit', done);
      page.on('crash', () => {
        fail(new Error('The page of the editor crashed.'));
      });
      setTimeout(() => {
        fail(new Error(`The suites ran for more than ${limit / 1000} s.\n${editor.log()}`));
      }, limit).unref();
    });
    await page.exposeFunction('codeAutomationLog', (type: string, values: unknown[]) => {
      const line = format(...values);
      if (!noise.test(line)) (type === 'error' || type === 'warn' ? process.stderr : process.stdout).write(`${line}\n`);
    });
    await logIn(page, editor);
    await page.goto(addressOfSuites(editor.url));
    return await ended;
  } finally {
    await browser.close();
    await editor.stop();
  }
}

function addressOfSuites(url: string): string {
  const remote = (path: string): string => `vscode-remote://${new URL(url).host}${encodeURI(resolve(path))}`;
  const payload = ['extensionDevelopmentPath', 'extensionTestsPath'].flatMap((name) =>
    valuesOf(name).map((path) => [name, remote(path)]),
  );
  const folder = given.find((word) => !word.startsWith('-'));
  const opened = folder === undefined ? 'ew=true' : `folder=${encodeURIComponent(resolve(folder))}`;
  return `${url}/?${opened}&payload=${encodeURIComponent(JSON.stringify(payload))}`;
}

process.exitCode = await runSuites();
