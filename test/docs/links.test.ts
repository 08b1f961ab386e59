import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';

/** What the pages of the documentation point to: other pages, headings, pictures, files of the tree. */
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'samples/README.md',
  'samples/papers/README.md',
  ...globSync('docs/**/*.md', { cwd: root }),
];

const read = (file: string): string => readFileSync(resolve(root, file), 'utf8');
const withoutFences = (text: string): string => text.replace(/^```[\s\S]*?^```$/gm, '');

/** As GitHub and VS Code name headings: lower case, blanks as hyphens, no other punctuation; and what `<a id>` names. */
const anchorsOf = (text: string): readonly string[] => [
  ...[...withoutFences(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  ),
  ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id),
];

/** Pages that say what a folder holds; whoever opens the folder finds them. */
const folderPages = globSync('{server,client,webview,bench,tools,e2e}/**/README.md', {
  cwd: root,
  exclude: ['**/node_modules'],
});

describe.each([...pages, ...folderPages])('%s', (page) => {
  const links = [...withoutFences(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);

  it('links to what is there', () => {
    const broken = links.filter((link) => {
      if (/^https?:/.test(link)) return false;
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? resolve(root, page) : resolve(root, dirname(page), path);
      if (!existsSync(target)) return true;
      return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('names no file or folder of the tree that is not there', () => {
    const named = [...withoutFences(read(page)).matchAll(/`([\w.-]+\/[\w./-]*)`/g)]
      .map(([, path = '']) => path)
      .filter((path) => /^(bench|client|docs|e2e|samples|server|test|tools|webview)\//.test(path));
    expect(named.filter((path) => !existsSync(resolve(root, path)))).toEqual([]);
  });
});

it('every page is reached from README', () => {
  const reached = new Set(['README.md']);
  for (const page of reached) {
    for (const [, link = ''] of read(page).matchAll(/\]\(([^)#\s]+\.md)(?:#[^)]*)?\)/g)) {
      reached.add(resolve(root, dirname(page), link).slice(root.length + 1));
    }
  }
  expect(pages.filter((page) => !reached.has(page))).toEqual([]);
});
