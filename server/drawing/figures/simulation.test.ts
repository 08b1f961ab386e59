import { describe, expect, it } from 'vitest';
import { autonetReport, meshReport, torusReport } from '../testing/fixtures.ts';
import { paintedOf } from '../paper/primitives.ts';
import { expectOnPage, shapesOf, textsOf, unbalancedTags } from '../testing/figures.ts';
import { deadlocked, simulationOf, withServers } from '../testing/simulation.ts';
import { drawLinkUse } from './linkUse.ts';
import { drawPlayback } from './playback.ts';
import { figurePage, renderFigure } from './renderFigure.ts';
import { markedRow, type Figure } from './figure.ts';
import { channelName } from '../../network/names.ts';
import { drawServers } from './serverUse.ts';
import { drawFinish, drawLatency, drawOverTime } from './simulationPlots.ts';

/** 4 x 4 with traffic from 0 to 1 to 2. */
const torus = torusReport([4, 4], {
  loads: [
    [0, 1, 1000],
    [1, 2, 1000],
    [4, 5, 250],
  ],
});
const simulated = simulationOf(torus);

const queues = withServers(simulated);
const ofEither = { finish: drawFinish, latency: drawLatency, time: drawOverTime, playback: drawPlayback };
const ofPackets = Object.entries({ ...ofEither, links: drawLinkUse });
const ofServers = Object.entries({ ...ofEither, servers: drawServers });

describe.each([
  ...ofPackets.flatMap(([name, drawn]) =>
    [
      ['a torus', simulated] as const,
      ['switches with hosts', simulationOf(autonetReport())] as const,
      ['a mesh where nothing was sent', simulationOf(meshReport([3, 2]))] as const,
      ['a deadlock', deadlocked(simulated, [0, 1, 2, 3])] as const,
    ].map(([what, figure]) => [name, what, drawn, figure] as const),
  ),
  ...ofServers.map(([name, drawn]) => [name, 'servers', drawn, queues] as const),
])('the figure %s', (_, what, drawn, figure) => {
  it(`of ${what} stays on its page and is told in words, as SVG and as what a PDF paints`, () => {
    const page: Figure = drawn(figure);
    expectOnPage(page);
    expect(page.description.length).toBeGreaterThan(40);
    expect(page.description).not.toMatch(/NaN|undefined|Infinity/);
    expect(unbalancedTags(renderFigure(page))).toEqual([]);
    expect(renderFigure(page)).not.toMatch(/NaN|undefined|Infinity/);
    expect(paintedOf(figurePage(page).root).length).toBeGreaterThan(3);
    for (const row of page.marks!.rows) expect(page.table.rows[row]).toHaveLength(page.table.head.length);
    expect(page.marks!.boxes).toHaveLength(4 * page.marks!.rows.length);
  });
});

describe('the finish of tasks', () => {
  it('has each tick at the middle of the bar of its task', () => {
    const figure = drawFinish(simulated);
    const { boxes, rows } = figure.marks!;
    const middles = rows.map((row) => boxes[4 * row]! + boxes[4 * row + 2]! / 2);
    const labels = figure.shapes.flatMap((shape) =>
      shape.kind === 'text' && shape.anchor === 'middle' && /^\d+$/.test(shape.text) ? [shape] : [],
    );
    expect(labels.length).toBeGreaterThan(1);
    for (const { text, x } of labels) expect(Math.abs(x - middles[Number(text)]!)).toBeLessThan(1.5);
  });
});

describe('predictions stand beside what was simulated', () => {
  it('of the makespan, by the busiest link', () => {
    // 0.6 of 800 cycles.
    expect(drawFinish(simulated).description).toContain('Static estimate: 480 cycles (480 ns) (−39.9 % vs');
    expect(textsOf(drawFinish(simulated))).toContain('predicted 480');
  });

  it('of the latency, by the hops, and of waits, by the queueing model', () => {
    const latency = (other: Partial<typeof simulated>) => drawLatency({ ...simulated, ...other }).description;
    expect(latency({ zeroLoadLatency: 18.8 })).toContain('Zero-load latency: 18.8 cycles (−20 %).');
    expect(
      textsOf(drawLatency({ ...simulated, zeroLoadLatency: 18.8 })).filter((words) =>
        /^(?:alone|median|9\d %):/.test(words),
      ),
    ).toEqual(['alone: 18.8', 'median: 20', '95 %: 61', '99 %: 90']);
    const queueing = { waiting: 8e-9 } as NonNullable<typeof torus.metrics.queueing>;
    const cluster = { ...withServers(simulated), report: { ...torus, metrics: { ...torus.metrics, queueing } } };
    expect(latency(cluster)).toContain('Wait time per message 10 ns; queueing model 8 ns (−20 %).');
  });

  it('of each link, with its error', () => {
    const { table, description } = drawLinkUse(simulated);
    expect(table.head).toEqual([
      'from',
      'to',
      'busy',
      'busy at most',
      'waiting',
      'waiting at most',
      'predicted',
      'error',
    ]);
    expect(table.rows.slice(0, 3).map(([from, to]) => [from, to])).toEqual([
      ['0', '1'],
      ['1', '2'],
      ['4', '5'],
    ]);
    const [, , busy, peak, queue, longest, predicted, error] = table.rows[0]!;
    expect([busy, peak, queue, longest, predicted, error]).toEqual([
      0.75,
      1,
      1.25,
      2.5,
      expect.closeTo(0.6),
      expect.closeTo(-0.2),
    ]);
    expect(description).toContain('Prediction from link loads 60 % for it (−20 %)');
  });
});

describe('servers of a cluster', () => {
  it('are told one by one, the busiest first, with what a message waited there', () => {
    const { table, description, marks } = drawServers(withServers(simulated));
    // 400 messages of the memory of node 2, of 800 cycles 600 at work; 100 at the port into node 1.
    expect(table.rows).toEqual([
      ['memory', 2, 0, null, 400, 0.75, null, null, expect.closeTo(4e-6), expect.closeTo(1e-8)],
      ['port in', 1, null, null, 100, 0.5, null, null, 0, 0],
    ]);
    expect(marks?.rows).toEqual([0, 1]);
    expect(description).toContain('Highest utilisation of 2 servers: memory of socket 0 of node 2, 75 % of the time.');
  });

  it('have seconds and messages, no cycles and packets', () => {
    for (const drawn of Object.values(ofEither)) {
      const { description, table, shapes } = drawn(withServers({ ...simulated, about: 'queues' }));
      expect(description, drawn.name).not.toMatch(/cycle|packet|flit/);
      expect([...table.head, ...(table.units ?? [])].join(), drawn.name).not.toMatch(/cycle|packet|flit/);
      expect(JSON.stringify(shapes), drawn.name).not.toMatch(/cycle|packet|flit/);
    }
  });
});

describe('the playback', () => {
  it('colours links by the interval, and shows the busiest one where none is asked for', () => {
    const strokesAt = (interval?: number) =>
      shapesOf(drawPlayback({ ...simulated, ...(interval !== undefined && { interval }) }), 'strokes').map(
        ({ color }) => color,
      );
    expect(strokesAt()).toEqual(strokesAt(0));
    expect(strokesAt(0)).toEqual(['grid', 'load 2', 'load 9']);
    expect(strokesAt(7)).toEqual(['grid', 'load 1', 'load 5']);
    expect(drawPlayback({ ...simulated, interval: 99 }).title).toBe(drawPlayback({ ...simulated, interval: 7 }).title);
  });

  it('has a disc where packets wait, and none where nothing does', () => {
    const discs = (interval: number) => shapesOf(drawPlayback({ ...simulated, interval }), 'marker').length;
    expect([discs(0), discs(7)]).toEqual([2, 0]);
    expect(drawPlayback({ ...simulated, interval: 0 }).description).toContain(
      'queued packets (5 in total; longest queue 2.5, at 0 → 1',
    );
  });

  it('lets a link be pointed at', () => {
    const { marks, table } = drawPlayback(simulated);
    const mark = marks!.rows[0]!;
    const [x, y, width, height] = marks!.boxes as readonly [number, number, number, number];
    expect(markedRow(marks!, x + width / 2, y + height / 2, 3)).toBe(mark);
    expect(table.rows[mark]!.slice(0, 2)).toEqual(['0', '1']);
  });

  it('draws a deadlock as its circle', () => {
    const figure = drawPlayback(deadlocked(simulated, [0, 1, 2, 3]));
    const circle = shapesOf(figure, 'strokes').at(-1)!;
    expect([circle.dash, circle.strokes.length / 4]).toEqual([[8, 4], expect.any(Number)]);
    expect(figure.description).toContain('Deadlock at cycle 42: cyclic dependency of 4 packets.');
    expect(figure.description).toContain(`packet 0 from task 0 to task 2 waits for ${channelName(torus.machine, 1)}`);
  });
});

describe('what is said beside a figure', () => {
  it('tells which colour is which job where there are several, as many as there is room for', () => {
    const named = (count: number) => {
      const [placed] = torus.jobs;
      const jobs = Array.from({ length: count }, (_, at) => ({
        ...placed!,
        job: { ...placed!.job, name: `program-${at}` },
      }));
      const figure = simulationOf({ ...torus, jobs });
      return [drawFinish(figure), drawPlayback(figure)].map((page) => {
        expectOnPage(page);
        return textsOf(page).filter((words) => /program-|more/.test(words));
      });
    };
    expect(named(1)).toEqual([[], []]);
    expect(named(2)).toEqual([
      ['program-0', 'program-1'],
      ['program-0', 'program-1'],
    ]);
    for (const [first, ...rest] of named(40)) {
      expect(first).toBe('program-0');
      expect(rest.at(-1)).toMatch(/^and \d\d more$/);
    }
  });

  it('keeps the words of the makespan and of what was predicted apart, however near they are', () => {
    for (const predictedCycles of [780, 799, 805]) {
      const texts = shapesOf(drawFinish({ ...simulated, predictedCycles }), 'text');
      const [one, other] = texts.filter(({ text }) => /^(?:makespan|predicted) /.test(text));
      expect(Math.abs(one!.y - other!.y)).toBeGreaterThan(12);
    }
  });

  it('has what was told of the simulation where the makespan is compared', () => {
    const notices = ['Packets take the first way.'];
    expect(drawFinish({ ...simulated, notices }).description).toContain(notices[0]);
  });
});
