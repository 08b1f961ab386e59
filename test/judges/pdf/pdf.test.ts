/** Poppler, QPDF and Chromium as judges of our PDFs: whole files, of the size that was asked for, letters that are letters, and the same picture as the SVG. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import UPNG from 'upng-js';
import { describe, expect, it } from 'vitest';
import { startBrowser } from '../../../e2e/browser.ts';
import { root } from '../../../tools/run.ts';
import { binary } from '../../cli/binary.ts';

const cli = binary();

function run(program: string, ...words: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, words, { cwd: cli.scratch(), encoding: 'utf8' });
  if (error !== undefined) throw new Error(`${program} is not there: install poppler-utils and qpdf. ${error.message}`);
  expect([words.join(' '), status, stderr]).toEqual([words.join(' '), 0, '']);
  return stdout;
}

function draw(sample: string, ...words: readonly string[]): void {
  copyFileSync(resolve(root, 'samples', `${sample}.place`), join(cli.scratch(), `${sample}.place`));
  expect(cli.run(['draw', `${sample}.place`, ...words, '--force'], cli.scratch())).toMatchObject({ code: 0 });
}

describe('a picture as PDF', () => {
  it.each([
    ['quickstart', ['first-try', '--width', '84mm'], '238.1', /Hop-bytes/],
    ['ghost-3d', ['in-order', '--page', 'a4-landscape', '--theme', 'dark'], '841.89 x 595.2', /z ?= ?7/],
    ['multi-job', ['packed', '--width', '174mm'], '493.2', /Link load/],
  ] as const)('of %s is whole, of its size, with letters in embedded fonts', (sample, words, size, text) => {
    const [name, ...options] = words;
    const placement = readFileSync(resolve(root, 'samples', `${sample}.place`), 'utf8');
    const first = /^placement (\S+)/m.exec(placement)![1]!;
    draw(sample, placement.includes(`placement ${name} `) ? name : first, ...options, '-o', 'x.pdf');
    expect(run('qpdf', '--check', 'x.pdf')).toContain('No syntax or stream encoding errors found');
    expect(run('pdfinfo', 'x.pdf')).toMatch(new RegExp(`Pages: +1\n[^]*Page size: +${size.replace(/\./g, '\\.')}`));
    const fonts = run('pdffonts', 'x.pdf').trim().split('\n').slice(2);
    expect(fonts.length).toBeGreaterThan(0);
    for (const font of fonts) expect(font).toMatch(/Arimo(-Bold)? +CID TrueType +Identity-H +yes yes yes/);
    expect(run('pdftotext', 'x.pdf', '-')).toMatch(text);
    // Nothing in it is an image.
    expect(run('pdfimages', '-list', 'x.pdf').trim().split('\n')).toHaveLength(2);
  });

  it('looks as the SVG of the same page does in a browser', async () => {
    const options = ['--width', '100mm', '--legend', 'none'];
    const placement = /^placement (\S+)/m.exec(readFileSync(resolve(root, 'samples/quickstart.place'), 'utf8'))![1]!;
    draw('quickstart', placement, ...options, '-o', 'x.pdf');
    draw('quickstart', placement, ...options, '-o', 'x.svg');
    run('pdftoppm', '-r', '600', 'x.pdf', 'judged');
    const theirs = coarse(ppm(readFileSync(join(cli.scratch(), 'judged-1.ppm'))));
    const ours = coarse(await paintedByBrowser(readFileSync(join(cli.scratch(), 'x.svg'), 'utf8')));
    let far = 0;
    theirs.forEach((value, index) => {
      if (Math.abs(value - ours[index]!) > 40) far++;
    });
    // Letters are other ones, everything else is the same.
    expect(far / theirs.length).toBeLessThan(0.03);
  });
});

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly at: (x: number, y: number) => number;
}

const cells = 60;

/** The mean brightness of each of so many cells across and down. */
function coarse({ width, height, at }: Pixels): number[] {
  const means: number[] = [];
  for (let row = 0; row < cells; row++) {
    for (let column = 0; column < cells; column++) {
      let [sum, count] = [0, 0];
      for (let y = Math.floor((row * height) / cells); y < ((row + 1) * height) / cells - 1; y += 3) {
        for (let x = Math.floor((column * width) / cells); x < ((column + 1) * width) / cells - 1; x += 3) {
          sum += at(x, y);
          count++;
        }
      }
      means.push(sum / count);
    }
  }
  return means;
}

/** P6: width, height, 255, then three bytes for each pixel. */
function ppm(bytes: Buffer): Pixels {
  const [head, width, height] = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.subarray(0, 40).toString('latin1'))!;
  const start = head.length;
  return {
    width: Number(width),
    height: Number(height),
    at: (x, y) =>
      [0, 1, 2].reduce((sum, channel) => sum + bytes[start + 3 * (y * Number(width) + x) + channel]! / 3, 0),
  };
}

/** What Chromium paints of an SVG, with the pixels of a page of 600 to an inch. */
async function paintedByBrowser(svg: string): Promise<Pixels> {
  const browser = await startBrowser();
  try {
    const page = await browser.newPage({ deviceScaleFactor: 600 / 96 });
    await page.setContent(`<body style="margin: 0">${svg}</body>`);
    const { data, width, height } = UPNG.decode(new Uint8Array(await page.locator('svg').screenshot()).buffer);
    const pixels = new Uint8Array(data);
    const channels = pixels.length / (width * height);
    return {
      width,
      height,
      at: (x, y) => [0, 1, 2].reduce((sum, channel) => sum + pixels[channels * (y * width + x) + channel]! / 3, 0),
    };
  } finally {
    await browser.close();
  }
}
