/**
 * SVG as elements, and their text; numbers and escapes. Whatever we draw for paper is made of these, so that `paper/` can make a
 * PDF or pixels of it as well. No scripts, no styles, no references but to clips within the file.
 */

const fonts = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', Arial, sans-serif";

export type Attributes = Readonly<Record<string, string | number>>;

export interface SvgElement {
  readonly name: string;
  readonly attributes: Attributes;
  readonly content: readonly SvgElement[] | string;
}

/** A page: its root element, `width` and `height` pixels of 1/96 inch. */
export interface SvgPage {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly root: SvgElement;
}

/**
 * A standalone page of what is drawn, in pixels, with title and description for screen readers; `millimetres`: its sizes are said in
 * them, as programs for print ask for.
 */
export function svgPage(
  { width, height, title, description }: { width: number; height: number; title: string; description: string },
  content: readonly (SvgElement | undefined)[],
  millimetres = false,
): SvgPage {
  const [wide, high] = [round(width), round(height)];
  const told = (pixels: number): string => (millimetres ? `${round((pixels * 25.4) / 96)}mm` : round(pixels));
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    width: told(width),
    height: told(height),
    viewBox: `0 0 ${wide} ${high}`,
    role: 'img',
    'aria-labelledby': 'title description',
    'font-family': fonts,
    'font-size': 13,
  };
  const words = [textElement('title', { id: 'title' }, title), textElement('desc', { id: 'description' }, description)];
  return { width, height, title, root: element('svg', attributes, [...words, ...content]) };
}

/** Millimetres of a page; it is as high as it needs to be where only its width is said, and as large as it wants to be without. */
export interface PrintSize {
  readonly width?: number;
  readonly height?: number;
}

/** A page of something drawn in pixels, which is as large as the page lets it be and stands in its middle. */
export function fittedPage(
  about: { readonly width: number; readonly height: number; readonly title: string; readonly description: string },
  paper: string,
  content: readonly (SvgElement | undefined)[],
  size: PrintSize,
): SvgPage {
  const { width, height } = about;
  const [wide, high] = [size.width, size.height].map((length) =>
    length === undefined ? undefined : (length * 96) / 25.4,
  );
  const isPrint = wide !== undefined || high !== undefined;
  const scale = isPrint ? Math.min((wide ?? Infinity) / width, (high ?? Infinity) / height) : 1;
  const page = { ...about, width: wide ?? width * scale, height: high ?? height * scale };
  const [x, y] = [(page.width - width * scale) / 2, (page.height - height * scale) / 2];
  const sheet = emptyElement('rect', { width: page.width, height: page.height, fill: paper });
  if (!isPrint) return svgPage(page, [sheet, ...content]);
  const transform = `translate(${round(x)} ${round(y)}) scale(${scale.toFixed(5)})`;
  return svgPage(page, [sheet, element('g', { transform }, content)], true);
}

/** The text of a file. O(elements). */
export function writeSvg({ root }: SvgPage): string {
  const parts = ['<?xml version="1.0" encoding="UTF-8"?>\n'];
  writeElement(root, parts);
  parts.push('\n');
  return parts.join('');
}

function writeElement({ name, attributes, content }: SvgElement, parts: string[]): void {
  parts.push('<', name);
  for (const key of Object.keys(attributes)) {
    const value = attributes[key]!;
    parts.push(' ', key, '="', typeof value === 'number' ? round(value) : escapeXml(value), '"');
  }
  if (content.length === 0 && !pairedWhenEmpty.has(name)) {
    parts.push('/>');
    return;
  }
  parts.push('>');
  if (typeof content === 'string') parts.push(escapeXml(content));
  else {
    const outer = name === 'svg' ? '\n' : '';
    const between = name === 'svg' || name === 'g' ? '\n' : '';
    content.forEach((child, index) => {
      parts.push(index === 0 ? outer : between);
      writeElement(child, parts);
    });
    parts.push(outer);
  }
  parts.push('</', name, '>');
}

const pairedWhenEmpty: ReadonlySet<string> = new Set(['g', 'text', 'title', 'desc']);

/** Text as XML content or attribute value; characters that XML 1.0 forbids are replaced. */
export function escapeXml(text: string): string {
  if (!/[^ !#-%'-;=?-~]/.test(text)) return text;
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}

/** An element round others; what is undefined is left out. */
export const element = (
  name: string,
  attributes: Attributes,
  content: readonly (SvgElement | undefined)[],
): SvgElement => ({ name, attributes, content: content.filter((child) => child !== undefined) });

export const emptyElement = (name: string, attributes: Attributes): SvgElement => ({ name, attributes, content: [] });

/** An element round text. */
export const textElement = (name: string, attributes: Attributes, text: string): SvgElement => ({
  name,
  attributes,
  content: text,
});

/** Pixels to two decimals: enough for print, and half the bytes. */
export const round = (value: number): string => (Math.round(value * 100) / 100).toString();
