/**
 * Several pictures on one page, side by side as they are compared: above each its name and its figures, and one legend for all, since
 * all are drawn by one scale.
 */
import { largestOf } from '../model/lists.ts';
import type { Marks } from './marks.ts';
import { legendColumn, scenePage, type LegendChoice } from './renderSvg.ts';
import type { Scene } from './scene.ts';
import { element, fittedPage, textElement, type PrintSize, type SvgElement, type SvgPage } from './svg.ts';
import { pageThemes, type ThemeName } from './themes.ts';

export interface ComparedPicture {
  readonly scene: Scene;
  readonly name: string;
  /** Lines below the name. */
  readonly words: readonly string[];
  readonly marks: Marks | undefined;
}

interface ComparedOptions extends PrintSize {
  readonly theme: ThemeName;
  readonly legend: LegendChoice;
  readonly plane: number | undefined;
}

const margin = 28;
const nameSize = 17;
const wordSize = 12;
const lineHeight = 17;
/** So many stand in one row; of more each row has as many as there are rows. */
const mostInRow = 3;

/** A page of at least one picture. O(nodes + links of all). */
export function comparedPage(
  pictures: readonly ComparedPicture[],
  { theme: themeName, legend, plane, ...size }: ComparedOptions,
): SvgPage {
  const theme = pageThemes[themeName];
  const pages = pictures.map(({ scene, marks }) =>
    scenePage(scene, { theme: themeName, legend: 'none', plane, marks }),
  );
  const columns = pages.length <= mostInRow ? pages.length : Math.ceil(Math.sqrt(pages.length));
  const head = nameSize + lineHeight * largestOf(pictures.map(({ words }) => words.length)) + 8;
  const cellWidth = largestOf(pages.map(({ width }) => width));
  const cellHeight = head + largestOf(pages.map(({ height }) => height));
  const cells = pictures.map(({ name, words }, index) => {
    const [x, y] = [margin / 2 + (index % columns) * cellWidth, margin + Math.floor(index / columns) * cellHeight];
    return element('g', { transform: `translate(${x} ${y})` }, [
      textElement(
        'text',
        { x: margin, y: 0.8 * nameSize, 'font-size': nameSize, 'font-weight': 'bold', fill: theme.ink },
        name,
      ),
      ...words.map((line, row) =>
        textElement(
          'text',
          { x: margin, y: nameSize + (row + 0.8) * lineHeight, 'font-size': wordSize, fill: theme.faint },
          line,
        ),
      ),
      element('g', { transform: `translate(0 ${head})` }, renamed(pages[index]!.root.content, `picture-${index}-`)),
    ]);
  });
  const [first] = pictures;
  // The figures of each stand above its picture.
  const column = legendColumn(first!.scene, { theme: themeName, legend: legend === 'none' ? 'none' : 'scale' });
  const right = margin / 2 + columns * cellWidth;
  const all = [...cells, element('g', { transform: `translate(${right} ${margin + head + margin})` }, column.elements)];
  const names = pictures.map(({ name }) => name).join(', ');
  return fittedPage(
    {
      width: right + (column.elements.length === 0 ? 0 : column.width) + margin,
      height: 2 * margin + Math.max(Math.ceil(pages.length / columns) * cellHeight, head + margin + column.height),
      title: `${names} on ${first!.scene.machine}`,
      description: pictures.map(({ scene }) => scene.description).join(' '),
    },
    theme.paper,
    all,
    size,
  );
}

/** Without the words of a page of its own, and with ids that no other picture has. */
const renamed = (content: SvgElement['content'], prefix: string): readonly SvgElement[] =>
  (typeof content === 'string' ? [] : content)
    .filter(({ name }) => name !== 'title' && name !== 'desc')
    .map((each) => withPrefix(each, prefix));

function withPrefix({ name, attributes, content }: SvgElement, prefix: string): SvgElement {
  const { id } = attributes;
  return {
    name,
    attributes: id === undefined ? attributes : { ...attributes, id: `${prefix}${id}` },
    content: typeof content === 'string' ? content : content.map((each) => withPrefix(each, prefix)),
  };
}
