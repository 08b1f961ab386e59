/** What is written of a picture or a figure: SVG, PDF, PNG, or the numbers of a figure, by the ending of the file. */
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { figureToCsv, type Figure } from '../../drawing/figures/figure.ts';
import { figurePage } from '../../drawing/figures/renderFigure.ts';
import { writePdf } from '../../drawing/paper/pdf.ts';
import { rasterise } from '../../drawing/paper/rasterise.ts';
import { writeSvg, type SvgPage } from '../../drawing/svg.ts';
import type { FigurePageOptions } from './figureOptions.ts';
import type { OutputRequest } from './output.ts';
import { pageSizeAsAsked } from './pictureOptions.ts';
import { encodePng } from './png.ts';
import { UsageError } from './terminal.ts';

/** Pixels for each of a page on a screen: sharp on a slide. */
const screenDensity = 2;
/** Pixels per inch of a page with measures of its own: what journals ask of pictures with lines and letters. */
const printDensity = 600 / 96;

type Written = Pick<OutputRequest, 'text' | 'isTable'>;

/** The content of the file; SVG where the ending says nothing else. */
export async function fileOfPage(target: string, page: SvgPage): Promise<Written> {
  if (/\.pdf$/i.test(target)) return { text: await writePdf(page, promisify(deflate)) };
  if (!/\.png$/i.test(target)) return { text: writeSvg(page) };
  const isPrint = String(page.root.attributes['width']).endsWith('mm');
  return { text: encodePng(rasterise(page, isPrint ? printDensity : screenDensity)) };
}

/** The same of a figure, whose numbers are a file as well. */
export async function fileOfFigure(target: string, figure: Figure, page: FigurePageOptions = {}): Promise<Written> {
  if (/\.csv$/i.test(target)) return { text: figureToCsv(figure), isTable: true };
  return fileOfPage(target, figurePage(figure, page.theme, pageSizeAsAsked(page)));
}

/** Refuses endings of pictures that none of ours are. */
export function refuseEnding(output: string): void {
  const [, ending] = /\.(jpe?g|gif|webp|eps|ps|tiff?)$/i.exec(output) ?? [];
  if (ending === undefined) return;
  throw new UsageError(
    `\`draw\` writes SVG, PDF and PNG, and ${output} would be none: name it .svg, .pdf or .png. ` +
      `Inkscape or ImageMagick make ${ending.toUpperCase()} of these.`,
  );
}
