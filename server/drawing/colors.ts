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
