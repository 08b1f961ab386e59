/** The website that `npm run site` built: every page is there, can be searched, and has its colours. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';

const built = resolve(root, 'build/site');
const pages = globSync(['docs/index.md', 'docs/{tutorials,how-to,reference,explanation}/**/*.md'], { cwd: root }).map(
  (page) => page.replaceAll('\\', '/'),
);
const htmlOf = (page: string): string => resolve(built, page.replace(/^docs\/(.*)\.md$/, '$1.html'));

describe.each(pages)('%s', (page) => {
  it('is a page of at most 100 kB', () => {
    expect(existsSync(htmlOf(page))).toBe(true);
    expect(statSync(htmlOf(page)).size).toBeLessThanOrEqual(100_000);
  });

  it('has its examples in colours', () => {
    const examples = [...readFileSync(resolve(root, page), 'utf8').matchAll(/^```place$/gm)].length;
    const html = readFileSync(htmlOf(page), 'utf8');
    expect(html.split('class="language-place').length - 1).toBe(examples);
    if (examples > 0) expect(html).toMatch(/class="language-place[^]*?--shiki-light:#D73A49/);
  });
});

describe('the website', () => {
  it('shows each drawing light or dark', () => {
    const names = pages.flatMap((page) => {
      const drawings = [...readFileSync(resolve(root, page), 'utf8').matchAll(/^ {2}<img src="[^"]*?([\w-]+)\.svg"/gm)];
      const html = readFileSync(htmlOf(page), 'utf8');
      const missing = drawings.filter(
        ([, name = '']) =>
          !new RegExp(`<img class="light-only" src="[^"]*/${name}\\.`).test(html) ||
          !new RegExp(`<img class="dark-only" src="[^"]*/${name}-dark\\.`).test(html),
      );
      return missing.map(([, name]) => `${page}: ${name}`);
    });
    expect(names).toEqual([]);
    expect(readFileSync(htmlOf('docs/index.md'), 'utf8')).toMatch(/<style>html:not\(\.dark\) \.dark-only/);
  });

  it('has an index for its search', () => {
    const [index] = globSync('assets/chunks/@localSearchIndex*.js', { cwd: built });
    expect(readFileSync(resolve(built, index!), 'utf8')).toContain('Placewright');
  });

  it('has the samples that pages link to', () => {
    const links = pages.flatMap((page) => [
      ...readFileSync(htmlOf(page), 'utf8').matchAll(/href="(\/samples\/[^"]+)"/g),
    ]);
    expect(links.filter(([, path = '']) => !existsSync(resolve(built, path.slice(1))))).toEqual([]);
  });

  it('leaves out what only contributors read', () => {
    expect(existsSync(resolve(built, 'architecture.html'))).toBe(false);
  });
});
