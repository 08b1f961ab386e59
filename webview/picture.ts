import type { Scene } from '../server/drawing/scene.ts';
import { typicalNodeSize } from '../server/drawing/strokes.ts';
import { describeThing, targetOf, type Target } from './describeThing.ts';
import { make } from './dom.ts';
import { paintScene } from './paint.ts';
import { createPicker, type Picker, type Thing } from './pick.ts';
import type { Theme } from './theme.ts';
import { createTooltip } from './tooltip.ts';
import { showsLanes, type Viewport } from './viewport.ts';
import { createView, type View } from './view.ts';

/** The canvas with what belongs to it: view, picking, tooltip, highlight. */
export interface Picture {
  readonly element: HTMLElement;
  readonly view: View;
  setScene(scene: Scene, key: string): void;
  setTheme(theme: Theme): void;
}

export interface PictureActions {
  reveal(target: Target): void;
  moved(): void;
}

/** Half the side of a node in a fitted picture is at most this many pixels. */
const largestNode = 30;
/** How near to a line the pointer must be, CSS pixels. */
const linkReach = 6;

export function createPicture(firstTheme: Theme, actions: PictureActions): Picture {
  const canvas = make('canvas', { class: 'scene', role: 'img', tabindex: '0' });
  const overlay = make('canvas', { class: 'highlight', 'aria-hidden': 'true' });
  const tooltip = createTooltip();
  const element = make('div', { class: 'picture' }, canvas, overlay, tooltip.element);
  let theme = firstTheme;
  let scene: Scene | undefined;
  let picker: Picker | undefined;
  let hovered: Thing | undefined;

  const redraw = oncePerFrame(() => {
    if (scene === undefined || canvas.clientWidth === 0) return;
    performance.mark('placewright-redraw');
    const viewport = viewportOf(canvas, view);
    paintScene(prepare(canvas), scene, viewport, theme);
    paintHighlight(prepare(overlay), scene, hovered, viewport, theme);
    performance.measure('placewright-redraw', 'placewright-redraw');
  });
  const highlight = oncePerFrame(() => {
    if (scene !== undefined) paintHighlight(prepare(overlay), scene, hovered, viewportOf(canvas, view), theme);
  });
  const view = createView(canvas, () => {
    hover(undefined);
    redraw();
    actions.moved();
  });
  const hover = (thing: Thing | undefined): void => {
    if (thing === undefined) tooltip.hide();
    if (sameThing(thing, hovered)) return;
    hovered = thing;
    canvas.classList.toggle('pointing', thing !== undefined);
    highlight();
  };
  const thingAt = (event: MouseEvent): Thing | undefined => {
    const { k, x, y } = view.transform;
    return picker?.pick((event.offsetX - x) / k, (event.offsetY - y) / k, linkReach / k);
  };

  canvas.addEventListener('mousemove', (event) => {
    if (scene === undefined || event.buttons !== 0) return;
    const thing = thingAt(event);
    hover(thing);
    if (thing !== undefined) tooltip.show(describeThing(scene, thing), event.offsetX, event.offsetY);
  });
  canvas.addEventListener('mouseleave', () => {
    hover(undefined);
  });
  canvas.addEventListener('click', (event) => {
    const thing = thingAt(event);
    if (scene === undefined || thing === undefined) return;
    actions.reveal(targetOf(scene, thing, showsLanes(scene, view.transform.k)));
  });
  new ResizeObserver(() => {
    if (canvas.clientWidth === 0) return;
    view.resize();
    redraw();
  }).observe(element);

  return {
    element,
    view,
    setScene(newScene, key) {
      scene = newScene;
      picker = createPicker(newScene);
      hover(undefined);
      canvas.setAttribute('aria-label', newScene.description);
      view.show(newScene.bounds, key, largestNode / typicalNodeSize(newScene));
      redraw();
    },
    setTheme(newTheme) {
      theme = newTheme;
      redraw();
    },
  };
}

function viewportOf(canvas: HTMLCanvasElement, view: View): Viewport {
  const { k, x, y } = view.transform;
  return { width: canvas.clientWidth, height: canvas.clientHeight, scale: k, x, y };
}

/** Sizes the canvas to the screen's pixels; afterwards its unit is a CSS pixel. */
function prepare(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const ratio = window.devicePixelRatio;
  const width = Math.round(canvas.clientWidth * ratio);
  const height = Math.round(canvas.clientHeight * ratio);
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = canvas.getContext('2d')!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

/** An outline round what the pointer is on, on a canvas of its own: the scene is not painted again. */
function paintHighlight(
  context: CanvasRenderingContext2D,
  scene: Scene,
  thing: Thing | undefined,
  view: Viewport,
  theme: Theme,
): void {
  context.clearRect(0, 0, view.width, view.height);
  if (thing === undefined) return;
  context.strokeStyle = theme.focus;
  context.lineWidth = 2;
  context.beginPath();
  if (thing.kind === 'node') {
    const { nodes } = scene;
    const half = nodes.size[thing.entry]! * view.scale + 2.5;
    context.rect(
      nodes.x[thing.entry]! * view.scale + view.x - half,
      nodes.y[thing.entry]! * view.scale + view.y - half,
      2 * half,
      2 * half,
    );
  } else {
    outlineLink(context, scene, thing.link, view);
  }
  context.stroke();
}

function outlineLink(context: CanvasRenderingContext2D, scene: Scene, link: number, view: Viewport): void {
  const { links } = scene;
  const [x1, y1] = [links.x1[link]! * view.scale + view.x, links.y1[link]! * view.scale + view.y];
  const [x2, y2] = [links.x2[link]! * view.scale + view.x, links.y2[link]! * view.scale + view.y];
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const away = Math.max(4, typicalNodeSize(scene) * view.scale * 0.45);
  const [right, down] = [(-(y2 - y1) / length) * away, ((x2 - x1) / length) * away];
  context.moveTo(x1 + right, y1 + down);
  context.lineTo(x2 + right, y2 + down);
  context.lineTo(x2 - right, y2 - down);
  context.lineTo(x1 - right, y1 - down);
  context.closePath();
}

function sameThing(first: Thing | undefined, second: Thing | undefined): boolean {
  if (first?.kind === 'node' && second?.kind === 'node') return first.entry === second.entry;
  if (first?.kind === 'link' && second?.kind === 'link') return first.link === second.link;
  return first === second;
}

/** However often it is called, `action` runs once before the next frame. */
function oncePerFrame(action: () => void): () => void {
  let requested = false;
  return () => {
    if (requested) return;
    requested = true;
    requestAnimationFrame(() => {
      requested = false;
      action();
    });
  };
}
