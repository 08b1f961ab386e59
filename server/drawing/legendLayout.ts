import { countOf, formatNumber } from '../model/quantities.ts';
import { changeNotes, changeScaleWords, figureChange } from './difference.ts';
import { drawnLines } from './labels.ts';
import { areAlike, formatLoad } from './loadScale.ts';
import { labelSizeOnScreen, leastPrintedText, routerLabelOf, showsRails } from './routers.ts';
import { stubFlag, upFlag, type MachineAbout, type Scene, type SceneDifference } from './scene.ts';

/** A part of what stands beside or below the picture of a file, as texts and boxes: figures, jobs, the scale of links. */
export interface LegendSection {
  readonly items: readonly LegendItem[];
  readonly height: number;
}

export type LegendItem =
  | {
      readonly kind: 'text';
      readonly x: number;
      /** Of the baseline. */
      readonly y: number;
      readonly text: string;
      readonly weight: 'heading' | 'plain' | 'faint';
      readonly anchor: 'start' | 'middle' | 'end';
      readonly size: number;
    }
  | {
      readonly kind: 'box';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      /** undefined: the fill of free nodes. */
      readonly fill: string | undefined;
      readonly outlined: boolean;
    };

/** Figures of a difference are two, and their change. */
export const legendColumnWidth = ({ difference }: Scene): number => (difference === undefined ? 240 : 360);
const lineHeight = 20;
/** Between sections. */
export const sectionGap = 18;
const textSize = 13;
const smallSize = 11;
/** Between a name and its value. */
const leastGap = 8;
/** Of the scale, how far the label of the mean reaches beyond it. */
export const markOverlap = 0.1;
/** Of a letter of a note, at most so wide in the mean. */
const noteLetter = 5.7;
/** The same of a row. */
const rowLetter = 7.4;
/** Of bars, on light and on dark. */
const barColor = '#6c8ebf';
/** Jobs listed by name; the rest are counted. */
const listedJobs = 24;

/**
 * Figures, jobs and the scale of links, each from its top. `colors` are those of the background, `width` is that of a column, and the
 * picture has `unit` pixels for a world unit.
 */
export function legendSections(
  scene: Scene,
  colors: readonly string[],
  width = legendColumnWidth(scene),
  unit = Infinity,
): readonly LegendSection[] {
  if (scene.about !== undefined) return machineSections(scene, scene.about, width);
  const { difference } = scene;
  const figures = new Column(width);
  figures.heading('Metrics');
  if (difference === undefined) for (const [name, value] of scene.figures) figures.row(name, value);
  else for (const figure of difference.figures) figures.row(figure.name, figureChange(figure));
  const jobs = new Column(width);
  jobs.heading('Jobs');
  for (const job of scene.jobs.slice(0, listedJobs)) jobs.swatch(job.color, job.name, countOf(job.taskCount, 'task'));
  if (scene.jobs.length > listedJobs) jobs.row(`and ${scene.jobs.length - listedJobs} more`, '');
  if (scene.nodes.job.includes(-1)) jobs.swatch(undefined, 'free node', '');
  for (const note of numberNotes(scene, unit, true)) jobs.note(note);
  const scale = new Column(width);
  if (difference === undefined) {
    scale.heading(loadTitle(scene));
    scale.scale(scene.loadLegend, colors, loadNotes(scene));
  } else {
    scale.heading('Change of link load');
    scale.changes(difference, colors);
  }
  return [figures.section, jobs.section, scale.section];
}

/** Degrees that are listed one by one; the rest are counted. */
const listedDegrees = 12;
/** Of a machine by itself: its figures, its degrees, its kinds of cables. */
function machineSections(
  scene: Scene,
  { degrees, degreeWord, linkClasses, notes }: MachineAbout,
  width: number,
): readonly LegendSection[] {
  const figures = new Column(width);
  figures.heading('Metrics');
  for (const [name, value] of scene.figures) figures.row(name, value);
  for (const note of notes) figures.note(note);
  const counts = new Column(width);
  counts.heading(degreeTitle(degreeWord));
  const most = degrees.reduce((largest, { routers }) => Math.max(largest, routers), 0);
  for (const { degree, routers } of degrees.slice(0, listedDegrees))
    counts.bar(`${degree}`, routers / most, formatNumber(routers));
  if (degrees.length > listedDegrees) counts.row(`and ${degrees.length - listedDegrees} more`, '');
  const cables = new Column(width);
  cables.heading('Links');
  for (const { name, cables: count, words, color } of linkClasses) {
    cables.swatch(color, name, formatNumber(count));
    if (words !== '') cables.note(`      ${words}`);
  }
  return [figures.section, counts.section, cables.section];
}

/** Above the numbers of routers by degree. */
export const degreeTitle = (word: MachineAbout['degreeWord']): string =>
  word === 'switch' ? 'Switch degree' : 'Node degree';

/** A text in lines of at most so many letters, broken between words. */
function wrappedByLetters(text: string, letters: number): readonly string[] {
  const indent = /^ */.exec(text)![0];
  const lines = [''];
  for (const word of text.trimStart().split(' ')) {
    const last = lines.length - 1;
    const longer = lines[last] === '' ? word : `${lines[last]!} ${word}`;
    if (longer.length > letters && lines[last] !== '') lines.push(word);
    else lines[last] = longer;
  }
  return lines.map((line) => `${indent}${line}`);
}

/** Stacks lines from the top. */
class Column {
  private readonly items: LegendItem[] = [];
  private readonly width: number;
  private y = 0;

  constructor(width: number) {
    this.width = width;
  }

  get section(): LegendSection {
    return { items: this.items, height: this.y };
  }

  heading(text: string): void {
    this.text(0, text, 'heading', 'start', textSize);
    this.y += lineHeight;
  }

  row(name: string, value: string): void {
    this.text(0, name, 'faint', 'start', textSize);
    // A value that does not fit beside its name stands below it.
    if (rowLetter * (name.length + value.length) + leastGap > this.width) this.y += lineHeight;
    this.text(this.width, value, 'plain', 'end', textSize);
    this.y += lineHeight;
  }

  swatch(fill: string | undefined, name: string, value: string): void {
    this.items.push({ kind: 'box', x: 0.5, y: this.y + 2.5, width: 12, height: 12, fill, outlined: true });
    this.text(22, shorten(name, Math.floor((this.width - 96) / 8)), 'plain', 'start', textSize);
    this.text(this.width, value, 'faint', 'end', textSize);
    this.y += lineHeight;
  }

  /** A line of a bar chart; `share` of the longest bar. */
  bar(name: string, share: number, value: string): void {
    const [start, most] = [40, this.width - 100];
    this.text(0, name, 'faint', 'start', textSize);
    this.items.push({
      kind: 'box',
      x: start,
      y: this.y + 3,
      width: Math.max(1, most * share),
      height: 11,
      fill: barColor,
      outlined: false,
    });
    this.text(this.width, value, 'plain', 'end', textSize);
    this.y += lineHeight;
  }

  /** In as many lines as it needs. */
  note(text: string): void {
    for (const line of wrappedByLetters(text, Math.floor(this.width / noteLetter))) {
      this.text(0, line, 'faint', 'start', smallSize);
      this.y += lineHeight;
    }
  }

  /** The colours side by side, labels below at their share of the width. */
  scale({ marks }: Scene['loadLegend'], colors: readonly string[], notes: readonly string[]): void {
    this.boxes(colors);
    // The label of the mean reaches a little beyond it, so that the next one has room.
    marks.forEach(({ share, label }, index) => {
      if (index === 1) this.text((share + markOverlap) * this.width, label, 'faint', 'end', smallSize);
      else this.text(share * this.width, label, 'faint', 'start', smallSize);
    });
    this.y += lineHeight;
    for (const note of notes) this.note(note);
  }

  /** As {@link Column.scale}, from the largest decrease to the largest increase. */
  changes(difference: SceneDifference, colors: readonly string[]): void {
    const { less, more, steps } = changeScaleWords(difference);
    this.boxes(colors);
    this.text(0, less, 'faint', 'start', smallSize);
    this.text(this.width / 2, '0', 'faint', 'middle', smallSize);
    this.text(this.width, more, 'faint', 'end', smallSize);
    this.y += lineHeight;
    for (const note of [steps, ...changeNotes(difference)]) this.note(note);
  }

  private boxes(colors: readonly string[]): void {
    const width = this.width / colors.length;
    colors.forEach((fill, step) => {
      this.items.push({ kind: 'box', x: step * width, y: this.y + 2, width, height: 12, fill, outlined: false });
    });
    this.y += 16;
  }

  private text(
    x: number,
    text: string,
    weight: 'heading' | 'plain' | 'faint',
    anchor: 'start' | 'middle' | 'end',
    size: number,
  ): void {
    if (text !== '') this.items.push({ kind: 'text', x, y: this.y + 13, text, weight, anchor, size });
  }
}

/** Above the scale of links: where links differ in speed it says by what they are coloured. */
export const loadTitle = ({ loadScales, loadLegend: { scale } }: Scene): string =>
  loadScales.length < 2 ? 'Link load' : scale.measure === 'bytes' ? 'Link load in bytes' : 'Utilisation';

/** How to read lines, below every load scale: what is true of this picture, and nothing else. */
export function loadNotes(scene: Scene): readonly string[] {
  const { links } = scene;
  const { maximum, scale } = scene.loadLegend;
  if (maximum === 0) return ['No traffic on any link.'];
  const has = (flag: number): boolean => links.flags.some((flags) => (flags & flag) !== 0);
  return [
    ...endNotes(scene),
    ...(scale.measure === 'capacity' ? [`100 % = ${formatLoad(maximum, 'capacity')} (bottleneck link)`] : []),
    ...(scale.kind === 'logarithmic' ? ['Logarithmic scale'] : []),
    warmNote(scene),
    'Each direction is drawn on its right-hand side.',
    ...(has(stubFlag) ? ['Arrow stub: wrap-around link to the labelled node.'] : []),
    ...(has(upFlag) ? ['Arrows point up to the root.'] : []),
  ];
}

/**
 * Where the scale ends. Of a picture whose heaviest link is less than hot that would be below the mark of those which are, so there
 * {@link warmNote} says what the heaviest carries.
 */
function endNotes(scene: Scene): readonly string[] {
  const { maximum, scale } = scene.loadLegend;
  const { hotFrom, measure } = scale;
  if (scale.maximum >= hotFrom) return [`Scale maximum: ${formatLoad(scale.maximum, measure)}.`];
  if (maximum >= hotFrom) return [`Scale maximum: ${formatLoad(hotFrom, measure)}.`];
  return saysHot(scene) ? [] : [`Maximum link load: ${formatLoad(maximum, measure)}.`];
}

/** In bytes no link is hot where links differ: one of few bytes may be the busiest. */
const saysHot = (scene: Scene): boolean => scene.loadLegend.scale.measure === 'capacity' || areAlike(scene);

function warmNote(scene: Scene): string {
  const { maximum, scale } = scene.loadLegend;
  if (!saysHot(scene)) return 'Colour: bytes. For hot links, switch colours to utilisation.';
  if (maximum >= scale.hotFrom) return 'Hot links are drawn thicker.';
  const heaviest = formatLoad(maximum, scale.measure);
  return scale.measure === 'bytes'
    ? `No hot links; maximum link load ${heaviest}.`
    : `No hot links; longest link time ${heaviest}.`;
}

/** What the numbers and names in the picture mean that are drawn at so many pixels per world unit, on screen or on paper. O(nodes + routers). */
export function numberNotes(scene: Scene, scale = Infinity, isPrinted = false): readonly string[] {
  const { routers, slots, labels, nodes, blocks } = scene;
  if (blocks !== undefined) return blocks.notes;
  const drawn = drawnLines(scene, scale);
  const small = nodes.names.length > 0 ? 'Small labels below: hosts' : 'Small labels below: nodes';
  const notes = {
    task: ['Node labels: tasks', small],
    node: ['Node labels: nodes', 'Small labels below: tasks'],
    host: ['Node labels: hosts', 'Small numbers below: tasks'],
    coordinates: ['Node labels: coordinates', 'Small labels below: tasks'],
  } as const;
  const inCores = slots === 'gpus' ? 'GPU labels: tasks, if space permits' : 'Core labels: tasks, if space permits';
  const isDrawn = (entry: number): boolean => {
    const label = routerLabelOf(scene, entry);
    return isPrinted ? label.size * scale >= leastPrintedText : labelSizeOnScreen(scene, entry, label, scale) > 0;
  };
  const isNumbered = routers.names.length === 0 && [...routers.id.keys()].some(isDrawn);
  return [
    ...(drawn.large ? [notes[labels][0]] : []),
    ...(drawn.small ? [notes[labels][1]] : []),
    ...(drawn.inCores ? [inCores] : []),
    ...(isNumbered ? ['Switch labels: switch numbers'] : []),
    ...(showsRails(scene, scale) ? ['Numbers on node links: rails'] : []),
    ...((nodes.broken?.length ?? 0) > 0 ? ['Crossed out: failed'] : []),
  ];
}

const shorten = (name: string, letters: number): string =>
  name.length > letters ? `${name.slice(0, letters - 1)}…` : name;
