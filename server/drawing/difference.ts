import { sameNumbers } from '../model/lists.ts';
import { fail, type Result, succeed } from '../model/result.ts';
import { countOf, formatNumber } from '../model/quantities.ts';
import { arrowText, changeText } from '../model/words.ts';
import { changeColors, changeColorsOnDark, changeSign, changeSteps } from './colors.ts';
import { coordinateLabel, sceneLinkEnds, sceneNodeName } from './labels.ts';
import { busySeconds, formatLoad, shownLoad } from './loadScale.ts';
import { type FigureChange, type Scene, type SceneArrows, type SceneDifference, type SceneMoves } from './scene.ts';
import { controlOf, forEachCable, pointOn, typicalNodeSize } from './strokes.ts';

/**
 * Two placements on one machine: the picture of what changed from one to the other. Made of scenes alone, so that a
 * panel can do it, too.
 */

/**
 * The scene `after` as the picture of what changed since `before`. Fails where the machines differ or no job is in
 * both. A task has moved where it runs on another node; another core of its node is no move.
 * O(nodes + links + tasks).
 */
export function drawDifference(before: Scene, after: Scene): Result<Scene> {
  const hindrance = whyNotCompared(before, after);
  if (hindrance !== undefined) return fail('not-comparable', hindrance);
  const links = changeOfLinks(before, after);
  const shared = sharedJobs(before, after);
  // Blocks list no tasks.
  const moves = movesOf(before, after, after.blocks === undefined ? shared : []);
  const difference: SceneDifference = {
    before: before.placement,
    ...links,
    taskCount: shared.reduce((sum, { after: job }) => sum + after.jobs[job]!.taskCount, 0),
    moves,
    arrows: arrowsOf(moves),
    figures: figureChanges(before, after),
    ...blockDifference(before, after),
    notes: [...notesOnJobs(before, after, before.placement), ...notesOnJobs(after, before, after.placement)],
  };
  return succeed({ ...after, difference, description: describeDifference(after, difference) });
}

/** Why there is no difference of two placements, as a sentence; undefined where there is one. O(nodes + links). */
export function whyNotCompared(before: Scene, after: Scene): string | undefined {
  const [one, other] = [`\`${before.placement}\``, `\`${after.placement}\``];
  if (before.machine !== after.machine) {
    return `${one} is on machine \`${before.machine}\` and ${other} on \`${after.machine}\`. Compare placements on the same machine.`;
  }
  if (!sameMachine(before, after)) {
    return `${one} and ${other} use different machines named \`${after.machine}\`. Compare placements on the same machine.`;
  }
  if (sharedJobs(before, after).length > 0) return undefined;
  return `${one} and ${other} have no common job. Compare placements of the same job.`;
}

function blockDifference({ blocks: before }: Scene, { blocks: after }: Scene): Pick<SceneDifference, 'blocks'> {
  if (before === undefined || after === undefined) return {};
  const { tasks } = before;
  const changed = tasks.reduce((count, own, entry) => count + (own === after.tasks[entry] ? 0 : 1), 0);
  return { blocks: { tasks, changed } };
}

/** Whether entries of nodes and links of both scenes stand for the same. */
const sameMachine = (one: Scene, other: Scene): boolean =>
  sameNumbers(one.nodes.id, other.nodes.id) &&
  sameNumbers(one.links.from, other.links.from) &&
  sameNumbers(one.links.to, other.links.to) &&
  (one.blocks === undefined || other.blocks === undefined
    ? one.blocks === other.blocks && sameNumbers(one.links.forwardLink, other.links.forwardLink)
    : sameNumbers(one.blocks.nodes, other.blocks.nodes) && one.blocks.shape.join() === other.blocks.shape.join());

/** The same job in both scenes: its index in each. Jobs of one name and as many tasks are the same. */
interface SharedJob {
  readonly before: number;
  readonly after: number;
}

const sharedJobs = (before: Scene, after: Scene): readonly SharedJob[] =>
  after.jobs.flatMap(({ name, taskCount }, index) => {
    const found = before.jobs.findIndex((job) => job.name === name && job.taskCount === taskCount);
    return found < 0 ? [] : [{ before: found, after: index }];
  });

function notesOnJobs(scene: Scene, other: Scene, placement: string): string[] {
  return scene.jobs
    .filter(({ name, taskCount }) => !other.jobs.some((job) => job.name === name && job.taskCount === taskCount))
    .map(({ name }) => `Job \`${name}\` is only in \`${placement}\`.`);
}

type ChangeOfLinks = Pick<SceneDifference, 'forward' | 'backward' | 'cooled' | 'heated' | 'scale'>;

/** The scale reaches to the largest change, and at least to the mean load: small changes stay pale. */
function changeOfLinks(before: Scene, after: Scene): ChangeOfLinks {
  const { forward, backward } = before.links;
  const loads: readonly (readonly [Float64Array, Float64Array])[] = [
    [forward, after.links.forward],
    [backward, after.links.backward],
  ];
  const { measure } = after.loadLegend.scale;
  let largest = Math.max(before.loadLegend.scale.mean, after.loadLegend.scale.mean);
  let [cooled, heated] = [0, 0];
  forEachCable(after.links, (link) => {
    for (const [way, [old, now]] of loads.entries()) {
      const change = changeSign(old[link]!, now[link]!);
      if (change < 0) cooled++;
      if (change > 0) heated++;
      const apart = shownLoad(after, link, way === 0, now[link]) - shownLoad(after, link, way === 0, old[link]);
      largest = Math.max(largest, Math.abs(apart));
    }
  });
  const scale = { measure, largest, colors: changeColors, colorsOnDark: changeColorsOnDark };
  return { forward, backward, cooled, heated, scale };
}

/** Entries of nodes by task of one job; −1 where it is not to be seen. */
function placesOfTasks({ nodes, jobs }: Scene, job: number): Int32Array {
  const places = new Int32Array(jobs[job]!.taskCount).fill(-1);
  for (let entry = 0; entry < nodes.id.length; entry++) {
    for (let place = nodes.taskStart[entry]!; place < nodes.taskStart[entry + 1]!; place++) {
      if (nodes.taskJob[place] === job) places[nodes.task[place]!] = entry;
    }
  }
  return places;
}

function movesOf(before: Scene, after: Scene, shared: readonly SharedJob[]): SceneMoves {
  const moves: { job: number; task: number; from: number; to: number }[] = [];
  for (const jobs of shared) {
    const [old, now] = [placesOfTasks(before, jobs.before), placesOfTasks(after, jobs.after)];
    now.forEach((to, task) => {
      const from = old[task]!;
      if (from !== to && from >= 0 && to >= 0) moves.push({ job: jobs.after, task, from, to });
    });
  }
  return {
    job: Int16Array.from(moves, ({ job }) => job),
    task: Int32Array.from(moves, ({ task }) => task),
    from: Int32Array.from(moves, ({ from }) => from),
    to: Int32Array.from(moves, ({ to }) => to),
  };
}

function arrowsOf({ from, to }: SceneMoves): SceneArrows {
  const arrows = new Map<string, { readonly from: number; readonly to: number; tasks: number }>();
  from.forEach((start, move) => {
    const end = to[move]!;
    const key = `${start} ${end}`;
    const arrow = arrows.get(key) ?? { from: start, to: end, tasks: 0 };
    arrow.tasks++;
    arrows.set(key, arrow);
  });
  const all = [...arrows.values()];
  return {
    from: Int32Array.from(all, (arrow) => arrow.from),
    to: Int32Array.from(all, (arrow) => arrow.to),
    tasks: Int32Array.from(all, ({ tasks }) => tasks),
  };
}

/** By name: placements of one machine may have other figures, where jobs differ. */
function figureChanges(before: Scene, after: Scene): FigureChange[] {
  return after.figures.flatMap(([name, words], index) => {
    const old = before.figures.findIndex(([other]) => other === name);
    if (old < 0) return [];
    const change = changeBetween(before.figureValues[old]!, after.figureValues[index]!);
    return [{ name, before: before.figures[old]![1], after: words, change }];
  });
}

/** `3 GiB → 2 GiB, −33 %`; the value alone where both are written alike. */
export function figureChange({ before, after, change }: Omit<FigureChange, 'name'>): string {
  if (before === after) return after;
  return `${arrowText(before, after)}${change === '' ? '' : `, ${change}`}`;
}

/** `−33 %`, `+5 %`, `0 %`; '' where there is no number to compare with, or none that could be divided by. */
export function changeBetween(before: number, after: number): string {
  if (!Number.isFinite(before) || !Number.isFinite(after)) return '';
  if (changeSign(before, after) === 0) return '0 %';
  if (before === 0) return '';
  const change = (after - before) / before;
  const text = changeText(change);
  if (text !== '0 %') return text;
  return change < 0 ? 'under 0.1 % less' : 'under 0.1 % more';
}

function describeDifference(after: Scene, difference: SceneDifference): string {
  const { before, cooled, heated, taskCount, moves, blocks, notes } = difference;
  return [
    `Changes from placement ${before} to ${after.placement} on machine ${after.machine}: ${movesSentence(difference, ';')}`,
    linksSentence(cooled, heated),
    ...(moves.task.length === 0 && taskCount > 0 && cooled + heated === 0 && blocks === undefined
      ? ['No difference.']
      : []),
    ...notes,
  ].join(' ');
}

/** `34 of 64 tasks run on another node.`; each sentence as a whole, so that it can be translated. */
function movesSentence({ moves, taskCount, blocks }: SceneDifference, end = '.'): string {
  if (blocks !== undefined) {
    const squares = countOf(blocks.tasks.length, 'square');
    return blocks.changed === 1
      ? `1 of ${squares} has more or fewer tasks${end}`
      : `${formatNumber(blocks.changed)} of ${squares} have more or fewer tasks${end}`;
  }
  const tasks = countOf(taskCount, 'task');
  return moves.task.length === 1
    ? `1 of ${tasks} runs on another node${end}`
    : `${formatNumber(moves.task.length)} of ${tasks} run on another node${end}`;
}

/** `12 links carry less, 9 more.` */
const linksSentence = (cooled: number, heated: number): string =>
  cooled === 1
    ? `1 link has less load, ${formatNumber(heated)} more.`
    : `${countOf(cooled, 'link')} have less load, ${formatNumber(heated)} more.`;

/** A directed link, before and after. */
export interface LinkChange {
  /** Entry of Scene.links, and whether it is its direction from → to. */
  readonly link: number;
  readonly isForward: boolean;
  readonly from: string;
  readonly to: string;
  /** Bytes. */
  readonly before: number;
  readonly after: number;
  /** Seconds that it is busy, where links differ in speed. */
  readonly busy?: { readonly before: number; readonly after: number };
}

/** Directed links whose load has changed, the largest change first. O(links · log links). */
export function linkChanges(scene: Scene, { forward, backward }: SceneDifference): readonly LinkChange[] {
  const changes: LinkChange[] = [];
  forEachCable(scene.links, (link) => {
    const [from, to] = sceneLinkEnds(scene, link);
    const there = {
      before: forward[link]!,
      after: scene.links.forward[link]!,
      ...busyOf(scene, link, true, forward[link]!),
    };
    const back = {
      before: backward[link]!,
      after: scene.links.backward[link]!,
      ...busyOf(scene, link, false, backward[link]!),
    };
    if (changeSign(there.before, there.after) !== 0) changes.push({ link, isForward: true, from, to, ...there });
    if (changeSign(back.before, back.after) !== 0) {
      changes.push({ link, isForward: false, from: to, to: from, ...back });
    }
  });
  const size = ({ link, isForward, before, after }: LinkChange): number =>
    Math.abs(shownLoad(scene, link, isForward, after) - shownLoad(scene, link, isForward, before));
  return changes.sort((one, other) => size(other) - size(one) || one.link - other.link);
}

function busyOf(scene: Scene, link: number, isForward: boolean, bytesBefore: number): Pick<LinkChange, 'busy'> {
  const [before, after] = [busySeconds(scene, link, isForward, bytesBefore), busySeconds(scene, link, isForward)];
  return before === undefined || after === undefined ? {} : { busy: { before, after } };
}

/** `node 5 (1, 0)`, as tables name the ends of a move. */
export const placeName = (scene: Scene, entry: number): string =>
  `${sceneNodeName(scene, entry)} ${coordinateLabel(scene.nodes, entry)}`.trim();

/** What the colours of changes mean, ready to print: the ends of the scale, and where its steps end. */
export function changeScaleWords({ scale: { largest, measure } }: SceneDifference): {
  readonly less: string;
  readonly more: string;
  readonly steps: string;
} {
  const ends = Array.from({ length: changeSteps }, (_, step) =>
    formatLoad(largest / 2 ** (changeSteps - 1 - step), measure),
  );
  const steps = `Colour steps (upper ends): ${ends.join(', ')}.`;
  return {
    less: `−${formatLoad(largest, measure)}`,
    more: `+${formatLoad(largest, measure)}`,
    steps: measure === 'capacity' ? `${steps} Colours: link time.` : steps,
  };
}

/** How to read the picture of a difference. */
export function changeNotes(difference: SceneDifference): readonly string[] {
  const { cooled, heated, moves, notes } = difference;
  return [
    linksSentence(cooled, heated),
    ...(cooled > 0 ? ['Blue, dashed: lower load.'] : []),
    ...(heated > 0 ? ['Red, thick: higher load.'] : []),
    movesSentence(difference),
    ...(moves.task.length > 0 ? ['Arrows: from old to new node.'] : []),
    ...notes,
  ];
}

/** Arrow of moved tasks; world units. */
export interface ArrowShape {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  /** As of links. */
  readonly bend: number;
  readonly width: number;
  /** Corners, the tip first. */
  readonly head: readonly (readonly [number, number])[];
}

/** Of the way, how far an arrow bows out, and at most, world units: the two of an exchange lie apart. */
const arrowBend = 0.1;
const widestBend = 0.5;
/** Arrows between small nodes are to be seen all the same. */
const leastWidth = 0.028;
const leastHead = 0.12;

/** The arrow as a bow between the edges of its nodes; undefined where they overlap. */
export function arrowShape(scene: Scene, arrow: number): ArrowShape | undefined {
  const { nodes, difference } = scene;
  if (difference === undefined) return undefined;
  const { from, to, tasks } = difference.arrows;
  return bowBetween(nodes, from[arrow]!, to[arrow]!, tasks[arrow]!, typicalNodeSize(scene));
}

interface Squares {
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly size: Float32Array;
}

/** Of several tasks the arrow is wider, up to three times. */
function bowBetween(
  { x, y, size }: Squares,
  from: number,
  to: number,
  tasks: number,
  unit: number,
): ArrowShape | undefined {
  const [startX, startY, endX, endY] = [x[from]!, y[from]!, x[to]!, y[to]!];
  const length = Math.hypot(endX - startX, endY - startY);
  if (length === 0) return undefined;
  const node = Math.min(unit, size[to]!);
  const width = Math.max(leastWidth, 0.07 * node) * Math.min(3, 1 + Math.log2(tasks) / 2);
  const headLength = Math.max(leastHead, 0.45 * node) + 2 * width;
  // From the middle of a square to its edge in this direction, and a little further.
  const edge = (half: number): number =>
    (1.15 * half * length) / Math.max(Math.abs(endX - startX), Math.abs(endY - startY));
  const [leave, arrive] = [edge(size[from]!), edge(size[to]!)];
  if (length <= leave + arrive + headLength) return undefined;
  const bend = Math.min(widestBend, arrowBend * length);
  const [x1, y1] = pointOn(startX, startY, endX, endY, bend, leave / length);
  const [tipX, tipY] = pointOn(startX, startY, endX, endY, bend, 1 - arrive / length);
  // The head lies in the direction in which the bow arrives.
  const [controlX, controlY] = controlOf(startX, startY, endX, endY, bend);
  const reach = Math.hypot(endX - controlX, endY - controlY) || 1;
  const [dx, dy] = [(endX - controlX) / reach, (endY - controlY) / reach];
  const [x2, y2] = [tipX - dx * headLength, tipY - dy * headLength];
  const half = 0.38 * headLength;
  return {
    x1,
    y1,
    x2,
    y2,
    bend: (bend * Math.hypot(x2 - x1, y2 - y1)) / length,
    width,
    head: [
      [tipX, tipY],
      [x2 - dy * half, y2 + dx * half],
      [x2 + dy * half, y2 - dx * half],
    ],
  };
}

/** More arrows than this are drawn pale, so that links are still to be seen below them. */
const paleFrom = 60;

export const arrowOpacity = ({ arrows }: SceneDifference): number =>
  Math.max(0.25, Math.min(0.85, 0.85 * Math.sqrt(paleFrom / Math.max(1, arrows.from.length))));
