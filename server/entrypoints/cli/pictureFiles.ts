/** What is written of a picture or a figure: SVG, PDF, or the numbers of a figure, by the ending of the file. */
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { figureToCsv, type Figure } from '../../drawing/figures/figure.ts';
import { figurePage } from '../../drawing/figures/renderFigure.ts';
import { writePdf } from '../../drawing/paper/pdf.ts';
import { writeSvg, type SvgPage } from '../../drawing/svg.ts';
import type { FigurePageOptions } from './figureOptions.ts';
import type { OutputRequest } from './output.ts';
import { pageSizeAsAsked } from './pictureOptions.ts';
import { UsageError } from './terminal.ts';

type Written = Pick<OutputRequest, 'text' | 'isTable'>;

/** The content of the file; SVG where the ending says nothing else. */
export async function fileOfPage(target: string, page: SvgPage): Promise<Written> {
  if (/\.pdf$/i.test(target)) return { text: await writePdf(page, promisify(deflate)) };
  return { text: writeSvg(page) };
}

/** The same of a figure, whose numbers are a file as well. */
export async function fileOfFigure(target: string, figure: Figure, page: FigurePageOptions = {}): Promise<Written> {
  if (/\.csv$/i.test(target)) return { text: figureToCsv(figure), isTable: true };
  return fileOfPage(target, figurePage(figure, page.theme, pageSizeAsAsked(page)));
}

/** Refuses a file whose name ends as that of another kind of picture. */
export function refuseEnding(output: string | undefined): void {
  const [, name, ending = ''] = /^(.*)\.(png|jpe?g|gif|webp|eps|ps|tiff?)$/i.exec(output ?? '') ?? [];
  if (name === undefined) return;
  const [svg, kind] = [`${name}.svg`, ending.toUpperCase()];
  const next = kind === 'PNG' ? `run \`rsvg-convert --zoom 2 ${svg} -o ${output}\`` : `convert it with Inkscape`;
  throw new UsageError(`Unsupported image format ${kind}. Write ${svg}, then ${next}.`);
}
