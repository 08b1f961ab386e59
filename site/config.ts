/** The website of docs/: VitePress reads the pages where they are, so that they stay readable in the repository. */
import { cpSync, existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, posix, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const pagesFolder = resolve(root, 'docs');

/** Pages for contributors: they link to sources, and are read in the repository. */
const contributorPages = ['architecture.md', 'decisions.md'];

const sections = [
  ['tutorials', 'Tutorials'],
  ['how-to', 'How-to guides'],
  ['reference', 'Reference'],
  ['explanation', 'Explanation'],
] as const;

interface SidebarItem {
  readonly text: string;
  readonly link: string;
}

const titleOf = (page: string): string =>
  /^# (.*)$/m.exec(readFileSync(resolve(pagesFolder, page), 'utf8'))?.[1]?.replaceAll('`', '') ?? basename(page, '.md');

/** The pages of a folder: first those that its `index.md` links to, in that order, then the others. */
function pagesOf(folder: string): readonly string[] {
  const all = globSync(`${folder}/**/*.md`, { cwd: pagesFolder }).map((page) => page.replaceAll('\\', '/'));
  const index = `${folder}/index.md`;
  if (!all.includes(index)) return all.sort();
  const text = readFileSync(resolve(pagesFolder, index), 'utf8');
  const linked = [...text.matchAll(/\]\(([^)#\s]+\.md)/g)].map(([, link = '']) => posix.join(folder, link));
  return [...new Set([index, ...linked.filter((page) => all.includes(page)), ...all.sort()])];
}

const itemsOf = (folder: string): readonly SidebarItem[] =>
  pagesOf(folder).map((page) => ({ text: titleOf(page), link: `/${page.replace(/\.md$/, '')}` }));

const filled = sections
  .map(([folder, text]) => ({ folder, text, items: itemsOf(folder) }))
  .filter(({ items }) => items.length > 0);

/** As GitHub and VS Code name headings, so that a link works in all of them. */
const slugify = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** The parts of markdown-it that are used here. */
interface Token {
  type: string;
  content: string;
  readonly children: Token[] | null;
  attrGet(name: string): string | null;
}
interface MarkdownIt {
  readonly core: {
    readonly ruler: {
      push(
        name: string,
        rule: (state: { readonly tokens: Token[]; readonly env: { readonly path?: string } }) => void,
      ): void;
    };
  };
}

const isSample = (path: string): boolean => path.startsWith('samples/') && path.endsWith('.place');

/**
 * Links to files of the repository that are no pages: a sample is a download, of others the words stay. A link to what
 * is not there stays a link, and fails the build.
 */
function linkOnlyPages(markdown: MarkdownIt): void {
  markdown.core.ruler.push('link-only-pages', ({ tokens, env }) => {
    for (const { children } of tokens) {
      let closing: string | undefined;
      for (const token of children ?? []) {
        if (token.type === 'link_open') closing = replaceLink(token, env.path);
        else if (token.type === 'link_close' && closing !== undefined) {
          Object.assign(token, { type: 'html_inline', content: closing });
          closing = undefined;
        }
      }
    }
  });
}

/** What closes the link where it was replaced. */
function replaceLink(token: Token, page: string | undefined): string | undefined {
  const [href = ''] = (token.attrGet('href') ?? '').split('#');
  if (page === undefined || href === '' || /^([a-z]+:|\/)/i.test(href)) return undefined;
  const target = resolve(dirname(page), href);
  const path = relative(root, target).replaceAll('\\', '/');
  const isPage = path.startsWith('docs/') && !contributorPages.includes(path.slice('docs/'.length));
  if (isPage || !existsSync(target)) return undefined;
  token.type = 'html_inline';
  token.content = isSample(path) ? `<a href="/${path}" download>` : '<span>';
  return isSample(path) ? '</a>' : '</span>';
}

/** Vite takes a path without a dot in front for a package. */
const imageOf = (theme: string, path: string, alt: string): string =>
  `<img class="${theme}-only" src="${path.startsWith('.') ? path : `./${path}`}" ${alt} loading="lazy">`;

/**
 * `<picture>` chooses by the theme of the system, as GitHub needs it. The website has a switch of its own, so both images are
 * on the page and the style shows one.
 */
function followTheme(markdown: MarkdownIt): void {
  const pair = /<picture>\s*<source [^>]*srcset="([^"]+)">\s*<img src="([^"]+)" (alt="[^"]*")>\s*<\/picture>/g;
  markdown.core.ruler.push('follow-theme', ({ tokens }) => {
    for (const token of tokens) {
      if (token.type !== 'html_block') continue;
      token.content = token.content.replace(
        pair,
        (_, dark: string, light: string, alt: string) =>
          `<p>${imageOf('light', light, alt)}${imageOf('dark', dark, alt)}</p>`,
      );
    }
  });
}

export default {
  title: 'Placewright',
  description: 'Place the ranks of a parallel program on a machine so that they communicate faster, and see why.',
  lang: 'en-GB',
  srcDir: pagesFolder,
  srcExclude: contributorPages,
  outDir: resolve(root, 'build/site'),
  cacheDir: resolve(root, 'build/site-cache'),
  // The address of the website is not known here: no page may depend on one.
  cleanUrls: false,
  lastUpdated: false,
  // A drawing is a file of its own, however small: a page would carry it twice.
  vite: { build: { assetsInlineLimit: 0 } },
  head: [['style', {}, 'html:not(.dark) .dark-only, html.dark .light-only { display: none; }']],
  markdown: {
    languages: [
      {
        ...(JSON.parse(readFileSync(resolve(root, 'syntaxes/place.tmLanguage.json'), 'utf8')) as object),
        name: 'place',
      },
    ],
    anchor: { slugify },
    config(markdown: MarkdownIt): void {
      linkOnlyPages(markdown);
      followTheme(markdown);
    },
  },
  buildEnd(): void {
    for (const path of globSync('samples/**/*.place', { cwd: root })) {
      cpSync(resolve(root, path), resolve(root, 'build/site', path));
    }
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: filled.map(({ folder, text, items }) => ({ text, link: items[0]?.link ?? '/', activeMatch: `/${folder}/` })),
    sidebar: filled.map(({ text, items }) => ({ text, collapsed: false, items })),
  },
};
