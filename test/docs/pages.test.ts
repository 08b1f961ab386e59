import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';
import { bannedPhrases } from './bannedPhrases.ts';

/** The pages of the website, and those on the way to it, are short and in plain English: the rules that can be counted. */
const pages = [
  ...['README.md', 'samples/README.md', 'docs/index.md', 'docs/language.md', 'docs/json.md'],
  ...globSync('docs/{tutorials,how-to,reference,explanation}/**/*.md', { cwd: root }),
]
  .map((page) => page.replaceAll('\\', '/'))
  .sort();

/** Words of prose of a page, of a how-to page, and of a sentence. */
const wordsAtMost = 1200;
const howToWordsAtMost = 600;
const sentenceWordsAtMost = 25;
const headingsAtMost = 10;
/** Rows of a table, written or generated: more are split. */
const tableRowsAtMost = 40;

/** Sentences of all pages that are longer. The number may only fall. */
const longSentencesAtMost = 0;

const read = (file: string): string => readFileSync(resolve(root, file), 'utf8');

/** The text of a page without what is no prose: code, tables, pictures, generated parts. Words of links and code stay. */
function proseOf(page: string): readonly string[] {
  const text = page
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/<!-- generated: [\s\S]*?<!-- end: .*-->/g, '')
    .replace(/^```[\s\S]*?^```$/gm, '\n')
    .replace(/<!--[\s\S]*?-->|^<picture>[\s\S]*?^<\/picture>$/gm, '')
    .replace(/^#+ .*$|^\|.*$|^!\[.*$/gm, '\n')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return text
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/)
    .map((block) =>
      block
        .replace(/^\s*(?:[-*]|\d+\.) /, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((block) => block !== '');
}

const wordsOf = (text: string): number => text.match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0;
/** Code counts as one word, and no stop inside of it ends a sentence. */
const sentencesOf = (block: string): readonly string[] =>
  block.replace(/`[^`]*`/g, 'Code').split(/(?<=[.!?:][)"*_]*) (?=[\p{Lu}`"*_(])/u);

const sentences = pages.flatMap((page) =>
  proseOf(read(page)).flatMap((block) => sentencesOf(block).map((sentence) => ({ page, sentence }))),
);
const long = sentences.filter(({ sentence }) => wordsOf(sentence) > sentenceWordsAtMost);

describe.each(pages)('%s', (page) => {
  const text = read(page);

  it('is short', () => {
    const words = proseOf(text).reduce((sum, block) => sum + wordsOf(block), 0);
    expect(words).toBeLessThanOrEqual(page.startsWith('docs/how-to/') ? howToWordsAtMost : wordsAtMost);
    const written = text.replace(/<!-- generated: [\s\S]*?<!-- end: .*-->|^```[\s\S]*?^```$/gm, '');
    const headings = written.match(/^#{1,6} /gm) ?? [];
    expect(headings.length).toBeLessThanOrEqual(headingsAtMost);
  });

  it('has no long table', () => {
    const tables = text.replace(/^```[\s\S]*?^```$/gm, '').match(/(?:^\|.*\n)+/gm) ?? [];
    const rows = tables.map((table) => table.split('\n').length - 3);
    expect(Math.max(0, ...rows)).toBeLessThanOrEqual(tableRowsAtMost);
  });

  it('has a title, and a first line that says for whom it is', () => {
    expect(text).toMatch(/^# .+\n\n(?![#|!`-])\S.*\n/);
  });

  it('has no banned phrase', () => {
    // A generated part has the words of its catalogue, which other tests judge.
    const words = text.replace(/<!-- generated: [\s\S]*?<!-- end: .*-->/g, '').replace(/^```[\s\S]*?^```$/gm, '');
    const plain = words.replace(/`[^`\n]*`/g, '`');
    const found = bannedPhrases.flatMap(([phrase, better]) =>
      [...plain.matchAll(new RegExp(phrase, 'gi'))].map(([match]) => `${match}: ${better}`),
    );
    expect(found).toEqual([]);
  });
});

it('the gain without computation is on no page without the gain with it', () => {
  const withGain = pages.filter((page) => /\b1\.24\b/.test(read(page)));
  expect(withGain).toEqual(['docs/explanation/model.md', 'docs/index.md']);
  expect(withGain.filter((page) => !/\b1\.05\b/.test(read(page)))).toEqual([]);
});

describe('the sentences of all pages', () => {
  it('are short: less than one in twenty is longer, and no more than before', () => {
    expect(sentences.length).toBeGreaterThan(300);
    const listed = long.map(({ page, sentence }) => `${page}: ${sentence}`);
    expect(long.length / sentences.length, listed.join('\n')).toBeLessThan(0.05);
    expect(long.length, listed.join('\n')).toBeLessThanOrEqual(longSentencesAtMost);
  });
});
