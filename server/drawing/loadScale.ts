/**
 * How the load of a link becomes a colour: a scale with three anchors, which several pictures may share, and the legend
 * that goes with it.
 */
import { formatBytes, formatSeconds, formatShare } from '../model/quantities.ts';
import { coolSteps, firstHotStep, hotSteps, loadColors, loadColorsOnDark, turningSteps } from './colors.ts';
import type { LoadLegend, LoadMeasure, LoadScale, Scene } from './scene.ts';

/** Where on the scale, 0 … 1, the mean stands and where hot links begin. */
const steps = coolSteps + turningSteps + hotSteps;
const meanShare = coolSteps / steps;
const hotShare = firstHotStep / steps;
/** On a logarithmic scale loads of less than the mean divided by this have the first colour. */
const decades = 256;

/**
 * The step of a load: up to the mean of the used links, from there to where links are hot, and from there to the
 * maximum; within each part linear, or of equal factors. A picture whose links are all equal is at its mean, so it is
 * calm however much they carry. What is heavier than the maximum, which may be another picture's, has the last colour.
 */
export function loadStep(load: number, { kind, mean, hotFrom, maximum }: LoadScale): number {
  if (!(maximum > 0)) return 0;
  const between = kind === 'linear' ? linearShare : logarithmicShare;
  if (load <= mean) return binOfShare(kind === 'linear' ? load / mean : between(load, mean / decades, mean), coolSteps);
  if (load < hotFrom) return coolSteps + binOfShare(between(load, mean, hotFrom), turningSteps);
  return firstHotStep + binOfShare(maximum > hotFrom ? between(load, hotFrom, maximum) : 1, hotSteps);
}

const linearShare = (load: number, from: number, to: number): number => (load - from) / (to - from);
const logarithmicShare = (load: number, from: number, to: number): number =>
  load <= 0 ? 0 : Math.log(load / from) / Math.log(to / from);

/** Which of so many equal parts a share of 0 … 1 falls into. */
const binOfShare = (share: number, parts: number): number =>
  Math.min(parts - 1, Math.max(0, Math.floor(share * parts)));

/** Directions of cables of a scene, and what they carry. */
type Loaded = Pick<Scene, 'links' | 'secondsPerByte'>;

/** Seconds that one direction of a cable is busy with so many bytes, with those that it carries unless told otherwise; undefined where links do not differ. O(1). */
export function busySeconds(
  { links, secondsPerByte }: Loaded,
  link: number,
  forward: boolean,
  bytes?: number,
): number | undefined {
  if (secondsPerByte === undefined) return undefined;
  const carried = bytes ?? (forward ? links.forward : links.backward)[link]!;
  return carried * (secondsPerByte[(forward ? links.forwardLink : links.backwardLink)[link]!] ?? 0);
}

/** What one direction of a cable carries, or would with so many bytes, in a measure. O(1). */
export function directedLoad(
  scene: Loaded,
  measure: LoadMeasure,
  link: number,
  forward: boolean,
  bytes?: number,
): number {
  const seconds = measure === 'bytes' ? undefined : busySeconds(scene, link, forward, bytes);
  return seconds ?? bytes ?? (forward ? scene.links.forward : scene.links.backward)[link]!;
}

/** The same in the measure of the scene's colours. */
export const shownLoad = (scene: Scene, link: number, forward: boolean, bytes?: number): number =>
  directedLoad(scene, scene.loadLegend.scale.measure, link, forward, bytes);

/** `4 KiB`, `1.2 ms`. */
export const formatLoad = (amount: number, measure: LoadMeasure): string =>
  measure === 'bytes' ? formatBytes(amount) : formatSeconds(amount);

/** A load as a share of the heaviest of the picture, of the capacity where links differ in that; of nothing where no link carries anything. */
export function loadShare({ loadLegend: { scale }, loadScales }: Scene, load: number): string {
  const own = loadScales.find(({ measure }) => measure === scale.measure) ?? scale;
  return formatShare(own.maximum === 0 ? 0 : load / own.maximum);
}

/** Whether bytes of links tell how busy they are, so that those which are hot have the most. */
export const areAlike = ({ secondsPerByte }: Pick<Scene, 'secondsPerByte'>): boolean => secondsPerByte === undefined;

/** The scale with its colours and marks, for a picture whose heaviest link carries so much. */
export function loadLegend(scale: LoadScale, heaviest: number, isAlike = true): LoadLegend {
  const { mean, hotFrom, maximum, measure } = scale;
  const isHot = measure === 'capacity' || isAlike;
  const hot = formatLoad(hotFrom, measure);
  const marks = [
    { share: meanShare, label: `mean ${formatLoad(mean, measure)}` },
    { share: hotShare, label: isHot ? `hot ${hot}` : hot },
  ];
  return {
    maximum: heaviest,
    scale,
    colors: loadColors,
    colorsOnDark: loadColorsOnDark,
    marks: [{ share: 0, label: '0' }, ...(maximum > 0 ? marks : [])],
  };
}

/** The same picture by another scale: the same load has the same colour in all pictures that are given the same. O(1). */
export function withScale(scene: Scene, scale: LoadScale): Scene {
  const heaviest = scene.loadScales.find(({ measure }) => measure === scale.measure)?.maximum ?? 0;
  return { ...scene, loadLegend: loadLegend(scale, heaviest, areAlike(scene)) };
}

/** The same picture by its own loads in another measure; as it is where it has no other. O(1). */
export function withMeasure(scene: Scene, measure: LoadMeasure): Scene {
  const scale = scene.loadScales.find((each) => each.measure === measure);
  return scale === undefined ? scene : withScale(scene, scale);
}

/**
 * One scale for pictures that are compared: anchored at the mean and the hot threshold of the first, so that the others
 * show what became cooler or hotter than there, and as long as the heaviest link of all needs.
 */
export function sharedScale([first, ...others]: readonly [Scene, ...Scene[]]): LoadScale {
  const { scale, maximum } = first.loadLegend;
  const heaviest = others.reduce((most, { loadLegend: { maximum: own } }) => Math.max(most, own), maximum);
  // Without traffic in the first there is nothing to be anchored at.
  const anchor =
    maximum > 0 ? scale : (others.find(({ loadLegend: { maximum: own } }) => own > 0) ?? first).loadLegend.scale;
  return { ...anchor, maximum: heaviest };
}
