import { describe, expect, it } from 'vitest';
import { drawScene } from './drawScene.ts';
import { loadNotes } from './legendLayout.ts';
import { sceneWithChoices, readLoad } from './choices.ts';
import { changeScaleWords, drawDifference, linkChanges } from './difference.ts';
import { legendSections, loadTitle } from './legendLayout.ts';
import {
  busySeconds,
  formatLoad,
  loadShare,
  loadStep,
  sharedScale,
  shownLoad,
  withMeasure,
  withScale,
} from './loadScale.ts';
import { strokeLanes, strokeStyles } from './strokes.ts';
import { torusReport, unequalReport } from './testing/fixtures.ts';

describe('the step of a load', () => {
  it.each([
    [0, 100, 0],
    [10, 100, 2],
    [20, 100, 3],
    [21, 100, 4],
    [39, 100, 5],
    [40, 100, 6],
    [70, 100, 8],
    [100, 100, 9],
    [200, 100, 9],
    [40, 40, 9],
    [39, 39, 5],
    [7, 0, 0],
  ])('of %d with mean 20, hot from 40, maximum %d, is %d', (load, maximum, step) => {
    expect(loadStep(load, { measure: 'bytes', kind: 'linear', mean: 20, hotFrom: 40, maximum })).toBe(step);
  });

  it.each([
    [0, 0],
    [1, 0],
    [3, 0],
    [5, 1],
    [20, 2],
    [256, 3],
    [300, 4],
    [511, 5],
    [512, 6],
    [2047, 7],
    [2049, 8],
    [8192, 9],
  ])('of %d on a logarithmic scale with mean 256, hot from 512, maximum 8192, is %d', (load, step) => {
    expect(loadStep(load, { measure: 'bytes', kind: 'logarithmic', mean: 256, hotFrom: 512, maximum: 8192 })).toBe(
      step,
    );
  });
});

describe('a scale for several pictures', () => {
  const calm = drawScene(
    torusReport([4, 4], {
      loads: [
        [0, 1, 1000],
        [1, 2, 1000],
      ],
    }),
  );
  const heavy = drawScene(
    torusReport([4, 4], {
      loads: [
        [0, 1, 9000],
        [1, 2, 1000],
      ],
    }),
  );
  const idle = drawScene(torusReport([4, 4], { loads: [] }));

  it('is anchored at the first and long enough for all', () => {
    expect(sharedScale([calm, heavy])).toEqual({
      measure: 'bytes',
      kind: 'linear',
      mean: 1000,
      hotFrom: 2000,
      maximum: 9000,
    });
    expect(sharedScale([heavy, calm])).toEqual({ ...heavy.loadLegend.scale, maximum: 9000 });
    expect(sharedScale([idle, calm])).toEqual(calm.loadLegend.scale);
  });

  it('gives a load one colour in all of them, and says where it ends', () => {
    const scale = sharedScale([calm, heavy]);
    const [one, other] = [withScale(calm, scale), withScale(heavy, scale)];
    expect(loadStep(1000, one.loadLegend.scale)).toBe(loadStep(1000, other.loadLegend.scale));
    expect(one.loadLegend.maximum).toBe(1000);
    expect(loadNotes(one)).toContain('Scale maximum: 8.789 KiB.');
    expect(loadNotes(one)).toContain('No hot links; maximum link load 1,000 B.');
  });

  it('is not said to end below the mark of the hot: what the heaviest carries is, where none is', () => {
    const ends = (maximum: number, shown = calm): readonly string[] =>
      loadNotes(withScale(shown, { ...shown.loadLegend.scale, maximum })).filter((note) => /[Hh]ot |Scale/.test(note));
    expect(calm.loadLegend.marks[2]?.label).toBe('hot 1.953 KiB');
    expect(loadNotes(calm).slice(0, 1)).toEqual(['No hot links; maximum link load 1,000 B.']);
    expect(ends(1500)).toEqual(['No hot links; maximum link load 1,000 B.']);
    expect(ends(4000)).toEqual(['Scale maximum: 3.906 KiB.', 'No hot links; maximum link load 1,000 B.']);
    const hot = drawScene(
      torusReport([4, 4], {
        loads: [
          [0, 1, 9000],
          [1, 2, 1000],
          [2, 3, 1000],
        ],
      }),
    );
    const from = hot.loadLegend.scale.hotFrom;
    expect(ends(from - 1, hot)).toEqual([
      `Scale maximum: ${formatLoad(from, 'bytes')}.`,
      'Hot links are drawn thicker.',
    ]);
  });
});

describe('loads of links that are not all as fast', () => {
  const scene = drawScene(unequalReport());
  const entryOf = (from: number, to: number): number =>
    scene.links.from.findIndex((each, entry) => each === from && scene.links.to[entry] === to);
  const [wide, slow] = [entryOf(0, 1), entryOf(0, 3)];
  const styleOf = (shown: typeof scene, link: number): number => {
    const found: number[] = [];
    strokeLanes(shown, link, (style) => found.push(style));
    return found[0]!;
  };

  it('are compared by the time that links are busy, unless bytes are asked for', () => {
    expect(scene.loadLegend.scale).toMatchObject({ measure: 'capacity', kind: 'linear', maximum: 0.004 });
    expect(scene.loadLegend.scale.mean).toBeCloseTo(0.0017);
    expect(scene.loadLegend.scale.hotFrom).toBeCloseTo(0.0034);
    expect([shownLoad(scene, wide, true), shownLoad(scene, slow, true)]).toEqual([0.001, 0.004]);
    const bytes = withMeasure(scene, 'bytes');
    expect(bytes.loadLegend.scale).toMatchObject({ measure: 'bytes', mean: 5e6, maximum: 1e7 });
    expect([shownLoad(bytes, wide, true), shownLoad(bytes, slow, true)]).toEqual([1e7, 4e6]);
    expect(busySeconds(bytes, slow, true)).toBe(0.004);
    expect([loadShare(scene, 0.001), loadShare(bytes, 4e6)]).toEqual(['25 %', '40 %']);
    expect(withMeasure(bytes, 'capacity')).toEqual(scene);
  });

  it('are told of in the sentence about the picture by the time of the busiest, not by the bytes of the heaviest', () => {
    const { description } = scene;
    expect(description).toContain('; longest link time, from 0 to 3: 4 ms for 3.815 MiB, 2.353 times the mean');
    expect(description).not.toContain('heaviest');
    const calm = drawScene({ ...unequalReport(), hotLinks: [] });
    expect(calm.description).toContain('; longest link time 4 ms, no hot links.');
  });

  it('have a hot link where one is busy long, whatever the bytes of others', () => {
    expect(strokeStyles(scene)[styleOf(scene, slow)]!.hot).toBe(true);
    expect(strokeStyles(scene)[styleOf(scene, wide)]!.hot).toBe(false);
    const bytes = withMeasure(scene, 'bytes');
    expect(styleOf(bytes, wide)).toBeGreaterThan(styleOf(bytes, slow));
  });

  it('say in the legend by what they are coloured', () => {
    expect(loadTitle(scene)).toBe('Utilisation');
    expect(loadNotes(scene)).toEqual([
      'Scale maximum: 4 ms.',
      '100 % = 4 ms (bottleneck link)',
      'Hot links are drawn thicker.',
      'Each direction is drawn on its right-hand side.',
    ]);
    const bytes = withMeasure(scene, 'bytes');
    expect(loadTitle(bytes)).toBe('Link load in bytes');
    expect(loadNotes(bytes)[1]).toBe('Colour: bytes. For hot links, switch colours to utilisation.');
    expect(bytes.loadLegend.marks.map(({ label }) => label)).toEqual(['0', 'mean 4.768 MiB', '9.537 MiB']);
    const words = legendSections(scene, [])
      .at(-1)!
      .items.flatMap((item) => (item.kind === 'text' ? item.text : []));
    expect(words.slice(0, 4)).toEqual(['Utilisation', '0', 'mean 1.7 ms', 'hot 3.4 ms']);
  });

  it('change in time, with bytes beside', () => {
    const after = drawScene(
      unequalReport({
        loads: [
          [0, 1, 2e6],
          [1, 2, 1e6],
          [0, 3, 5e6],
        ],
      }),
    );
    const made = drawDifference(scene, after);
    if (!made.ok) throw new Error(made.failure.message);
    const { difference } = made.value;
    expect(changeScaleWords(difference!)).toMatchObject({ less: '−1.767 ms', more: '+1.767 ms' });
    const rows = linkChanges(made.value, difference!);
    // A million bytes on the slow cable are more time than eight on a fast one.
    expect(rows.map(({ from, to, before, after: now, busy }) => [from, to, before, now, busy])).toEqual([
      ['0', '3', 4e6, 5e6, { before: 0.004, after: 0.005 }],
      ['0', '1', 1e7, 2e6, { before: 0.001, after: 0.0002 }],
    ]);
    const inBytes = drawDifference(withMeasure(scene, 'bytes'), withMeasure(after, 'bytes'));
    expect(inBytes.ok && linkChanges(inBytes.value, inBytes.value.difference!)[0]).toMatchObject({
      from: '0',
      to: '1',
    });
  });

  it('are chosen with the end of their scale, which is read in their measure', () => {
    expect(readLoad('2 ms')).toEqual({ measure: 'capacity', amount: 0.002 });
    expect(readLoad('64 KiB')).toEqual({ measure: 'bytes', amount: 65_536 });
    expect([readLoad('2 parsec'), readLoad('0 s'), readLoad('ms')]).toEqual([undefined, undefined, undefined]);
    const end = sceneWithChoices(scene, { maximum: { measure: 'capacity', amount: 0.01 } });
    expect(end.loadLegend.scale.maximum).toBe(0.01);
    // Bytes say nothing of a scale of times.
    expect(sceneWithChoices(scene, { maximum: { measure: 'bytes', amount: 1e9 } }).loadLegend.scale.maximum).toBe(
      0.004,
    );
    expect(
      sceneWithChoices(scene, { measure: 'bytes', maximum: { measure: 'bytes', amount: 1e9 } }).loadLegend.scale
        .maximum,
    ).toBe(1e9);
    // Where links are all as fast there is nothing to choose.
    const equal = drawScene(torusReport([4, 4]));
    expect(sceneWithChoices(equal, { measure: 'capacity' })).toEqual(equal);
  });

  it('share a scale with other pictures of the machine', () => {
    const other = drawScene(unequalReport({ loads: [[0, 3, 9e6]] }));
    const { maximum, ...anchors } = sharedScale([scene, other]);
    expect(maximum).toBeCloseTo(0.009);
    expect(scene.loadLegend.scale).toMatchObject(anchors);
  });
});
