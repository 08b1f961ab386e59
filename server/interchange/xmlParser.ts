/** The parser of XML. It is loaded by the first file that needs it: `await import`. */
import { XMLParser } from 'fast-xml-parser';
import { type Result, succeed } from '../model/result.ts';
import { calling, oneLine } from './reading.ts';
import type { XmlElement } from './xmlElements.ts';

/** Elements inside one another; files of tools have ten. */
const deepest = 200;

/** Entities are not expanded and nothing is fetched. */
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  attributesGroupName: false,
  parseAttributeValue: false,
  parseTagValue: false,
  processEntities: false,
  preserveOrder: true,
  captureMetaData: true,
});

/** Why a file cannot be read, with the line where it is known. */
interface Damage {
  readonly line: number;
  readonly message: string;
}

/**
 * The outermost element of a text, which must be of one of these names. The parser takes a file that was cut off for a
 * whole one, so the tags are paired first. O(text).
 */
export function readXml(text: string, roots: readonly string[]): Result<XmlElement, Damage> {
  const damage = findXmlDamage(text, roots);
  if (damage) return { ok: false, failure: damage };
  const parsed = calling(() => parser.parse(text) as readonly Parsed[], 'The XML is damaged');
  if (!parsed.ok) return { ok: false, failure: { line: 1, message: parsed.failure } };
  const found = elementsOf(parsed.value, lineFinder(text)).find(({ name }) => roots.includes(name));
  if (found) return succeed(found);
  return { ok: false, failure: { line: 1, message: `Expected <${roots.join('> or <')}> in the file.` } };
}

const tag = /<!--[\s\S]*?(?:-->|$)|<[?!][^>]*>|<(\/?)([\w:.-]+)((?:[^<>"']|"[^"]*"|'[^']*')*)>/g;

/** Tags that do not pair up, elements too deep, an end that is missing. */
function findXmlDamage(text: string, roots: readonly string[]): Damage | undefined {
  const lineAt = lineFinder(text);
  const open: { readonly name: string; readonly line: number }[] = [];
  for (const { 0: whole, 1: slash, 2: name, 3: rest = '', index } of text.matchAll(tag)) {
    if (name === undefined) {
      if (whole.startsWith('<!--') && !whole.endsWith('-->'))
        return { line: lineAt(index), message: 'The comment has no end. The file is truncated.' };
      continue;
    }
    if (slash) {
      const last = open.pop();
      if (last?.name !== name) {
        const expected =
          last === undefined ? 'nothing is open' : `<${oneLine(last.name.slice(0, 60))}> of line ${last.line} is open`;
        return {
          line: lineAt(index),
          message: `Unexpected </${oneLine(name.slice(0, 60))}>: ${expected}. The XML is damaged.`,
        };
      }
    } else if (!rest.endsWith('/')) {
      if (open.push({ name, line: lineAt(index) }) > deepest)
        return { line: lineAt(index), message: `The file is nested more than ${deepest} levels deep.` };
    }
  }
  const last = open.at(-1);
  if (last)
    return {
      line: lineAt(text.trimEnd().length),
      message: `The file ends before </${last.name}>, opened on line ${last.line}. It is truncated.`,
    };
  if (!/>\s*$/.test(text))
    return {
      line: lineAt(text.trimEnd().length),
      message: `The file does not end with a tag. It is truncated, or not a file with <${roots.join('> or <')}>.`,
    };
  return undefined;
}

/** The line of a position; asked in any order. O(log lines) each. */
function lineFinder(text: string): (at: number) => number {
  const starts = [0];
  for (let next = text.indexOf('\n'); next >= 0; next = text.indexOf('\n', next + 1)) starts.push(next + 1);
  return (at) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= at) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

/** What the parser makes: objects with the name of the element as their key, attributes under `:@`. */
type Parsed = Readonly<Record<string, unknown>>;

const place = XMLParser.getMetaDataSymbol() as unknown as symbol;

/** As deep as the file, which {@link findXmlDamage} has looked at. */
function elementsOf(items: readonly Parsed[], lineAt: (at: number) => number): XmlElement[] {
  const found: XmlElement[] = [];
  for (const item of items) {
    const name = Object.keys(item).find((key) => key !== ':@' && key !== '#text' && !key.startsWith('?'));
    if (name === undefined) continue;
    const start = (item as Record<symbol, { readonly startIndex?: number } | undefined>)[place]?.startIndex ?? 0;
    const inside = Array.isArray(item[name]) ? (item[name] as Parsed[]) : [];
    const children = elementsOf(inside, lineAt);
    const text = inside
      .map((part) => (typeof part['#text'] === 'string' ? part['#text'] : ''))
      .join(' ')
      .trim();
    const attributes = Object.assign(Object.create(null), item[':@']) as Record<string, string>;
    found.push({ name, line: lineAt(start), attributes, children, text });
  }
  return found;
}
