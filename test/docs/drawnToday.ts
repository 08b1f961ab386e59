/** What tests of pictures in the documentation share. */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'vitest';
import { root } from '../../tools/run.ts';
import type { CommandLine } from '../cli/commandLine.ts';

export const read = (file: string): string => readFileSync(resolve(root, file), 'utf8');

/** Drawings of placements that take a search, and the command that makes each. */
export const searched: readonly (readonly [string, readonly string[]])[] = [
  ['docs/pictures/difference.svg', ['draw', 'samples/cg/nas-cg.place', 'tuned', '--difference', 'in-order', '-o', '-']],
  ['docs/pictures/tonight.svg', ['draw', 'samples/rankfile.place', 'tonight', '-o', '-']],
  [
    'docs/pictures/hosts.svg',
    ['draw', 'samples/rankfile.place', 'tonight', '--figure', 'traffic', '--by', 'node', '-o', '-'],
  ],
];

/** Of all replications of the experiment of a sample. */
export const curves = 'docs/pictures/allocators.svg';

/** A copy of the sample, whose experiment has more rates. */
export function manyRates(directory: string): string {
  const copy = resolve(directory, 'jobs-over-time.place');
  writeFileSync(copy, read('samples/jobs-over-time.place').replace('step 0.002', 'step 0.0005'));
  return copy;
}

/** A picture is drawn for light pages and for dark ones, which `<picture>` chooses from. */
export const themes = [
  ['light', (file: string) => file],
  ['dark', (file: string) => file.replace('.svg', '-dark.svg')],
] as const;

/** In both themes. With `UPDATE_DOCS=1` the pictures are drawn anew instead. */
export async function expectDrawnToday(cli: CommandLine, file: string, words: readonly string[]): Promise<void> {
  for (const [theme, nameOf] of themes) {
    const { code, out } = await cli.run([...words, '--theme', theme]);
    expect(code).toBe(0);
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(resolve(root, nameOf(file)), out);
    expect(read(nameOf(file))).toBe(out);
  }
}
