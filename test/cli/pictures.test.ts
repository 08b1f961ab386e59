/** Pictures from the command line: which files there are, how they look, and what is said of what cannot be drawn. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { textWidth } from '../../server/drawing/figures/figure.ts';
import { commandLine } from './commandLine.ts';

const cli = commandLine();

const program = `machine m { topology torus 4 x 4 x 4 }
machine flat { topology torus 2 x 2 }
machine small { topology torus 2 x 2 x 2 }
job heat { grid 8 x 4  stencil five-point  bytes 64 KiB }
job pair { tasks 8  pattern ring  bytes 1 KiB }
job ocean { tasks 16  pattern ring  bytes 1 KiB }
placement p { jobs heat, ocean  machine m  map row-major }
placement q { jobs heat, ocean  machine m  map random  seed 4 }
machine unequal { topology torus 4 x 4  bandwidth 10 GB/s, 1 GB/s }
placement one { job pair  machine small  map row-major }
placement other { job pair  machine small  map random  seed 4 }
placement slow { job ocean  machine unequal  map row-major }
`;

beforeAll(() => {
  writeFileSync(join(cli.scratch(), 'a.place'), program);
});

/** What is written with these options. */
async function drawn(ending: string, ...options: readonly string[]): Promise<Buffer> {
  const target = join(cli.scratch(), `x.${ending}`);
  const { code, err } = await cli.run(['draw', 'a.place', ...options, '-o', target, '--force'], cli.scratch());
  expect([code, err]).toEqual([0, '']);
  return readFileSync(target);
}

describe('a picture', () => {
  it.each([
    ['of a placement', 'one'],
    ['of a machine', 'small'],
    ['of a difference', 'other --difference one'],
    ['of traffic', 'one --figure traffic'],
  ])('%s is SVG or PDF by the ending of the file, light or dark', async (_, words) => {
    const options = words.split(' ');
    expect((await drawn('svg', ...options)).toString('utf8')).toMatch(/<\/svg>/);
    expect((await drawn('pdf', ...options)).subarray(0, 5).toString()).toBe('%PDF-');
    // Dark pictures have the same size.
    const size = (svg: Buffer) => /<svg[^>]* width="([^"]+)" height="([^"]+)"/.exec(svg.toString('utf8'))!.slice(1);
    const [light, dark] = [await drawn('svg', ...options), await drawn('svg', ...options, '--theme', 'dark')];
    expect(size(dark)).toEqual(size(light));
    expect(dark.equals(light)).toBe(false);
  });

  it.each([
    ['x.png', 'PNG. Write x.svg, then run `rsvg-convert --zoom 2 x.svg -o x.png`.'],
    ['sub/x.PNG', 'PNG. Write sub/x.svg, then run `rsvg-convert --zoom 2 sub/x.svg -o sub/x.PNG`.'],
    ['x.jpg', 'JPG. Write x.svg, then convert it with Inkscape.'],
  ])('%s is refused by every command that draws', async (target, told) => {
    for (const words of [
      ['draw', 'a.place', 'one'],
      ['draw', 'a.place', 'small'],
      ['simulate', 'a.place'],
      ['experiment', 'a.place'],
      ['sweep', 'a.place', 'one', '--over', 'map=row-major'],
    ]) {
      const { code, out, err } = await cli.run([...words, '-o', target], cli.scratch());
      expect([words[0], code, out]).toEqual([words[0], 2, '']);
      expect(err).toContain(`Unsupported image format ${told}`);
    }
  });

  it('is replaced where we wrote it, and left where we did not', async () => {
    const target = join(cli.scratch(), 'kept.pdf');
    const draw = () => cli.run(['draw', 'a.place', 'p', '-o', target], cli.scratch());
    expect((await draw()).code).toBe(0);
    expect((await cli.run(['draw', 'a.place', 'q', '-o', target], cli.scratch())).code).toBe(0);
    writeFileSync(target, '%PDF-1.4 of somebody else');
    expect(await draw()).toMatchObject({
      code: 2,
      err: expect.stringContaining('kept.pdf exists, and was edited or not written by Placewright.') as string,
    });
  });

  it.each([
    ['--labels node', /Node labels: nodes/],
    ['--labels coordinates', /Node labels: coordinates/],
    ['--layout axonometric', /^(?![^]*id="areas")/],
    ['--plane 2', /id="plane-nodes"/],
    ['--scale logarithmic', /Logarithmic scale/],
    ['--maximum 10MiB', /Scale maximum: 10 MiB\./],
    ['--legend none', /^(?![^]*Average hops)/],
    ['--theme dark', /fill="#1f1f1f"/],
    ['--width 84mm', /<svg [^>]*width="84mm"/],
    ['--width 3.3in --height 5cm', /<svg [^>]*width="83.82mm" height="50mm"/],
    ['--page a4-landscape', /<svg [^>]*width="297mm" height="210mm"/],
  ])('says with %s what was asked for', async (options, pattern) => {
    expect((await drawn('svg', 'p', ...options.split(' '))).toString('utf8')).toMatch(pattern);
  });

  it.each([
    ['', 'Utilisation', '(bottleneck link)'],
    ['--maximum 2ms', 'Utilisation', 'Scale maximum: 2 ms.'],
    ['--measure bytes', 'Link load in bytes', 'Colour: bytes.'],
    ['--measure bytes --maximum 64KiB', 'Link load in bytes', 'Scale maximum: 64 KiB.'],
  ])('says of links that are not all as fast by what they are coloured: %s', async (options, title, note) => {
    const svg = (await drawn('svg', 'slow', ...options.split(' ').filter((word) => word !== ''))).toString('utf8');
    expect(svg).toContain(title);
    expect(svg.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')).toContain(note);
  });

  it.each([
    ['node 0', /id="routes"/],
    ['link 0 1', /id="routes"/],
    ['tasks 0 9', /id="ends"/],
    ['tasks ocean:0 ocean:1', /id="ends"/],
  ])('brings out what is selected: %s', async (selection, pattern) => {
    expect((await drawn('svg', 'p', '--select', selection)).toString('utf8')).toMatch(pattern);
  });

  it('of switches with names has no text on another one', async () => {
    const { out } = await cli.run(['draw', 'samples/fabrics/rails.place', 'gb200', '-o', '-']);
    const legend = /<g id="legend-0"[^]*?<\/g>/.exec(out)?.[0] ?? '';
    const texts = [...legend.matchAll(/<text x="([\d.]+)" y="([\d.]+)"([^>]*)>([^<]*)</g)];
    expect(texts.length).toBeGreaterThan(10);
    for (const [, x, y, attributes = '', words = ''] of texts.filter(([, , , more]) => more?.includes('"end"'))) {
      expect(attributes).toContain('font-size="13"');
      const beside = texts.find(([, from, at]) => from === '0' && at === y)?.[4] ?? '';
      expect(textWidth(beside, 13) + textWidth(words, 13), `${beside} ${words}`).toBeLessThan(Number(x));
    }
    const [, subtitle = ''] = /<text x="28" y="([\d.]+)"[^>]*>network of a file/.exec(out) ?? [];
    const [, spine = '', size = ''] = /y="([\d.]+)" font-size="([\d.]+)">spine-1</.exec(out) ?? [];
    expect(Number(spine) - Number(size)).toBeGreaterThan(Number(subtitle));
  });

  it.each([
    ['p --labels host', /The diagram has no host for node labels\. Use --labels task, node, coordinates\./],
    ['flat --layout slices', /--layout applies to 3D machines only/],
    ['flat --plane 0', /--plane applies to 3D machines only/],
    ['p --plane 4', /Plane 4 does not exist\. Planes are 0 to 3\./],
    ['p --maximum much', /--maximum 'much' is not a size\. Example: 64KiB\./],
    [
      'p --measure capacity',
      /All links of this machine are equally fast\. --measure capacity needs links with different bandwidths\./,
    ],
    ['slow --maximum 64KiB', /--maximum '64KiB' is not a time\. Write 2ms, or add --measure bytes\./],
    ['m --measure bytes', /--measure does not apply to machines, and 'm' is a machine\./],
    ['p --width 84', /--width '84' must be a length from 30mm to 5000mm\. Example: 84mm, 3\.3in or 240pt\./],
    ['p --width 1mm', /--width '1mm' must be a length from 30mm to 5000mm\. Example: 84mm, 3\.3in or 240pt\./],
    ['p --page a0', /a4, a4-landscape/],
    ['p --theme grey', /light, dark/],
    ['p --figure traffic --labels node', /--labels applies to diagrams of placements/],
    ['m --select node:1', /--select does not apply to machines, and 'm' is a machine\./],
  ])('is refused with what it has not: %s', async (words, message) => {
    const options = [...words.split(' '), '-o', 'refused.svg'];
    expect(await cli.run(['draw', 'a.place', ...options], cli.scratch())).toMatchObject({
      code: 2,
      err: expect.stringMatching(message) as string,
    });
  });

  it.each([
    ['node 64', /has no node 64/],
    ['link 0 9', /No link from 0 to 9\. Use --select link 0 9\./],
    ['tasks 0 99', /Task 99 does not exist in job heat\./],
    ['tasks ice:0 ice:1', /No job 'ice' in this placement\. Use --select tasks ice:0 ice:1\./],
    [
      'everything',
      /--select expects node 5, link 3 7, or tasks 0 9; with several jobs: tasks heat:0 heat:9, found 'everything'\./,
    ],
    [
      'node -1',
      /--select expects node 5, link 3 7, or tasks 0 9; with several jobs: tasks heat:0 heat:9, found 'node -1'\./,
    ],
  ])('cannot select what is not there: %s', async (selection, message) => {
    const answer = await cli.run(['draw', 'a.place', 'p', '--select', selection, '-o', 'refused.svg'], cli.scratch());
    expect(answer).toMatchObject({ code: 2, err: expect.stringMatching(message) as string });
  });
});
