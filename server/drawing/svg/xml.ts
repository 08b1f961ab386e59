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
