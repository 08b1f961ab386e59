/** SVG as text: elements, numbers and escapes, and what all our pictures on paper share. */

const fonts = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', Arial, sans-serif";

/** Colours on white paper. */
export const paper = '#ffffff';
export const ink = '#1b1f24';
export const faintInk = '#57606a';
/** Lines behind curves. */
export const gridInk = '#e3e7eb';

/** A standalone file, on white paper, of a `title` and a `description` element and what is drawn, in pixels. */
export function svgDocument(width: number, height: number, content: readonly string[]): string {
  const [wide, high] = [round(width), round(height)];
  const root = element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: wide,
      height: high,
      viewBox: `0 0 ${wide} ${high}`,
      role: 'img',
      'aria-labelledby': 'title description',
      'font-family': fonts,
      'font-size': 13,
    },
    `\n${content.filter((part) => part !== '').join('\n')}\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

/** Text as XML content or attribute value; characters that XML 1.0 forbids are replaced. */
export function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}

type Attributes = Readonly<Record<string, string | number>>;

const attributeText = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? round(value) : escapeXml(value)}"`)
    .join('');

/** An element round ready-made content. */
export const element = (name: string, attributes: Attributes, content: string): string =>
  `<${name}${attributeText(attributes)}>${content}</${name}>`;

export const emptyElement = (name: string, attributes: Attributes): string => `<${name}${attributeText(attributes)}/>`;

/** An element round text, which is escaped here. */
export const textElement = (name: string, attributes: Attributes, text: string): string =>
  element(name, attributes, escapeXml(text));

/** Pixels to two decimals: enough for print, and half the bytes. */
export const round = (value: number): string => (Math.round(value * 100) / 100).toString();
