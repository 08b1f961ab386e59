/**
 * The picture: the canvas that shows a scene, with what follows the pointer on it (picking, highlight, tooltip).
 */
import type { Lit } from '../../server/drawing/lit.ts';
import type { Marks } from '../../server/drawing/marks.ts';
import { planeOf, proportionOf } from '../../server/drawing/projections.ts';
import type { Scene } from '../../server/drawing/scene.ts';
import { typicalNodeSize } from '../../server/drawing/strokes.ts';
import { toBase64 } from '../../server/protocol/encoding.ts';
import type { MenuContext } from '../../server/protocol/panel.ts';
import { make } from '../page/controls.ts';
import type { Theme } from '../page/theme.ts';
import { t } from '../page/words.ts';
import { describeThing, type ThingText } from './describeThing.ts';
import { outlineNodes } from './marks.ts';
import { paintedNames, paintScene } from './paint.ts';
import { bowTo } from './paintLinks.ts';
import { createPicker, type Picker, type Thing } from './pick.ts';
import { neighbourThing, nextLink, thingPosition, type Direction } from './reach.ts';
import { createView, type View } from './view.ts';
import { moveBetween, viewportPart, uncoveredBy, type Viewport } from './viewport.ts';

/** The canvas with what belongs to it: view, picking, tooltip, highlight. */
interface Picture {
  readonly element: HTMLElement;
  readonly view: View;
  /** `plane`: that plane of three dimensions comes out, and fills the view where planes stand side by side. */
  setScene(scene: Scene, key: string, plane?: number): void;
  setTheme(theme: Theme): void;
  /** What comes out of the picture; undefined: all as usual. */
  setMarks(marks: Marks | undefined): void;
  /** What comes out of it now. */
  readonly marks: Marks | undefined;
  /** Width over height of the room for it, in steps, where it is laid out for `now`. */
  proportionFrom(now: number | undefined): number;
  /** The part of the world that is on the screen. */
  readonly sight: Scene['bounds'];
  /** What the cursor of the text stands on: outlined, and brought into sight where none of it is; undefined: nothing. */
  setLit(lit: Lit | undefined): void;
  /** Goes to a thing, as the keys do: it is lit and described, and comes into sight. */
  goTo(thing: Thing): void;
  focus(): void;
}

/**
 * What a click means: select this alone; select it as the second of two (Shift); or select it and go to
 * its text (Control or Command).
 */
export type Gesture = 'select' | 'second' | 'reveal';

interface PictureActions {
  /** A click on a thing or on nothing. */
  clicked(thing: Thing | undefined, gesture: Gesture): void;
  /** Its first click has selected the thing. */
  doubleClicked(thing: Thing | undefined): void;
  /** Enter on the picture: to the text of what is selected. */
  entered(): void;
  moved(): void;
  /** The room for it has other measures. */
  resized?(): void;
  /** The menu of a thing; of none where nothing is under the pointer, or no key has led to anything. */
  menu?(thing: Thing | undefined): MenuContext | undefined;
}

/** Half the side of a node in a fitted picture is at most this many pixels. */
const largestNode = 30;
/** How near to a line the pointer must be, CSS pixels. */
const linkReach = 6;

export function createPicture(firstTheme: Theme, actions: PictureActions): Picture {
  const canvas = make('canvas', { class: 'scene', role: 'img', tabindex: '0' });
  const overlay = make('canvas', { class: 'highlight', 'aria-hidden': 'true' });
  const tooltip = createTooltip();
  // What the keys go to, for screen readers.
  const spoken = make('div', { class: 'spoken', 'aria-live': 'polite' });
  // Not spoken: who moves the cursor listens to the text.
  const litWords = make('div', { class: 'lit', hidden: '' });
  const element = make('div', { class: 'picture' }, canvas, overlay, litWords, tooltip.element, spoken);
  canvas.setAttribute('aria-description', keysHelp);
  let theme = firstTheme;
  let scene: Scene | undefined;
  let picker: Picker | undefined;
  let hovered: Thing | undefined;
  let marks: Marks | undefined;
  let lit: Lit | undefined;
  let plane: Scene | undefined;
  /** Where the keys are, and the node or switch whose links they go round. */
  let cursor: Thing | undefined;
  let centre: Thing | undefined;
  /** What was gone to last; Enter on it again goes to its text. */
  let entered: Thing | undefined;
  let isOverlayEmpty = true;
  /** What is on the canvas. */
  let painted: Painted | undefined;
  /** Until a picture that was painted in parts rests. */
  let rest: ReturnType<typeof setTimeout> | undefined;
  /** For which the view was fitted last; '' while the picture is hidden, when it is not painted either. */
  let fittedSize = '';
  const sizeNow = (): string => (canvas.clientWidth === 0 ? '' : `${canvas.clientWidth} x ${canvas.clientHeight}`);

  const paintOverlay = (shown: Scene, viewport: Viewport): void => {
    const isEmpty = lit === undefined && hovered === undefined;
    // The browser would put an empty canvas together with the picture anew.
    if (isEmpty && isOverlayEmpty) return;
    isOverlayEmpty = isEmpty;
    const context = prepare(overlay);
    context.clearRect(0, 0, viewport.width, viewport.height);
    if (lit !== undefined) paintLit(context, shown, lit, viewport, theme);
    if (hovered !== undefined) paintHighlight(context, shown, hovered, viewport, theme);
  };
  const redraw = oncePerFrame(() => {
    if (scene === undefined || canvas.clientWidth === 0) return;
    performance.mark('placewright-redraw');
    const viewport = viewportOf(canvas, view);
    const next = { scene, viewport, ratio: window.devicePixelRatio, theme, marks, plane };
    const isWhole = paint(prepare(canvas), painted, next);
    painted = next;
    clearTimeout(rest);
    if (!isWhole) rest = setTimeout(redrawWhole, restAfter);
    paintOverlay(scene, viewport);
    performance.measure('placewright-redraw', 'placewright-redraw');
  });
  const redrawWhole = (): void => {
    painted = undefined;
    redraw();
  };
  const highlight = oncePerFrame(() => {
    if (scene !== undefined) paintOverlay(scene, viewportOf(canvas, view));
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
    const thing = thingAt(event);
    // Keys go on from there.
    cursor = entered = thing;
    if (thing?.kind !== 'link') centre = thing;
    actions.clicked(thing, event.ctrlKey || event.metaKey ? 'reveal' : event.shiftKey ? 'second' : 'select');
  });
  canvas.addEventListener('dblclick', (event) => {
    actions.doubleClicked(thingAt(event));
  });
  const goTo = (thing: Thing | undefined): void => {
    if (scene === undefined || thing === undefined) return;
    cursor = thing;
    if (thing.kind !== 'link') centre = thing;
    const [x, y] = thingPosition(scene, thing);
    view.bringIntoSight(x, y);
    hover(thing);
    const words = describeThing(scene, thing);
    const { k, x: left, y: top } = view.transform;
    tooltip.show(words, x * k + left, y * k + top);
    spoken.textContent = [words.headline, ...words.lines].join('. ');
  };
  const enter = (second: boolean): void => {
    if (cursor === undefined || sameThing(cursor, entered)) actions.entered();
    else actions.clicked(cursor, second ? 'second' : 'select');
    entered = cursor;
  };
  /** Where a key leads; undefined for one that leads nowhere. */
  const ledTo = (shown: Scene, { key, shiftKey }: KeyboardEvent): Thing | undefined => {
    if (key in arrows) return shiftKey ? undefined : neighbourThing(shown, cursor, key as Direction);
    if (key.toLowerCase() !== 'l' || centre === undefined) return undefined;
    return nextLink(shown, centre, cursor, key === 'l' ? 1 : -1);
  };
  canvas.addEventListener('keydown', (event) => {
    if (scene === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter') enter(event.shiftKey);
    if (event.key === 'Escape') {
      cursor = undefined;
      hover(undefined);
    }
    const thing = ledTo(scene, event);
    if (thing === undefined) return;
    entered = undefined;
    event.preventDefault();
    goTo(thing);
  });
  let isMenuByKeys = false;
  canvas.addEventListener('keydown', ({ key, shiftKey }) => {
    isMenuByKeys = key === 'ContextMenu' || (key === 'F10' && shiftKey);
  });
  canvas.addEventListener('contextmenu', (event) => {
    const context = actions.menu?.(isMenuByKeys ? cursor : thingAt(event));
    isMenuByKeys = false;
    if (context === undefined) delete canvas.dataset['vscodeContext'];
    else canvas.dataset['vscodeContext'] = JSON.stringify(context);
  });
  canvas.addEventListener('contextrestored', redrawWhole);
  canvas.addEventListener('blur', () => {
    hover(undefined);
  });
  new ResizeObserver(() => {
    const before = fittedSize;
    fittedSize = sizeNow();
    if (fittedSize === '') return;
    // A picture that has just been shown in this size is painted already.
    if (fittedSize !== before) {
      view.resize();
      redraw();
    }
    actions.resized?.();
  }).observe(element);

  return {
    element,
    view,
    setScene(newScene, key, newPlane) {
      scene = newScene;
      plane = newPlane === undefined ? undefined : planeOf(newScene, newPlane);
      marks = undefined;
      lit = undefined;
      litWords.hidden = true;
      // Entries of the new scene may be others.
      cursor = centre = entered = undefined;
      picker = createPicker(newScene);
      hover(undefined);
      canvas.setAttribute('aria-label', newScene.description);
      fittedSize = sizeNow();
      const area = newScene.projection === 'slices' && newPlane !== undefined ? newScene.areas[newPlane] : undefined;
      view.show(area ?? newScene.bounds, key, largestNode / typicalNodeSize(newScene), paintedNames(newScene));
      redraw();
    },
    setTheme(newTheme) {
      theme = newTheme;
      redraw();
    },
    get marks() {
      return marks;
    },
    proportionFrom: (now) => proportionOf(canvas.clientWidth, canvas.clientHeight, now),
    get sight() {
      const { k, x, y } = view.transform;
      return { left: -x / k, top: -y / k, right: (canvas.clientWidth - x) / k, bottom: (canvas.clientHeight - y) / k };
    },
    setMarks(newMarks) {
      if (newMarks === marks) return;
      marks = newMarks;
      redraw();
    },
    setLit(newLit) {
      if (newLit === lit) return;
      lit = newLit;
      litWords.hidden = lit === undefined;
      litWords.textContent = lit === undefined ? '' : t('In the text: {0}', lit.words);
      if (scene !== undefined && lit !== undefined) view.panIntoSight(pointsOf(scene, lit));
      highlight();
    },
    goTo,
    focus() {
      canvas.focus();
    },
  };
}

const arrows: Readonly<Record<Direction, true>> = { ArrowLeft: true, ArrowRight: true, ArrowUp: true, ArrowDown: true };

const keysHelp = t(
  'Arrow keys move between nodes, L cycles the links of a node, Enter selects and opens the text, Shift+Enter selects a second node, Shift+arrows pan, plus, minus and 0 zoom, slash finds.',
);

function viewportOf(canvas: HTMLCanvasElement, view: View): Viewport {
  const { k, x, y } = view.transform;
  return { width: canvas.clientWidth, height: canvas.clientHeight, scale: k, x, y };
}

/** All that a picture is painted from. */
interface Painted {
  readonly scene: Scene;
  readonly viewport: Viewport;
  /** Pixels of the screen to a CSS pixel. */
  readonly ratio: number;
  readonly theme: Theme;
  readonly marks: Marks | undefined;
  readonly plane: Scene | undefined;
}

/** CSS pixels round a part of the picture within which things stand that may reach into it: letters, bows, thick lines. */
const aroundPart = 120;

/** Milliseconds after a move until the picture is painted as a whole: lines of its parts differ by a shade where they meet. */
const restAfter = 200;

/** Paints `next` on a canvas that shows `before`: where only the view has moved, what has come into sight alone. Whether it is painted as a whole. */
function paint(context: CanvasRenderingContext2D, before: Painted | undefined, next: Painted): boolean {
  const { scene, viewport, ratio, theme, marks, plane } = next;
  const move = before && moveOf(before, next);
  if (move === undefined) {
    paintScene(context, scene, viewport, theme, marks, plane);
    return true;
  }
  const { canvas } = context;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.globalCompositeOperation = 'copy';
  context.drawImage(canvas, ...move);
  context.globalCompositeOperation = 'source-over';
  for (const { left, top, width, height } of uncoveredBy(canvas, ...move)) {
    const part = { left: left / ratio, top: top / ratio, width: width / ratio, height: height / ratio };
    context.save();
    context.beginPath();
    context.rect(left, top, width, height);
    context.clip();
    context.setTransform(ratio, 0, 0, ratio, left - aroundPart * ratio, top - aroundPart * ratio);
    paintScene(context, scene, viewportPart(viewport, part, aroundPart), theme, marks, plane);
    context.restore();
  }
  return false;
}

/** By how many pixels the picture has moved; undefined where something else has changed. */
function moveOf(before: Painted, next: Painted): readonly [number, number] | undefined {
  const { viewport, ...rest } = next;
  const isSame = (Object.keys(rest) as (keyof typeof rest)[]).every((each) => before[each] === next[each]);
  // Dashes begin where a line comes into sight: those of two parts would not meet.
  return isSame && next.scene.difference === undefined ? moveBetween(before.viewport, viewport, next.ratio) : undefined;
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

/** An outline round what the pointer is on, on a canvas of its own: the scene is not painted again. */
function paintHighlight(
  context: CanvasRenderingContext2D,
  scene: Scene,
  thing: Thing,
  view: Viewport,
  theme: Theme,
): void {
  context.strokeStyle = theme.focus;
  context.lineWidth = 2;
  context.beginPath();
  if (thing.kind === 'link') outlineLink(context, scene, thing.link, view);
  else {
    const { x, y, size } = thing.kind === 'node' ? scene.nodes : scene.routers;
    const half = size[thing.entry]! * view.scale + 2.5;
    const [left, top] = [x[thing.entry]! * view.scale + view.x, y[thing.entry]! * view.scale + view.y];
    if (thing.kind === 'router' && scene.routers.framed[thing.entry] === 0)
      context.arc(left, top, half, 0, 2 * Math.PI);
    else context.rect(left - half, top - half, 2 * half, 2 * half);
  }
  context.stroke();
}

/** Outlines in the colour of text, with a rim that sets them off from whatever they lie on. */
function paintLit(context: CanvasRenderingContext2D, scene: Scene, lit: Lit, view: Viewport, theme: Theme): void {
  context.beginPath();
  outlineNodes(context, scene, lit.nodes, view);
  for (const link of lit.links) outlineLink(context, scene, link, view);
  for (const [color, width] of [
    [theme.background, 5],
    [theme.foreground, 2],
  ] as const) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.stroke();
  }
}

/** Where lit things stand; world units. */
const pointsOf = (scene: Scene, { nodes, links }: Lit): readonly (readonly [number, number])[] => [
  ...nodes.map((entry) => thingPosition(scene, { kind: 'node', entry })),
  ...links.map((link) => thingPosition(scene, { kind: 'link', link, rightSide: true })),
];

/** Both sides of the cable, along its bow where it has one. */
function outlineLink(context: CanvasRenderingContext2D, scene: Scene, link: number, view: Viewport): void {
  const { links } = scene;
  const [x1, y1] = [links.x1[link]! * view.scale + view.x, links.y1[link]! * view.scale + view.y];
  const [x2, y2] = [links.x2[link]! * view.scale + view.x, links.y2[link]! * view.scale + view.y];
  const bend = links.bend[link]! * view.scale;
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const away = Math.max(4, typicalNodeSize(scene) * view.scale * 0.45);
  const [right, down] = [(-(y2 - y1) / length) * away, ((x2 - x1) / length) * away];
  context.moveTo(x1 + right, y1 + down);
  bowTo(context, x1 + right, y1 + down, x2 + right, y2 + down, bend);
  context.lineTo(x2 - right, y2 - down);
  bowTo(context, x2 - right, y2 - down, x1 - right, y1 - down, -bend);
  context.closePath();
}

function sameThing(first: Thing | undefined, second: Thing | undefined): boolean {
  if (first === undefined || second === undefined) return first === second;
  if (first.kind === 'link') return second.kind === 'link' && first.link === second.link;
  return second.kind === first.kind && first.entry === second.entry;
}

/** A small box beside the pointer. */
interface Tooltip {
  readonly element: HTMLElement;
  /** Coordinates in CSS pixels within the tooltip's parent. */
  show(text: ThingText, x: number, y: number): void;
  hide(): void;
}

/** Pixels between the pointer and the tooltip. */
const tooltipDistance = 14;

function createTooltip(): Tooltip {
  const element = make('div', { class: 'tooltip', role: 'tooltip', hidden: '' });
  return {
    element,
    show({ headline, lines }, x, y) {
      element.replaceChildren(make('strong', {}, headline), ...lines.map((line) => make('div', {}, line)));
      element.hidden = false;
      const parent = element.parentElement!;
      // To the left of or above the pointer where there is no room on the other side.
      const left =
        x + tooltipDistance + element.offsetWidth > parent.clientWidth
          ? x - tooltipDistance - element.offsetWidth
          : x + tooltipDistance;
      const top =
        y + tooltipDistance + element.offsetHeight > parent.clientHeight
          ? y - tooltipDistance - element.offsetHeight
          : y + tooltipDistance;
      element.style.left = `${Math.max(0, left)}px`;
      element.style.top = `${Math.max(0, top)}px`;
    },
    hide() {
      element.hidden = true;
    },
  };
}

/** What is painted on a canvas as a PNG in base64. */
export async function pngOf(canvas: HTMLCanvasElement): Promise<string> {
  const blob = await new Promise<Blob>((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null)
        reject(new Error(t('The browser could not create a PNG of this size. Choose a smaller width.')));
      else resolve(blob);
    }, 'image/png');
  });
  return toBase64(new Uint8Array(await blob.arrayBuffer()));
}
