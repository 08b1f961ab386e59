import type { RandomSource } from '../../server/model/random.ts';
import { tokenize } from '../../server/language/tokens.ts';

/** Seeded damage to a text: what a slip of the hand, a bad merge or malice does to it. */

const explosions = [
  '0',
  '-1',
  '1e9',
  '1e30',
  '1e400',
  '-0',
  '0.5',
  '99999999999999999999',
  '4294967296',
  'NaN',
  '[0..1000000000]',
];
const insertions = [
  '{',
  '}',
  '(',
  ')',
  '[',
  ']',
  '"',
  '/*',
  '*/',
  '//',
  '# ',
  '///',
  ',',
  '--',
  '->',
  '..',
  ':',
  'x',
  '×',
  '%',
  '/s',
  'µs',
  '\u0000',
  '\uD800',
  '😀',
  '\r',
  '\n\n',
  'import "quickstart.place"',
  'machine',
  'job',
  'same-as',
  'from',
  'weight',
  'KiB',
  'mb',
  'all-to-all',
  'random',
];

type Mutation = (text: string, random: RandomSource) => string;

const pick = <Item>(items: readonly Item[], random: RandomSource): Item | undefined =>
  items.length === 0 ? undefined : items[random.integer(items.length)];

const splice = (text: string, start: number, end: number, replacement: string): string =>
  text.slice(0, start) + replacement + text.slice(end);

/** Changes one token; `change` is given its text and all tokens' texts. */
const onToken =
  (change: (image: string, random: RandomSource, images: readonly string[]) => string): Mutation =>
  (text, random) => {
    const { tokens } = tokenize(text);
    const token = pick(tokens, random);
    if (token === undefined) return text;
    const images = tokens.map(({ image }) => image);
    const end = token.startOffset + token.image.length;
    return splice(text, token.startOffset, end, change(token.image, random, images));
  };

const deleteToken = onToken(() => '');
const duplicateToken = onToken((image) => `${image} ${image}`);
const replaceToken = onToken((_, random, images) => pick(images, random) ?? '');
const insertToken = onToken((image, random) => `${image} ${pick(insertions, random) ?? ''} `);
const explodeToken = onToken((_, random) => pick(explosions, random) ?? '');

/** Numbers are what sizes, limits and indices hang on. */
const explodeNumber: Mutation = (text, random) => {
  const number = pick([...text.matchAll(/\d+/g)], random);
  if (number === undefined) return text;
  return splice(text, number.index, number.index + number[0].length, pick(explosions, random) ?? '');
};

const smallNumber: Mutation = (text, random) => {
  const number = pick([...text.matchAll(/\d+/g)], random);
  if (number === undefined) return text;
  return splice(text, number.index, number.index + number[0].length, String(random.integer(20)));
};

const swapTokens: Mutation = (text, random) => {
  const { tokens } = tokenize(text);
  if (tokens.length < 2) return text;
  const first = random.integer(tokens.length - 1);
  const [one, other] = [tokens[first]!, tokens[first + 1]!];
  const between = text.slice(one.startOffset + one.image.length, other.startOffset);
  return splice(text, one.startOffset, other.startOffset + other.image.length, other.image + between + one.image);
};

const deleteCharacters: Mutation = (text, random) => {
  const start = random.integer(text.length + 1);
  return splice(text, start, start + 1 + random.integer(8), '');
};

const insertCharacters: Mutation = (text, random) => {
  const at = random.integer(text.length + 1);
  return splice(text, at, at, pick(insertions, random) ?? '');
};

const duplicateLines: Mutation = (text, random) => {
  const lines = text.split('\n');
  const from = random.integer(lines.length);
  const copied = lines.slice(from, from + 1 + random.integer(6));
  lines.splice(random.integer(lines.length + 1), 0, ...copied);
  return lines.join('\n');
};

const cutOff: Mutation = (text, random) => text.slice(0, random.integer(text.length + 1));

const mutations: readonly Mutation[] = [
  deleteToken,
  duplicateToken,
  replaceToken,
  insertToken,
  explodeToken,
  explodeNumber,
  smallNumber,
  smallNumber,
  swapTokens,
  deleteCharacters,
  insertCharacters,
  duplicateLines,
  cutOff,
];

/** The text after one to three mutations. */
export function mutate(text: string, random: RandomSource): string {
  let mutated = text;
  for (let count = 1 + random.integer(3); count > 0; count--) {
    mutated = (pick(mutations, random) ?? cutOff)(mutated, random);
  }
  return mutated;
}
