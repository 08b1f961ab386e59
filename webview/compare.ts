/**
 * The panel in which placements stand side by side: one camera and one scale for all pictures, what changes from one to
 * another as one picture, and the same as tables. It computes the differences itself, of the scenes that the host sends.
 */
import { sceneWithChoices, planeChosen, scaleAsChosen, type Choices } from '../server/drawing/choices.ts';
import { drawDifference, whyNotCompared } from '../server/drawing/difference.ts';
import { formatLoad, sharedScale, withScale } from '../server/drawing/loadScale.ts';
import type { Marks } from '../server/drawing/marks.ts';
import type { LoadScale, Scene } from '../server/drawing/scene.ts';
import {
  isToComparePanel,
  type ComparedPlacement,
  type FromComparePanel,
  type ToComparePanel,
} from '../server/protocol/comparePanel.ts';
import { decodeScene } from '../server/protocol/encoding.ts';
import { protocolVersion, type SceneParameters } from '../server/protocol/messages.ts';
import type { SavedExtension } from '../server/protocol/savedFile.ts';
import { changedLinks, figureTable, movedTasks, type ChangedThing } from './compare/changeTable.ts';
import { SideBySide } from './compare/sideBySide.ts';
import { button, iconButton, kindButtons, labelled, make, numberedList } from './page/controls.ts';
import { Frame, otherVersion, waitingForServer } from './page/frame.ts';
import { readTheme, watchTheme } from './page/theme.ts';
import { t } from './page/words.ts';
import { createChoices } from './picture/choices.ts';
import { linkOf } from './picture/describeThing.ts';
import { fillLegend, fillNumberNotes } from './picture/legend.ts';
import type { Thing } from './picture/pick.ts';
import { createSaveForm, offerOfPicture, type SaveOffer } from './picture/saveForm.ts';
import { zoomButtons, type SavedView } from './picture/view.ts';
import { showsLanes } from './picture/viewport.ts';
import { PagedTable } from './table/table.ts';

type Mode = 'side' | 'difference' | 'table';

/** A placement that is shown, and its picture. */
interface Shown {
  readonly placement: ComparedPlacement;
  /** As it came; absent where there is no picture. */
  readonly drawn: Scene | undefined;
  /** As the reader chose to see it, by its own scale. */
  readonly scene: Scene | undefined;
}

/** What outlives the page. */
interface SavedState {
  /** Whose page it is: with it the host connects the panel again after a restart of the window. */
  readonly shown: readonly SceneParameters[];
  readonly mode: Mode;
  readonly before: number;
  readonly after: number;
  readonly hasArrows: boolean;
  readonly choices: Choices;
  /** Of the one camera. */
  readonly view?: SavedView | undefined;
}

const frame = new Frame<FromComparePanel, ToComparePanel, SavedState>(isToComparePanel);
const { post } = frame;
const choiceControls = createChoices((changed) => {
  choices = changed;
  shown = shown.map(layOutChosen);
  showAll();
});
let theme = readTheme();
let shown: readonly Shown[] = [];
let mode: Mode = 'side';
let [before, after] = [0, 1];
let hasArrows = true;
let choices: Choices = {};
/** What the tables are of: the difference whether or not it is in sight. */
let difference: Scene | undefined;
/** Why there is none. */
let refusal = '';

/** How the pictures were seen when the page was left, until they are there again. */
let left: SavedView | undefined;

const side = new SideBySide(theme, {
  moved: () => {
    showNumberNotes();
    if (shown.length > 0) frame.saveSoon(stateNow);
  },
  show: (index) => {
    post({ kind: 'show', index });
  },
  tell: showNotice,
});
const differencePicture = side.pictureWith((thing) => {
  if (difference === undefined) return;
  differencePicture.setMarks(thing && marksOfThing(difference, thing));
});
const table = new PagedTable<ChangedThing>({
  select: (thing) => {
    showCompareMode('difference');
    differencePicture.setMarks(marksOfChange(thing));
  },
  selectTitle: t('Picture'),
  save: (csv) => {
    saveFile('csv', csv);
  },
});
table.setSelectText(t('Show'));

const modeButtons = kindButtons<Mode>(
  t('View'),
  [
    ['side', t('Side by side'), t('Side by side: all placements with one view and one scale')],
    ['difference', t('Difference'), t('Difference: changes between two placements')],
    ['table', t('Table'), t('Table of changes and metrics')],
  ],
  showCompareMode,
);
const viewButtons = zoomButtons(() => leading()?.view);
const arrowButton = iconButton('arrows', t('Arrows of moved tasks'), () => {
  hasArrows = !hasArrows;
  showDifference();
  saveComparison();
});
const saveForm = createSaveForm({
  offer: offerOfMode,
  save: saveFile,
  failed: (text) => {
    frame.setStatus(['failed', { text }]);
  },
});
const chooseButton = button(t('Choose'), t('Choose placements'), () => {
  post({ kind: 'choose' });
});
// The other one gives way where both would be the same.
const beforeList = numberedList('before', t('Before'), (index) => {
  choosePair(index, index === after ? before : after);
});
const afterList = numberedList('after', t('After'), (index) => {
  choosePair(index === before ? after : before, index);
});
const swapButton = iconButton('swap', t('Swap the two placements'), () => {
  choosePair(after, before);
});
const rowsList = make('select', { id: 'rows' }, make('option', {}, t('Links')), make('option', {}, t('Tasks')));
rowsList.addEventListener('change', showTable);
const rowsField = labelled(t('Rows'), rowsList);
const options = make(
  'div',
  { class: 'options', role: 'group', 'aria-label': t('Comparison mode') },
  beforeList.element,
  afterList.element,
  swapButton,
  choiceControls.planes,
  rowsField,
);
choiceControls.planes.classList.add('in-row');
const figures = make('div');
const tables = make('div', { class: 'tables' }, table.element, figures);
const legend = make('div', { class: 'legend' });
const aside = make('aside', { 'aria-label': t('Metrics and legend'), tabindex: '0' }, legend);
const content = make('div', { class: 'content' }, side.element, differencePicture.element, tables, aside);
frame.fill({
  header: [
    modeButtons.element,
    make(
      'div',
      { class: 'controls', role: 'toolbar', 'aria-label': t('Comparison') },
      ...viewButtons,
      arrowButton,
      chooseButton,
    ),
  ],
  between: [options],
  body: [content],
});

function start(): void {
  const saved = frame.load();
  if (saved !== undefined) ({ mode, before, after, hasArrows, choices, view: left } = saved);
  watchTheme(() => {
    theme = readTheme();
    side.setTheme(theme);
    differencePicture.setTheme(theme);
    showLegend();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') clearMarks();
  });
  frame.listen(receiveComparison);
  frame.setTitle(t('Compare'));
  showCompareMode(mode);
  post({ kind: 'ready' });
}

function receiveComparison(message: ToComparePanel): void {
  if (message.kind === 'failed') {
    frame.setStatus(['failed', { text: message.message }]);
    return;
  }
  if (message.kind === 'save-form') {
    saveForm.open();
    return;
  }
  if (message.version !== protocolVersion) {
    shown = [];
    refusal = otherVersion;
  } else {
    shown = message.placements.map((placement) => {
      const drawn = placement.scene && decodeScene(placement.scene);
      return layOutChosen({ placement, drawn, scene: drawn });
    });
  }
  before = Math.min(before, Math.max(0, shown.length - 1));
  after = Math.min(after, Math.max(0, shown.length - 1));
  if (before === after && shown.length > 1) [before, after] = [0, 1];
  const view = left;
  showAll();
  if (shown.some(({ scene }) => scene !== undefined)) restoreCamera(view);
  saveComparison();
}

/** The camera of an earlier page, once there are pictures. */
function restoreCamera(view: SavedView | undefined): void {
  left = undefined;
  if (view === undefined) return;
  side.restore(view);
  if (mode === 'difference') side.bringAlong(differencePicture);
}

/** Laid out and labelled as chosen; the scale is that of all together. */
function layOutChosen({ placement, drawn }: Shown): Shown {
  const { labels, measure, projection } = choices;
  const own: Choices = {
    ...(labels !== undefined && { labels }),
    ...(projection !== undefined && { projection }),
    ...(measure !== undefined && { measure }),
  };
  return { placement, drawn, scene: drawn && sceneWithChoices(drawn, own) };
}

/** The scale of all pictures, as chosen. */
function pictureScale([first, ...others]: readonly [Scene, ...Scene[]]): LoadScale {
  return scaleAsChosen(sharedScale([first, ...others]), choices);
}

function showAll(): void {
  const scenes = scenesShown();
  const [first] = scenes;
  frame.setTitle(
    shown.length === 0 ? t('Compare') : shown.map(({ placement }) => placement.placement).join(', '),
    first && t('{0} on {1}', first.jobs.map(({ name }) => name).join(', '), first.machine),
  );
  fillLists();
  showCells(scenes);
  showDifference();
  figures.replaceChildren(figureTable(scenes));
  const old = shown.filter(({ placement, scene }) => placement.stale && scene !== undefined);
  const named = old.map(({ placement }) => placement.placement).join(', ');
  const text = t('Out of date: {0}. Save the file to update.', named);
  frame.setStatus(old.length > 0 ? ['stale', { text }] : ['fresh']);
  showCompareMode(mode);
}

function fillLists(): void {
  const names = shown.map(({ placement }) => comparedName(placement));
  beforeList.fill(names, before);
  afterList.fill(names, after);
}

/** With its file where the placements are of several. */
function comparedName({ placement, file }: ComparedPlacement): string {
  return new Set(shown.map((one) => one.placement.file)).size > 1 ? `${placement} (${file})` : placement;
}

/** Why a placement has no place beside the others. */
function reasonAgainst({ placement, scene }: Shown): string | undefined {
  if (scene === undefined) return placement.reason ?? t('No diagram available.');
  const first = shown.find((one) => one.scene !== undefined)?.scene;
  return first === undefined || first === scene ? undefined : whyNotCompared(first, scene);
}

const scenesShown = (): readonly Scene[] =>
  shown.flatMap((one) => (one.scene === undefined || reasonAgainst(one) !== undefined ? [] : [one.scene]));

/** One picture for each placement, all by one scale. */
function showCells([first, ...others]: readonly Scene[]): void {
  const cells = shown.map((one) => ({
    name: comparedName(one.placement),
    scene: one.scene,
    reason: reasonAgainst(one),
  }));
  side.show(
    cells,
    first && { scale: pictureScale([first, ...others]), key: viewKey(), plane: planeChosen(first, choices) },
  );
}

/** All pictures are of one machine, so that a view of one fits the others, as long as they are laid out alike. */
const viewKey = (): string => `compared ${choices.projection ?? ''} ${choices.plane ?? ''}`;

/** The picture that buttons move. */
const leading = () => (mode === 'difference' ? differencePicture : side.leading);

function clearMarks(): void {
  side.clearMarks();
  differencePicture.setMarks(undefined);
  showNotice(undefined);
}

function showNotice(text: string | undefined): void {
  frame.setNotice(text === undefined ? undefined : { text, actions: [{ text: t('Clear'), act: clearMarks }] });
}

function marksOfThing(scene: Scene, thing: Thing): Marks | undefined {
  if (thing.kind === 'router') return undefined;
  if (thing.kind === 'node') return { links: new Map(), nodes: new Set([thing.entry]) };
  return marksOfChange({
    kind: 'link',
    link: linkOf(scene, thing, showsLanes(scene, differencePicture.view.transform.k)),
  });
}

const marksOfChange = (thing: ChangedThing): Marks =>
  thing.kind === 'link'
    ? { links: new Map([[thing.link, 1]]), nodes: new Set() }
    : { links: new Map(), nodes: new Set([thing.from, thing.to]) };

function showDifference(): void {
  const [one, other] = [shown[before], shown[after]];
  difference = undefined;
  if (one === undefined || other === undefined) refusal = refusal === '' ? waitingForServer : refusal;
  else if (one.scene === undefined || other.scene === undefined) {
    refusal = (one.scene === undefined ? one : other).placement.reason ?? t('No diagram available.');
  } else {
    const made = drawDifference(one.scene, other.scene);
    if (made.ok) {
      difference = made.value;
      refusal = '';
      const scene = withArrows(made.value);
      differencePicture.setScene(scene, viewKey(), planeChosen(scene, choices));
    } else refusal = made.failure.message;
  }
  arrowButton.setAttribute('aria-pressed', String(hasArrows));
  showTable();
  showLegend();
}

const noArrows = { from: new Int32Array(0), to: new Int32Array(0), tasks: new Int32Array(0) };

/** Without them where the user has hidden them. */
function withArrows(scene: Scene): Scene {
  if (hasArrows || scene.difference === undefined) return scene;
  return { ...scene, difference: { ...scene.difference, arrows: noArrows } };
}

function showTable(): void {
  if (difference?.difference === undefined) return;
  const rows = rowsList.selectedIndex === 0 ? changedLinks : movedTasks;
  table.setContent(rows(difference, difference.difference));
}

/** Of numbers and names those that are drawn at the zoom of the pictures. */
function showNumberNotes(): void {
  const scene = mode === 'difference' ? difference : scenesShown()[0];
  if (scene !== undefined) fillNumberNotes(legend, scene, leading()?.view.transform.k);
}

function showLegend(): void {
  const scenes = scenesShown();
  const [first, ...others] = scenes;
  if (mode === 'difference' && difference !== undefined) {
    choiceControls.show(difference, choices);
    fillLegend(legend, difference, theme, choiceControls, leading()?.view.transform.k);
  } else if (first !== undefined) {
    const scaled = withScale(first, pictureScale([first, ...others]));
    choiceControls.show(scaled, choices);
    fillLegend(legend, scaled, theme, choiceControls, leading()?.view.transform.k);
    // The figures of each stand above its picture.
    const { measure, maximum } = scaled.loadLegend.scale;
    const end = formatLoad(maximum, measure);
    const words =
      measure === 'bytes'
        ? t('One colour scale (bytes) for all diagrams; thresholds from {0}, maximum {1}.', first.placement, end)
        : t('One colour scale (link time) for all diagrams; thresholds from {0}, maximum {1}.', first.placement, end);
    const scale = make('section', {}, make('h2', {}, t('One scale')), make('p', { class: 'faint' }, words));
    legend.firstElementChild?.replaceWith(scale);
  }
}

function showCompareMode(newMode: Mode): void {
  mode = newMode;
  const isPair = mode !== 'side';
  const nothing = shown.length === 0 || (isPair && difference === undefined);
  frame.setReason(nothing ? refusal || waitingForServer : undefined);
  content.hidden = nothing;
  side.element.hidden = mode !== 'side';
  differencePicture.element.hidden = mode !== 'difference';
  tables.hidden = mode !== 'table';
  aside.hidden = mode === 'table';
  aside.classList.toggle('wide', mode === 'difference');
  showLegend();
  showCompareControls(nothing);
  // One camera for all: what comes into sight takes over the view of what was.
  if (mode === 'difference' && !nothing) side.bringAlong(differencePicture);
  saveComparison();
}

/** What is of use in this view; of little where there is nothing to see. */
function showCompareControls(nothing: boolean): void {
  const [isTable, isDifference] = [mode === 'table', mode === 'difference'];
  const { planes } = choiceControls;
  if (isTable || nothing) planes.hidden = true;
  for (const element of [beforeList.element, afterList.element, swapButton]) element.hidden = mode === 'side';
  options.hidden = shown.length === 0 || (mode === 'side' && planes.hidden);
  rowsField.hidden = !isTable || nothing;
  arrowButton.hidden = !isDifference || nothing;
  for (const element of viewButtons) element.hidden = isTable || nothing;
  chooseButton.toggleAttribute('disabled', shown.length === 0);
  modeButtons.press(mode);
}

function choosePair(newBefore: number, newAfter: number): void {
  [before, after] = [newBefore, newAfter];
  fillLists();
  showDifference();
  showCompareMode(mode);
}

/** Letters of a name of a file that a host takes. */
const longestName = 100;

/** Asks where to, by the names of the placements that it is of. */
function saveFile(extension: SavedExtension, data: string): void {
  const named = mode === 'side' ? shown : [shown[before], shown[after]];
  const name = named.flatMap((one) => one?.placement.placement ?? []).join('.');
  post({ kind: 'save', extension, data, name: name.slice(0, longestName) });
}

/** Of each view what it shows: all pictures, the difference, or its table. */
function offerOfMode(): SaveOffer | undefined {
  if (mode === 'table') return difference && { csv: () => table.csv() };
  if (mode === 'difference') return difference && offerOfPicture(withArrows(difference), choices, differencePicture);
  return side.offer(choices);
}

function saveComparison(): void {
  if (shown.length > 0) frame.save(stateNow());
}

function stateNow(): SavedState {
  return {
    shown: shown.map(({ placement: { uri, placement } }) => ({ uri, placement })),
    mode,
    before,
    after,
    hasArrows,
    choices,
    view: left ?? side.leading?.view.save(),
  };
}

start();
