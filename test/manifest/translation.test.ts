/** Every word of the extension's own in every language that it has: no key is missing, none is left over, no placeholder is lost. */
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';
import { bundleOf, inEnglish, keysOf, manifestText } from './words.ts';

/** What is said by `l10n.t` in the client; a text that is put together cannot be looked up, and is refused. */
function wordsOfClient(): readonly string[] {
  const found = new Set<string>();
  for (const file of globSync('client/*.ts', { cwd: root }).filter((name) => !name.endsWith('.test.ts'))) {
    const source = ts.createSourceFile(file, readFileSync(resolve(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && node.expression.getText(source) === 'l10n.t') {
        const [message] = node.arguments;
        if (message === undefined || !ts.isStringLiteral(message)) throw new Error(`${file}: ${node.getText(source)}`);
        found.add(message.text);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return [...found].sort();
}

const placeholders = (text: string): readonly string[] => [...new Set(text.match(/\{\d+\}/g))].sort();
/** Commands that a text links to, and words of the language, stay as they are. */
const fixed = (text: string): readonly string[] => [...(text.match(/\(command:[\w.]+\)|`[^`]+`/g) ?? [])].sort();

const english = bundleOf('package.nls.json');
const client = wordsOfClient();

/** Members of the manifest that people read. */
const readable = [
  'title',
  'description',
  'markdownDescription',
  'displayName',
  'contents',
  'altText',
  'contextualTitle',
];
const names = new Set(['Placewright']);

describe('the words of the manifest', () => {
  it('are keys that have words, and no word is left over', () => {
    expect([...new Set(keysOf(manifestText()))].sort()).toEqual(Object.keys(english).sort());
  });

  it('stand in no other place', () => {
    const plain: string[] = [];
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, part] of Object.entries(value)) {
        const texts = readable.includes(key) ? [part] : /[eE]numDescriptions$/.test(key) ? (part as unknown[]) : [];
        for (const text of texts) {
          if (typeof text === 'string' && !text.startsWith('%') && !names.has(text))
            plain.push(`${path}.${key}: ${text}`);
        }
        visit(part, `${path}.${key}`);
      }
    };
    const { contributes, capabilities, description } = JSON.parse(manifestText()) as Readonly<Record<string, unknown>>;
    visit({ contributes, capabilities, description }, '');
    expect(plain).toEqual([]);
    expect(JSON.stringify(inEnglish())).not.toMatch(/"%/);
  });
});

const languages = globSync('package.nls.*.json', { cwd: root }).map((file) => file.split('.')[2]!);

it('there is a language beside English', () => {
  expect(languages).toContain('de');
});

describe.each(languages)('in %s', (language) => {
  const manifest = bundleOf(`package.nls.${language}.json`);
  const bundle = bundleOf(`l10n/bundle.l10n.${language}.json`);

  it('the manifest has all its words', () => {
    expect(Object.keys(manifest).sort()).toEqual(Object.keys(english).sort());
  });

  it('the client has all its words', () => {
    expect(Object.keys(bundle).sort()).toEqual(client);
  });

  it.each([
    ['manifest', Object.entries(manifest).map(([key, text]) => [english[key] ?? '', text] as const)],
    ['client', Object.entries(bundle)],
  ])('no placeholder, link or word of the language is lost: %s', (_where, pairs) => {
    for (const [text, translated] of pairs) {
      expect([placeholders(translated), fixed(translated)], text).toEqual([placeholders(text), fixed(text)]);
      expect(translated.trim(), text).not.toBe('');
    }
  });

  it('it is a translation', () => {
    const same = Object.entries(bundle).filter(
      ([text, translated]) => text === translated && /[a-z]{3}.* /i.test(text),
    );
    expect(same).toEqual([]);
  });
});
