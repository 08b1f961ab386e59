/**
 * Jobs are blue, green and violet: links are grey, and warm where they are hot, so that neither is taken for the
 * other. The first four are of Okabe and Ito's palette (Color Universal Design, 2008); all differ under
 * the common kinds of colour blindness.
 */
const palette = ['#0072b2', '#009e73', '#cc79a7', '#56b4e9', '#6a4fb3', '#0b5e6b', '#b9a6e3'] as const;

/** Later rounds through the palette are lighter, then darker, so that repeats can be told apart. */
const rounds: readonly { readonly toward: number; readonly share: number }[] = [
  { toward: 0, share: 0 },
  { toward: 255, share: 0.5 },
  { toward: 0, share: 0.45 },
];

/** The colour of the job at this position, `#rrggbb`; the first 21 are all different. */
export function jobColor(position: number): string {
  const color = palette[position % palette.length]!;
  const { toward, share } = rounds[Math.floor(position / palette.length) % rounds.length]!;
  return hex(channelsOf(color).map((channel) => channel + (toward - channel) * share));
}

/** Steps of the load scale up to the mean, from there to where links are hot, and above. */
export const coolSteps = 4;
export const turningSteps = 2;
export const hotSteps = 4;
/** The first step of hot links. */
export const firstHotStep = coolSteps + turningSteps;

/**
 * Link colours, light to heavy. On light backgrounds heavy links are the dark ones, on dark
 * backgrounds the light ones; both scales keep their order in grey, so on paper too.
 */
export const loadColors: readonly string[] = [
  ...['#c9d3dc', '#b4c2ce', '#9fb0bf', '#8a9fb0'],
  ...['#b58f4a', '#b87d1f'],
  ...['#d1490c', '#b3261e', '#8c1018', '#5a000b'],
];
export const loadColorsOnDark: readonly string[] = [
  ...['#434d57', '#515d69', '#606e7c', '#70808f'],
  ...['#a08c55', '#b8993f'],
  ...['#f28a2e', '#f9ab4a', '#fdcb74', '#fff0b0'],
];

/**
 * Colours of a change of load, from the largest decrease through none to the largest increase: blue and red, of
 * ColorBrewer's diverging scales that are safe for colour blind readers. Larger changes are darker on light
 * backgrounds and lighter on dark ones.
 */
export const changeColors: readonly string[] = [
  ...['#053061', '#2166ac', '#4393c3', '#92c5de'],
  '#c9ced4',
  ...['#f4a582', '#d6604d', '#b2182b', '#67001f'],
];
export const changeColorsOnDark: readonly string[] = [
  ...['#d1e9ff', '#86c5f4', '#4f9ad0', '#3a6a92'],
  '#45494f',
  ...['#93503c', '#d0694a', '#f7986f', '#ffd5bf'],
];

/** Steps on either side of no change. */
export const changeSteps = 4;

/** A change of this share of a load is what is left of adding in another order. */
const rounding = 1e-9;

/** −1 where an amount has become less, 1 where it has become more, 0 where it is the same. */
export function changeSign(before: number, after: number): number {
  const change = after - before;
  return Math.abs(change) <= rounding * Math.max(before, after) ? 0 : Math.sign(change);
}

/**
 * How strongly a load has changed: 0 for not at all, else 1 … `changeSteps`, negative for a decrease. Each step is
 * twice as wide as the one before, so that small changes are told apart beside one that is large.
 */
export function changeStep(before: number, after: number, largest: number): number {
  const sign = changeSign(before, after);
  if (sign === 0) return 0;
  const halvings = Math.floor(Math.log2(largest / Math.abs(after - before)));
  return sign * Math.min(changeSteps, Math.max(1, changeSteps - halvings));
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
