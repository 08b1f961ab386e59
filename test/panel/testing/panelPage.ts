import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import axe from 'axe-core';
import type { startBrowser } from '../../../e2e/browser.ts';
import type { Scene } from '../../../server/drawing/scene.ts';
import { encodeScene } from '../../../server/protocol/encoding.ts';
import { protocolVersion } from '../../../server/protocol/messages.ts';
import type {
  FromExperimentPanel,
  FromSimulationPanel,
  ToExperimentPanel,
  ToSimulationPanel,
} from '../../../server/protocol/figurePanel.ts';
import type { FromLossPage, ToLossPage } from '../../../server/protocol/cableLosses.ts';
import type { FromMapperPage, ToMapperPage } from '../../../server/protocol/mapperComparison.ts';
import type { FromTrafficPanel, ToTrafficPanel } from '../../../server/protocol/trafficPanel.ts';
import type { FromComparePanel, ToComparePanel } from '../../../server/protocol/comparePanel.ts';
import type { LeftState } from '../../../server/protocol/leftPage.ts';
import { panelHtml, type FromPanel, type ToPanel } from '../../../server/protocol/panel.ts';

type PanelWords = NonNullable<Parameters<typeof panelHtml>[0]['words']>;
type Browser = Awaited<ReturnType<typeof startBrowser>>;
export type Page = Awaited<ReturnType<Browser['newPage']>>;

/** The panel alone: its real bundle in a real browser, and a fake editor that records messages. */
export interface PanelHost {
  /** A fresh panel in the one page of the host. */
  open(options?: OpenOptions): Promise<PanelPage>;
  /** Closes the browser as well. */
  stop(): Promise<void>;
}

export interface OpenOptions {
  /** What is shown from the beginning. */
  readonly scene?: Scene;
  readonly width?: number;
  readonly height?: number;
  readonly theme?: Theme;
  /** What an earlier panel saved. */
  readonly state?: unknown;
  /** What the host was told by an earlier panel. */
  readonly left?: LeftState;
  /** The language of the page and its words; English where it is left out. */
  readonly words?: PanelWords;
  /** The script of the page; the panel of a placement where it is left out. */
  readonly script?:
    'panel.js' | 'experiment.js' | 'simulation.js' | 'tryMappers.js' | 'compare.js' | 'traffic.js' | 'cableLosses.js';
}

export interface Theme {
  readonly bodyClass: string;
  readonly variables: Readonly<Record<string, string>>;
}

export interface PanelPage {
  readonly page: Page;
  send(
    message:
      ToPanel | ToExperimentPanel | ToSimulationPanel | ToMapperPage | ToLossPage | ToComparePanel | ToTrafficPanel,
  ): Promise<void>;
  /** Sends a scene and waits until it is painted. */
  show(scene: Scene, options?: Partial<Omit<Extract<ToPanel, { kind: 'scene' }>, 'scene'>>): Promise<void>;
  /** A button in the title of its editor: the form that saves it, which is open then, or its table and back. */
  pressTitle(action: 'save' | 'toggle-table'): Promise<void>;
  /** What the panel has sent so far, oldest first. */
  sent(): Promise<readonly FromPanel[]>;
  /** The same of the panel of an experiment. */
  sentOfExperiment(): Promise<readonly FromExperimentPanel[]>;
  sentOfSimulation(): Promise<readonly FromSimulationPanel[]>;
  sentOfMappers(): Promise<readonly FromMapperPage[]>;
  sentOfLosses(): Promise<readonly FromLossPage[]>;
  sentOfComparison(): Promise<readonly FromComparePanel[]>;
  sentOfTraffic(): Promise<readonly FromTrafficPanel[]>;
  /** What the panel would find after the editor threw its page away. */
  savedState(): Promise<unknown>;
  /** What the host would give the next page, though the editor knew nothing. */
  leftState(): Promise<LeftState>;
  setTheme(theme: Theme): Promise<void>;
  /** Opens the form, chooses, by the names of its lists, and saves. */
  saveAs(choices: Readonly<Record<string, string>>): Promise<void>;
  /** What axe-core finds wrong with the page as it is, in each theme, and whether it is wider than its window. */
  findings(): Promise<readonly string[]>;
  /** The same while the form that saves stands open, at 400 and at 2,000 pixels; Escape closes it. */
  findingsOfForm(): Promise<readonly string[]>;
  /** The next two frames have been painted. */
  settle(): Promise<void>;
}

declare global {
  interface Window {
    panelSent: (
      FromPanel | FromExperimentPanel | FromSimulationPanel | FromMapperPage | FromComparePanel | FromTrafficPanel
    )[];
    panelState: unknown;
    /** What the page has told its host of how it is left. */
    panelLeft: unknown;
  }
}

/**
 * Opens a page for the bundles in `directory`. The problems of the page go to `complaints`: exceptions, and what the content
 * security policy refused.
 */
export async function startPanelHost(
  directory: string,
  browser: Browser,
  complaints: string[] = [],
): Promise<PanelHost> {
  let state: unknown;
  let left: LeftState | undefined;
  let words: PanelWords | undefined;
  let script: string;
  const { server, origin } = await serve(directory, () => pageWithEditor(state, left, script, words));
  const page = await browser.newPage();
  collectComplaints(page, complaints);
  return {
    async open(options = {}) {
      const { scene, width = 900, height = 620, theme = lightTheme } = options;
      state = options.state;
      left = options.left;
      words = options.words;
      script = options.script ?? 'panel.js';
      await page.setViewportSize({ width, height });
      await page.goto(origin);
      const panel = panelPage(page);
      await panel.setTheme(theme);
      if (scene !== undefined) await panel.show(scene);
      return panel;
    },
    async stop() {
      await browser.close();
      server.close();
    },
  };
}

const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };

/** The page and its files on loopback. The browser keeps the files, and what it compiled of them, for the next page. */
async function serve(directory: string, html: () => string): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => {
    const name = /^\/([\w-]+\.(?:js|css))$/.exec(request.url ?? '')?.[1];
    if (name === undefined) {
      response.writeHead(200, { 'content-type': 'text/html' }).end(html());
      return;
    }
    const read = name === 'axe.js' ? Promise.resolve(axe.source) : readFile(join(directory, name));
    read.then(
      (content) =>
        response.writeHead(200, { 'content-type': types[extname(name)], 'cache-control': 'max-age=3600' }).end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

/** Tags of the rules of axe-core that a page is to keep. */
const allRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Those rules that may find another fault in another theme: themes have colours and borders. */
const rulesOfThemes = ['color-contrast', 'link-in-text-block', 'target-size'];

/** Lets scripts of ours run in the page. */
const nonce = 'abc123';

/** Runs in the page: loads axe-core from the host, which the browser compiles once for all pages. */
function loadAxe(allowed: string): Promise<void> {
  if ('axe' in window) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.nonce = allowed;
    script.src = '/axe.js';
    script.onload = () => {
      resolve();
    };
    script.onerror = () => {
      reject(new Error('axe-core cannot be loaded.'));
    };
    document.head.append(script);
  });
}

/** The panel's own page, and before its script the editor that records what it is told. */
function pageWithEditor(
  state: unknown,
  left: LeftState | undefined,
  script: string,
  words: PanelWords | undefined,
): string {
  const saved = state === undefined ? 'undefined' : JSON.stringify(state).replaceAll('<', '\\u003c');
  const editor = `<script nonce="${nonce}">
    window.panelSent = [];
    window.panelState = ${saved};
    window.acquireVsCodeApi = () => ({
      postMessage: (message) => (message.kind === 'left' ? (window.panelLeft = message.state) : window.panelSent.push(message)),
      getState: () => window.panelState,
      setState: (newState) => (window.panelState = newState),
    });
  </script>`;
  const html = panelHtml({
    scriptUri: `/${script}`,
    styleUri: '/pages.css',
    cspSource: "'self'",
    nonce,
    given: { page: 'page', ...(left && { state: left }) },
    ...(words && { words }),
  });
  return html.replace('<script type="module"', () => `${editor}<script type="module"`);
}

function collectComplaints(page: Page, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (entry) => {
    if (entry.type() === 'error' && !entry.text().includes('favicon')) complaints.push(entry.text());
  });
}

function panelPage(page: Page): PanelPage {
  const settle = (): Promise<void> =>
    page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          requestAnimationFrame(() =>
            requestAnimationFrame(() => {
              resolve();
            }),
          );
        }),
    );
  const send = (
    message: ToPanel | ToExperimentPanel | ToMapperPage | ToLossPage | ToComparePanel | ToTrafficPanel,
  ): Promise<void> =>
    page.evaluate((data) => {
      window.dispatchEvent(new MessageEvent('message', { data }));
    }, message);
  const setTheme = async ({ bodyClass, variables }: Theme): Promise<void> => {
    await page.evaluate(
      ([className, entries]) => {
        for (const [name, value] of entries) document.documentElement.style.setProperty(name, value);
        document.body.className = className;
      },
      [bodyClass, Object.entries(variables)] as const,
    );
    await settle();
  };
  const findingsUnder = async (rules: readonly string[]): Promise<readonly string[]> => {
    const { violations } = await page.evaluate(
      (runOnly) =>
        (window as unknown as { axe: typeof axe }).axe.run(document, {
          // Selectors of what passes are not asked for, and take most of the time.
          resultTypes: ['violations'],
          runOnly,
          rules: { 'label-content-name-mismatch': { enabled: true } },
        }),
      [...rules],
    );
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    const faults = violations.map(
      ({ id, nodes }) => `${id}, ${nodes.length} times: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`,
    );
    return isWide ? [...faults, 'wider than the window'] : faults;
  };
  const findings = async (): Promise<readonly string[]> => {
    const found: string[] = [];
    await page.evaluate(loadAxe, nonce);
    for (const [index, [name, theme]] of themes.entries()) {
      // The editor takes the variables of the theme before away.
      await page.evaluate(() => {
        document.documentElement.removeAttribute('style');
      });
      await setTheme(theme);
      const rules = index === 0 ? allRules : rulesOfThemes;
      found.push(...(await findingsUnder(rules)).map((one) => `${name}: ${one}`));
    }
    return found;
  };
  /** What the host tells the page for a button in the title of its editor; pages of figures have messages of their own. */
  const pressTitle = async (action: 'save' | 'toggle-table'): Promise<void> => {
    // A form that is open is that of the file before, whose pixels are still painted.
    if (action === 'save') await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await send({ kind: 'act', action });
    await send({ kind: action === 'save' ? 'save-form' : action });
    if (action === 'save') await page.getByRole('dialog').waitFor();
    await settle();
  };
  return {
    page,
    settle,
    send,
    async show(scene, options = {}) {
      const usual = { version: protocolVersion, uri: 'file:///a.place', stale: false };
      await send({ ...usual, ...options, kind: 'scene', scene: encodeScene(scene) });
      await settle();
    },
    sent: () => page.evaluate(() => window.panelSent as FromPanel[]),
    sentOfExperiment: () => page.evaluate(() => window.panelSent as FromExperimentPanel[]),
    sentOfLosses: () => page.evaluate(() => window.panelSent as FromLossPage[]),
    sentOfComparison: () => page.evaluate(() => window.panelSent as FromComparePanel[]),
    sentOfTraffic: () => page.evaluate(() => window.panelSent as FromTrafficPanel[]),
    sentOfSimulation: () => page.evaluate(() => window.panelSent as FromSimulationPanel[]),
    sentOfMappers: () => page.evaluate(() => window.panelSent as FromMapperPage[]),
    pressTitle,
    async saveAs(choices) {
      await pressTitle('save');
      for (const [list, value] of Object.entries(choices)) {
        const form = page.getByRole('dialog');
        if (list === 'Width') await form.getByRole('textbox').fill(value);
        else await form.getByRole('combobox', { name: list }).selectOption(value);
      }
      await page.getByRole('button', { name: 'Save …' }).click();
    },
    findings,
    async findingsOfForm() {
      const found: string[] = [];
      for (const width of [400, 2000]) {
        await page.setViewportSize({ width, height: 700 });
        await settle();
        await pressTitle('save');
        found.push(...(await findings()).map((one) => `${width} pixels: ${one}`));
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
      }
      return found;
    },
    savedState: () => page.evaluate(() => window.panelState),
    leftState: () => page.evaluate(() => window.panelLeft as LeftState),
    setTheme,
  };
}

/** Colours of the editor's own themes, those that the panel reads. */
export const lightTheme: Theme = {
  bodyClass: 'vscode-light',
  variables: {
    '--vscode-editor-background': '#ffffff',
    '--vscode-editor-foreground': '#3b3b3b',
    '--vscode-descriptionForeground': '#616161',
    '--vscode-focusBorder': '#005fb8',
    '--vscode-panel-border': '#e5e5e5',
    '--vscode-button-secondaryBackground': '#e5e5e5',
    '--vscode-button-secondaryForeground': '#3b3b3b',
    '--vscode-button-secondaryHoverBackground': '#cccccc',
    '--vscode-editorHoverWidget-background': '#f8f8f8',
    '--vscode-editorHoverWidget-border': '#c8c8c8',
    '--vscode-editorHoverWidget-foreground': '#3b3b3b',
    '--vscode-list-hoverBackground': '#f2f2f2',
    '--vscode-textLink-foreground': '#005fb8',
    '--vscode-editorWarning-foreground': '#895503',
  },
};

export const darkTheme: Theme = {
  bodyClass: 'vscode-dark',
  variables: {
    '--vscode-editor-background': '#1f1f1f',
    '--vscode-editor-foreground': '#cccccc',
    '--vscode-descriptionForeground': '#9d9d9d',
    '--vscode-focusBorder': '#0078d4',
    '--vscode-panel-border': '#2b2b2b',
    '--vscode-button-secondaryBackground': '#313131',
    '--vscode-button-secondaryForeground': '#cccccc',
    '--vscode-button-secondaryHoverBackground': '#3c3c3c',
    '--vscode-editorHoverWidget-background': '#202020',
    '--vscode-editorHoverWidget-border': '#454545',
    '--vscode-editorHoverWidget-foreground': '#cccccc',
    '--vscode-list-hoverBackground': '#2a2d2e',
    '--vscode-textLink-foreground': '#4daafc',
    '--vscode-editorWarning-foreground': '#cca700',
  },
};

/** The editor's high contrast themes have no colours for secondary buttons. */
export const highContrastTheme: Theme = {
  bodyClass: 'vscode-high-contrast',
  variables: {
    '--vscode-editor-background': '#000000',
    '--vscode-editor-foreground': '#ffffff',
    '--vscode-foreground': '#ffffff',
    '--vscode-descriptionForeground': 'rgba(255, 255, 255, 0.7)',
    '--vscode-disabledForeground': '#a5a5a5',
    '--vscode-focusBorder': '#f38518',
    '--vscode-contrastBorder': '#6fc3df',
    '--vscode-contrastActiveBorder': '#f38518',
    '--vscode-panel-border': '#6fc3df',
    '--vscode-button-border': '#6fc3df',
    '--vscode-button-secondaryForeground': '#ffffff',
    '--vscode-editorHoverWidget-background': '#0c141f',
    '--vscode-editorHoverWidget-border': '#6fc3df',
    '--vscode-editorHoverWidget-foreground': '#ffffff',
    '--vscode-textLink-foreground': '#21a6ff',
    '--vscode-editorWarning-foreground': '#ffd370',
    '--vscode-errorForeground': '#f48771',
  },
};

export const highContrastLightTheme: Theme = {
  bodyClass: 'vscode-high-contrast vscode-high-contrast-light',
  variables: {
    '--vscode-editor-background': '#ffffff',
    '--vscode-editor-foreground': '#292929',
    '--vscode-foreground': '#292929',
    '--vscode-descriptionForeground': 'rgba(41, 41, 41, 0.7)',
    '--vscode-disabledForeground': '#7f7f7f',
    '--vscode-focusBorder': '#006bbd',
    '--vscode-contrastBorder': '#0f4a85',
    '--vscode-contrastActiveBorder': '#006bbd',
    '--vscode-panel-border': '#0f4a85',
    '--vscode-button-border': '#0f4a85',
    '--vscode-button-secondaryBackground': '#ffffff',
    '--vscode-button-secondaryForeground': '#292929',
    '--vscode-editorHoverWidget-background': '#ffffff',
    '--vscode-editorHoverWidget-border': '#0f4a85',
    '--vscode-editorHoverWidget-foreground': '#292929',
    '--vscode-textLink-foreground': '#0f4a85',
    '--vscode-editorWarning-foreground': '#895503',
    '--vscode-errorForeground': '#b5200d',
  },
};

/** Of every kind that the editor has. */
export const themes = [
  ['light', lightTheme],
  ['dark', darkTheme],
  ['high contrast dark', highContrastTheme],
  ['high contrast light', highContrastLightTheme],
] as const;
