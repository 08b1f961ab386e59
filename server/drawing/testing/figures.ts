/** Runs and results for tests of figures, and what holds of every figure. */
import { expect } from 'vitest';
import type { ExperimentJson, RowJson } from '../../experiments/results.ts';
import { seededRandom } from '../../model/random.ts';
import { JobTable } from '../../scheduling/jobs.ts';
import type { StreamRun } from '../../scheduling/streamRun.ts';
import { textWidth, type Figure, type Shape } from '../figures/figure.ts';

export interface GivenJob {
  readonly submit: number;
  /** Absent: it has not started. */
  readonly start?: number;
  /** Absent: it still runs at the end. */
  readonly end?: number;
  readonly nodes?: readonly number[];
  /** As many as its nodes where it is left out. */
  readonly processors?: number;
  readonly sides?: readonly [number, number];
}

/** A run of the given jobs, from 0 to `endTime`. */
export function runOf(nodeCount: number, endTime: number, given: readonly GivenJob[]): StreamRun {
  const jobs = new JobTable();
  for (const { submit, nodes = [], processors = nodes.length, sides = [0, 0] } of given) {
    const [width, height] = sides;
    const unknown = { run: Number.NaN, estimate: Number.NaN, seed: 0, line: 0, number: Number.NaN, measured: true };
    jobs.add({ submit, processors, width, height, ...unknown });
  }
  const ended = [...given.keys()].filter((job) => given[job]!.end !== undefined);
  return {
    jobs,
    starts: Float64Array.from(given, ({ start }) => start ?? Number.NaN),
    ends: Float64Array.from(given, ({ end }) => end ?? Number.NaN),
    completed: Int32Array.from(ended.sort((one, other) => given[one]!.end! - given[other]!.end!)),
    refusedJobs: new Uint8Array(given.length),
    refusals: [],
    messages: undefined,
    nodes: given.map(({ nodes }) => (nodes === undefined ? undefined : Int32Array.from(nodes))),
    nodeCount,
    workingCount: nodeCount,
    beginTime: 0,
    endTime,
    jobTime: 0,
    end: 'as-asked',
    deadlock: undefined,
    waitingAtEnd: 0,
    runningAtEnd: 0,
    notices: [],
  };
}

/** Jobs one after the other on random free nodes of a machine, without end where time runs out. */
export function randomRun(seed: number, { nodeCount, jobCount }: { nodeCount: number; jobCount: number }): StreamRun {
  const random = seededRandom(seed);
  const endTime = 1000;
  const freeFrom = new Float64Array(nodeCount);
  const given: GivenJob[] = [];
  const submits = Float64Array.from({ length: jobCount }, () => random.fraction() * endTime).sort();
  for (const submit of submits) {
    const nodes = [...Array(nodeCount).keys()].filter(() => random.fraction() < 3 / nodeCount + 0.1);
    const start = nodes.reduce((latest, node) => Math.max(latest, freeFrom[node]!), submit);
    if (nodes.length === 0 || start >= endTime) {
      given.push({ submit, processors: 1 });
      continue;
    }
    const end = start + random.fraction() * 40;
    for (const node of nodes) freeFrom[node] = end;
    given.push(end <= endTime ? { submit, start, end, nodes } : { submit, start, nodes });
  }
  return runOf(nodeCount, endTime, given);
}

export interface GivenRow {
  readonly x?: number;
  readonly allocator?: string;
  readonly scheduler?: string;
  readonly mean: number | null;
  readonly halfWidth?: number;
}

export const rowOf = ({ x, allocator = 'rbs', scheduler = 'fcfs', mean, halfWidth }: GivenRow): RowJson => ({
  point: x === undefined ? {} : { 'arrivals.rate': x },
  scheduler,
  allocator,
  mapper: null,
  replications: 20,
  metrics: {
    turnaround: { mean, halfWidth: halfWidth ?? null, unit: 'cycles', deviation: null, values: [] },
  },
});

export const resultOf = (rows: readonly RowJson[], other: Partial<ExperimentJson> = {}): ExperimentJson => ({
  name: 'figure-4-1',
  complete: true,
  replicationsDone: 20,
  rows,
  comparisons: [],
  quoted: [],
  ...other,
});

/** The outline of a shape: left, top, right, bottom. */
function outlineOf(shape: Shape): readonly [number, number, number, number] {
  switch (shape.kind) {
    case 'line':
    case 'strokes':
    case 'area': {
      const points = shape.kind === 'strokes' ? shape.strokes : shape.points;
      const xs = points.filter((_, index) => index % 2 === 0);
      const ys = points.filter((_, index) => index % 2 === 1);
      if (points.length === 0) return [0, 0, 0, 0];
      return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    }
    case 'boxes': {
      let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
      for (let at = 0; at < shape.boxes.length; at += 4) {
        const [x, y, width, height] = shape.boxes.slice(at, at + 4) as [number, number, number, number];
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(0);
        [left, top] = [Math.min(left, x), Math.min(top, y)];
        [right, bottom] = [Math.max(right, x + width), Math.max(bottom, y + height)];
      }
      return shape.boxes.length === 0 ? [0, 0, 0, 0] : [left, top, right, bottom];
    }
    case 'marker':
      return [shape.x - shape.size, shape.y - shape.size, shape.x + shape.size, shape.y + shape.size];
    case 'text': {
      const width = textWidth(shape.text, shape.size);
      const before = { start: 0, middle: width / 2, end: width }[shape.anchor];
      if (shape.turned === true) return [shape.x - shape.size, shape.y - before, shape.x, shape.y - before + width];
      return [shape.x - before, shape.y - shape.size * 0.75, shape.x - before + width, shape.y + shape.size * 0.1];
    }
  }
}

/** Nothing lies outside the page, nothing is no number, and no two texts overlap. */
export function expectOnPage(figure: Figure): void {
  const texts: { readonly text: string; readonly box: readonly [number, number, number, number] }[] = [];
  for (const shape of figure.shapes) {
    const box = outlineOf(shape);
    const [left, top, right, bottom] = box;
    const what = JSON.stringify(shape).slice(0, 200);
    expect(box.every(Number.isFinite), what).toBe(true);
    expect(left, what).toBeGreaterThanOrEqual(0);
    expect(top, what).toBeGreaterThanOrEqual(0);
    expect(right, what).toBeLessThanOrEqual(figure.width);
    expect(bottom, what).toBeLessThanOrEqual(figure.height);
    if (shape.kind === 'text') texts.push({ text: shape.text, box });
  }
  texts.forEach(({ text, box }, position) => {
    for (const other of texts.slice(position + 1)) {
      const apart =
        box[2] <= other.box[0] || other.box[2] <= box[0] || box[3] <= other.box[1] || other.box[3] <= box[1];
      expect(apart, `${text} | ${other.text}`).toBe(true);
    }
  });
}

type Of<Kind extends Shape['kind']> = Extract<Shape, { kind: Kind }>;

/** The shapes of one kind. */
export const shapesOf = <Kind extends Shape['kind']>({ shapes }: Figure, kind: Kind): Of<Kind>[] =>
  shapes.filter((shape): shape is Of<Kind> => shape.kind === kind);

export const textsOf = (figure: Figure): string[] => shapesOf(figure, 'text').map(({ text }) => text);

/** Tags that are open at the end, or closed out of turn: a small check that needs no parser. */
export function unbalancedTags(svg: string): string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  for (const [, slash, name, end] of svg.matchAll(/<(\/?)([a-z]+)(?:\s+[a-zA-Z:-]+="[^"<]*")*\s*(\/?)>/g)) {
    if (slash === '/') {
      if (open.pop() !== name) wrong.push(name!);
    } else if (end !== '/') open.push(name!);
  }
  return [...wrong, ...open];
}
