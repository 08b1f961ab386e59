import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';
import { commandLine } from '../cli/commandLine.ts';
import { curves, expectDrawnToday, manyRates, read, searched, themes } from './drawnToday.ts';

/* Pictures that the documentation shows: what they show is what the program shows today. */

/** Drawings, and the command that makes each; those that are searched for are in pictures.slow.test.ts. */
const drawings: readonly (readonly [string, readonly string[]])[] = [
  ['docs/pictures/nas-cg.svg', ['draw', 'samples/cg/nas-cg.place', 'by-chance', '-o', '-']],
  ['docs/pictures/autonet.svg', ['draw', 'samples/autonet.place', 'in-order', '-o', '-']],
  ['docs/pictures/by-default.svg', ['draw', 'samples/rankfile.place', 'by-default', '-o', '-']],
  ['docs/pictures/fabric.svg', ['draw', 'samples/rankfile.place', 'cluster', '-o', '-']],
  ['docs/pictures/traffic.svg', ['draw', 'samples/cg/nas-cg.place', 'in-order', '--figure', 'traffic', '-o', '-']],
  [
    'docs/pictures/simulation.svg',
    ['draw', 'samples/traces/halo.place', 'benchmark', '--figure', 'playback', '-o', '-'],
  ],
  ['docs/pictures/latency.svg', ['draw', 'samples/traces/halo.place', 'benchmark', '--figure', 'latency', '-o', '-']],
  ['docs/pictures/rails.svg', ['draw', 'samples/fabrics/rails.place', 'gb200', '-o', '-']],
  ['docs/pictures/routes.svg', ['draw', 'samples/fabrics/leaf-spine.place', 'routed', '-o', '-']],
  ['docs/pictures/failures.svg', ['draw', 'samples/broken.place', 'after', '-o', '-']],
  ['docs/pictures/first-try.svg', ['draw', 'samples/quickstart.place', 'first-try', '-o', '-']],
  ['docs/pictures/threads.svg', ['draw', 'samples/hybrid.place', 'threads', '-o', '-']],
];

/** Figures of one run of the experiment of a sample, over more rates. All of it is run by pictures.slow.test.ts. */
const figures: readonly (readonly [string, readonly string[]])[] = [
  [
    'docs/pictures/jobs.svg',
    ['--figure', 'jobs', '--point', 'gabl, arrivals.rate 0.0015', '--between', '20000..40000'],
  ],
  ['docs/pictures/machine.svg', ['--figure', 'machine', '--point', 'gabl, arrivals.rate 0.0015', '--time', '33900']],
];

const screenshot = 'docs/pictures/editor.png';
const description = 'docs/pictures/editor.json';

const digestOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

const placewright = commandLine();

describe('drawings in the documentation', () => {
  it.each(drawings)('%s is what is drawn today, light and dark', async (file, words) => {
    await expectDrawnToday(placewright, file, words);
  });
});

describe('figures in the documentation', () => {
  it.each(figures)('%s is what is drawn today, light and dark', async (file, words) => {
    const copy = manyRates(placewright.scratch());
    await expectDrawnToday(placewright, file, ['draw', copy, 'allocators', ...words, '-o', '-']);
  });
});

/**
 * The screenshot is taken in a real editor (e2e/picture.test.ts), which also writes down what can be read in it.
 * Here, without an editor, that description is held against what the program finds today.
 */
describe('the screenshot of the editor', () => {
  const facts = JSON.parse(read(description)) as Readonly<Record<string, unknown>>;
  const placement = ['samples/cg/nas-cg.place', 'in-order'] as const;
  const old =
    'The picture is old: take it anew with UPDATE_DOCS=1 npx vitest run --config e2e/vitest.config.ts e2e/picture';

  it('is the one that was described', () => {
    expect(facts['picture'], old).toBe(digestOf(readFileSync(resolve(root, screenshot))));
  });

  it('shows the file as it is', () => {
    expect(facts['program'], old).toBe(digestOf(read(placement[0])));
  });

  it('shows the drawing that is made today', async () => {
    expect(facts['drawing'], old).toBe(digestOf((await placewright.run(['draw', ...placement, '-o', '-'])).out));
  });

  it('shows the figures of today', async () => {
    const { out } = await placewright.run(['run', placement[0], '--placement', placement[1]]);
    const figure = (name: string): string => new RegExp(`^ *${name} +(.*)$`, 'm').exec(out)?.[1] ?? name;
    const figures = [
      `${figure('Average hops')} hops on average`,
      `${figure('Hop-bytes')} hop-bytes`,
      `congestion time ${figure('Congestion time')}`,
    ];
    expect(String(facts['lens']).split('\n')[0], old).toBe(figures.join(' · '));
    const heaviest = /^ *Hot link +\d+ → \d+: ([^,]+), (\S+) × mean$/m.exec(out);
    expect(facts['explanation'], old).toEqual(expect.arrayContaining(heaviest?.slice(1) ?? ['a hot link']));
  });
});

const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: root })].map((page) => page.replaceAll('\\', '/'));
const withoutFences = (text: string): string => text.replace(/^```[\s\S]*?^```$/gm, '');

it('every picture of the documentation is made by a test, and every one is shown', () => {
  const shown = pages.flatMap((page) =>
    [...withoutFences(read(page)).matchAll(/(?:\]\(|src="|srcset=")(?:docs\/|\.\.\/)?(pictures\/[^)"]+)[)"]/g)].map(
      ([, path]) => `docs/${path}`,
    ),
  );
  const drawn = [curves, ...[...searched, ...drawings, ...figures].map(([file]) => file)];
  const made = [screenshot, ...drawn.flatMap((file) => themes.map(([, nameOf]) => nameOf(file)))].sort();
  expect([...new Set(shown)].sort()).toEqual(made);
  expect(globSync('docs/pictures/*', { cwd: root }).sort()).toEqual([...made, description].sort());
});

describe('a page with drawings', () => {
  const withDrawings = pages.filter((page) => /pictures\/[^)"]+\.svg/.test(withoutFences(read(page))));

  it('is every how-to page', () => {
    // The screenshot is the picture of the page that installs the editor.
    const others = ['docs/how-to/index.md', 'docs/how-to/install.md'];
    const howTo = pages.filter((page) => page.startsWith('docs/how-to/') && !others.includes(page));
    expect(howTo.length).toBeGreaterThan(15);
    expect(howTo.filter((page) => !withDrawings.includes(page))).toEqual([]);
  });

  it.each(withDrawings)('shows each light or dark, with words instead of it: %s', (page) => {
    const pairs =
      /^<picture>\n {2}<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)-dark\.svg">\n {2}<img src="\1\.svg" alt="[^"]{15,}">\n<\/picture>$/gm;
    expect(withoutFences(read(page)).replace(pairs, '')).not.toMatch(/<img|<source|<picture|\.svg[)"]/);
  });
});

it('the extension packs the pictures that its page and its walkthrough show, and no others', () => {
  const onPage = [...read('README.md').matchAll(/!\[[^\]]*\]\((docs\/[^)]+)\)/g)].map(([, path]) => path);
  const inWalkthrough = [...read('package.json').matchAll(/"(?:svg|image)": "(docs\/[^"]+)"/g)].map(([, path]) => path);
  expect(inWalkthrough.length).toBeGreaterThan(4);
  const shown = [...new Set([...onPage, ...inWalkthrough])].map((path) => `!${path}`);
  const packed = read('.vscodeignore')
    .split('\n')
    .filter((line) => line.startsWith('!docs/'));
  expect(packed.sort()).toEqual(shown.sort());
});
