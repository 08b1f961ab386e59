import { interpolateInferno, interpolateYlOrRd } from 'd3-scale-chromatic';

/**
 * Okabe and Ito's palette without black (Color Universal Design, 2008): distinct under the common
 * kinds of colour blindness. Blue first: links are painted in warm colours.
 */
const okabeIto = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#f0e442'] as const;

/** Later rounds through the palette are lighter, then darker, so that repeats can be told apart. */
const rounds: readonly { readonly toward: number; readonly share: number }[] = [
  { toward: 0, share: 0 },
  { toward: 255, share: 0.5 },
  { toward: 0, share: 0.45 },
];

/** The colour of the job at this position, `#rrggbb`; the first 21 are all different. */
export function jobColor(position: number): string {
  const color = okabeIto[position % okabeIto.length]!;
  const { toward, share } = rounds[Math.floor(position / okabeIto.length) % rounds.length]!;
  return hex(channelsOf(color).map((channel) => channel + (toward - channel) * share));
}

/** Steps of the load scale; more cannot be told apart, and each is one stroke for the painter. */
const loadSteps = 10;

/**
 * Link colours, light to heavy. On light backgrounds heavy links are the dark ones, on dark
 * backgrounds the light ones; both scales keep their order in grey, so on paper too.
 */
export const loadColors: readonly string[] = sample((share) => interpolateYlOrRd(0.3 + 0.7 * share));
export const loadColorsOnDark: readonly string[] = sample((share) => interpolateInferno(0.4 + 0.54 * share));

function sample(interpolate: (share: number) => string): readonly string[] {
  return Array.from({ length: loadSteps }, (_, step) => hex(channelsOf(interpolate(step / (loadSteps - 1)))));
}

/** The step of a load on a scale of `steps` colours: linear, 0 is the first, `maximum` the last. */
export function loadStep(load: number, maximum: number, steps: number): number {
  if (!(maximum > 0)) return 0;
  return Math.min(steps - 1, Math.max(0, Math.round((load / maximum) * (steps - 1))));
}

/** Black or white, whichever stands out more (relative luminance as in WCAG 2). */
export function readableOn(color: string): string {
  const [red, green, blue] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  return luminance > 0.179 ? '#000000' : '#ffffff';
}

/** Red, green and blue of `#rrggbb` or `rgb(r, g, b)`. */
function channelsOf(color: string): readonly number[] {
  if (color.startsWith('#')) return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
  return (color.match(/\d+/g) ?? []).map(Number);
}

function hex(channels: readonly number[]): string {
  return `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;
}
