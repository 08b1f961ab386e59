/**
 * How the reader wants the picture: what stands in nodes, by which scale links are coloured, how three dimensions are
 * laid into the plane and which plane comes out. What is chosen is the reader's and outlives the picture.
 */
import { formatBytes, labelKinds } from '../server/drawing/labels.ts';
import { withScale } from '../server/drawing/loadScale.ts';
import { planeCount, planeName, withProjection } from '../server/drawing/projections.ts';
import type { LabelKind, LoadScale, Projection, Scene } from '../server/drawing/scene.ts';
import { button, field, make, selection } from './controls.ts';
import { said, t } from './words.ts';

export interface Choices {
  readonly labels?: LabelKind;
  readonly scale?: LoadScale['kind'];
  /** Bytes at which the scale ends, whatever the picture's heaviest link carries. */
  readonly maximum?: number | undefined;
  readonly projection?: Projection;
  /** The plane that comes out; all of them where it is absent. */
  readonly plane?: number | undefined;
}

/** The scene as chosen; what a choice does not fit stays as it is. */
export function chosen(scene: Scene, { labels, scale, maximum, projection }: Choices): Scene {
  const laid = projection === undefined ? scene : withProjection(scene, projection);
  const own = laid.loadLegend.scale;
  const scaled =
    scale === undefined && maximum === undefined
      ? laid
      : withScale(laid, { ...own, kind: scale ?? own.kind, maximum: own.maximum === 0 ? 0 : (maximum ?? own.maximum) });
  return labels === undefined || !labelKinds(scene).includes(labels) ? scaled : { ...scaled, labels };
}

/** The plane that comes out, where the picture has it. */
export const planeChosen = (scene: Scene, { plane }: Choices): number | undefined =>
  plane !== undefined && plane < planeCount(scene) ? plane : undefined;

const labelNames: Readonly<Record<LabelKind, string>> = {
  task: t('tasks'),
  node: t('nodes'),
  host: t('hosts'),
  coordinates: t('coordinates'),
};

/** The elements with which one chooses; they stand where what they change is explained. */
export interface ChoiceControls {
  /** What stands in nodes. */
  readonly labels: HTMLElement;
  /** The scale of links. */
  readonly scale: HTMLElement;
  /** Planes, on the picture; hidden where there are none. */
  readonly planes: HTMLElement;
  show(scene: Scene, choices: Choices): void;
}

export function createChoices(change: (choices: Choices) => void): ChoiceControls {
  let now: Choices = {};
  let count = 0;
  const become = (next: Choices): void => {
    now = next;
    change(next);
  };
  const labels = selection(t('In nodes'), (value) => {
    become({ ...now, labels: value as LabelKind });
  });
  const scale = selection(t('Scale'), (value) => {
    become({ ...now, scale: value as LoadScale['kind'] });
  });
  const end = make('input', {
    type: 'text',
    size: '9',
    spellcheck: 'false',
    title: t('Bytes, as 64 KiB or 2 GB; empty: the heaviest link'),
  });
  end.addEventListener('change', () => {
    const bytes = readBytes(end.value);
    end.setAttribute('aria-invalid', String(bytes === undefined && end.value.trim() !== ''));
    if (bytes !== undefined || end.value.trim() === '') become({ ...now, maximum: bytes });
  });
  const projection = selection(t('Planes'), (value) => {
    become({ ...now, projection: value as Projection });
  });
  const slider = make('input', { type: 'range', min: '-1', step: '1', 'aria-label': t('Plane') });
  const name = make('output');
  const setPlane = (plane: number): void => {
    become({ ...now, plane: plane < 0 ? undefined : Math.min(count - 1, plane) });
  };
  slider.addEventListener('input', () => {
    setPlane(Number(slider.value));
  });
  const step = (by: number): void => {
    setPlane(Math.max(-1, (now.plane ?? -1) + by));
  };
  const planes = make(
    'div',
    { class: 'planes', role: 'group', 'aria-label': t('Planes') },
    projection.element,
    button('◀', t('Plane before ([)'), () => {
      step(-1);
    }),
    slider,
    button('▶', t('Next plane (])'), () => {
      step(1);
    }),
    name,
  );
  planes.hidden = true;
  document.addEventListener('keydown', (event) => {
    if (planes.hidden || event.target instanceof HTMLInputElement) return;
    if (event.key === '[') step(-1);
    if (event.key === ']') step(1);
  });
  return {
    labels: labels.element,
    scale: make('div', { class: 'options' }, scale.element, field(t('up to'), end)),
    planes,
    show(scene, choices) {
      now = choices;
      count = planeCount(scene);
      labels.set(
        labelKinds(scene).map((kind) => [kind, labelNames[kind]]),
        scene.labels,
      );
      scale.set(
        [
          ['linear', t('linear')],
          ['logarithmic', t('logarithmic')],
        ],
        scene.loadLegend.scale.kind,
      );
      if (document.activeElement !== end) end.value = choices.maximum === undefined ? '' : formatBytes(choices.maximum);
      end.placeholder = formatBytes(scene.loadLegend.maximum);
      planes.hidden = count === 0;
      if (scene.projection !== undefined)
        projection.set(
          [
            ['slices', t('side by side')],
            ['axonometric', t('axonometric')],
          ],
          scene.projection,
        );
      const plane = planeChosen(scene, choices) ?? -1;
      slider.max = `${count - 1}`;
      slider.value = `${plane}`;
      const words = plane < 0 ? t('all') : said(planeName(scene, plane));
      name.textContent = words;
      slider.setAttribute('aria-valuetext', words);
    },
  };
}

const factors: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};

/** `64 KiB`, `1.5 GB`, `4096`; undefined for anything else. */
export function readBytes(text: string): number | undefined {
  const match = /^\s*([\d.,]+)\s*([a-z]*)\s*$/i.exec(text);
  const factor = factors[match?.[2]?.toLowerCase() ?? '?'];
  const number = Number(match?.[1]?.replaceAll(',', ''));
  return factor === undefined || !(number > 0) ? undefined : number * factor;
}
