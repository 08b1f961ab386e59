/**
 * The panel's entry: puts picture, table, legend, buttons and status together and connects them
 * to the host. States: nothing to show (and why), a picture, a picture that is out of date.
 */
import type { Scene } from '../server/drawing/scene.ts';
import { decodeScene } from '../server/protocol/encoding.ts';
import { protocolVersion, type ToPanel } from '../server/protocol/messages.ts';
import { capturePng } from './capture.ts';
import { openChannel, type SceneMessage } from './channel.ts';
import { createControls, type Mode } from './controls.ts';
import { fillLegend } from './legend.ts';
import { createPage } from './page.ts';
import { createPicture } from './picture.ts';
import { createTableView } from './table.ts';
import { readTheme, watchTheme } from './theme.ts';
import { zoomStep } from './view.ts';

const channel = openChannel();
let theme = readTheme();
let scene: Scene | undefined;
let message: SceneMessage | undefined;
/** Kept when the picture goes: the placement may come back. */
let shown: { readonly uri: string; readonly placement: string } | undefined;
let mode: Mode = 'picture';

const picture = createPicture(theme, {
  reveal: (target) => {
    channel.post({ kind: 'reveal', target });
  },
  moved: save,
});
const table = createTableView((target) => {
  channel.post({ kind: 'reveal', target });
});
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
});
const page = createPage(document.getElementById('placewright')!, controls.element, picture.element, table.element);

function receive(received: ToPanel): void {
  switch (received.kind) {
    case 'scene':
      showScene(received);
      break;
    case 'nothing':
      showNothing(received.reason);
      break;
    case 'working':
      page.setStatus('working', 'Working …');
      break;
    case 'failed':
      page.setStatus('failed', received.message);
      break;
    case 'capture':
      void sendPng();
      break;
  }
}

function showScene(received: SceneMessage): void {
  if (received.version !== protocolVersion) {
    showNothing('The panel and the language server are of different versions. Reload the window.');
    return;
  }
  message = received;
  scene = decodeScene(received.scene);
  shown = { uri: received.uri, placement: scene.placement };
  page.showScene(scene.placement, scene.machine);
  controls.setEnabled(true);
  // The page must show the canvas before the view can measure it.
  showMode(mode);
  picture.setScene(scene, `${received.uri} ${scene.placement}`);
  table.setScene(scene);
  fillLegend(page.legend, scene, theme);
  if (received.stale) page.setStatus('stale', 'Out of date: shows an earlier text');
  else page.setStatus('fresh', '');
  save();
}

function showNothing(reason: string): void {
  scene = undefined;
  message = undefined;
  controls.setEnabled(false);
  page.showNothing(reason);
  page.setStatus('fresh', '');
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
    channel.post({ kind: 'save-png', data: await capturePng(scene, theme) });
  } catch (problem) {
    page.setStatus('failed', problem instanceof Error ? problem.message : 'The picture could not be saved.');
  }
}

function save(): void {
  channel.save(() => ({
    version: protocolVersion,
    ...(message === undefined ? {} : { message }),
    ...shown,
    view: picture.view.save(),
    mode,
  }));
}

/** The last picture at once, marked as out of date until the host answers. */
function restore(): void {
  const saved = channel.load();
  if (saved === undefined) return;
  mode = saved.mode;
  if (saved.message === undefined) return;
  showScene({ ...saved.message, stale: true });
  picture.view.restore(saved.view);
}

controls.setEnabled(false);
page.showNothing('Waiting for the language server …');
watchTheme(() => {
  theme = readTheme();
  picture.setTheme(theme);
  if (scene !== undefined) fillLegend(page.legend, scene, theme);
});
restore();
channel.listen(receive);
channel.post({ kind: 'ready' });
