/**
 * How the reader wants the picture: what stands in nodes, by which scale links are coloured, how three dimensions are laid
 * into the plane and which plane comes out. The same in the panel and on the command line.
 */
import { labelKinds } from './labels.ts';
import { withScale } from './loadScale.ts';
import { laidOut, planeCount } from './projections.ts';
import type { LabelKind, LoadScale, Projection, Scene } from './scene.ts';

export interface Choices {
  readonly labels?: LabelKind;
  readonly scale?: LoadScale['kind'];
  /** Bytes at which the scale ends, whatever the picture's heaviest link carries. */
  readonly maximum?: number | undefined;
  readonly projection?: Projection;
  /** Width over height of the room for the picture. */
  readonly proportion?: number | undefined;
  /** The plane that comes out; all of them where it is absent. */
  readonly plane?: number | undefined;
}

/** The scene as chosen; what a choice does not fit stays as it is. */
export function chosen(scene: Scene, { labels, scale, maximum, projection, proportion }: Choices): Scene {
  const laid = laidOut(scene, { projection, proportion });
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
