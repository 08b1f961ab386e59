/**
 * How the reader wants the picture: what stands in nodes, by which scale links are coloured, how three dimensions are laid
 * into the plane and which plane comes out. The same in the panel and on the command line.
 */
import { labelKinds } from './labels.ts';
import { withMeasure, withScale } from './loadScale.ts';
import { laidOut, planeCount } from './projections.ts';
import type { LabelKind, LoadMeasure, LoadScale, Projection, Scene } from './scene.ts';

export interface Choices {
  readonly labels?: LabelKind;
  readonly scale?: LoadScale['kind'];
  /** By what links are coloured that are not all as fast. */
  readonly measure?: LoadMeasure | undefined;
  /** Where the scale ends, whatever the picture's heaviest link carries; for pictures in its measure. */
  readonly maximum?: LoadAmount | undefined;
  readonly projection?: Projection;
  /** Width over height of the room for the picture. */
  readonly proportion?: number | undefined;
  /** The plane that comes out; all of them where it is absent. */
  readonly plane?: number | undefined;
}

/** Bytes, or seconds that a link is busy. */
export interface LoadAmount {
  readonly measure: LoadMeasure;
  readonly amount: number;
}

/** The scene as chosen; what a choice does not fit stays as it is. */
export function sceneWithChoices(
  scene: Scene,
  { labels, measure, scale, maximum, projection, proportion }: Choices,
): Scene {
  const laid = laidOut(scene, { projection, proportion });
  const measured = measure === undefined ? laid : withMeasure(laid, measure);
  const scaled =
    scale === undefined && maximum === undefined
      ? measured
      : withScale(measured, scaleAsChosen(measured.loadLegend.scale, { scale, maximum }));
  return labels === undefined || !labelKinds(scene).includes(labels) ? scaled : { ...scaled, labels };
}

/** A scale of its kind and end; without traffic there is nothing that could end elsewhere. */
export function scaleAsChosen(
  own: LoadScale,
  { scale, maximum }: Pick<Choices, 'maximum'> & { readonly scale?: LoadScale['kind'] | undefined },
): LoadScale {
  const fits = own.maximum > 0 && maximum?.measure === own.measure;
  return { ...own, kind: scale ?? own.kind, maximum: fits ? maximum.amount : own.maximum };
}

/** The plane that comes out, where the picture has it. */
export const planeChosen = (scene: Scene, { plane }: Choices): number | undefined =>
  plane !== undefined && plane < planeCount(scene) ? plane : undefined;

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

const seconds: Readonly<Record<string, number>> = { s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, ns: 1e-9 };

/** `64 KiB`, `1.5 GB`, `4096` are bytes, `2 ms` is a time; undefined for anything else. */
export function readLoad(text: string): LoadAmount | undefined {
  const match = /^\s*([\d.,]+)\s*([a-zµ]*)\s*$/i.exec(text);
  const unit = match?.[2]?.toLowerCase() ?? '?';
  const number = Number(match?.[1]?.replaceAll(',', ''));
  const [bytes, time] = [factors[unit], seconds[unit]];
  if (!(number > 0)) return undefined;
  if (bytes !== undefined) return { measure: 'bytes', amount: number * bytes };
  return time === undefined ? undefined : { measure: 'capacity', amount: number * time };
}
