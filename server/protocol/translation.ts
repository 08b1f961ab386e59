/**
 * Words in the reader's language: those of the client and of its pages, looked up by their English text as `vscode.l10n` does, and
 * texts that the server has put together in English, taken apart again. The server itself knows one language, so that the same
 * program gives the same texts in an editor, on the command line and in a file.
 */

/** Texts by their English originals. `{0}`, `{1}` … stand for what differs. */
export type Bundle = Readonly<Record<string, string>>;

interface Pattern {
  readonly expression: RegExp;
  /** Which placeholder each group of the expression holds. */
  readonly order: readonly string[];
  readonly text: string;
}

/** So many texts are remembered; a search tells of its progress without end. */
const mostKnown = 2000;

export class Translation {
  readonly #bundle: ReadonlyMap<string, string>;
  #patterns: readonly Pattern[] | undefined;
  readonly #known = new Map<string, string>();

  /** What stands between thousands and before decimals, as the bundle writes the number of {@link sampleNumber}. */
  readonly #separators: Readonly<Record<string, string>> | undefined;

  /** Without a bundle everything stays English. */
  constructor(bundle: Bundle = {}) {
    this.#bundle = new Map(Object.entries(bundle));
    const [, thousands = ',', decimals = '.'] = /^1(.)234(.)5$/.exec(bundle[sampleNumber] ?? '') ?? [];
    this.#separators = thousands === ',' ? undefined : { ',': thousands, '.': decimals };
  }

  /** A text of our own, with what is given in the place of `{0}`, `{1}` … */
  readonly t = (message: string, ...given: readonly (string | number)[]): string =>
    filled(this.#bundle.get(message) ?? message, (index) => this.#number(String(given[Number(index)] ?? '')));

  /**
   * A text that was put together elsewhere: it as a whole, else by the key whose placeholders it fills, else its parts between
   * dots, semicolons and commas. Names and numbers stay. O(keys · length) for a text that is new, which are few.
   */
  said(text: string): string {
    if (this.#bundle.size === 0) return text;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const found = this.#bundle.get(text) ?? this.#matched(text) ?? this.#inParts(this.#number(text));
    if (this.#known.size >= mostKnown) this.#known.clear();
    this.#known.set(text, found);
    return found;
  }

  #matched(text: string): string | undefined {
    this.#patterns ??= translationPatterns(this.#bundle);
    for (const { expression, order, text: translated } of this.#patterns) {
      const match = expression.exec(text);
      if (match === null) continue;
      return filled(translated, (index) => this.#part(match[order.indexOf(index) + 1] ?? ''));
    }
    return undefined;
  }

  #inParts(text: string): string {
    for (const separator of [' · ', '; ', ': ', ', ']) {
      const parts = text.split(separator);
      if (parts.length > 1) return parts.map((part) => this.#part(part)).join(separator);
    }
    return text;
  }

  /** One word alone may be a name of the user's. */
  #part(text: string): string {
    return text.includes(' ') ? this.said(text) : this.#number(text);
  }

  /** A number with its unit, `1,234.5 MiB`, as the language writes it. Anything else stays. */
  #number(text: string): string {
    const separators = this.#separators;
    if (separators === undefined || !numberWithUnit.test(text)) return text;
    return text.replaceAll(/[,.](?=\d)/g, (separator) => separators[separator] ?? separator);
  }
}

/** The key of a bundle that tells how its language writes numbers. */
export const sampleNumber = '1,234.5';

const numberWithUnit = /^[−+-]?\d{1,3}(?:,\d{3})*(?:\.\d+)?(?: ?(?:%|[\p{L}µ²×/]{1,6}))?$/u;

const placeholder = /\{(\d+)\}/g;

const filled = (text: string, given: (index: string) => string): string =>
  text.replace(placeholder, (_, index: string) => given(index));

/**
 * What fills a sentence may be a list, and what stands behind `simulating: ` or before ` · before the last changes`; else a list is taken apart
 * before: `{0} left` is no key of `11.6 GiB, 8 s left`.
 */
const isSentence = /[.?!]$/;
const withinOnePart = '((?:(?!, |; | · ).)+?)';
const perhapsList = '(.+?)';

function placeholderIn(key: string, before = '', after = ''): string {
  const isAtEnd = (before.endsWith(': ') && after === '') || (before === '' && after.startsWith(' · '));
  return isSentence.test(key) || isAtEnd ? perhapsList : withinOnePart;
}

/** Those with the most words of their own first: `{0} of {1}` fits nearly everything. */
function translationPatterns(bundle: ReadonlyMap<string, string>): readonly Pattern[] {
  const own = (key: string): number => key.replace(placeholder, '').length;
  return [...bundle]
    .filter(([key]) => key.search(placeholder) >= 0 && /\p{L}{2}/u.test(key.replace(placeholder, '')))
    .sort(([one], [other]) => own(other) - own(one))
    .map(([key, text]) => {
      const expression = key
        .split(placeholder)
        .map((part, index, parts) =>
          index % 2 === 1
            ? placeholderIn(key, parts[index - 1], parts[index + 1])
            : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
        )
        .join('');
      return {
        expression: new RegExp(`^${expression}$`, 'su'),
        order: [...key.matchAll(placeholder)].map(([, index = '']) => index),
        text,
      };
    });
}

/** Data in an element of a page, as JSON: `<` would end the element that holds it. Of a bundle {@link bundleIn} reads it. */
export const writtenInPage = (data: object): string => JSON.stringify(data).replaceAll('<', '\\u003c');

/** The bundle that a page was given; none where there is none. */
export const bundleIn = (written: string | null | undefined): Bundle =>
  written === null || written === undefined || written === '' ? {} : (JSON.parse(written) as Bundle);
