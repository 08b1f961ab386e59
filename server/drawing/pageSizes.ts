/** Pages of print by name, and lengths as users write them: the same in the panel and on the command line. */

export const pageNames = ['a4', 'a4-landscape', 'a5', 'letter', 'letter-landscape', 'slide'] as const;
export type PageName = (typeof pageNames)[number];

/** Millimetres. */
export const pages: Readonly<Record<PageName, readonly [width: number, height: number]>> = {
  a4: [210, 297],
  'a4-landscape': [297, 210],
  a5: [148, 210],
  letter: [215.9, 279.4],
  'letter-landscape': [279.4, 215.9],
  slide: [338.7, 190.5],
};

/** Millimetres between which a page makes sense. */
export const smallestPage = 30;
export const largestPage = 5000;

const units: Readonly<Record<string, number>> = { mm: 1, cm: 10, in: 25.4, pt: 25.4 / 72, px: 25.4 / 96 };

/** Millimetres of `84mm`, `3.3in` or `240pt`; undefined for anything else, and for what no page is. */
export function millimetresIn(text: string): number | undefined {
  const [, number, unit] = /^\s*(\d+(?:\.\d+)?)\s*(mm|cm|in|pt|px)\s*$/i.exec(text) ?? [];
  const length = Number(number) * (units[unit?.toLowerCase() ?? ''] ?? NaN);
  return length >= smallestPage && length <= largestPage ? length : undefined;
}
