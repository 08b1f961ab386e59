import { formatBytes, plural } from '../quantities.ts';
import type { Scene } from '../scene.ts';
import { legendWidth } from './page.ts';
import { faintInk, ink } from './picture.ts';
import { element, emptyElement, textElement } from './xml.ts';

const lineHeight = 20;
const sectionGap = 18;
/** Jobs listed by name; the rest are counted. */
const listedJobs = 24;

/** The column beside the picture: figures, jobs, load scale. `height` lets the page make room. */
export function svgLegend(scene: Scene): { readonly content: string; readonly height: number } {
  const column = new Column();
  column.heading('Figures');
  for (const [name, value] of scene.figures) column.row(name, value);
  column.gap();
  column.heading('Jobs');
  for (const job of scene.jobs.slice(0, listedJobs)) column.swatch(job.color, job.name, plural(job.taskCount, 'task'));
  if (scene.jobs.length > listedJobs) column.row(`and ${scene.jobs.length - listedJobs} more`, '');
  if (scene.nodes.job.includes(-1)) column.swatch('#ffffff', 'free node', '');
  column.gap();
  column.heading('Link load');
  column.scale(scene);
  return { content: element('g', { id: 'legend' }, column.parts.join('\n')), height: column.y };
}

/** Stacks lines of text from the top. */
class Column {
  readonly parts: string[] = [];
  y = 0;

  heading(text: string): void {
    this.text(0, text, { 'font-weight': 'bold', fill: ink });
    this.y += lineHeight;
  }

  row(name: string, value: string): void {
    this.text(0, name, { fill: faintInk });
    this.text(legendWidth, value, { fill: ink, 'text-anchor': 'end' });
    this.y += lineHeight;
  }

  swatch(color: string, name: string, value: string): void {
    const square = { x: 0.5, y: this.y + 2.5, width: 12, height: 12, rx: 2, fill: color, stroke: '#3d444d' };
    this.parts.push(emptyElement('rect', square));
    this.text(22, shorten(name), { fill: ink });
    this.text(legendWidth, value, { fill: faintInk, 'text-anchor': 'end' });
    this.y += lineHeight;
  }

  /** The colours side by side, labels below at their share of the width. */
  scale(scene: Scene): void {
    const { colors, labels, mean, maximum } = scene.loadLegend;
    const width = legendWidth / colors.length;
    colors.forEach((color, step) => {
      const box = { x: step * width, y: this.y + 2, width: width + 0.5, height: 12, fill: color };
      this.parts.push(emptyElement('rect', box));
    });
    this.y += 16;
    labels.forEach((label, index) => {
      const share = labels.length < 2 ? 0 : index / (labels.length - 1);
      const anchor = share === 0 ? 'start' : share === 1 ? 'end' : 'middle';
      this.text(share * legendWidth, label, { fill: faintInk, 'text-anchor': anchor, 'font-size': 11 });
    });
    this.y += lineHeight;
    if (maximum === 0) return;
    this.row('mean of all links', formatBytes(mean));
    this.text(0, 'Thick: hot. Dashed: wraps around.', { fill: faintInk, 'font-size': 11 });
    this.y += lineHeight;
  }

  gap(): void {
    this.y += sectionGap;
  }

  private text(x: number, text: string, attributes: Record<string, string | number>): void {
    if (text !== '') this.parts.push(textElement('text', { x, y: this.y + 13, ...attributes }, text));
  }
}

const shorten = (name: string): string => (name.length > 18 ? `${name.slice(0, 17)}…` : name);
