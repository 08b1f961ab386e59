/** The manifest as a reader of a language sees it: the editor puts the words of a bundle in the place of `%key%`. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { root } from '../../tools/run.ts';

export type Bundle = Readonly<Record<string, string>>;

export const bundleOf = (file: string): Bundle => JSON.parse(readFileSync(resolve(root, file), 'utf8')) as Bundle;

export const manifestText = (): string => readFileSync(resolve(root, 'package.json'), 'utf8');

/** Keys that stand in the manifest, `%` left out. */
export const keysOf = (text: string): readonly string[] =>
  [...text.matchAll(/"%([\w.-]+)%"/g)].map(([, key = '']) => key);

/** The manifest with the words of `package.nls.json`. A key that has none stays as it is. */
export function inEnglish(): unknown {
  const words = bundleOf('package.nls.json');
  const text = manifestText().replace(/"%([\w.-]+)%"/g, (key, name: string) => JSON.stringify(words[name] ?? key));
  return JSON.parse(text);
}
