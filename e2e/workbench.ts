/** One page of the workbench, with the few gestures that the tests are written in. */
import { cp, mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { addressOf } from '../tools/editor.ts';
import { root } from '../tools/run.ts';
import { connectBrowser, logIn } from './browser.ts';
import './sharedEditor.ts';
import { startWebEditor } from './webEditor.ts';

/** Where pictures are kept, for people to look at. */
export const screenshots = join(import.meta.dirname, 'out');

/**
 * Longest that a test waits for what a user would see, milliseconds. Two cores carry the editor, a browser without GPU and
 * whatever else the machine does: this says when a thing is taken for lost, not how long one is expected to take.
 */
export const patience = 60_000;
/** A setting for folders whose tests choose themes: the editor changes it where it is. */
export const ownTheme = { 'workbench.colorTheme': 'Default Dark Modern' };

/** Of the window, pixels. */
const usualSize = { width: 1400, height: 850 };

/** After so long a gesture is made again: what comes while the editor is busy is lost. */
const gesturePause = 3000;

/** What is read of an answer of axe-core. */
interface Findings {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

/** The page inside the panel of a placement. That of a view is none. */
export const panelIn = (page: Page): FrameLocator =>
  page
    .frameLocator('iframe.webview.ready[src*="extensionId=placewright.placewright"]:not([src*="purpose=webviewView"])')
    .frameLocator('iframe#active-frame');

/** Where the page comes from. */
interface Origin {
  /** Of the page that opens the folder, and perhaps a file in it. */
  readonly addressOf: (file?: string) => string;
  readonly stop: () => Promise<void>;
}

export class Workbench {
  readonly page: Page;
  readonly #origin: Origin;

  private constructor(page: Page, origin: Origin) {
    this.page = page;
    this.#origin = origin;
  }

  /**
   * Opens a folder and a file in it. `language`: that of the editor, as a language pack sets it before anything of the editor
   * runs; its own words stay English without such a pack.
   */
  static async open(
    folder: string,
    file: string,
    { language }: { readonly language?: string } = {},
  ): Promise<Workbench> {
    const editor = inject('editor');
    const origin = { addressOf: (name?: string) => addressOf(editor.url, folder, name), stop: () => Promise.resolve() };
    return Workbench.#load(origin, file, async (page) => {
      await logIn(page, editor);
      // Else the editor compresses itself for every page, which takes longer than the loopback.
      await page.setExtraHTTPHeaders({ 'accept-encoding': 'identity' });
      if (language !== undefined) await page.addInitScript(setLanguage, language);
    });
  }

  /**
   * Opens a file of a folder in memory, in an editor that has no server behind it. `isolated`: the page may share memory between
   * its threads. Nothing but the loopback is asked for anything.
   */
  static async withoutServer(
    files: Readonly<Record<string, string>>,
    file: string,
    options: { readonly isolated?: boolean } = {},
  ): Promise<Workbench> {
    const editor = await startWebEditor(files, options);
    return Workbench.#load(editor, file, (page) =>
      page.route(
        ({ hostname }) => hostname !== '127.0.0.1',
        (route) => route.abort(),
      ),
    );
  }

  static async #load(origin: Origin, file: string, prepare: (page: Page) => Promise<unknown>): Promise<Workbench> {
    await mkdir(screenshots, { recursive: true });
    try {
      const browser = await connectBrowser(inject('browser'));
      const page = await browser.newPage({ viewport: usualSize, colorScheme: 'dark' });
      page.setDefaultTimeout(patience);
      await prepare(page);
      // The first page reads the whole editor from the disk.
      await page.goto(origin.addressOf(file), { timeout: 2 * patience });
      // The file is there long before its extension.
      await page
        .locator('.editor-instance .view-line')
        .first()
        .waitFor({ timeout: 2 * patience });
      return new Workbench(page, origin);
    } catch (error) {
      await origin.stop();
      throw error;
    }
  }

  /**
   * Loads the page anew, as the editor knows it by then, without what changes from now on: in a browser it writes its own
   * state every few seconds while its page has the focus, and none when the page goes. So we wait until that says
   * `saved`, and have the page lose its focus as far as the editor sees.
   */
  async holdEditorState(saved: string): Promise<void> {
    await this.savedState(saved);
    await this.page.evaluate(() => {
      document.hasFocus = () => false;
    });
  }

  /** Waits until something that is kept for the folder matches a regular expression. */
  async savedState(pattern: string): Promise<void> {
    const end = performance.now() + patience;
    while (!(await this.page.evaluate(isInSavedState, pattern))) {
      if (performance.now() > end) throw new Error(`Nothing that is kept matches ${pattern}.`);
      await this.page.waitForTimeout(100);
    }
  }

  /** Opens the folder anew, as it was left: naming a file would open that instead of what was there. */
  async reopen(): Promise<void> {
    await this.page.goto(this.#origin.addressOf(), { timeout: 2 * patience });
  }

  async close(): Promise<void> {
    await this.page.context().browser()?.close();
    await this.#origin.stop();
  }

  /** Bytes that the page and all its threads hold; of one whose threads share memory, without a server. */
  async memory(): Promise<number> {
    const measured = await this.page.evaluate(() =>
      (
        performance as unknown as { measureUserAgentSpecificMemory(): Promise<{ readonly bytes: number }> }
      ).measureUserAgentSpecificMemory(),
    );
    return measured.bytes;
  }

  /** Keeps what is seen as `e2e/out/NAME.png`: for people to look at. */
  async screenshot(name: string): Promise<void> {
    await this.page.screenshot({ path: join(screenshots, `${name}.png`) });
  }

  /** Closes all editors, and the panel below them. */
  async closeAll(): Promise<void> {
    await this.command('View: Close All Editors');
    const panel = this.page.locator('.part.panel');
    if (!(await panel.isVisible())) return;
    await this.page.keyboard.press('Control+J');
    await panel.waitFor({ state: 'hidden' });
  }

  /** As a page that was just loaded: nothing is open, the explorer is in sight. What is not saved is lost. */
  async tidyUp(): Promise<void> {
    await this.page.setViewportSize(usualSize);
    await this.page.mouse.move(5, 5);
    await this.command('View: Close All Editors');
    const loseChanges = this.page.locator('.monaco-dialog-box').getByRole('button', { name: "Don't Save" });
    await this.#untilDone(async (timeout) => {
      if (await loseChanges.isVisible()) await loseChanges.click({ timeout });
      await this.page.locator('.tabs-container .tab').first().waitFor({ state: 'detached', timeout });
    });
    await this.closeAll();
    await this.command('Notifications: Clear All Notifications');
    await this.command('View: Show Explorer');
  }

  /** Runs a command by its title, as users do. */
  async command(title: string): Promise<void> {
    // A dialog that is closing still, of a file that was just saved, may take the box away with it.
    await this.#untilDone(async (timeout) => {
      await this.page.keyboard.press('F1');
      await this.#input.fill(`>${title}`, { timeout });
      await this.choice(title).click({ timeout });
    });
  }

  /** The same with the cursor in a line: whatever the editor's width shows of the lenses above it. */
  async commandAt(line: string | RegExp, title: string): Promise<void> {
    await this.page.locator('.editor-instance .view-line', { hasText: line }).first().click();
    await this.command(title);
  }

  /** Runs a command by its title, and by nothing but keys. */
  async commandByKeys(title: string): Promise<void> {
    await this.#untilDone(async (timeout) => {
      await this.page.keyboard.press('F1');
      await this.#input.waitFor({ timeout });
      await this.page.keyboard.type(title);
      await this.choice(title).waitFor({ timeout });
      await this.page.keyboard.press('Enter');
    });
  }

  /** Chooses a colour theme by its name. The folder must have a setting of it, else that of all pages would change. */
  async chooseTheme(theme: string): Promise<void> {
    await this.command('Preferences: Color Theme');
    await this.#input.fill(theme);
    await this.choice(theme).click();
    await this.page
      .locator(
        theme.includes('Contrast') ? '.monaco-workbench.hc-black, .monaco-workbench.hc-light' : '.monaco-workbench',
      )
      .waitFor();
  }

  /** Opens a file of the folder by its name. */
  async openFile(name: string): Promise<void> {
    let isAgain = false;
    await this.#untilDone(async (timeout) => {
      // A box that is open keeps what it found before: of a folder that was just filled perhaps nothing.
      if (isAgain) await this.page.keyboard.press('Escape');
      isAgain = true;
      await this.page.keyboard.press('Control+P');
      await this.#input.fill(name, { timeout });
      // Rows move while the search goes on: a click could meet another one.
      await this.choice(name).and(this.page.locator('.focused')).waitFor({ timeout });
      await this.page.keyboard.press('Enter');
      await this.page.locator('.tab.active', { hasText: name }).waitFor({ timeout });
    });
  }

  /** The same by the explorer: a folder that lies nowhere cannot be searched. */
  async openListed(name: string): Promise<void> {
    const row = this.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first();
    await this.#untilDone(async (timeout) => {
      await row.dblclick({ timeout });
      await this.page.locator('.tab.active', { hasText: name }).waitFor({ timeout });
    });
  }

  /** Chooses from the menu of a row. A menu is deaf to the mouse at first, lest the click that opens it chooses as well. */
  async fromMenu(row: Locator, title: string): Promise<void> {
    await row.click({ button: 'right' });
    const entry = this.page.getByRole('menuitem', { name: title });
    await entry.waitFor();
    await this.#untilDone(async (timeout) => {
      if (await entry.isVisible()) await entry.click({ timeout });
      await entry.waitFor({ state: 'hidden', timeout });
    });
  }

  /** The first lens above a declaration that says so. */
  lens(text: RegExp): Locator {
    return this.page.locator('.codelens-decoration a', { hasText: text }).first();
  }

  /** An entry of the list under the input box. */
  choice(text: string): Locator {
    return this.page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();
  }

  /** Names a file in the dialog that asks for one. */
  async nameFile(path: string): Promise<void> {
    await this.page.locator('.quick-input-title', { hasText: 'Placewright' }).waitFor();
    // The dialog looks a path up while it is typed and may set the text back to what it knows; so the
    // folder is typed, again where need be, and the file chosen among what the dialog lists.
    const row = this.page.locator('.quick-input-list .monaco-list-row', { hasText: basename(path) }).first();
    await this.#untilDone(async (timeout) => {
      await this.#input.fill(`${dirname(path)}/`, { timeout });
      await row.click({ timeout });
    });
  }

  /** Accepts the file that the save dialog suggests; it must have this name. */
  async acceptSuggestedFile(name: string): Promise<void> {
    const dialog = this.page.locator('.quick-input-title', { hasText: 'Placewright' });
    await dialog.waitFor();
    const isSuggested = (wanted: string): boolean =>
      document.querySelector<HTMLInputElement>('.quick-input-widget input.input')?.value.includes(wanted) === true;
    await this.page.waitForFunction(isSuggested, name);
    await this.#untilDone(async (timeout) => {
      await this.page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'hidden', timeout });
    });
  }

  /** Saves what the panel shows as this kind of file: fills in the form that stands open, or opens it. */
  async saveShown(format: 'svg' | 'pdf' | 'png' | 'csv', name: string, { isOpen = false } = {}): Promise<void> {
    const { panel } = this;
    if (!isOpen) await this.command('Placewright: Save Image…');
    await panel.getByRole('combobox', { name: 'Format' }).selectOption(format);
    await panel.getByRole('button', { name: 'Save …' }).click();
    await this.acceptSuggestedFile(name);
  }

  get #input(): Locator {
    return this.page.locator('.quick-input-widget input.input');
  }

  /** A word of the text in the editor. */
  word(text: string): Locator {
    return this.page.locator('.view-line span span', { hasText: new RegExp(`^\\s*${text}\\s*$`) }).first();
  }

  /** Points at a word until a hover with the wanted text appears. */
  async hover(word: string, wanted: string): Promise<string> {
    const hover = this.page.locator('.monaco-hover .hover-contents', { hasText: wanted }).first();
    return this.#untilDone(async (timeout) => {
      await this.page.mouse.move(5, 5);
      await this.word(word).hover({ timeout });
      await hover.waitFor({ timeout });
      return hover.innerText();
    });
  }

  /** Takes the quick fix with this text at the cursor. */
  async quickFix(text: string): Promise<void> {
    const fix = this.page.locator('.action-widget .monaco-list-row', { hasText: text }).first();
    await this.#untilDone(async (timeout) => {
      // The same keys take the first fix where the list is open, which may have come late.
      await this.page.keyboard.press('Escape');
      await this.page.keyboard.press('Control+.');
      await fix.waitFor({ timeout });
    });
    await this.page.keyboard.press('Enter');
  }

  /** Makes a gesture again and again until what it is to bring about is seen. */
  async #untilDone<Answer>(gesture: (timeout: number) => Promise<Answer>): Promise<Answer> {
    const started = performance.now();
    for (;;) {
      try {
        return await gesture(gesturePause);
      } catch (error) {
        if (performance.now() - started > patience) throw error;
      }
    }
  }

  problem(text: string): Locator {
    return this.page.locator('.markers-panel .monaco-list-row', { hasText: text }).first();
  }

  /** The page inside the placement's panel. */
  get panel(): FrameLocator {
    return panelIn(this.page);
  }

  /** The page of a view of ours below the editors. */
  get view(): FrameLocator {
    return this.page
      .frameLocator('iframe.webview.ready[src*="purpose=webviewView"]')
      .frameLocator('iframe#active-frame');
  }

  /** What the panel says of what is selected. */
  get explanation(): Locator {
    return this.panel.getByRole('region', { name: 'Explanation' });
  }

  get canvas(): Locator {
    return this.panel.locator('canvas.scene');
  }

  /** The lines of the program that are in sight. */
  async text(): Promise<string> {
    const lines = await this.#lines();
    return lines.map(({ text }) => text).join('\n');
  }

  /** Those of them that a decoration lights up. */
  async litLines(): Promise<readonly string[]> {
    const lit = await this.page
      .locator('.view-overlays [class*="TextEditorDecorationType"]')
      .evaluateAll((marks) => marks.map((mark) => mark.getBoundingClientRect().top));
    return (await this.#lines()).filter(({ top }) => lit.includes(top)).map(({ text }) => text.trim());
  }

  /** From top to bottom; the editor keeps them in any order. */
  async #lines(): Promise<readonly { readonly top: number; readonly text: string }[]> {
    const lines = await this.page.locator('.editor-instance .view-line').evaluateAll((elements) =>
      elements.map((line) => ({
        top: line.getBoundingClientRect().top,
        text: line.textContent.replaceAll('\u00a0', ' '),
      })),
    );
    return lines.sort((one, other) => one.top - other.top);
  }

  /** Whether keys go to the picture or to the program. */
  focus(): Promise<'panel' | 'text' | 'elsewhere'> {
    return this.page.evaluate(() => {
      const focused = document.activeElement;
      if (focused?.matches('iframe.webview') === true) return 'panel';
      return focused?.closest('.monaco-editor') ? 'text' : 'elsewhere';
    });
  }

  /** Presses Tab until the keys go to what a selector finds in the panel. */
  async focusByTab(selector: string): Promise<void> {
    const wanted = this.panel.locator(selector);
    for (let presses = 0; presses < 40; presses++) {
      if (await wanted.evaluate((element) => element === document.activeElement)) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`Tab never came to ${selector}.`);
  }

  /** What axe-core, whose source is given, finds wrong with the page inside the panel. */
  async findings(source: string): Promise<readonly string[]> {
    const body = await this.panel.locator('body').elementHandle();
    const frame = await body.ownerFrame();
    if (!frame) throw new Error('There is no panel.');
    await frame.evaluate(source);
    const { violations } = await frame.evaluate(() =>
      (window as unknown as { axe: { run(page: Document): Promise<Findings> } }).axe.run(document),
    );
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
  }

  /** By how many pixels the page inside the panel is wider than the panel. */
  panelOverflow(): Promise<number> {
    return this.panel.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  }

  /** Every pixel of the picture. */
  pixels(): Promise<string> {
    return this.canvas.evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
  }

  /** Colours on the canvas, most frequent first, as `r,g,b,a`. */
  colors(): Promise<string[]> {
    return this.canvas.evaluate((element) => {
      const canvas = element as HTMLCanvasElement;
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      const counts = new Map<string, number>();
      for (let at = 0; at < data.length; at += 4) {
        const color = data.slice(at, at + 4).join();
        counts.set(color, (counts.get(color) ?? 0) + 1);
      }
      return [...counts].sort((a, b) => b[1] - a[1]).map(([color]) => color);
    });
  }

  /** Clicks the first patch of the canvas that is wholly of one colour. */
  async clickPatch(color: string): Promise<void> {
    const position = await this.canvas.evaluate((element, wanted) => {
      const canvas = element as HTMLCanvasElement;
      const context = canvas.getContext('2d')!;
      const side = 6;
      for (let y = 0; y + side < canvas.height; y += 2) {
        for (let x = 0; x + side < canvas.width; x += 2) {
          const { data } = context.getImageData(x, y, side, side);
          let same = true;
          for (let at = 0; same && at < data.length; at += 4) same = data.slice(at, at + 4).join() === wanted;
          const ratio = canvas.clientWidth / canvas.width;
          if (same) return { x: (x + side / 2) * ratio, y: (y + side / 2) * ratio };
        }
      }
      return undefined;
    }, color);
    if (position === undefined) throw new Error(`Nothing on the canvas is of the colour ${color}.`);
    await this.canvas.click({ position });
  }
}

interface Opened {
  /** What the folder holds; the samples where it is left out. */
  readonly fill?: (folder: string) => Promise<unknown>;
  /** As {@link Workbench.open} says. Such a page is not shared. */
  readonly language?: string;
  /** For tests of how the editor starts: a page that was just loaded, with nothing in its storage. */
  readonly newPage?: boolean;
}

/** The page that files of tests use one after the other. To load one takes 14 CPU-seconds. */
let sharedWorkbench: Workbench | undefined;

/**
 * For the tests of a file: a folder that holds nothing else, opened with one of its files before the first of them.
 * `name` is that of pictures of what a failing test saw.
 */
export function openWorkbench(
  name: string,
  file: string,
  opened: (workbench: Workbench, folder: string) => void,
  { fill = samplesInto, language, newPage = language !== undefined }: Opened = {},
): void {
  let folder = '';
  let workbench: Workbench | undefined;
  let hasFailed = false;
  const load = async (): Promise<Workbench> => {
    await empty(folder);
    await fill(folder);
    return Workbench.open(folder, file, language === undefined ? {} : { language });
  };
  beforeAll(async () => {
    folder = newPage ? await realpath(await mkdtemp(join(tmpdir(), 'pw-ws-'))) : inject('folder');
    if (newPage) workbench = await load();
    else {
      workbench = (await reuse(sharedWorkbench, folder, file, fill)) ?? (await load());
      sharedWorkbench = workbench;
    }
    opened(workbench, folder);
  });
  afterAll(async () => {
    if (!newPage && !hasFailed) return;
    // A page in which a test failed may be in any state.
    if (!newPage) sharedWorkbench = undefined;
    await workbench?.close();
    if (newPage) await rm(folder, { recursive: true, force: true });
  });
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    hasFailed = true;
    await workbench?.screenshot(`${name}-failed-${nameOfPicture(task.name)}`);
  });
}

/** The shared page with the folder filled anew and a file of it open; undefined where there is none, or it did not get there. */
async function reuse(
  workbench: Workbench | undefined,
  folder: string,
  file: string,
  fill: (folder: string) => Promise<unknown>,
): Promise<Workbench | undefined> {
  try {
    await workbench?.tidyUp();
    await empty(folder);
    await fill(folder);
    await workbench?.openFile(basename(file));
    return workbench;
  } catch {
    await workbench?.close();
    return undefined;
  }
}

async function empty(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
}

/** A name of a test as one of a file. */
export const nameOfPicture = (test: string): string => test.slice(0, 40).trim().replaceAll(/\W+/g, '-');

/** The folder that most tests open. */
export const samplesInto = (folder: string): Promise<void> => cp(join(root, 'samples'), folder, { recursive: true });

/** Runs in the page before the editor's own scripts. */
function setLanguage(language: string): void {
  Object.assign(globalThis, { _VSCODE_NLS_LANGUAGE: language });
}

/** Runs in the page: whether the editor's saved state matches a regular expression. */
async function isInSavedState(pattern: string): Promise<boolean> {
  const answered = <Answer>(request: IDBRequest<Answer>): Promise<Answer> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => {
        resolve(request.result);
      };
      request.onerror = () => {
        reject(new Error(request.error?.message));
      };
    });
  for (const { name } of await indexedDB.databases()) {
    if (name?.startsWith('vscode-web-state-db-') !== true) continue;
    const database = await answered(indexedDB.open(name));
    const values: unknown[] = await answered(database.transaction('ItemTable').objectStore('ItemTable').getAll());
    database.close();
    if (values.some((value) => typeof value === 'string' && new RegExp(pattern).test(value))) return true;
  }
  return false;
}
