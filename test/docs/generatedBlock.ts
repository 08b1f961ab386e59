import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/**
 * Holds a part of the documentation against what the code says today. The part stands between
 * `<!-- generated: name -->` and `<!-- end: name -->`. With `UPDATE_DOCS=1` it is written anew.
 */
export function expectGeneratedBlock(file: string, name: string, text: string): void {
  const opening = `<!-- generated: ${name} -->\n`;
  const closing = `\n<!-- end: ${name} -->`;
  expectGenerated(file, (page) => {
    const start = page.indexOf(opening) + opening.length;
    const end = page.indexOf(closing);
    if (start < opening.length || end < start) throw new Error(`${file} has no block "${name}"`);
    return page.slice(0, start) + text.trim() + page.slice(end);
  });
}

/** Holds a file against itself with its generated parts written anew; with `UPDATE_DOCS=1` they are. */
export function expectGenerated(file: string, generate: (old: string) => string): void {
  const path = resolve(root, file);
  const old = readFileSync(path, 'utf8');
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(path, generate(old));
  else
    expect(old, `${file}: run UPDATE_DOCS=1 npx vitest run --project unit test/docs test/architecture`).toBe(
      generate(old),
    );
}
