import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../model/random.ts';
import type { StreamRun } from '../../scheduling/streamRun.ts';
import { timelineOf } from '../../scheduling/metrics.ts';
import { expectOnPage, randomRun, runOf, shapesOf, textsOf, unbalancedTags } from '../testing/figures.ts';
import { figureToCsv, markedRow, type Figure } from './figure.ts';
import { largestFreeSubmesh } from './freeSubmesh.ts';
import { drawGantt } from './gantt.ts';
import { drawMoment } from './moment.ts';
import { renderFigure } from './renderFigure.ts';
import { busiestMoment, jobsAt } from './replication.ts';
import { drawTimeline } from './timeline.ts';

const usual = { name: 'figure-4-1', about: 'rbs, replication 1', timeUnit: 'cycles' } as const;

/** Jobs 0 to 3 on a mesh of 4 x 2: 0 has left by 40, 1 stays to the end, 2 has come back to a free row, 3 waits. */
const small = runOf(8, 100, [
  { submit: 0, start: 0, end: 40, nodes: [0, 1, 4, 5], sides: [2, 2] },
  { submit: 10, start: 10, nodes: [2, 6] },
  { submit: 20, start: 40, end: 60, nodes: [0, 1, 4], processors: 2 },
  { submit: 30, processors: 7 },
]);

/** Each rectangle with its colour. */
const boxesIn = (figure: Figure) =>
  shapesOf(figure, 'boxes').flatMap(({ boxes, fill, opacity = 1 }) =>
    Array.from({ length: boxes.length / 4 }, (_, at) => {
      const [x, y, width, height] = boxes.slice(4 * at, 4 * at + 4) as [number, number, number, number];
      return { x, y, width, height, fill, opacity };
    }),
  );

describe('the Gantt chart', () => {
  it('has a rectangle for each job on neighbouring nodes, as long as it stays', () => {
    const figure = drawGantt({ ...usual, run: small });
    expectOnPage(figure);
    const boxes = boxesIn(figure);
    expect(boxes.map(({ fill }) => fill)).toEqual(['#0072b2', '#0072b2', '#009e73', '#009e73', '#cc79a7', '#cc79a7']);
    const [first, , second, , third] = boxes;
    const unit = first!.width / 40;
    expect([second!.width / unit, third!.width / unit]).toEqual([expect.closeTo(90, 1), expect.closeTo(20, 1)]);
    // Two rows of nodes beside each other, and one.
    expect(first!.height).toBeCloseTo(2 * second!.height, 1);
    expect(third!.x).toBeCloseTo(first!.x + first!.width, 1);
    expect(textsOf(figure)).toEqual(expect.arrayContaining(['0', '1', '2', 'Node', 'Time (cycles)']));
    expect(figure.description).toContain('from 0 cycles to 100 cycles: 3 jobs, 50 % of node time in use.');
  });

  it('has a line for each job in its table', () => {
    expect(figureToCsv(drawGantt({ ...usual, run: small })).split('\n')).toEqual([
      'job,submit,start,end,processors,nodes',
      '0,0,0,40,4,0-1 4-5',
      '1,10,10,,2,2 6',
      '2,20,40,60,2,0-1 4',
      '',
    ]);
  });

  it('says of each rectangle which line of the table it is of, nearest and in front first', () => {
    const { marks, table } = drawGantt({ ...usual, run: small });
    const jobs = marks!.rows.map((row) => table.rows[row]![0]);
    expect(jobs).toEqual([0, 0, 1, 1, 2, 2]);
    const [x, y, width, height] = marks!.boxes as [number, number, number, number];
    expect(markedRow(marks!, x + width / 2, y + height / 2, 3)).toBe(0);
    expect(markedRow(marks!, x - 2, y - 2, 3)).toBe(0);
    expect(markedRow(marks!, x - 4, y, 3)).toBeUndefined();
  });

  it('shows a part of the time alone', () => {
    const figure = drawGantt({ ...usual, run: small, between: { from: 45, to: 55 } });
    expectOnPage(figure);
    expect(new Set(boxesIn(figure).map(({ width }) => width)).size).toBe(1);
    expect(figureToCsv(figure)).not.toContain('\n0,');
    // An empty time is none.
    expect(drawGantt({ ...usual, run: small, between: { from: 55, to: 45 } })).toEqual(
      drawGantt({ ...usual, run: small }),
    );
  });

  /** Pixels that are filled, by the opacity of what fills them. */
  const filled = (figure: Figure): number =>
    boxesIn(figure).reduce((sum, { width, height }) => sum + width * height, 0);
  const heldOf = (run: StreamRun): number =>
    run.nodes.reduce((sum, nodes, job) => {
      const end = Number.isNaN(run.ends[job]!) ? run.endTime : run.ends[job]!;
      return nodes === undefined ? sum : sum + nodes.length * (end - run.starts[job]!);
    }, 0);

  it('fills the share of its plot that jobs hold', () => {
    for (let seed = 0; seed < 20; seed++) {
      const run = randomRun(seed, { nodeCount: 4 + seed, jobCount: 12 });
      const figure = drawGantt({ ...usual, run });
      expectOnPage(figure);
      const frame = shapesOf(figure, 'line').find(({ points, color }) => points.length === 6 && color === 'ink')!;
      const [left, top, , bottom, right] = frame.points as [number, number, number, number, number];
      const plot = (right - left) * (bottom - top);
      expect(filled(figure) / plot).toBeCloseTo(heldOf(run) / (run.nodeCount * run.endTime), 1);
    }
  });

  it.each([
    ['many jobs', { nodeCount: 256, jobCount: 6000 }],
    ['many nodes', { nodeCount: 9216, jobCount: 300 }],
  ])('puts together what is smaller than a pixel: %s', (_, size) => {
    const figure = drawGantt({ ...usual, run: randomRun(5, size) });
    expectOnPage(figure);
    expect(boxesIn(figure).length).toBeLessThan(75_000);
    expect(textsOf(figure).join()).toContain('Grey: several jobs');
    expect(unbalancedTags(renderFigure(figure))).toEqual([]);
  });

  it('is drawn of a run without jobs', () => {
    const figure = drawGantt({ ...usual, run: runOf(4, 0, []) });
    expectOnPage(figure);
    expect(textsOf(figure)).toContain('No job uses these nodes.');
  });
});

describe('the machine at a moment', () => {
  const at = (time: number) => drawMoment({ ...usual, run: small, time, shape: [4, 2] });

  it.each([
    [5, ['node,x,y,job,asked for', '0,0,0,0,yes', '1,1,0,0,yes', '2,2,0,,', '3,3,0,,']],
    [40, ['node,x,y,job,asked for', '0,0,0,2,yes', '1,1,0,2,yes', '2,2,0,1,yes', '3,3,0,,', '4,0,1,2,no']],
    [100, ['node,x,y,job,asked for', '0,0,0,,', '1,1,0,,', '2,2,0,1,yes', '3,3,0,,']],
  ])('%d: each node has its job', (time, lines) => {
    const figure = at(time);
    expectOnPage(figure);
    expect(figureToCsv(figure).split('\n').slice(0, lines.length)).toEqual(lines);
  });

  it('tells who waits and how the free nodes are broken up', () => {
    const figure = at(50);
    const texts = textsOf(figure);
    expect(texts).toEqual(expect.arrayContaining(['Waiting jobs: 1', '3: 7', '20 cycles', 'running jobs', '5 of 8']));
    // Free are 3, 5 and 7: the column of 3 and 7 is the largest submesh.
    expect(texts).toEqual(expect.arrayContaining(['largest free submesh', '1 × 2', 'fragmentation', '33 %']));
    expect(texts).toEqual(expect.arrayContaining(['in use, not requested (pale)', '1']));
    expect(figure.description).toContain('2 jobs on 5 of 8 nodes, 1 job waiting. The largest free submesh is 1 x 2');
  });

  it.each([
    ['a space', 24, [4, 3, 2]],
    ['a line', 60, [60]],
    ['a network without sides', 60, undefined],
    ['a wide mesh', 400, [100, 4]],
    ['a large mesh', 9216, [96, 96]],
  ])('is drawn of %s', (_, nodeCount, shape) => {
    const run = randomRun(3, { nodeCount, jobCount: 40 });
    const figure = drawMoment({ ...usual, run, time: 500, ...(shape && { shape }) });
    expectOnPage(figure);
    expect(figure.table.rows).toHaveLength(nodeCount);
    expect(textsOf(figure).includes('fragmentation')).toBe(shape !== undefined);
    expect(unbalancedTags(renderFigure(figure))).toEqual([]);
  });

  it('fills as many nodes as are held', () => {
    for (let seed = 0; seed < 20; seed++) {
      const run = randomRun(seed, { nodeCount: 36, jobCount: 30 });
      const figure = drawMoment({ ...usual, run, time: 400, shape: [6, 6] });
      const held = figure.table.rows.filter(([, , , job]) => job !== null).length;
      const cells = boxesIn(figure).filter(({ fill }) => fill.startsWith('#'));
      expect(cells.reduce((sum, { width, height }) => sum + (width * height) / 44 ** 2, 0)).toBeCloseTo(held, 3);
    }
  });

  it('finds the jobs of a moment as plain reading does', () => {
    const { running, waiting } = jobsAt(small, 40);
    expect([running, waiting]).toEqual([[1, 2], [3]]);
    expect(jobsAt(small, 39.9)).toEqual({ running: [0, 1], waiting: [2, 3] });
    expect(jobsAt(small, 100)).toEqual({ running: [1], waiting: [3] });
  });
});

describe('the busiest moment', () => {
  it('is the first at which the most jobs run, without those that end at it', () => {
    // Two jobs run from 10 to 40, and two from 40 to 60.
    expect(busiestMoment(small)).toBe(10);
    expect(busiestMoment(runOf(8, 100, [{ submit: 30, processors: 7 }]))).toBe(0);
    const handedOver = [
      { submit: 0, start: 0, end: 40, nodes: [0, 1, 2] },
      { submit: 5, start: 40, end: 60, nodes: [0, 1] },
    ];
    expect(busiestMoment(runOf(8, 100, handedOver))).toBe(0);
  });
});

describe('the largest free submesh', () => {
  /** Every submesh, one after the other. */
  function plainly(busy: Uint8Array, [width = 1, height = 1, depth = 1]: readonly number[]): number {
    let most = 0;
    const coordinatesIn = ([wide = 1, high = 1]: readonly number[], at: number): readonly [number, number, number] => [
      at % wide,
      Math.floor(at / wide) % high,
      Math.floor(at / wide / high),
    ];
    for (let corner = 0; corner < busy.length; corner++) {
      const [x, y, z] = coordinatesIn([width, height], corner);
      const room = [width - x, height - y, depth - z] as const;
      for (let sides = 0; sides < room[0] * room[1] * room[2]; sides++) {
        const [wide, high, deep] = coordinatesIn(room, sides).map((side) => side + 1) as [number, number, number];
        const nodes = Array.from({ length: wide * high * deep }, (_, at) => coordinatesIn([wide, high], at));
        const isFree = nodes.every(([a, b, c]) => busy[x + a + width * (y + b + height * (z + c))] === 0);
        if (isFree) most = Math.max(most, nodes.length);
      }
    }
    return most;
  }

  it.each([[[7]], [[5, 4]], [[4, 3, 3]], [[1, 6]]])('of a mesh %j is what trying all finds', (shape) => {
    const random = seededRandom(shape.length);
    const nodeCount = shape.reduce((product, side) => product * side, 1);
    for (let round = 0; round < 200; round++) {
      const share = random.fraction();
      const busy = Uint8Array.from({ length: nodeCount }, () => (random.fraction() < share ? 1 : 0));
      const found = largestFreeSubmesh(busy, shape);
      const most = plainly(busy, shape);
      if (found === undefined) {
        expect(most).toBe(0);
        continue;
      }
      expect(found.sides.reduce((product, side) => product * side, 1)).toBe(most);
      // It is where it says.
      const [x = 0, y = 0, z = 0] = found.corner;
      const [wide = 1, high = 1, deep = 1] = found.sides;
      const [width = 1, height = 1] = shape;
      for (let at = 0; at < most; at++) {
        const [a, b, c] = [at % wide, Math.floor(at / wide) % high, Math.floor(at / wide / high)];
        expect(c).toBeLessThan(deep);
        expect(busy[x + a + width * (y + b + height * (z + c))]).toBe(0);
      }
    }
  });
});

describe('queue length and utilisation over time', () => {
  it('are the means of equal stretches', () => {
    const run = randomRun(2, { nodeCount: 16, jobCount: 80 });
    const figure = drawTimeline({ ...usual, run });
    expectOnPage(figure);
    const { queueLength, busyProcessors } = timelineOf(run, figure.table.rows.length);
    expect(figure.table.rows.map(([, , waiting]) => waiting)).toEqual([...queueLength]);
    expect(figure.table.rows.map(([, , , share]) => share)).toEqual(
      [...busyProcessors].map((busy) => expect.closeTo(busy / 16, 10) as number),
    );
    expect(figure.table.rows[0]!.slice(0, 1)).toEqual([0]);
    expect(figure.table.rows.at(-1)![1]).toBeCloseTo(1000, 8);
  });

  it('have axes, means and words', () => {
    const figure = drawTimeline({ ...usual, run: small });
    expectOnPage(figure);
    // 2 waits for 20, 3 for 70 of 100; processors are 4 for 40, 2 for 90, and 2 for 20.
    expect(textsOf(figure)).toEqual(
      expect.arrayContaining(['mean 0.9', 'mean 48 %', 'Waiting jobs', 'Utilisation (%)', 'Time (cycles)']),
    );
    expect(figure.description).toContain('mean 0.9 waiting jobs, maximum 2; utilisation 48 %.');
    expect(unbalancedTags(renderFigure(figure))).toEqual([]);
  });

  it.each([
    ['no job', runOf(4, 0, [])],
    ['nothing that waits', runOf(4, 10, [{ submit: 0, start: 0, end: 10, nodes: [0] }])],
  ])('are drawn of %s', (_, run) => {
    expectOnPage(drawTimeline({ ...usual, run }));
  });
});
