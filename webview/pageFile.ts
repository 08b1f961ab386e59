/** Files of a page that a panel saves: SVG as text, PDF and PNG as base64. The browser paints the PNG from the SVG, so all look alike. */
import { writePdf } from '../server/drawing/paper/pdf.ts';
import { writeSvg, type SvgPage } from '../server/drawing/svg.ts';
import { toBase64 } from '../server/protocol/encoding.ts';
import { pngOf } from './picture.ts';
import { t } from './words.ts';

export type PageExtension = 'svg' | 'pdf' | 'png';

/** Pixels of a PNG for each of the page: sharp on a slide. */
const density = 2;
/** Pixels for each of a page that has measures of print: 600 to an inch, as far as a browser makes pictures so large. */
const printDensity = 600 / 96;
const mostPixels = 12_000;

/** The content of the file. */
export async function fileOfPage(extension: PageExtension, page: SvgPage): Promise<string> {
  switch (extension) {
    case 'svg':
      return writeSvg(page);
    case 'pdf':
      return toBase64(await writePdf(page, deflate));
    case 'png':
      return paintedPng(page);
  }
}

/** As zlib does. */
async function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  const compressed = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}

async function paintedPng(page: SvgPage): Promise<string> {
  const isPrint = String(page.root.attributes['width']).endsWith('mm');
  const wanted = isPrint ? printDensity : density;
  const scale = Math.min(wanted, mostPixels / Math.max(page.width, page.height));
  const image = new Image();
  const loaded = new Promise((resolve, reject) => {
    image.onload = resolve;
    image.onerror = () => {
      reject(new Error(t('The browser could not paint the picture.')));
    };
  });
  image.src = `data:image/svg+xml;base64,${toBase64(new TextEncoder().encode(writeSvg(page)))}`;
  await loaded;
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(page.width * scale);
  canvas.height = Math.ceil(page.height * scale);
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return pngOf(canvas);
}
