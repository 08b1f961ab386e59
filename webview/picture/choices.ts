/** The controls with which one chooses how to see a picture. What is chosen is the reader's and outlives the picture. */
import { planeChosen, readLoad, type Choices } from '../../server/drawing/choices.ts';
import { labelKinds } from '../../server/drawing/labels.ts';
import { formatLoad } from '../../server/drawing/loadScale.ts';
import { planeCount, planeName } from '../../server/drawing/projections.ts';
import type { LabelKind, LoadMeasure, LoadScale, Projection, Scene } from '../../server/drawing/scene.ts';
import { button, field, make, selection } from '../page/controls.ts';
import { localised, t } from '../page/words.ts';

export const labelNames: Readonly<Record<LabelKind, string>> = {
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
  let shown: LoadMeasure = 'bytes';
  const become = (next: Choices): void => {
    now = next;
    change(next);
  };
  const labels = selection(t('Node labels'), (value) => {
    become({ ...now, labels: value as LabelKind });
  });
  const measure = selection(t('Colours'), (value) => {
    become({ ...now, measure: value as LoadMeasure });
  });
  const scale = selection(t('Scale'), (value) => {
    become({ ...now, scale: value as LoadScale['kind'] });
  });
  const end = make('input', {
    type: 'text',
    size: '9',
    spellcheck: 'false',
  });
  end.addEventListener('change', () => {
    const read = readLoad(end.value);
    const maximum = read?.measure === shown ? read : undefined;
    end.setAttribute('aria-invalid', String(maximum === undefined && end.value.trim() !== ''));
    if (maximum !== undefined || end.value.trim() === '') become({ ...now, maximum });
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
    button('◀', t('Previous plane ([)'), () => {
      step(-1);
    }),
    slider,
    button('▶', t('Next plane (])'), () => {
      step(1);
    }),
    name,
  );
  planes.hidden = true;
  const upTo = field(t('maximum'), end);
  document.addEventListener('keydown', (event) => {
    if (planes.hidden || event.target instanceof HTMLInputElement) return;
    if (event.key === '[') step(-1);
    if (event.key === ']') step(1);
  });
  return {
    labels: labels.element,
    scale: make('div', { class: 'options' }, measure.element, scale.element, upTo),
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
      shown = scene.loadLegend.scale.measure;
      measure.element.hidden = scene.loadScales.length < 2;
      measure.set(
        [
          ['capacity', t('utilisation')],
          ['bytes', t('bytes')],
        ],
        shown,
      );
      // The steps of a change are what they are.
      scale.element.hidden = upTo.hidden = scene.difference !== undefined;
      const { maximum } = choices;
      if (document.activeElement !== end) {
        end.value = maximum?.measure === shown ? formatLoad(maximum.amount, shown) : '';
      }
      end.title =
        shown === 'bytes'
          ? t('Bytes, for example 64 KiB or 2 GB; empty: maximum link load')
          : t('Link time, for example 2 ms; empty: bottleneck link');
      end.placeholder = formatLoad(scene.loadLegend.maximum, shown);
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
      const words = plane < 0 ? t('all') : localised(planeName(scene, plane));
      name.textContent = words;
      slider.setAttribute('aria-valuetext', words);
    },
  };
}
