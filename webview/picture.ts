import type { Scene } from '../server/drawing/scene.ts';
import { typicalNodeSize } from '../server/drawing/strokes.ts';
import { describeThing } from './describeThing.ts';
import { make } from './controls.ts';
import { paintHighlight, sameThing } from './highlight.ts';
import type { Marks } from './marks.ts';
import { paintScene } from './paint.ts';
import { createPicker, type Picker, type Thing } from './pick.ts';
import type { Theme } from './theme.ts';
import { createTooltip } from './tooltip.ts';
import { createView, type View } from './view.ts';
import type { Viewport } from './viewport.ts';

/** The canvas with what belongs to it: view, picking, tooltip, highlight. */
export interface Picture {
  readonly element: HTMLElement;
  readonly view: View;
  setScene(scene: Scene, key: string): void;
  setTheme(theme: Theme): void;
  /** What comes out of the picture; undefined: all as usual. */
  setMarks(marks: Marks | undefined): void;
}

/**
 * What a click means: select this alone; select it as the second of two (Shift); or select it and go to
 * its text (Control or Command).
 */
export type Gesture = 'select' | 'second' | 'reveal';

export interface PictureActions {
  /** A click on a thing or on nothing. */
  clicked(thing: Thing | undefined, gesture: Gesture): void;
  /** Its first click has selected the thing. */
  doubleClicked(thing: Thing | undefined): void;
  /** Enter on the picture: to the text of what is selected. */
  entered(): void;
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
  let marks: Marks | undefined;

  const redraw = oncePerFrame(() => {
    if (scene === undefined || canvas.clientWidth === 0) return;
    performance.mark('placewright-redraw');
    const viewport = viewportOf(canvas, view);
    paintScene(prepare(canvas), scene, viewport, theme, marks);
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
    return picker?.pick((event.offsetX - x) / k, (event.offsetY - y) / k, linkReach / k, k);
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
    // The second click of a double-click selects nothing new.
    if (scene === undefined || event.detail > 1) return;
    actions.clicked(thingAt(event), event.ctrlKey || event.metaKey ? 'reveal' : event.shiftKey ? 'second' : 'select');
  });
  canvas.addEventListener('dblclick', (event) => {
    actions.doubleClicked(thingAt(event));
  });
  canvas.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') actions.entered();
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
      marks = undefined;
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
    setMarks(newMarks) {
      if (newMarks === marks) return;
      marks = newMarks;
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
