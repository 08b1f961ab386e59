/**
 * The panel and its host, which is the editor's extension: the messages between them over a webview's postMessage, how
 * either side reads what arrives there, and the page that the host puts into the webview. Anything may arrive, so
 * either side passes over what is not one of the other's messages.
 */
import type { TextThings } from '../drawing/lit.ts';
import type { PlacementStatus } from '../study/report.ts';
import type {
  EncodedScene,
  ExplainAnswer,
  ExplainTarget,
  KeptAnswer,
  KeptTarget,
  OriginParameters,
  PlacementProblem,
  PreviewAnswer,
} from './messages.ts';
import { readSavedFile, type SavedFile } from './savedFile.ts';
import {
  isCount,
  isRecord,
  readExplainTarget,
  readPictureSelection,
  type PictureSelection,
  type TrafficBrush,
} from './selections.ts';
import type { GivenPage } from './leftPage.ts';
import { writtenInPage, type Bundle } from './translation.ts';

/** host → panel. */
export type ToPanel =
  | {
      readonly kind: 'scene';
      readonly version: number;
      readonly uri: string;
      readonly stale: boolean;
      readonly scene: EncodedScene;
      /** Absent: nothing is being done. */
      readonly status?: PlacementStatus;
      readonly problem?: PlacementProblem;
    }
  | {
      readonly kind: 'nothing';
      readonly reason: string;
      readonly status?: PlacementStatus;
      readonly problem?: PlacementProblem;
    }
  /** What is to be said of the picture that is shown has changed: it has become out of date, or holds again. */
  | {
      readonly kind: 'standing';
      readonly stale: boolean;
      readonly status: PlacementStatus;
      readonly problem?: PlacementProblem;
    }
  /** The placement is being worked out, or waits for others: how far it is, as a sentence. */
  | { readonly kind: 'working'; readonly text: string; readonly canFinish: boolean }
  /** The host could not do what the panel asked for. */
  | { readonly kind: 'failed'; readonly message: string }
  /** What a change of the placement would come to, in its place until it ends. */
  | Extract<PreviewAnswer, { readonly kind: 'preview' }>
  | { readonly kind: 'preview-end' }
  /** Something that the panel asked for was done. */
  | { readonly kind: 'said'; readonly message: string }
  /** Answers `explain`. */
  | {
      readonly kind: 'explained';
      readonly target: ExplainTarget | KeptTarget;
      readonly answer: ExplainAnswer | KeptAnswer;
    }
  /**
   * Where the cursor is in the text: in the declaration of what is shown, and on what of it. Neither: somewhere else, or the
   * picture does not follow.
   */
  | { readonly kind: 'cursor'; readonly isHere: boolean; readonly things?: TextThings }
  /** It stays with its placement wherever the cursor goes, or no longer. */
  | { readonly kind: 'locked'; readonly isLocked: boolean }
  /** A button in the title of the panel was pressed, or an entry of the menu of a thing chosen. */
  | ({ readonly kind: 'act' } & PanelAction)
  /** The flows of a part of the map of its traffic are to be kept alone, named by `words`; all again where that is left out. */
  | { readonly kind: 'keep-traffic'; readonly brush?: TrafficBrush; readonly words: string };

/** Where the cursor is in the text, as a page is told. */
export type CursorMessage = Extract<ToPanel, { readonly kind: 'cursor' }>;

/** What a page does on behalf of the editor's buttons and menus. */
export type PanelAction =
  | { readonly action: 'fit' | 'toggle-table' | 'go-to-text' | 'save' | 'save-png' | 'save-csv' | 'clear' }
  | { readonly action: 'explain' | 'keep' | 'reveal' | 'improve'; readonly thing: MenuThing };

/** What a menu was opened on: a node or a directed link by number. */
export type MenuThing =
  { readonly kind: 'node'; readonly node: number } | { readonly kind: 'link'; readonly link: number };

/** The context of a menu in the picture, for `when` clauses and for the command that is chosen. */
export interface MenuContext {
  readonly webviewSection: 'placewright.node' | 'placewright.link' | 'placewright.switch' | 'placewright.ground';
  readonly preventDefaultContextMenuItems: true;
  readonly placewrightThing?: MenuThing;
  /** What can be copied; '' where there is nothing of the kind. */
  readonly placewrightName: string;
  readonly placewrightCoordinates: string;
  /** Of a placement rather than a machine. */
  readonly placewrightHasFlows: boolean;
}

/** The context that a menu command was called with; undefined where it was called from elsewhere. */
export function readMenuContext(data: unknown): Partial<MenuContext> & { readonly placewrightThing?: MenuThing } {
  if (!isRecord(data)) return {};
  const { placewrightThing: thing, placewrightName: name, placewrightCoordinates: coordinates } = data;
  return {
    ...(isMenuThing(thing) && { placewrightThing: thing }),
    ...(typeof name === 'string' && { placewrightName: name }),
    ...(typeof coordinates === 'string' && { placewrightCoordinates: coordinates }),
  };
}

const isMenuThing = (data: unknown): data is MenuThing =>
  isRecord(data) &&
  ((data['kind'] === 'node' && isCount(data['node'])) || (data['kind'] === 'link' && isCount(data['link'])));

/** panel → host. */
export type FromPanel =
  /** The panel listens; the host answers with a scene. */
  | { readonly kind: 'ready' }
  /** The user asks for the text that caused a node or link. */
  | { readonly kind: 'reveal'; readonly target: OriginParameters['target'] }
  /** A link, or two tasks one after the other, were selected: what flows there? */
  | { readonly kind: 'explain'; readonly target: ExplainTarget | KeptTarget }
  /** To the error that keeps the placement from being worked out. */
  | { readonly kind: 'reveal-problem' }
  /** The search ends with the best it has; the study ends without an answer; what has none is worked out. */
  | { readonly kind: 'finish' }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'run' }
  /** The picture is to show what an improvement of a link would come to, by its number in the explanation. */
  | { readonly kind: 'preview-improvement'; readonly link: number; readonly index: number }
  /** The change that is shown is written into the text, or left. */
  | { readonly kind: 'write-preview' | 'preview-end' }
  | SavedFile
  /** After a restart of the window: it was locked before. */
  | { readonly kind: 'keep-locked' }
  /** What is selected has changed; nothing is where it is left out. The map of its traffic shows where that is. */
  | { readonly kind: 'selected'; readonly selection?: PictureSelection }
  /** Flows that the map of its traffic had chosen are no longer kept alone. */
  | { readonly kind: 'traffic-cleared' };

/** Messages that say no more than their kind. */
const plainKinds = [
  ...([
    'ready',
    'reveal-problem',
    'finish',
    'cancel',
    'run',
    'keep-locked',
    'traffic-cleared',
    'write-preview',
    'preview-end',
  ] as const),
];

/** The message of the panel that `data` is, field by field; undefined where it is none. */
export function readFromPanel(data: unknown): FromPanel | undefined {
  if (!isRecord(data)) return undefined;
  const plain = plainKinds.find((kind) => kind === data['kind']);
  if (plain !== undefined) return { kind: plain };
  switch (data['kind']) {
    case 'preview-improvement': {
      const { link, index } = data;
      return isCount(link) && isCount(index) ? { kind: 'preview-improvement', link, index } : undefined;
    }
    case 'reveal': {
      const target = readOriginTarget(data['target']);
      return target && { kind: 'reveal', target };
    }
    case 'explain': {
      const target = readExplainTarget(data['target']);
      return target && { kind: 'explain', target };
    }
    case 'selected': {
      const { selection } = data;
      if (selection === undefined) return { kind: 'selected' };
      const read = readPictureSelection(selection);
      return read && { kind: 'selected', selection: read };
    }
    default:
      return readSavedFile(data);
  }
}

function readOriginTarget(data: unknown): OriginParameters['target'] | undefined {
  if (!isRecord(data)) return undefined;
  const { kind, node, from, to } = data;
  if (kind === 'placement') return { kind };
  if (kind === 'node' && isCount(node)) return { kind, node };
  return kind === 'link' && isCount(from) && isCount(to) ? { kind, from, to } : undefined;
}

const toPanelKinds: Readonly<Record<ToPanel['kind'], true>> = {
  scene: true,
  nothing: true,
  standing: true,
  working: true,
  failed: true,
  explained: true,
  preview: true,
  'preview-end': true,
  said: true,
  cursor: true,
  locked: true,
  act: true,
  'keep-traffic': true,
};

/**
 * Whether `data` is a message of the host. Other scripts of the editor post messages too; ours say of
 * which kind they are.
 */
export const isToPanel = (data: unknown): data is ToPanel =>
  isRecord(data) && typeof data['kind'] === 'string' && Object.hasOwn(toPanelKinds, data['kind']);

/** What differs between hosts of the panel: the editor's webview, and the test's web server. */
interface PanelPage {
  readonly scriptUri: string;
  readonly styleUri: string;
  /** Origin of our own files, as `webview.cspSource`. */
  readonly cspSource: string;
  /** Fresh for every page; base64 or hexadecimal. */
  readonly nonce: string;
  /** Words in the reader's language, and which that is; English where they are left out. */
  readonly words?: { readonly language: string; readonly bundle: Bundle };
  /** Whose page it is, and how the one before it was left. */
  readonly given?: GivenPage;
}

/**
 * The page of the panel under a strict policy: our one script, our one style sheet, nothing else.
 * The buttons' library makes one style element; it finds the nonce for it in `csp-nonce`. Words and
 * state are data: nothing runs them.
 */
export function panelHtml({ scriptUri, styleUri, cspSource, nonce, words, given }: PanelPage): string {
  const policy = [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource} 'nonce-${nonce}'`,
    `font-src ${cspSource}`,
    `img-src ${cspSource} data: blob:`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${/^[A-Za-z-]+$/.exec(words?.language ?? '')?.[0] ?? 'en'}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta property="csp-nonce" content="${nonce}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Placewright</title>
<link rel="stylesheet" href="${styleUri}">
</head>
<body>
<main id="placewright"></main>
${words === undefined ? '' : dataElement('placewright-words', words.bundle)}${given === undefined ? '' : dataElement('placewright-given', given)}<script type="module" nonce="${nonce}" src="${scriptUri}"></script>
</body>
</html>
`;
}

const dataElement = (id: string, data: object): string =>
  `<script type="application/json" id="${id}">${writtenInPage(data)}</script>\n`;
