/**
 * The panel's entry: puts picture, table, legend, buttons and status together and connects them to the host by
 * messages alone. States: nothing to show (and why), a picture, a picture that is out of date.
 */
import { drawDifference } from '../server/drawing/difference.ts';
import type { Scene } from '../server/drawing/scene.ts';
import { decodeScene } from '../server/protocol/encoding.ts';
import { protocolVersion, type PlacementProblem } from '../server/protocol/messages.ts';
import { isToPanel, type FromPanel, type ToPanel } from '../server/protocol/panel.ts';
import { chosen, createChoices, planeChosen, type Choices } from './choices.ts';
import { createControls, type Mode } from './controls.ts';
import { linkOf, targetOf, targetOfSelected, type Target } from './describeThing.ts';
import { createExplanation } from './explanation.ts';
import {
  binsOfHops,
  binsOfLoads,
  createHistogram,
  hopsTarget,
  marksOfHops,
  marksOfLoads,
  type BinRange,
} from './histogram.ts';
import { createFind } from './reach.ts';
import { marksOf } from './marks.ts';
import { fillLegend, createPage, type Notice, type NoticeAction } from './page.ts';
import type { Thing } from './pick.ts';
import { capturePng, createPicture, type Gesture } from './picture.ts';
import { placesOf, taskOfNode } from './places.ts';
import { createSelector, firstOf, type Selected } from './selection.ts';
import { createTableView } from './table.ts';
import { readTheme, watchTheme } from './theme.ts';
import { zoomStep, type SavedView } from './view.ts';
import { showsLanes } from './viewport.ts';

const channel = openChannel();
let theme = readTheme();
/** As it came, and as the reader chose to see it. */
let drawn: Scene | undefined;
let scene: Scene | undefined;
let choices: Choices = {};
let message: SceneMessage | undefined;
/** What is shown in the place of the picture is a change that is not written. */
let preview: { readonly title: string; readonly before: Scene } | undefined;
/** Kept when the picture goes: the placement may come back. */
let shown: { readonly uri: string; readonly placement: string; readonly machine?: string } | undefined;
let mode: Mode = 'picture';
/** What the host last said about the picture. */
let said: Pick<SceneMessage, 'status' | 'problem'> & { readonly stale: boolean; readonly reason?: string } = {
  stale: false,
};

const picture = createPicture(theme, { clicked, doubleClicked: revealThing, entered: revealSelected, moved: save });
const table = createTableView({
  reveal,
  select,
  saveCsv: (name, data) => {
    channel.post({ kind: 'save-csv', table: name, data });
  },
});
const selector = createSelector((target) => {
  // On a machine by itself nothing flows: what there is to say of a link is known here.
  if (scene?.about === undefined) channel.post({ kind: 'explain', target });
}, showSelection);
const explanation = createExplanation({
  clear: selector.clear,
  reveal: revealSelected,
  improve: (link, index) => {
    channel.post({ kind: 'preview-improvement', link, index });
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
/** What the histograms keep of the picture: links of these loads, or flows of these hops. */
let keptLoads: BinRange | undefined;
let keptHops: BinRange | undefined;
const loads = createHistogram('Links by load', (range) => {
  keptLoads = range;
  keep(hops);
});
const hops = createHistogram('Bytes by hops', (range) => {
  keptHops = range;
  keep(loads);
});

/** One histogram chooses at a time, and nothing else is selected then. */
function keep(other: typeof loads): void {
  other.clear();
  if (other === loads) keptLoads = undefined;
  else keptHops = undefined;
  selector.clear();
  showKept();
}

function showKept(): void {
  if (scene === undefined) return;
  if (keptLoads !== undefined) picture.setMarks(marksOfLoads(scene, keptLoads));
  else if (keptHops !== undefined) channel.post({ kind: 'explain', target: hopsTarget(keptHops) });
  else picture.setMarks(marksOf(scene, selector.selection));
}

function clearKept(): void {
  loads.clear();
  hops.clear();
  keptLoads = undefined;
  keptHops = undefined;
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
    channel.post({ kind: 'save-svg' });
  },
  savePng: () => void sendPng(),
  compare: () => {
    channel.post({ kind: 'compare' });
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
picture.element.append(choiceControls.planes);
page.legend.after(loads.element, hops.element);

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
      page.setStatus('working', { text: received.text, busy: true, actions: workActions(received.canFinish) });
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
    case 'capture':
      void sendPng();
      break;
  }
}

function explained({ target, answer }: Extract<ToPanel, { kind: 'explained' }>): void {
  if (target.kind === 'hops') {
    const isWanted = keptHops?.first === target.least && keptHops.last === target.most;
    if (isWanted && scene !== undefined && answer.kind === 'hops') picture.setMarks(marksOfHops(scene, answer));
  } else if (answer.kind !== 'hops') selector.receive(target, answer);
}

const post = (
  text: string,
  kind: 'finish' | 'cancel' | 'run' | 'reveal-problem' | 'write-preview' | 'preview-end',
): NoticeAction => ({
  text,
  act: () => {
    channel.post({ kind });
  },
});

const stopAndKeep = post('Stop and keep the best', 'finish');
const cancel = post('Cancel', 'cancel');
const runAgain = post('Work out again', 'run');
const goToProblem = post('Go to the problem', 'reveal-problem');

const writePreview = post('Write it', 'write-preview');
const leavePreview = post('Leave', 'preview-end');

const workActions = (canFinish: boolean): readonly NoticeAction[] => (canFinish ? [stopAndKeep, cancel] : [cancel]);

/** Whether the picture is of the text as it is, and if not, why, and what can be done about it. */
function showStatus(): void {
  const { stale, status, problem, reason } = said;
  if (preview !== undefined) {
    const moves = scene?.difference?.moves.task.length;
    const moved = moves === undefined ? '' : ` ${moves === 1 ? '1 task moves' : `${moves} tasks move`}.`;
    page.setStatus('preview', { text: `${preview.title}:${moved} Nothing is written yet.`, actions: [writePreview, leavePreview] }); // prettier-ignore
    return;
  }
  switch (status?.kind) {
    case 'waiting':
      page.setStatus('working', { text: 'It will be worked out after others.', actions: [cancel] });
      return;
    case 'working':
      page.setStatus('working', {
        text: status.progress.message,
        busy: true,
        actions: workActions(status.progress.search !== undefined),
      });
      return;
    case 'cancelled':
      page.setStatus(stale ? 'stale' : 'fresh', {
        text: 'It was cancelled before there was an answer.',
        actions: [runAgain],
      });
      return;
    default:
      page.setStatus(
        stale ? 'stale' : 'fresh',
        whyOld(stale, problem, status?.kind === 'failed' ? status.message : reason),
      );
  }
}

function whyOld(stale: boolean, problem: PlacementProblem | undefined, reason: string | undefined): Notice | undefined {
  if (problem !== undefined) {
    // Without a picture the reason stands in its place.
    const text = scene === undefined ? '' : problem.message;
    return { text, actions: problem.location === undefined ? [runAgain] : [goToProblem] };
  }
  if (scene === undefined || !stale) return undefined;
  return { text: reason ?? 'The text has changed since this was worked out. Save the file for the new picture.' };
}

function reveal(target: Target): void {
  channel.post({ kind: 'reveal', target });
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

function select(thing: Thing, second: boolean): void {
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
  if (selection.kind !== 'none') clearKept();
  if (keptLoads === undefined && keptHops === undefined) picture.setMarks(marksOf(scene, selection));
}

/** What the new picture still shows of the selection; a task may have moved to another node. */
function follow(selected: Selected): Selected | undefined {
  if (scene === undefined) return undefined;
  const places = placesOf(scene);
  if (selected.kind === 'node') {
    const entry = selected.task === undefined ? places.nodeNumbered(selected.node) : places.node(selected.task);
    const node = scene.nodes.id[entry ?? -1];
    return node === undefined ? undefined : { ...selected, node };
  }
  const { target } = selected;
  const isShown =
    target.kind === 'link'
      ? places.link(target.link) !== undefined
      : places.node(target.from) !== undefined && places.node(target.to) !== undefined;
  return isShown ? selected : undefined;
}

function showScene(received: SceneMessage): void {
  if (received.version !== protocolVersion) {
    showRefusal('The panel and the language server are of different versions. Reload the window.');
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
  // The page must show the canvas before the view can measure it.
  showMode(mode);
  display(scene, received);
  if (isSame) selector.refresh(follow);
  else {
    clearKept();
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
  fillLegend(page.legend, shownScene, theme, choiceControls);
  const { about, difference, loadLegend } = shownScene;
  const hasLoads = about === undefined && difference === undefined && loadLegend.maximum > 0;
  loads.show(hasLoads ? binsOfLoads(shownScene) : undefined);
  hops.show(hasLoads && shownScene.hops !== undefined ? binsOfHops(shownScene.hops) : undefined);
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
  clearKept();
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

async function sendPng(): Promise<void> {
  if (scene === undefined) return;
  try {
    channel.post({ kind: 'save-png', data: await capturePng(scene, theme, planeChosen(scene, choices)) });
  } catch (problem) {
    page.setStatus('failed', { text: problem instanceof Error ? problem.message : 'The picture could not be saved.' });
  }
}

function save(): void {
  channel.save(() => ({
    version: protocolVersion,
    ...(message === undefined ? {} : { message }),
    ...shown,
    view: picture.view.save(),
    mode,
    choices,
  }));
}

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
}

/** Messages to and from the host, and nothing else: no ports, no requests of our own. */
interface Channel {
  post(message: FromPanel): void;
  listen(receive: (message: ToPanel) => void): void;
  load(): SavedState | undefined;
  /** Remembers the newest state; written at most twice a second. */
  save(state: () => SavedState): void;
}

const saveDelay = 500;
/** Characters of a scene that are worth keeping; the editor stores the state as text. */
const largestSavedScene = 4_000_000;

function openChannel(): Channel {
  const host = acquireVsCodeApi();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest: (() => SavedState) | undefined;
  return {
    post: (message) => {
      host.postMessage(message);
    },
    listen(receive) {
      window.addEventListener('message', (event: MessageEvent<unknown>) => {
        if (isToPanel(event.data)) receive(event.data);
      });
    },
    load() {
      const state = host.getState() as SavedState | undefined;
      return state?.version === protocolVersion ? state : undefined;
    },
    save(state) {
      latest = state;
      timer ??= setTimeout(() => {
        timer = undefined;
        if (latest !== undefined) host.setState(withoutHugeScene(latest()));
      }, saveDelay);
    },
  };
}

function withoutHugeScene(state: SavedState): SavedState {
  const { message, ...rest } = state;
  return message !== undefined && message.scene.json.length > largestSavedScene ? rest : state;
}

/** The last picture at once, marked as out of date until the host answers. */
function restore(): void {
  const saved = channel.load();
  if (saved === undefined) return;
  mode = saved.mode;
  choices = saved.choices;
  if (saved.message === undefined) return;
  showScene({ ...saved.message, stale: true });
  page.setStatus('working', { text: waiting });
  picture.view.restore(saved.view);
}

const waiting = 'Waiting for the language server …';
controls.setEnabled(false);
page.showNothing(waiting);
watchTheme(() => {
  theme = readTheme();
  picture.setTheme(theme);
  if (scene !== undefined) fillLegend(page.legend, scene, theme, choiceControls);
});
restore();
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    if (preview !== undefined) {
      channel.post({ kind: 'preview-end' });
      return;
    }
    clearKept();
    selector.clear();
    showKept();
  }
  const isTyped = event.target instanceof HTMLInputElement;
  if ((event.key === '/' && !isTyped) || (event.key === 'f' && (event.ctrlKey || event.metaKey))) {
    event.preventDefault();
    find.focus();
  }
});
channel.listen(receive);
channel.post({ kind: 'ready' });
