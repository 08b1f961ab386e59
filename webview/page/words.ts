/** The words of a page in the reader's language; the host gives the bundle with the page, there is none in English. */
import { formatNumber } from '../../server/drawing/labels.ts';
import { bundleIn, Translation } from '../../server/protocol/translation.ts';

const translation = new Translation(
  // Without a page, as in a test, there are no words either.
  typeof document === 'undefined' ? {} : bundleIn(document.getElementById('placewright-words')?.textContent),
);

/** A word of ours: its English text is its key, `{0}`, `{1}` … stand for what is given. */
export const t = translation.t;

/** What the server or the drawing says. */
export const localised = (text: string): string => translation.said(text);

/** `1 task`, `12 tasks`: both are keys. */
export const counted = (count: number, one: string, many: string): string =>
  count === 1 ? translation.t(one) : translation.t(many, formatNumber(count));
