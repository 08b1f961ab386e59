/**
 * The panel's entry: puts picture, table, legend, buttons and status together and connects them to the host by
 * messages alone. States: nothing to show (and why), a picture, a picture that is out of date.
 */
import { drawDifference } from '../server/drawing/difference.ts';
import type { Marks } from '../server/drawing/marks.ts';
import { scenePage } from '../server/drawing/renderSvg.ts';
import { litIn } from '../server/drawing/lit.ts';
import type { Scene } from '../server/drawing/scene.ts';
import type { SvgPage } from '../server/drawing/svg.ts';
import { decodeScene } from '../server/protocol/encoding.ts';
import { protocolVersion } from '../server/protocol/messages.ts';
import { isToPanel, type FromPanel, type MenuContext, type ToPanel } from '../server/protocol/panel.ts';
import { chosen, planeChosen, type Choices } from '../server/drawing/choices.ts';
import { createChoices } from './choices.ts';
import { createControls, type Mode } from './controls.ts';
import { linkOf, selectionOf, targetOf, targetOfSelected, type Target } from './describeThing.ts';
import { createExplanation } from './explanation.ts';
import { createHistograms, marksOfKept } from './histogram.ts';
import { openHost } from './host.ts';
import { createKeptTraffic } from './keptTraffic.ts';
import { createFind } from './reach.ts';
import { createActions, menuContext, thingOfMenu } from './menu.ts';
import { isSelected, keptAlone, marksOf, stillShown } from './marks.ts';
import { createPage, fillLegend, fillNumberNotes } from './page.ts';
import type { Thing } from './pick.ts';
import { fileOfPage } from './pageFile.ts';
import { createPicture, type Gesture } from './picture.ts';
import { taskOfNode } from './places.ts';
import { createSelector, firstOf } from './selection.ts';
import { createStandings, type Said } from './standing.ts';
import { createTableView } from './table.ts';
import { readTheme, watchTheme } from './theme.ts';
import { zoomStep, type SavedView } from './view.ts';
import { showsLanes } from './viewport.ts';
import { t } from './words.ts';

const host = openHost<FromPanel, ToPanel, SavedState>(isToPanel);
const standings = createStandings(host.post);
let theme = readTheme();
/** As it came, and as the reader chose to see it. */
let drawn: Scene | undefined;
let scene: Scene | undefined;
let choices: Choices = {};
let message: SceneMessage | undefined;
/** What is shown in the place of the picture is a change that is not written. */
let preview: { readonly title: string; readonly before: Scene } | undefined;
/** Where the cursor of the text is. */
let cursor: Extract<ToPanel, { readonly kind: 'cursor' }> = { kind: 'cursor', isHere: false };
let isLocked = false;
/** Only cables over which what is selected sends are painted. */
let isAlone = false;
/** Kept when the picture goes: the placement may come back. */
let shown: { readonly uri: string; readonly placement: string; readonly machine?: string } | undefined;
let mode: Mode = 'picture';
let said: Said = { stale: false };

const picture = createPicture(theme, {
  clicked,
  doubleClicked: revealThing,
  entered: revealSelected,
  moved,
  menu: menuOf,
});
const table = createTableView({
  reveal,
  select,
  saveCsv: (name, data) => {
    host.post({ kind: 'save-csv', table: name, data });
  },
});
const selector = createSelector((target) => {
  // On a machine by itself nothing flows: what there is to say of a link is known here.
  if (scene?.about === undefined) host.post({ kind: 'explain', target });
}, showSelection);
const explanation = createExplanation({
  clear: selector.clear,
  reveal: revealSelected,
  improve: (link, index) => {
    host.post({ kind: 'preview-improvement', link, index });
  },
  only: (flows) => {
    if (scene !== undefined) picture.setMarks(marksOf(scene, selector.selection, flows));
  },
});
const choiceControls = createChoices((changed) => {
  choices = changed;
  showChosen();
  save();
});
const histograms = createHistograms({
  changed: () => {
    traffic.drop();
    selector.clear();
    tellSelected();
    showKept();
  },
  ask: (target) => {
    host.post({ kind: 'explain', target });
  },
});

const traffic = createKeptTraffic({
  ask: (target) => {
    host.post({ kind: 'explain', target });
  },
  dropped: () => {
    showKept();
    host.post({ kind: 'traffic-cleared' });
  },
});
/** What the host was told last of what is selected. */
let told = '';

/** The map of the traffic shows where that is. */
function tellSelected(): void {
  if (scene === undefined || scene.about !== undefined) return;
  const selection = histograms.selectionIn(scene) ?? selectionOf(scene, selector.selection);
  const key = JSON.stringify(selection) as string | undefined;
  if ((key ?? '') === told) return;
  told = key ?? '';
  host.post({ kind: 'selected', ...(selection && { selection }) });
}

/** What the map of the traffic or the histograms keep, else what is selected. */
function showKept(): void {
  if (scene === undefined || traffic.ask()) return;
  const show = (marks: Marks | undefined): void => {
    picture.setMarks(marks);
  };
  if (!histograms.keep(scene, show)) show(marksOf(scene, selector.selection));
}

const controls = createControls({
  fit: picture.view.fit,
  zoomIn: () => {
    picture.view.zoomBy(zoomStep);
  },
  zoomOut: () => {
    picture.view.zoomBy(1 / zoomStep);
  },
  setMode: showMode,
  saveSvg: () => {
    host.post({ kind: 'save-svg' });
  },
  savePng: () => void sendPng(),
  compare: () => {
    host.post({ kind: 'compare' });
  },
  traffic: () => {
    host.post({ kind: 'traffic' });
  },
});
const find = createFind(
  (thing) => {
    select(thing, false);
    if (mode === 'picture') picture.goTo(thing);
  },
  () => {
    picture.focus();
  },
);
const page = createPage(
  document.getElementById('placewright')!,
  controls.element,
  picture.element,
  table.element,
  explanation.element,
  find.element,
);
picture.element.append(choiceControls.planes, traffic.element);
page.legend.after(...histograms.elements);

function receive(received: ToPanel): void {
  switch (received.kind) {
    case 'scene':
      showScene(received);
      break;
    case 'nothing':
      showNothing(received);
      break;
    case 'standing':
      said = received;
      showStatus();
      break;
    case 'working':
      page.setStatus(...standings.ofWork(received.text, received.canFinish));
      break;
    case 'failed':
      page.setStatus('failed', { text: received.message });
      break;
    case 'preview':
      showPreview(received);
      break;
    case 'preview-end':
      endPreview();
      break;
    case 'said':
      page.setStatus('fresh', { text: received.message });
      break;
    case 'explained':
      explained(received);
      break;
    case 'locked':
      isLocked = received.isLocked;
      page.setLocked(isLocked);
      save();
      break;
    case 'act':
      act(received);
      break;
    case 'cursor':
      cursor = received;
      showCursor();
      break;
    case 'keep-traffic':
      keepTraffic(received);
      break;
    case 'capture':
      void sendPng();
      break;
  }
}

const act = createActions({
  fit: () => {
    showMode('picture');
    picture.view.fit();
  },
  toggleTable: () => {
    showMode(mode === 'picture' ? 'table' : 'picture');
  },
  goToText: () => {
    if (selector.selection.kind === 'none') reveal({ kind: 'placement' });
    else revealSelected();
  },
  saveSvg: () => {
    host.post({ kind: 'save-svg' });
  },
  savePng: () => void sendPng(),
  saveCsv: table.saveCsv,
  clear: clearAll,
  thingOf: (thing) => scene && thingOfMenu(scene, thing),
  reveal: revealThing,
  relieve: (link) => {
    host.post({ kind: 'preview-improvement', link, index: 0 });
  },
  select: (thing, link, alone) => {
    // Of a cable the direction that the menu was opened on.
    if (link === undefined) select(thing, false);
    else selector.selectLink(link);
    isAlone = alone;
    showSelection();
  },
});

/** Unless it is selected already. */
function showCursor(): void {
  page.setHere(cursor.isHere);
  const lit = scene === undefined || cursor.things === undefined ? undefined : litIn(scene, cursor.things);
  picture.setLit(
    lit !== undefined && scene !== undefined && isSelected(scene, selector.selection, lit) ? undefined : lit,
  );
}

/** What else was chosen is chosen no more. */
function keepTraffic({ brush, words }: Extract<ToPanel, { kind: 'keep-traffic' }>): void {
  if (brush !== undefined) {
    histograms.clear();
    selector.clear();
  }
  traffic.set(brush, words);
  showKept();
  tellSelected();
}

function explained({ target, answer }: Extract<ToPanel, { kind: 'explained' }>): void {
  if (target.kind !== 'hops' && target.kind !== 'traffic') {
    if (answer.kind !== 'kept') selector.receive(target, answer);
    return;
  }
  if (scene === undefined || answer.kind !== 'kept') return;
  const isWanted = target.kind === 'hops' ? histograms.isKept(target) : traffic.take(target, answer);
  if (isWanted) picture.setMarks(marksOfKept(scene, answer));
}

/** Whether the picture is of the text as it is, and if not, why, and what can be done about it. */
function showStatus(): void {
  page.setStatus(...(preview === undefined ? standings.of(said, scene) : standings.ofPreview(preview.title, scene)));
}

function reveal(target: Target): void {
  host.post({ kind: 'reveal', target });
}

/** A click selects and explains; only who asks for the text is taken there. */
function clicked(thing: Thing | undefined, gesture: Gesture): void {
  // What is explained is the placement as it is written.
  if (scene === undefined || preview !== undefined) return;
  if (thing === undefined) {
    if (gesture === 'select') selector.clear();
    return;
  }
  select(thing, gesture === 'second');
  if (gesture === 'reveal') revealThing(thing);
}

/** The menu of a thing; asked for by keys that of what is selected. */
function menuOf(thing: Thing | undefined): MenuContext | undefined {
  if (scene === undefined || preview !== undefined) return undefined;
  const { selection: own } = selector;
  const chosen = thing ?? (own.kind === 'node' ? thingOfMenu(scene, own) : undefined);
  return menuContext(scene, chosen, showsLanes(scene, picture.view.transform.k));
}

function revealThing(thing: Thing | undefined): void {
  if (scene === undefined || thing === undefined) return;
  const target = targetOf(scene, thing, showsLanes(scene, picture.view.transform.k));
  if (target !== undefined) reveal(target);
}

function revealSelected(): void {
  const { selection } = selector;
  if (scene === undefined || selection.kind === 'none') return;
  const target = targetOfSelected(scene, selection);
  if (target !== undefined) reveal(target);
}

function clearAll(): void {
  histograms.clear();
  traffic.drop();
  selector.clear();
  showKept();
  tellSelected();
}

function select(thing: Thing, second: boolean): void {
  isAlone = false;
  if (scene === undefined || preview !== undefined || thing.kind === 'router') return;
  if (thing.kind === 'link') {
    const lanesShow = mode === 'picture' && showsLanes(scene, picture.view.transform.k);
    selector.selectLink(linkOf(scene, thing, lanesShow));
  } else selector.selectNode(scene.nodes.id[thing.entry]!, taskOfNode(scene, thing.entry, thing.place), second);
}

function showSelection(): void {
  const { selection } = selector;
  table.setSecond(firstOf(selection) !== undefined);
  if (scene === undefined) return;
  explanation.show(scene, selection);
  if (selection.kind !== 'none') {
    histograms.clear();
    traffic.drop();
  } else isAlone = false;
  if (!histograms.isKeeping && !traffic.isKeeping) {
    const marks = marksOf(scene, selection);
    picture.setMarks(isAlone && marks !== undefined ? keptAlone(marks) : marks);
  }
  tellSelected();
  showCursor();
}

function showScene(received: SceneMessage): void {
  if (received.version !== protocolVersion) {
    showRefusal(t('The panel and the language server are of different versions. Reload the window.'));
    return;
  }
  const before = shown;
  message = received;
  preview = undefined;
  drawn = decodeScene(received.scene);
  scene = chosen(drawn, choices);
  const { placement, about } = scene;
  const isSame = before?.uri === received.uri && before.placement === placement;
  shown = { uri: received.uri, placement, ...(about !== undefined && { machine: scene.machine }) };
  page.showScene(scene);
  controls.setEnabled(true);
  controls.setPlaced(about === undefined);
  // The page must show the canvas before the view can measure it.
  showMode(mode);
  display(scene, received);
  if (isSame) selector.refresh((selected) => scene && stillShown(scene, selected));
  else {
    histograms.clear();
    selector.clear();
    showKept();
  }
  said = received;
  showStatus();
  save();
}

/** The scene in all parts of the page. */
function display(shownScene: Scene, { uri }: { readonly uri: string }): void {
  const plane = planeChosen(shownScene, choices);
  picture.setScene(shownScene, `${uri} ${shownScene.placement} ${shownScene.projection ?? ''}`, plane);
  table.setScene(shownScene);
  find.setScene(shownScene);
  choiceControls.show(shownScene, choices);
  fillLegend(page.legend, shownScene, theme, choiceControls, picture.view.transform.k);
  histograms.setScene(shownScene);
  showCursor();
  showKept();
}

/** The reader has chosen anew how to see the same scene. */
function showChosen(): void {
  if (drawn === undefined || message === undefined) return;
  scene = preview === undefined ? chosen(drawn, choices) : changeOf(preview.before, drawn);
  display(scene, message);
  showSelection();
}

/** What a change would come to, as the difference to the placement as it is written. */
function showPreview({ version, scene: encoded, title }: Extract<ToPanel, { kind: 'preview' }>): void {
  if (message === undefined || version !== protocolVersion) return;
  preview = { title, before: decodeScene(message.scene) };
  drawn = decodeScene(encoded);
  histograms.clear();
  traffic.drop();
  selector.clear();
  scene = changeOf(preview.before, drawn);
  showMode(mode);
  display(scene, message);
  showStatus();
}

/** By itself where it is no difference, as of other jobs. */
function changeOf(before: Scene, after: Scene): Scene {
  const then = chosen(after, choices);
  const difference = drawDifference(chosen(before, choices), then);
  return difference.ok ? difference.value : then;
}

/** The picture as it was before. */
function endPreview(): void {
  if (preview === undefined || message === undefined) return;
  const before = said;
  showScene(message);
  said = before;
  showStatus();
}

/** A picture that is there stays, as one of an older text: it may be what was found before a restart. */
function showNothing(received: Extract<ToPanel, { kind: 'nothing' }>): void {
  said = { ...received, stale: scene !== undefined };
  if (scene === undefined) {
    controls.setEnabled(false);
    page.showNothing(received.reason);
  }
  showStatus();
}

/** What came cannot be shown. */
function showRefusal(reason: string): void {
  scene = undefined;
  drawn = undefined;
  message = undefined;
  selector.clear();
  showNothing({ kind: 'nothing', reason });
  save();
}

function showMode(newMode: Mode): void {
  mode = newMode;
  controls.setMode(mode);
  page.showMode(mode);
  save();
}

/** What is on the screen, in the colours that fit the editor's. */
const pageShown = (shownScene: Scene): SvgPage =>
  scenePage(shownScene, {
    theme: theme.isDark ? 'dark' : 'light',
    plane: planeChosen(shownScene, choices),
    marks: picture.marks,
  });

async function sendPng(): Promise<void> {
  if (scene === undefined) return;
  try {
    host.post({ kind: 'save-png', data: await fileOfPage('png', pageShown(scene)) });
  } catch (problem) {
    page.setStatus('failed', {
      text: problem instanceof Error ? problem.message : t('The picture could not be saved.'),
    });
  }
}

function moved(): void {
  if (scene !== undefined) fillNumberNotes(page.legend, scene, picture.view.transform.k);
  save();
}

function save(): void {
  host.saveSoon(() => ({
    version: protocolVersion,
    ...(message === undefined || message.scene.json.length > largestSavedScene ? {} : { message }),
    ...shown,
    view: picture.view.save(),
    mode,
    choices,
    isLocked,
  }));
}

/** Characters of a scene that are worth keeping; the editor stores the state as text. */
const largestSavedScene = 4_000_000;

/** A message that carries a scene. */
type SceneMessage = Extract<ToPanel, { kind: 'scene' }>;

/**
 * What outlives the panel's page: the editor throws the page away when its tab is hidden or
 * moved to a window of its own. With it the last picture is back before the server answers.
 */
interface SavedState {
  readonly version: number;
  readonly message?: SceneMessage;
  /** Whose picture it is: with it the host reconnects the panel after a restart of the window. */
  readonly uri?: string;
  readonly placement?: string;
  /** Of a machine by itself. */
  readonly machine?: string;
  readonly view: SavedView;
  readonly mode: Mode;
  readonly choices: Choices;
  readonly isLocked?: boolean;
}

/** The last picture at once, marked as out of date until the host answers. */
function restore(): void {
  const saved = host.load();
  if (saved === undefined) return;
  mode = saved.mode;
  choices = saved.choices;
  if (saved.message === undefined) return;
  showScene({ ...saved.message, stale: true });
  page.setStatus('working', { text: waiting });
  picture.view.restore(saved.view);
}

const waiting = t('Waiting for the language server …');
controls.setEnabled(false);
page.showNothing(waiting);
watchTheme(() => {
  theme = readTheme();
  picture.setTheme(theme);
  if (scene !== undefined) fillLegend(page.legend, scene, theme, choiceControls, picture.view.transform.k);
});
restore();
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    if (preview === undefined) clearAll();
    else host.post({ kind: 'preview-end' });
  }
  const isTyped = event.target instanceof HTMLInputElement;
  if ((event.key === '/' && !isTyped) || (event.key === 'f' && (event.ctrlKey || event.metaKey))) {
    event.preventDefault();
    find.focus();
  }
});
host.listen(receive);
host.post({ kind: 'ready' });
// After a restart of the window the host has forgotten it.
if (host.load()?.isLocked === true) host.post({ kind: 'keep-locked' });
