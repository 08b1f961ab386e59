import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/root.ts';
import { commandLine } from '../cli/commandLine.ts';

/** Drawings that the documentation shows, and the command that makes each. */
const drawings: readonly (readonly [string, readonly string[]])[] = [
  ['docs/pictures/nas-cg.svg', ['draw', 'samples/cg/nas-cg.place', 'by-chance', '-o', '-']],
  ['docs/pictures/autonet.svg', ['draw', 'samples/autonet.place', 'in-order', '-o', '-']],
];

describe('drawings in the documentation', () => {
  const placewright = commandLine();

  it.each(drawings)('%s is what is drawn today', (file, words) => {
    const { code, out } = placewright.run(words);
    expect(code).toBe(0);
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(resolve(root, file), out);
    expect(readFileSync(resolve(root, file), 'utf8')).toBe(out);
  });
});
