/**
 * A scene on a page: picture, title, key figures, jobs and load scale, on light or dark, as large as a screen wants it or in the
 * measures of print. Of a page every kind of file is made: SVG here, PDF and pixels in `paper/`.
 */
import { largestOf, leastOf } from '../model/lists.ts';
import { fitWithNames, outsideNames, roomBeside, type OutsideName } from './areaNames.ts';
import { pictureSubtitle, pictureTitle } from './labels.ts';
import { legendSections, legendColumnWidth, sectionGap, type LegendItem, type LegendSection } from './legendLayout.ts';
import type { Marks } from './marks.ts';
import { laidOut, planeOf, proportionOf } from './projections.ts';
import type { Scene } from './scene.ts';
import { lineColors, typicalNodeSize } from './strokes.ts';
import { element, emptyElement, round, svgPage, textElement, writeSvg, type SvgElement, type SvgPage } from './svg.ts';
import { svgPicture, type Place } from './svgPicture.ts';
import { pageThemes, type PageTheme, type ThemeName } from './themes.ts';

export interface PageOptions {
  /** Light where it is absent. */
  readonly theme?: ThemeName;
  /** Millimetres of the page; sizes of letters and lines are those of print then. As large as it wants to be where they are absent. */
  readonly width?: number;
  readonly height?: number;
  /** What stands beside or below the picture: all, the jobs and the scale without figures and title, nothing. */
  readonly legend?: LegendChoice;
  /** What comes out of the picture. */
  readonly marks?: Marks | undefined;
  /** The plane of three dimensions that comes out. */
  readonly plane?: number | undefined;
  /** The part of the world that is seen; the whole picture where it is absent. */
  readonly view?: Scene['bounds'] | undefined;
}

export type LegendChoice = 'full' | 'scale' | 'none';

/**
 * A scene as a standalone SVG file with title and description for screen readers. No scripts, styles or references to
 * elsewhere. The same scene gives the same bytes. O(nodes + links).
 */
export const renderSvg = (scene: Scene, options: PageOptions = {}): string => writeSvg(scenePage(scene, options));

/** A scene on a page. O(nodes + links). */
export function scenePage(drawn: Scene, options: PageOptions = {}): SvgPage {
  const { plane, marks, view, theme: name = 'light', width, height } = options;
  const theme = pageThemes[name];
  const scene = forPage(drawn, options, theme);
  const sheet = sheetOf(scene, options, theme);
  const { unit, box } = sheet;
  const { left, top } = view ?? scene.bounds;
  const place: Place = {
    unit,
    nodePixels: typicalNodeSize(scene) * unit,
    originX: box.x - left * unit,
    originY: box.y - top * unit,
    box,
    theme,
    prefix: '',
    leastLine: width === undefined && height === undefined ? 0 : leastPrintedLine,
    marks,
  };
  const painted = svgPicture(scene, place, plane === undefined ? undefined : planeOf(scene, plane));
  const picture = view === undefined ? painted : clipped(painted, box);
  const title = scene.about === undefined ? `${pictureTitle(scene)} on ${scene.machine}` : scene.machine;
  return svgPage(
    { width: sheet.width, height: sheet.height, title, description: scene.description },
    [
      emptyElement('rect', { width: sheet.width, height: sheet.height, fill: theme.paper }),
      ...(sheet.titleSize === 0 ? [] : titleElements(scene, sheet, theme)),
      ...picture,
      ...legendElements(sheet, theme),
    ],
    width !== undefined || height !== undefined,
  );
}

/** Laid out for what a page of given height leaves for it; a part of a picture, and one on a page that grows with it, stay as they are. */
function forPage(scene: Scene, options: PageOptions, theme: PageTheme): Scene {
  if (options.height === undefined || options.view !== undefined) return scene;
  const { room } = sheetOf(scene, options, theme);
  return laidOut(scene, { proportion: proportionOf(room.width, room.height, scene.proportion) });
}

/** Nothing of a part of a picture is seen outside of its box. */
const clipped = (drawn: readonly (SvgElement | undefined)[], box: Sheet['box']): readonly SvgElement[] => [
  element('clipPath', { id: 'view' }, [emptyElement('rect', box)]),
  element('g', { 'clip-path': 'url(#view)' }, drawn),
];

function titleElements(scene: Scene, { margin, titleSize }: Sheet, { ink, faint }: PageTheme): readonly SvgElement[] {
  return [
    textElement(
      'text',
      { x: margin, y: margin + 0.8 * titleSize, 'font-size': titleSize, 'font-weight': 'bold', fill: ink },
      pictureTitle(scene),
    ),
    textElement(
      'text',
      { x: margin, y: margin + 1.8 * titleSize, 'font-size': 0.65 * titleSize, fill: faint },
      pictureSubtitle(scene),
    ),
  ];
}

/** What stands beside a picture by itself, from the corner of its column on. */
export function legendColumn(
  scene: Scene,
  options: Pick<PageOptions, 'theme' | 'legend'>,
): { readonly elements: readonly SvgElement[]; readonly width: number; readonly height: number } {
  const theme = pageThemes[options.theme ?? 'light'];
  const width = legendColumnWidth(scene);
  const { sections, height } = stacked(
    chosenSections(scene, options, theme, width, screenUnit(scene, options)),
    0,
    0,
    1,
  );
  return { elements: legendElements({ sections, textScale: 1 }, theme), width, height };
}

function legendElements(
  { sections, textScale }: Pick<Sheet, 'sections' | 'textScale'>,
  theme: PageTheme,
): readonly SvgElement[] {
  return sections.map(({ section, x, y }, index) =>
    element(
      'g',
      {
        id: `legend-${index}`,
        transform: `translate(${round(x)} ${round(y)})${textScale === 1 ? '' : ` scale(${textScale.toFixed(4)})`}`,
      },
      section.items.map((item) => svgItem(item, theme)),
    ),
  );
}

function svgItem(item: LegendItem, { freeNode, nodeOutline, ink, faint }: PageTheme): SvgElement {
  if (item.kind === 'box') {
    const { x, y, width, height, fill = freeNode } = item;
    const outline = item.outlined ? { rx: 2, stroke: nodeOutline } : {};
    return emptyElement('rect', { x, y, width, height, fill, ...outline });
  }
  const { x, y, text, anchor, size } = item;
  const attributes = {
    x,
    y,
    fill: item.weight === 'faint' ? faint : ink,
    ...(item.weight === 'heading' ? { 'font-weight': 'bold' } : {}),
    ...(anchor === 'start' ? {} : { 'text-anchor': anchor }),
    'font-size': size,
  };
  return textElement('text', attributes, text);
}

/** Where things stand on the page, in pixels of 1/96 inch. */
interface Sheet {
  readonly width: number;
  readonly height: number;
  readonly margin: number;
  /** Of the letters of the title; 0: there is none. */
  readonly titleSize: number;
  /** Of the legend, times its own measures. */
  readonly textScale: number;
  /** Of the picture: pixels per world unit, and what it may cover. */
  readonly unit: number;
  readonly box: Place['box'];
  /** What it may cover at most. */
  readonly room: { readonly width: number; readonly height: number };
  readonly sections: readonly { readonly section: LegendSection; readonly x: number; readonly y: number }[];
}

/** On screens: room round everything, and for the picture; half the side of a node is at most so large: small machines are not blown up. */
const screenMargin = 28;
const screenTitle = 20;
/** Of title and subtitle, with the room below, in sizes of the title. */
const titleLines = 2.8;
const pictureWidth = 900;
const pictureHeight = 760;
const largestNode = 19;
/** In print: letters of 7 points are for the 13 pixels of the screen, lines have a quarter of a point at least. */
const printMargin = 8;
const printTitle = 12.4;
const printScale = (7 * 96) / 72 / 13;
/** Times these on a page that is very low. */
const leastShrink = 0.4;
const leastPrintedLine = (0.25 * 96) / 72;
const largestPrintedNode = 26;
const pixelsPerMillimetre = 96 / 25.4;
/** Below the picture, between columns of the legend and the least that one of them takes, in its own measures. */
const columnGap = 24;
const leastColumn = 186;
/** The legend stands beside the picture where that keeps so much of the width. */
const leastPicture = 0.58;
/** The picture on a page that is as high as it needs to be is at most so many times as high as wide. */
const tallest = 1.1;

/** Fits picture and legend into the page. */
function sheetOf(scene: Scene, options: PageOptions, theme: PageTheme): Sheet {
  if (options.width === undefined && options.height === undefined) return screenSheet(scene, options, theme);
  // On a page that is too low for its legend letters are smaller than usual.
  for (let shrink = 1; ; shrink *= 0.9) {
    const sheet = printSheet(scene, options, theme, shrink);
    const lowest = sheet.sections.reduce(
      (most, { section, y }) => Math.max(most, y + section.height * sheet.textScale),
      0,
    );
    if (lowest <= sheet.height - 0.5 * sheet.margin || shrink < leastShrink) return sheet;
  }
}

/** What of the legend is asked for, in columns of this width, of a picture with `unit` pixels for a world unit. */
function chosenSections(
  scene: Scene,
  { legend = 'full' }: PageOptions,
  { isDark }: PageTheme,
  columnWidth: number,
  unit: number,
): readonly LegendSection[] {
  if (legend === 'none') return [];
  const all = legendSections(scene, lineColors(scene, isDark), columnWidth, unit);
  return legend === 'full' ? all : all.slice(1);
}

const worldOf = ({ left, top, right, bottom }: Scene['bounds']): readonly [width: number, height: number] => [
  Math.max(right - left, 1e-6),
  Math.max(bottom - top, 1e-6),
];

/** Of a part of a picture nothing is seen beyond its box. */
const namesShownOutside = (scene: Scene, { view }: PageOptions): readonly OutsideName[] =>
  view === undefined ? outsideNames(scene) : [];

/** As large as it wants to be. */
/** Pixels of the screen for a world unit. */
function screenUnit(scene: Scene, { view }: PageOptions): number {
  const [worldWidth, worldHeight] = worldOf(view ?? scene.bounds);
  return Math.min(largestNode / typicalNodeSize(scene), pictureWidth / worldWidth, pictureHeight / worldHeight);
}

function screenSheet(scene: Scene, options: PageOptions, theme: PageTheme): Sheet {
  const margin = screenMargin;
  const titleSize = (options.legend ?? 'full') === 'full' ? screenTitle : 0;
  const [worldWidth, worldHeight] = worldOf(options.view ?? scene.bounds);
  const unit = screenUnit(scene, options);
  const [left, right] = roomBeside(namesShownOutside(scene, options), scene.bounds, unit);
  const box = {
    x: margin + left,
    y: margin + titleLines * titleSize,
    width: worldWidth * unit,
    height: worldHeight * unit,
  };
  const sections = chosenSections(scene, options, theme, legendColumnWidth(scene), unit);
  const end = box.x + box.width + right + margin;
  const beside = stacked(sections, end, box.y, 1);
  return {
    width: end + (sections.length === 0 ? 0 : legendColumnWidth(scene) + margin),
    height: box.y + Math.max(box.height, beside.height) + margin,
    ...{ margin, titleSize, textScale: 1, unit, box, sections: beside.sections },
    room: { width: pictureWidth, height: pictureHeight },
  };
}

/** In the measures of print, letters times `shrink`. */
function printSheet(scene: Scene, options: PageOptions, theme: PageTheme, shrink: number): Sheet {
  const { legend = 'full', height } = options;
  const textScale = printScale * shrink;
  const margin = printMargin;
  const titleSize = legend === 'full' ? printTitle : 0;
  const top = margin + titleLines * titleSize;
  const [worldWidth, worldHeight] = worldOf(options.view ?? scene.bounds);
  const width = (options.width ?? (height ?? 0) * 1.3) * pixelsPerMillimetre;
  const high = height === undefined ? undefined : height * pixelsPerMillimetre;
  const inner = width - 2 * margin;
  const most = high === undefined ? tallest * inner : high - top - margin;
  const column = legend === 'none' ? 0 : legendColumnWidth(scene) * textScale + 2 * margin;
  const names = namesShownOutside(scene, options);
  const fitted = (wide: number, room: number): { readonly unit: number; readonly box: Place['box'] } => {
    const { scale, left, right } = fitWithNames(
      () => names,
      scene.bounds,
      wide,
      (rest) =>
        Math.min(largestPrintedNode / typicalNodeSize(scene), Math.max(1, rest) / worldWidth, room / worldHeight),
    );
    return {
      unit: scale,
      box: centred(margin + left, top, wide - left - right, worldWidth * scale, worldHeight * scale),
    };
  };
  if (inner - column >= leastPicture * inner) {
    const { unit, box } = fitted(inner - column, most);
    const sections = chosenSections(scene, options, theme, legendColumnWidth(scene), unit);
    const beside = stacked(sections, width - margin - legendColumnWidth(scene) * textScale, top, textScale);
    const needed = top + Math.max(box.height, beside.height) + margin;
    const room = { width: inner - column, height: most };
    return { width, height: high ?? needed, margin, titleSize, textScale, unit, box, room, sections: beside.sections };
  }
  const columns = Math.max(1, Math.floor((inner / textScale + columnGap) / (leastColumn + columnGap)));
  const columnWidth = (inner / textScale - (columns - 1) * columnGap) / columns;
  const belowAt = (scale: number) =>
    inColumns(
      chosenSections(scene, options, theme, columnWidth, scale),
      columns,
      (columnWidth + columnGap) * textScale,
      textScale,
    );
  const room = {
    width: inner,
    height: high === undefined ? most : Math.max(0.2 * high, most - belowAt(Infinity).height - margin),
  };
  const { unit, box } = fitted(room.width, room.height);
  // What is said of numbers is true of the picture as it is.
  const below = belowAt(unit);
  const start = box.y + box.height + 1.5 * margin;
  const placed = below.sections.map((each) => ({ ...each, x: margin + each.x, y: start + each.y }));
  return {
    width,
    height: high ?? start + below.height + margin,
    margin,
    titleSize,
    textScale,
    unit,
    box,
    room,
    sections: placed,
  };
}

const centred = (left: number, y: number, room: number, width: number, height: number): Place['box'] => ({
  x: left + (room - width) / 2,
  y,
  width,
  height,
});

/** Sections one below the other. */
function stacked(
  sections: readonly LegendSection[],
  x: number,
  top: number,
  scale: number,
): { readonly sections: Sheet['sections']; readonly height: number } {
  let y = top;
  const placed = sections.map((section) => {
    const at = { section, x, y };
    y += (section.height + sectionGap) * scale;
    return at;
  });
  return { sections: placed, height: Math.max(0, y - top - sectionGap * scale) };
}

/** Each section into the column that is shortest by then. */
function inColumns(
  sections: readonly LegendSection[],
  columns: number,
  step: number,
  scale: number,
): { readonly sections: Sheet['sections']; readonly height: number } {
  const heights = new Array<number>(columns).fill(0);
  const placed = sections.map((section) => {
    const column = heights.indexOf(leastOf(heights));
    const at = { section, x: column * step, y: heights[column]! };
    heights[column]! += (section.height + sectionGap) * scale;
    return at;
  });
  return { sections: placed, height: Math.max(0, largestOf(heights) - sectionGap * scale) };
}
