import { describe, expect, it } from 'vitest';
import { drawScene } from './drawScene.ts';
import { unbalancedTags } from './testing/figures.ts';
import { autonetReport, fabricOf, fabricReport, hypercubeReport, torusReport } from './testing/fixtures.ts';
import { renderSvg } from './renderSvg.ts';
import { escapeXml } from './svg.ts';

const count = (text: string, pattern: RegExp): number => (text.match(pattern) ?? []).length;
const lines = (svg: string): number => count(/id="links".*?<\/g>/s.exec(svg)?.[0] ?? '', /M[-\d.]/g);

describe('the picture as SVG', () => {
  const report = torusReport([4, 4], {
    jobs: [6, 4],
    loads: [
      [0, 1, 1000],
      [1, 0, 10],
      [2, 3, 10],
      [4, 5, 10],
    ],
  });
  const svg = renderSvg(drawScene(report));

  it('has title, description, every node and every cable', () => {
    expect(svg).toContain('<title id="title">first-try on test</title>');
    expect(svg).toContain('<desc id="description">Placement first-try on machine test');
    const nodes = svg.slice(svg.indexOf('id="nodes"'), svg.indexOf('id="labels"'));
    expect(count(nodes, /<rect /g)).toBe(16);
    // 24 lines and 8 wrap links of two stubs; the one cable with load both ways is two lanes, as are
    // the two with load one way.
    expect(lines(svg)).toBe(24 + 16 + 3);
    expect(unbalancedTags(svg)).toEqual([]);
  });

  it('paints jobs, free nodes, loads and wrap links', () => {
    expect(svg).toContain('<g fill="#0072b2"');
    expect(svg).toContain('<g fill="#009e73"');
    expect(svg).toContain('>free node</text>');
    // A wrap link is two stubs, each with an arrow and the task at its other end.
    const stubs = svg.slice(svg.indexOf('id="stub-ends"'), svg.indexOf('id="nodes"'));
    expect(count(stubs, /M[-\d.]/g)).toBe(16);
    expect(stubs).toContain('>node 12</text>');
    expect(stubs).toContain('>3</text>');
    const heaviest = drawScene(report).loadLegend.colors.at(-1)!;
    expect(count(svg, new RegExp(`stroke="${heaviest}"`, 'g'))).toBe(1);
  });

  it('has the legend with units', () => {
    for (const text of ['Average hops', '1,000 B', 'job-0', '6 tasks', 'Node labels: tasks'])
      expect(svg).toContain(`>${text}<`);
  });

  it('labels nodes with their tasks and tells more on hovering', () => {
    expect(svg).toContain('>5</text>');
    expect(svg).toContain('<title>node 6 (2, 1)\njob-1: 0</title>');
  });

  it('refers to nothing elsewhere and runs nothing', () => {
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|<script|<style|href|url\(/);
  });

  it('is the same bytes again', () => {
    expect(renderSvg(drawScene(report))).toBe(svg);
  });

  it('escapes what users wrote', () => {
    const scene = drawScene(torusReport([2, 2], { placement: 'a<b>&"c"\u0000' }));
    const escaped = renderSvg(scene);
    expect(escaped).toContain('a&lt;b&gt;&amp;&quot;c&quot;\ufffd on test');
    expect(unbalancedTags(escaped)).toEqual([]);
    expect(escapeXml('\ud800 😀')).toBe('\ufffd 😀');
  });
});

describe('large and odd machines as SVG', () => {
  it('draws 10,648 nodes without labels, one line per cable', () => {
    const svg = renderSvg(drawScene(torusReport([22, 22, 22])));
    expect(count(svg.slice(svg.indexOf('id="nodes"'), svg.indexOf('id="labels"')), /<rect /g)).toBe(10_648);
    expect(lines(svg)).toBe(2 * 10_648 + 2 * 484 + 2 * 10_648);
    expect(svg).toContain('<g id="labels" text-anchor="middle"></g>');
  });

  it.each([
    ['one node', torusReport([1])],
    ['no job', torusReport([3, 3], { jobs: [], loads: [] })],
    ['thirty jobs', torusReport([8, 8], { jobs: new Array<number>(30).fill(2) })],
    ['a hypercube', hypercubeReport(6)],
    ['an irregular network', autonetReport({ hosts: 7, jobs: [40] })],
    ['a dragonfly', fabricReport('dragonfly', { options: { p: 2, a: 4, h: 2 } })],
    ['a cluster', fabricReport('cluster', { numbers: [16], sockets: 4, cores: 4, jobs: [70] })],
  ])('draws %s', (_name, report) => {
    const svg = renderSvg(drawScene(report));
    expect(unbalancedTags(svg)).toEqual([]);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });
});

describe('networks of switches as SVG', () => {
  const svg = renderSvg(drawScene(autonetReport({ hosts: 3, jobs: [12] })));
  const part = (id: string): string => {
    const start = svg.indexOf(`id="${id}"`);
    return svg.slice(start, svg.indexOf('</g>', start));
  };

  it('has every switch with its name and level, every host and host link', () => {
    expect(count(part('routers'), /<rect /g)).toBe(10);
    expect(part('routers')).toContain('<title>switch 6, root</title>');
    expect(part('routers')).toContain('<title>switch 9, level 3</title>');
    expect(count(part('router-labels'), /<text /g)).toBe(10);
    expect(count(svg.slice(svg.indexOf('id="nodes"'), svg.indexOf('id="labels"')), /<rect /g)).toBe(30);
    expect(count(part('host-links'), /M[-\d.]/g)).toBeGreaterThanOrEqual(30);
  });

  it('has an arrow on every cable, and tells what it means', () => {
    const start = svg.indexOf('id="arrows"');
    expect(count(svg.slice(start, svg.indexOf('/>', start)), /Z/g)).toBe(15);
    expect(svg).toContain('Arrows point up to the root.');
    expect(count(part('area-labels'), />level \d</g)).toBe(4);
  });

  it('shows the cores of large nodes', () => {
    const cluster = renderSvg(drawScene(fabricReport('cluster', { numbers: [16], sockets: 4, cores: 4, jobs: [70] })));
    const cores = cluster.slice(cluster.indexOf('id="cores"'), cluster.indexOf('id="labels"'));
    expect(count(cores, /<rect /g)).toBe(16 * (4 + 16));
    expect(count(cores, /fill="#0072b2"/g)).toBe(70);
    expect(count(cluster, /<circle /g)).toBe(1);
  });

  it('draws 8,448 hosts of a fabric', () => {
    const large = renderSvg(drawScene(fabricReport('from', { fabric: fabricOf(21, 264, 32), jobs: [] })));
    expect(large).not.toMatch(/NaN|Infinity|undefined/);
    expect(count(large.slice(large.indexOf('id="nodes"'), large.indexOf('id="labels"')), /<rect /g)).toBe(8448);
  });
});

describe('a picture on a page of its own', () => {
  const report = torusReport([4, 4, 4], { jobs: [20, 30], loads: [[0, 1, 1000]] });
  const scene = drawScene(report);

  it.each([
    ['84 mm', { width: 84 }, '84mm', undefined],
    ['a sheet', { width: 210, height: 297 }, '210mm', '297mm'],
    ['a height', { height: 60 }, '78mm', '60mm'],
  ] as const)('has the measures that are asked for: %s', (_, options, width, height) => {
    const svg = renderSvg(scene, options);
    const [, wide, high] = /<svg [^>]*width="([^"]+)" height="([^"]+)"/.exec(svg)!;
    expect(wide).toBe(width);
    if (height !== undefined) expect(high).toBe(height);
    // Letters of print have seven points, whatever the picture, and less only where the page is low.
    expect(svg).toMatch(height === '60mm' ? /scale\(0\.[3-6]/ : /scale\(0\.7179\)/);
    const [pageWidth, pageHeight] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg)!.slice(1).map(Number);
    for (const [, x, y] of svg.slice(0, svg.indexOf('legend-0')).matchAll(/<rect x="([-\d.]+)" y="([-\d.]+)"/g)) {
      expect(Number(x)).toBeGreaterThanOrEqual(0);
      expect(Number(x)).toBeLessThanOrEqual(pageWidth!);
      expect(Number(y)).toBeLessThanOrEqual(pageHeight!);
    }
    const widths = [...svg.matchAll(/stroke-width="([\d.]+)"/g)].map(([, one]) => Number(one));
    expect(Math.min(...widths)).toBeGreaterThanOrEqual(0.2);
  });

  it('is dark where that is asked for: paper, letters, nodes, and the scale of dark backgrounds', () => {
    const svg = renderSvg(scene, { theme: 'dark' });
    expect(svg).toContain('fill="#1f1f1f"');
    expect(svg).not.toMatch(/<(rect|circle)[^>]*fill="#ffffff"/);
    expect(svg).toContain(`fill="${scene.loadLegend.colorsOnDark.at(-1)!}"`);
    expect(unbalancedTags(svg)).toEqual([]);
  });

  it.each([
    ['full', true, true],
    ['scale', false, true],
    ['none', false, false],
  ] as const)('has what is asked for beside the picture: %s', (legend, figures, scale) => {
    const svg = renderSvg(scene, { legend });
    expect(svg.includes('>Average hops<')).toBe(figures);
    expect(svg.includes('>Link load<')).toBe(scale);
    expect(svg.includes('>first-try<')).toBe(figures);
  });

  it('brings out a plane, routes with their ends, and kept links alone', () => {
    const plane = renderSvg(scene, { plane: 2 });
    expect(count(plane.slice(plane.indexOf('id="plane-nodes"'), plane.indexOf('id="plane-labels"')), /<rect /g)).toBe(
      16,
    );
    const forward = scene.links.forwardLink[0]!;
    const marked = renderSvg(scene, { marks: { links: new Map([[forward, 0.5]]), nodes: new Set([0, 1]) } });
    expect(count(/id="routes".*?<\/g>/s.exec(marked)![0], /stroke-opacity/g)).toBe(1);
    expect(count(/id="ends".*?<\/g>/s.exec(marked)![0], /<rect/g)).toBe(2);
    const kept = new Uint8Array(report.linkLoads.length);
    kept[forward] = 1;
    expect(lines(renderSvg(scene, { marks: { links: new Map(), nodes: new Set(), kept } }))).toBeLessThanOrEqual(2);
    for (const svg of [plane, marked]) expect(unbalancedTags(svg)).toEqual([]);
  });

  it('shows a part of the picture, and nothing of the rest', () => {
    const { left, top } = scene.bounds;
    const svg = renderSvg(scene, { view: { left, top, right: left + 3, bottom: top + 3 } });
    expect(svg).toContain('<clipPath id="view"><rect');
    expect(svg).toContain('clip-path="url(#view)"');
  });
});
