import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/**
 * Holds a part of the documentation against what the code says today. The part stands between
 * `<!-- generated: name -->` and `<!-- end: name -->`. With `UPDATE_DOCS=1` it is written anew.
 */
export function expectGeneratedBlock(file: string, name: string, text: string): void {
  const path = resolve(root, file);
  const opening = `<!-- generated: ${name} -->\n`;
  const closing = `\n<!-- end: ${name} -->`;
  const page = readFileSync(path, 'utf8');
  const start = page.indexOf(opening);
  const end = page.indexOf(closing);
  if (start < 0 || end < start) throw new Error(`${file} has no block "${name}"`);
  const head = page.slice(0, start + opening.length);
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(path, head + text.trim() + page.slice(end));
  else
    expect(
      page.slice(head.length, end),
      `${file}: run UPDATE_DOCS=1 npx vitest run --project unit test/docs test/architecture`,
    ).toBe(text.trim());
}
