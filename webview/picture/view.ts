/** Pan and zoom of the canvas, by pointer and by keys, with d3-zoom. */
import { select } from 'd3-selection';
import { zoom, zoomIdentity, type ZoomTransform } from 'd3-zoom';
import { fitWithNames, type OutsideName } from '../../server/drawing/areaNames.ts';
import type { Scene } from '../../server/drawing/scene.ts';
import { iconButton } from '../page/controls.ts';
import { t } from '../page/words.ts';

/** The names that are painted at a scale, in pixels per world unit, and may reach beyond the bounds. */
export type ShownNames = (scale: number) => readonly OutsideName[];

/** Pan and zoom. The transform's scale is CSS pixels per world unit. */
export interface View {
  readonly transform: ZoomTransform;
  /**
   * Shows a scene's bounds. A view the user has moved is kept while `key` stays the same. Fitting
   * goes up to `largestFit` pixels per world unit, and leaves room for names that reach beyond the bounds.
   */
  show(bounds: Scene['bounds'], key: string, largestFit: number, names?: ShownNames): void;
  /** The canvas has another size; a fitted picture is fitted again. */
  resize(): void;
  readonly fit: () => void;
  readonly zoomBy: (factor: number) => void;
  /** Brings a world point into sight, where it is not; near by one sees what stands round it. */
  bringIntoSight(x: number, y: number): void;
  /** Where none of these world points is in sight, moves the picture no further than the nearest of them needs. */
  panIntoSight(points: readonly (readonly [x: number, y: number])[]): void;
  /** What to save, and how to come back to it. */
  save(): SavedView;
  restore(saved: SavedView): void;
}

export interface SavedView {
  readonly key: string;
  /** Absent while the picture is fitted to the panel. */
  readonly transform?: { readonly k: number; readonly x: number; readonly y: number };
}

/** Free space round a fitted picture, CSS pixels. */
const padding = 24;
/** Zooming in goes this many times beyond the largest fit: there names of hosts can be read. */
const zoomInLimit = 3;
/** And out to this share of the whole picture. */
const zoomOutLimit = 0.6;
/** Pixels per key press. */
const panStep = 60;
const zoomStep = 1.3;

/** What moves a picture, where there is one. */
export const zoomButtons = (view: () => View | undefined): readonly HTMLElement[] => [
  iconButton('minus', t('Zoom out (−)'), () => {
    view()?.zoomBy(1 / zoomStep);
  }),
  iconButton('plus', t('Zoom in (+)'), () => {
    view()?.zoomBy(zoomStep);
  }),
  iconButton('fit', t('Fit the whole diagram (0)'), () => {
    view()?.fit();
  }),
];

export function createView(canvas: HTMLCanvasElement, changed: () => void): View {
  let bounds: Scene['bounds'] = { left: 0, top: 0, right: 1, bottom: 1 };
  let key = '';
  let largestFit = 1;
  let names: ShownNames = () => [];
  let fitted = true;
  let transform: ZoomTransform = zoomIdentity;
  const selection = select(canvas);
  const behavior = zoom<HTMLCanvasElement, unknown>()
    .extent(() => [
      [0, 0],
      [canvas.clientWidth, canvas.clientHeight],
    ])
    .on('zoom', (event: { readonly transform: ZoomTransform; readonly sourceEvent: unknown }) => {
      transform = event.transform;
      // Events without a source are ours: fit() calls, restored views.
      if (event.sourceEvent) fitted = false;
      changed();
    });
  selection.call(behavior);
  // A double-click goes to the text.
  selection.on('dblclick.zoom', null);

  const fit = (): void => {
    fitted = true;
    const target = fittedTransform(bounds, canvas.clientWidth, canvas.clientHeight, largestFit, names);
    behavior.scaleExtent([target.k * zoomOutLimit, zoomInLimit * largestFit]);
    behavior.transform(selection, target);
  };
  const zoomBy = (factor: number): void => {
    fitted = false;
    behavior.scaleBy(selection, factor);
  };
  const panBy = (right: number, down: number): void => {
    fitted = false;
    behavior.translateBy(selection, right / transform.k, down / transform.k);
  };
  addKeys(canvas, { fit, zoomBy, panBy });
  /** By how many pixels a world point is out of sight, to the right and down. */
  const missing = ([x, y]: readonly [number, number]): readonly [number, number] => [
    beyond(x * transform.k + transform.x, canvas.clientWidth),
    beyond(y * transform.k + transform.y, canvas.clientHeight),
  ];
  return {
    get transform() {
      return transform;
    },
    show(newBounds, newKey, newLargestFit, newNames = () => []) {
      names = newNames;
      const isSame = key === newKey && sameBounds(bounds, newBounds);
      bounds = newBounds;
      key = newKey;
      largestFit = newLargestFit;
      if (!isSame || fitted) fit();
    },
    resize() {
      if (fitted) fit();
    },
    fit,
    zoomBy,
    bringIntoSight(x, y) {
      const [right, down] = missing([x, y]);
      if (right === 0 && down === 0) return;
      fitted = false;
      behavior.translateTo(selection, x, y);
    },
    panIntoSight(points) {
      const distances = points.map(missing);
      const [nearest] = distances.sort(([a, b], [c, d]) => Math.hypot(a, b) - Math.hypot(c, d));
      if (nearest === undefined || (nearest[0] === 0 && nearest[1] === 0)) return;
      panBy(-nearest[0], -nearest[1]);
    },
    save: () => (fitted ? { key } : { key, transform: { k: transform.k, x: transform.x, y: transform.y } }),
    restore(saved) {
      if (saved.transform === undefined || saved.key !== key) return;
      fitted = false;
      const { k, x, y } = saved.transform;
      behavior.transform(selection, zoomIdentity.translate(x, y).scale(k));
    },
  };
}

/** How far a pixel lies outside the free space of its side; negative before it. */
const beyond = (pixel: number, size: number): number =>
  pixel < padding ? pixel - padding : Math.max(0, pixel - (size - padding));

interface Moves {
  readonly fit: () => void;
  readonly zoomBy: (factor: number) => void;
  readonly panBy: (right: number, down: number) => void;
}

/** `+ − 0` and the arrows with Shift, while the canvas has the focus. */
function addKeys(canvas: HTMLCanvasElement, { fit, zoomBy, panBy }: Moves): void {
  const actions: Readonly<Record<string, () => void>> = {
    '+': () => {
      zoomBy(zoomStep);
    },
    '=': () => {
      zoomBy(zoomStep);
    },
    '-': () => {
      zoomBy(1 / zoomStep);
    },
    '0': fit,
    ArrowLeft: () => {
      panBy(panStep, 0);
    },
    ArrowRight: () => {
      panBy(-panStep, 0);
    },
    ArrowUp: () => {
      panBy(0, panStep);
    },
    ArrowDown: () => {
      panBy(0, -panStep);
    },
  };
  canvas.addEventListener('keydown', (event) => {
    const action = actions[event.key];
    if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key.startsWith('Arrow') && !event.shiftKey) return;
    event.preventDefault();
    action();
  });
}

/** The whole of `bounds` with the names that reach beyond, centred. */
function fittedTransform(
  bounds: Scene['bounds'],
  width: number,
  height: number,
  largestFit: number,
  names: ShownNames,
): ZoomTransform {
  const [worldWidth, worldHeight] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const room = (pixels: number, world: number): number => Math.max(1, pixels - 2 * padding) / Math.max(world, 1e-6);
  const { scale, left, right } = fitWithNames(names, bounds, width, (wide) =>
    Math.min(room(wide, worldWidth), room(height, worldHeight), largestFit),
  );
  const x = (width + left - right) / 2 - ((bounds.left + bounds.right) / 2) * scale;
  const y = height / 2 - ((bounds.top + bounds.bottom) / 2) * scale;
  return zoomIdentity.translate(x, y).scale(scale);
}

const sameBounds = (first: Scene['bounds'], second: Scene['bounds']): boolean =>
  first.left === second.left &&
  first.top === second.top &&
  first.right === second.right &&
  first.bottom === second.bottom;
