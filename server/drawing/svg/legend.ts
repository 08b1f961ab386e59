import type { LegendItem, LegendLayout } from '../legendLayout.ts';
import { faintInk, freeNode, ink, nodeOutline } from './paper.ts';
import { element, emptyElement, textElement } from './xml.ts';

/** The legend's items with the colours of paper. */
export const svgLegend = (legend: LegendLayout): string =>
  element('g', { id: 'legend' }, legend.items.map(svgItem).join('\n'));

function svgItem(item: LegendItem): string {
  if (item.kind === 'box') {
    const { x, y, width, height, fill = freeNode } = item;
    const outline = item.outlined ? { rx: 2, stroke: nodeOutline } : {};
    return emptyElement('rect', { x, y, width, height, fill, ...outline });
  }
  const { x, y, text, anchor, size } = item;
  const attributes = {
    x,
    y,
    fill: item.weight === 'faint' ? faintInk : ink,
    ...(item.weight === 'heading' ? { 'font-weight': 'bold' } : {}),
    ...(anchor === 'start' ? {} : { 'text-anchor': anchor }),
    'font-size': size,
  };
  return textElement('text', attributes, text);
}
