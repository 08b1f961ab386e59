/**
 * The panel's entry: puts picture, table, legend, buttons and status together and connects them to the host by
 * messages alone. States: nothing to show (and why), a picture, a picture that is out of date.
 */
import { sceneWithChoices, planeChosen, type Choices } from '../server/drawing/choices.ts';
import { drawDifference } from '../server/drawing/difference.ts';
import { pictureSubtitle, pictureTitle } from '../server/drawing/labels.ts';
import { litIn } from '../server/drawing/lit.ts';
import type { Scene } from '../server/drawing/scene.ts';
import { decodeScene } from '../server/protocol/encoding.ts';
import { protocolVersion } from '../server/protocol/messages.ts';
import { isToPanel, type FromPanel, type MenuContext, type ToPanel } from '../server/protocol/panel.ts';
import { make } from './page/controls.ts';
import { Frame, otherVersion, waitingForServer, type PageStatus } from './page/frame.ts';
import { readTheme, watchTheme } from './page/theme.ts';
import { localised as translated, t } from './page/words.ts';
import { createChoices } from './picture/choices.ts';
import { textTarget, targetOfSelected, type Target } from './picture/describeThing.ts';
import { fillLegend, fillNumberNotes } from './picture/legend.ts';
import { isSelected } from './picture/marks.ts';
import { createActions, menuContext, thingOfMenu } from './picture/menu.ts';
import type { Thing } from './picture/pick.ts';
import { createPicture, type Gesture } from './picture/picture.ts';
import { createFind } from './picture/reach.ts';
import { createSaveForm, offerOfPicture } from './picture/saveForm.ts';
import type { Selected } from './picture/selection.ts';
import { zoomButtons, type SavedView } from './picture/view.ts';
import { showsLanes } from './picture/viewport.ts';
import { createPictureFocus } from './placement/pictureFocus.ts';
import { createPictureStatuses, type Said } from './placement/pictureStatus.ts';
import { createTableView } from './table/table.ts';

type Mode = 'picture' | 'table';

const frame = new Frame<FromPanel, ToPanel, SavedState>(isToPanel);
const statuses = createPictureStatuses(frame.action);
let theme = readTheme();
/** As it came, and as the reader chose to see it. */
let drawn: Scene | undefined;
let scene: Scene | undefined;
let choices: Choices = {};
/** Of the room for the picture, for which it is laid out. */
let proportion: number | undefined;
let message: SceneMessage | undefined;
/** What is shown in the place of the picture is a change that is not written. */
let preview: { readonly title: string; readonly before: Scene } | undefined;
/** Where the cursor of the text is. */
let cursor: Extract<ToPanel, { readonly kind: 'cursor' }> = { kind: 'cursor', isHere: false };
let isLocked = false;
/** Kept when the picture goes: the placement may come back. */
let shown: { readonly uri: string; readonly placement: string; readonly machine?: string } | undefined;
/** How the picture was seen when the page was left, until it is there again. */
let left: { readonly view?: SavedView; readonly selected?: Selected | undefined } | undefined;
let mode: Mode = 'picture';
let said: Said = { stale: false };

const picture = createPicture(theme, {
  clicked,
  doubleClicked: revealThing,
  entered: revealSelected,
  moved: viewMoved,
  resized: () => {
    const before = proportion;
    proportion = picture.proportionFrom(before);
    if (proportion !== before) showChosen();
  },
  menu: menuOf,
});
const table = createTableView({
  reveal,
  select,
  saveCsv: (name, data) => {
    frame.post({ kind: 'save', extension: 'csv', name, data });
  },
});
const focus = createPictureFocus({
  scene: () => scene,
  post: frame.post,
  setMarks: (marks) => {
    picture.setMarks(marks);
  },
  lanesShow,
  reveal: revealSelected,
  selected: (second) => {
    table.setSecond(second);
    showCursor();
    savePanel();
  },
});
const saveForm = createSaveForm({
  offer: () => scene && offerOfPicture(scene, choices, picture),
  save: (extension, data) => {
    frame.post({ kind: 'save', extension, name: '', data });
  },
  failed: (text) => {
    setStatus(['failed', { text }]);
  },
});
const choiceControls = createChoices((changed) => {
  choices = changed;
  showChosen();
  savePanel();
});
/** What acts on the view as a whole, its table, its text, its comparison or its file, has a button in the title of the editor. */
const viewButtons = zoomButtons(() => picture.view);
const controls = make('div', { class: 'controls', role: 'toolbar', 'aria-label': t('Picture') }, ...viewButtons);
const find = createFind(
  (thing) => {
    select(thing, false);
    if (mode === 'picture') picture.goTo(thing);
  },
  () => {
    picture.focus();
  },
);
const locked = make(
  'span',
  { class: 'faint', title: t('Locked: does not follow the cursor in the text'), hidden: '' },
  t('locked'),
);
const legend = make('div', { class: 'legend' });
// It scrolls where there is little room, by keys as well.
const aside = make(
  'aside',
  { 'aria-label': t('Explanation, metrics and legend'), tabindex: '0' },
  ...[focus.explanation.element, legend, ...focus.histograms],
);
const content = make('div', { class: 'content' }, picture.element, table.element, aside);
frame.fill({ marks: [locked], header: [find.element, controls], between: [focus.strip], body: [content] });
picture.element.append(choiceControls.planes);

function receivePicture(received: ToPanel): void {
  switch (received.kind) {
    case 'scene':
      showScene(received);
      restoreLeft();
      break;
    case 'nothing':
      showNothing(received);
      break;
    case 'standing':
      said = received;
      showStatus();
      break;
    case 'working':
      setStatus(statuses.ofWork(received.text, received.canFinish));
      break;
    case 'failed':
      setStatus(['failed', { text: received.message }]);
      break;
    case 'preview':
      showChangePreview(received);
      break;
    case 'preview-end':
      endPreview();
      break;
    case 'said':
      setStatus(['fresh', { text: received.message }]);
      break;
    case 'explained':
      focus.explained(received);
      break;
    case 'locked':
      isLocked = received.isLocked;
      locked.hidden = !isLocked;
      savePanel();
      break;
    case 'act':
      act(received);
      break;
    case 'cursor':
      cursor = received;
      showCursor();
      break;
    case 'keep-traffic':
      focus.keepTraffic(received);
      break;
  }
}

const act = createActions({
  fit: () => {
    showPanelMode('picture');
    picture.view.fit();
  },
  toggleTable: () => {
    showPanelMode(mode === 'picture' ? 'table' : 'picture');
  },
  goToText: () => {
    if (focus.selection.kind === 'none') reveal({ kind: 'placement' });
    else revealSelected();
  },
  save: saveForm.open,
  savePng: saveForm.savePng,
  saveCsv: table.saveCsv,
  clear: focus.clear,
  thingOf: (thing) => scene && thingOfMenu(scene, thing),
  reveal: revealThing,
  relieve: (link) => {
    frame.post({ kind: 'preview-improvement', link, index: 0 });
  },
  select: (thing, link, alone) => {
    if (preview === undefined) focus.selectAlone(thing, link, alone);
  },
});

/** Unless it is selected already. */
function showCursor(): void {
  frame.title.classList.toggle('here', cursor.isHere);
  frame.title.title = cursor.isHere ? t('Cursor position') : '';
  const lit = scene === undefined || cursor.things === undefined ? undefined : litIn(scene, cursor.things);
  picture.setLit(lit !== undefined && scene !== undefined && isSelected(scene, focus.selection, lit) ? undefined : lit);
}

/** Whether the picture is of the text as it is, and if not, why, and what can be done about it. */
function showStatus(): void {
  setStatus(preview === undefined ? statuses.of(said, scene) : statuses.ofPreview(preview.title, scene));
}

function setStatus(status: PageStatus): void {
  frame.setStatus(status);
  content.classList.toggle('old', status[0] === 'stale' || status[0] === 'working');
}

function reveal(target: Target): void {
  frame.post({ kind: 'reveal', target });
}

/** A click selects and explains; only who asks for the text is taken there. */
function clicked(thing: Thing | undefined, gesture: Gesture): void {
  // What is explained is the placement as it is written.
  if (scene === undefined || preview !== undefined) return;
  if (thing === undefined) {
    if (gesture === 'select') focus.deselect();
    return;
  }
  select(thing, gesture === 'second');
  if (gesture === 'reveal') revealThing(thing);
}

/** The menu of a thing; asked for by keys that of what is selected. */
function menuOf(thing: Thing | undefined): MenuContext | undefined {
  if (scene === undefined || preview !== undefined) return undefined;
  const { selection: own } = focus;
  const chosen = thing ?? (own.kind === 'node' ? thingOfMenu(scene, own) : undefined);
  return menuContext(scene, chosen, lanesShow(scene));
}

function revealThing(thing: Thing | undefined): void {
  if (scene === undefined || thing === undefined) return;
  const target = textTarget(scene, thing, lanesShow(scene));
  if (target !== undefined) reveal(target);
}

function revealSelected(): void {
  const { selection } = focus;
  if (scene === undefined || selection.kind === 'none') return;
  const target = targetOfSelected(scene, selection);
  if (target !== undefined) reveal(target);
}

function select(thing: Thing, second: boolean): void {
  if (preview === undefined) focus.select(thing, second);
}

function showScene(received: SceneMessage): void {
  if (received.version !== protocolVersion) {
    showRefusal(otherVersion);
    return;
  }
  const before = shown;
  message = received;
  preview = undefined;
  drawn = decodeScene(received.scene);
  const { placement, about } = drawn;
  const isSame = before?.uri === received.uri && before.placement === placement;
  shown = { uri: received.uri, placement, ...(about !== undefined && { machine: drawn.machine }) };
  frame.setTitle(translated(pictureTitle(drawn)), translated(pictureSubtitle(drawn)));
  showContent(undefined);
  // The page must show the canvas before the view can measure it.
  showPanelMode(mode);
  proportion = picture.proportionFrom(proportion);
  scene = sceneAsChosen(drawn);
  display(scene, received);
  if (isSame) focus.follow(scene);
  else focus.forget();
  said = received;
  showStatus();
  savePanel();
}

/** The scene in all parts of the page. */
function display(shownScene: Scene, { uri }: { readonly uri: string }): void {
  const plane = planeChosen(shownScene, choices);
  picture.setScene(shownScene, `${uri} ${shownScene.placement} ${shownScene.projection ?? ''}`, plane);
  table.setScene(shownScene);
  find.setScene(shownScene);
  choiceControls.show(shownScene, choices);
  fillLegend(legend, shownScene, theme, choiceControls, picture.view.transform.k);
  focus.setScene(shownScene);
  showCursor();
}

/** The reader has chosen anew how to see the same scene. */
function showChosen(): void {
  if (drawn === undefined || message === undefined) return;
  scene = preview === undefined ? sceneAsChosen(drawn) : changeOf(preview.before, drawn);
  display(scene, message);
  focus.show();
}

/** What a change would come to, as the difference to the placement as it is written. */
function showChangePreview({ version, scene: encoded, title }: Extract<ToPanel, { kind: 'preview' }>): void {
  if (message === undefined || version !== protocolVersion) return;
  preview = { title, before: decodeScene(message.scene) };
  drawn = decodeScene(encoded);
  focus.clear();
  scene = changeOf(preview.before, drawn);
  showPanelMode(mode);
  display(scene, message);
  showStatus();
}

const sceneAsChosen = (each: Scene): Scene => sceneWithChoices(each, { ...choices, proportion });

/** By itself where it is no difference, as of other jobs. */
function changeOf(before: Scene, after: Scene): Scene {
  const then = sceneAsChosen(after);
  const difference = drawDifference(sceneAsChosen(before), then);
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
    frame.setTitle('Placewright');
    showContent(received.reason);
  }
  showStatus();
}

/** The picture or the table, or the reason why there is neither. */
function showContent(reason: string | undefined): void {
  const isThere = reason === undefined;
  frame.setReason(reason);
  for (const element of [content, find.element]) element.hidden = !isThere;
  for (const each of viewButtons) each.toggleAttribute('disabled', !isThere);
}

/** What came cannot be shown. */
function showRefusal(reason: string): void {
  scene = undefined;
  drawn = undefined;
  message = undefined;
  focus.forget();
  showNothing({ kind: 'nothing', reason });
  savePanel();
}

function showPanelMode(newMode: Mode): void {
  mode = newMode;
  controls.hidden = mode === 'table';
  picture.element.hidden = mode !== 'picture';
  table.element.hidden = mode !== 'table';
  table.setShown(mode === 'table');
  savePanel();
}

/** The directions of a cable are seen apart. */
function lanesShow(shownScene: Scene): boolean {
  return mode === 'picture' && showsLanes(shownScene, picture.view.transform.k);
}

function viewMoved(): void {
  if (scene !== undefined) fillNumberNotes(legend, scene, picture.view.transform.k);
  savePanel();
}

function savePanel(): void {
  frame.saveSoon(() => ({
    ...(message === undefined || message.scene.json.length > largestSavedScene ? {} : { message }),
    ...shown,
    view: left?.view ?? picture.view.save(),
    selected: left?.selected ?? focus.left,
    mode,
    choices,
    isLocked,
  }));
}

/** Characters of a scene that are worth keeping; the editor stores the state as text. */
const largestSavedScene = 4_000_000;

/** A message that carries a scene. */
type SceneMessage = Extract<ToPanel, { kind: 'scene' }>;

/** What outlives the page. With it the last picture is back before the server answers. */
interface SavedState {
  readonly message?: SceneMessage;
  /** Whose picture it is: with it the host reconnects the panel after a restart of the window. */
  readonly uri?: string;
  readonly placement?: string;
  /** Of a machine by itself. */
  readonly machine?: string;
  readonly view: SavedView;
  readonly selected?: Selected | undefined;
  readonly mode: Mode;
  readonly choices: Choices;
  readonly isLocked?: boolean;
}

/** The last picture at once, marked as out of date until the host answers. */
function restorePanel(): void {
  const saved = frame.load();
  if (saved === undefined) return;
  mode = saved.mode;
  choices = saved.choices;
  const { view, selected } = saved;
  left = { view, selected };
  if (saved.message === undefined) return;
  showScene({ ...saved.message, stale: true });
  setStatus(['working', { text: waitingForServer }]);
  picture.view.restore(view);
  // Of what is selected the host has to be told, who listens to no page before it answers.
  left = { selected };
}

/** After the host has answered for the first time. */
function restoreLeft(): void {
  const before = left;
  left = undefined;
  if (before?.view !== undefined) picture.view.restore(before.view);
  if (before?.selected !== undefined) focus.restore(before.selected);
}

frame.setTitle('Placewright');
showContent(waitingForServer);
watchTheme(() => {
  theme = readTheme();
  picture.setTheme(theme);
  if (scene !== undefined) fillLegend(legend, scene, theme, choiceControls, picture.view.transform.k);
});
restorePanel();
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    if (preview === undefined) focus.clear();
    else frame.post({ kind: 'preview-end' });
  }
  const isTyped = event.target instanceof HTMLInputElement;
  if ((event.key === '/' && !isTyped) || (event.key === 'f' && (event.ctrlKey || event.metaKey))) {
    event.preventDefault();
    find.focus();
  }
});
frame.listen(receivePicture);
frame.post({ kind: 'ready' });
// After a restart of the window the host has forgotten it.
if (frame.load()?.isLocked === true) frame.post({ kind: 'keep-locked' });
