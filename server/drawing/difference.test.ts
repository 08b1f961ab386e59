import { describe, expect, it } from 'vitest';
import { changeStep, changeSteps } from './colors.ts';
import { arrowShape, changeBetween, drawDifference, linkChanges, whyNotCompared } from './difference.ts';
import { drawScene } from './drawScene.ts';
import { legendSections } from './legendLayout.ts';
import { renderSvg } from './renderSvg.ts';
import type { Scene } from './scene.ts';
import { lineColors, strokeLanes, strokeStyles } from './strokes.ts';
import { fabricReport, torusReport, type ReportOptions } from './testing/fixtures.ts';

const loads: ReportOptions['loads'] = [
  [0, 1, 800],
  [1, 0, 100],
  [5, 9, 100],
  [2, 3, 50],
];
const newLoads: ReportOptions['loads'] = [
  [0, 1, 400],
  [1, 0, 100],
  [5, 9, 250],
  [6, 7, 10],
];

const reportOf = (placement: string, options: ReportOptions) =>
  torusReport([4, 4], { placement, jobs: [16], ...options });

/** Tasks 0 and 5 exchange their nodes. */
function exchanged(placement: string, options: ReportOptions): Scene {
  const report = reportOf(placement, options);
  const [first] = report.jobs;
  const mapping = first!.mapping.slice();
  [mapping[0], mapping[5]] = [mapping[5]!, mapping[0]!];
  return drawScene({ ...report, jobs: [{ ...first!, mapping }] });
}

const before = drawScene(reportOf('in-order', { loads }));
const after = exchanged('better', { loads: newLoads });

function differenceOf(one: Scene, other: Scene): Scene & { readonly difference: NonNullable<Scene['difference']> } {
  const made = drawDifference(one, other);
  if (!made.ok || made.value.difference === undefined) throw new Error('There is no difference.');
  return { ...made.value, difference: made.value.difference };
}

describe('the difference of two placements', () => {
  const scene = differenceOf(before, after);

  it('names the tasks that run on another node, and an arrow for each way', () => {
    const { moves, arrows, taskCount } = scene.difference;
    const node = (entry: number): number => scene.nodes.id[entry]!;
    expect([...moves.task]).toEqual([0, 5]);
    expect([...moves.from].map(node)).toEqual([0, 5]);
    expect([...moves.to].map(node)).toEqual([5, 0]);
    expect([...arrows.tasks]).toEqual([1, 1]);
    expect(taskCount).toBe(16);
    expect(scene.description).toContain('2 of 16 tasks run on another node; 2 links have less load, 2 more.');
  });

  it('lists links by how much they have changed, with both loads', () => {
    const rows = linkChanges(scene, scene.difference).map((row) => [row.from, row.to, row.before, row.after]);
    expect(rows).toEqual([
      ['0', '1', 800, 400],
      ['5', '9', 100, 250],
      ['2', '3', 50, 0],
      ['6', '7', 0, 10],
    ]);
    expect(scene.difference).toMatchObject({ cooled: 2, heated: 2 });
  });

  it('puts every figure beside what it was', () => {
    const figure = scene.difference.figures.find(({ name }) => name === 'Maximum link load');
    expect(figure).toEqual({ name: 'Maximum link load', before: '800 B', after: '400 B', change: '−50 %' });
  });

  it('is nothing between a placement and itself', () => {
    const same = differenceOf(before, before);
    expect(same.difference).toMatchObject({ cooled: 0, heated: 0 });
    expect(same.difference.moves.task).toHaveLength(0);
    expect(linkChanges(same, same.difference)).toEqual([]);
    expect(same.description).toContain('No difference.');
  });

  it('takes no rounding for a change', () => {
    const nearly = drawScene(reportOf('nearly', { loads: [[0, 1, 800 * (1 + 1e-15)], ...loads.slice(1)] }));
    expect(differenceOf(before, nearly).difference).toMatchObject({ cooled: 0, heated: 0 });
  });

  it('knows jobs by their names: one that is in one placement alone is told', () => {
    const two = drawScene(reportOf('two', { jobs: [8, 8] }));
    const three = drawScene(reportOf('three', { jobs: [8, 4] }));
    const { difference } = differenceOf(two, three);
    expect(difference.taskCount).toBe(8);
    expect(difference.notes).toEqual(['Job `job-1` is only in `two`.', 'Job `job-1` is only in `three`.']);
  });

  it.each<readonly [string, Scene, RegExp]>([
    [
      'machines of other names',
      drawScene(reportOf('elsewhere', { name: 'other' })),
      /`in-order` is on machine `test` and `elsewhere` on `other`\. Compare/,
    ],
    [
      'other machines of the name',
      drawScene(torusReport([4, 5], { placement: 'larger', jobs: [16] })),
      /different machines named `test`/,
    ],
    ['other jobs', drawScene(reportOf('smaller', { jobs: [15] })), /have no common job/],
  ])('is refused for %s', (_what, other, sentence) => {
    expect(whyNotCompared(before, other)).toMatch(sentence);
    expect(drawDifference(before, other)).toMatchObject({ ok: false, failure: { code: 'not-comparable' } });
  });

  it('is drawn with a line for each change: less is dashed, more is wider and solid', () => {
    const { links } = scene;
    const styles = strokeStyles(scene);
    const drawn = (from: number, to: number) => {
      const link = links.from.findIndex((one, entry) => one === from && links.to[entry] === to);
      const lanes: (typeof styles)[number][] = [];
      strokeLanes(scene, link, (style) => lanes.push(styles[style]!));
      return lanes;
    };
    const colors = lineColors(scene, false);
    const [cooled, same] = drawn(0, 1);
    const [heated] = drawn(5, 9);
    expect(cooled).toMatchObject({ dashed: true, step: 0 });
    expect(same).toMatchObject({ dashed: false, step: changeSteps });
    expect(heated).toMatchObject({ dashed: false, step: 2 * changeSteps - 1 });
    expect(heated!.width).toBeGreaterThan(same!.width);
    expect(drawn(9, 10)).toHaveLength(1);
    expect(colors).toHaveLength(2 * changeSteps + 1);
  });

  it('stands in the SVG with both names, arrows, and what the colours mean in bytes', () => {
    const svg = renderSvg(scene);
    expect(svg).toContain('in-order → better');
    expect(svg.match(/<g id="moves"[^]*?<\/g>/)?.[0].match(/<path/g)).toHaveLength(6);
    const words = legendSections(scene, lineColors(scene, false))
      .flatMap(({ items }) => items)
      .flatMap((item) => ('text' in item ? item.text : []));
    expect(words).toEqual(
      expect.arrayContaining([
        'Change of link load',
        '−400 B',
        '+400 B',
        'Colour steps (upper ends): 50 B, 100 B, 200 B, 400 B.',
        '800 B → 400 B, −50 %',
      ]),
    );
  });

  it('has arrows between the nodes of switches too', () => {
    const options = { options: { k: 4, n: 2 }, placement: 'a', jobs: [16] };
    const report = fabricReport('fat-tree', options);
    const mapping = report.jobs[0]!.mapping.slice().reverse();
    const turned = drawScene({ ...report, jobs: [{ ...report.jobs[0]!, mapping }] });
    const made = differenceOf(drawScene(report), turned);
    expect(made.difference.moves.task).toHaveLength(16);
    expect(arrowShape(made, 0)).toBeDefined();
  });
});

describe('the strength of a change', () => {
  it.each([
    [100, 100, 0],
    [0, 800, 4],
    [0, 399, 3],
    [0, 400, 4],
    [0, 200, 3],
    [0, 1, 1],
    [800, 0, -4],
    [800, 700, -2],
    [0, 0, 0],
  ])('%s → %s is %s of 4', (from, to, step) => {
    expect(changeStep(from, to, 799)).toBe(step);
  });

  it.each([
    [3, 2, '−33 %'],
    [2, 3, '+50 %'],
    [2, 2, '0 %'],
    [0, 2, ''],
    [1000, 1004, '+0.4 %'],
    [100_000, 100_001, 'under 0.1 % more'],
    [NaN, 2, ''],
    [1, 40, '+3,900 %'],
  ])('%s → %s is written %s', (from, to, words) => {
    expect(changeBetween(from, to)).toBe(words);
  });
});
