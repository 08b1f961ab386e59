import type { FabricWarning } from '../model/fabric.ts';
import { oneLine, UnknownNames } from './reading.ts';

/** An element of an XML file, with the line on which it begins. */
export interface XmlElement {
  readonly name: string;
  readonly line: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** What stands in the element itself, outside of its children. */
  readonly text: string;
}

/** Letters of the largest file that is read: the parser's objects take sixty times the text. */
export const largestXml = 4 * 2 ** 20;

/** All elements of a name below one, in the order of the file. */
export function* elementsBelow(root: XmlElement, name: string): Generator<XmlElement> {
  const open = [root];
  for (let item = open.pop(); item; item = open.pop()) {
    if (item !== root && item.name === name) yield item;
    for (const child of item.children.toReversed()) open.push(child);
  }
}

/**
 * The attributes of each element that a format knows, with blanks between: those that it reads, and behind a bar those that it passes over. Elements with `any` may have
 * every attribute.
 */
export type KnownElements = Readonly<Record<string, string>>;

/** A warning for each name of elements and attributes that a format does not know. O(elements + attributes). */
export function unknownInXml(root: XmlElement, known: KnownElements): FabricWarning[] {
  const words = new Map(Object.entries(known).map(([name, names]) => [name, new Set(names.split(' '))]));
  const [elements, attributes] = [new UnknownNames(), new UnknownNames()];
  const open = [root];
  for (let element = open.pop(); element !== undefined; element = open.pop()) {
    const { name, line, children } = element;
    for (let at = children.length - 1; at >= 0; at--) open.push(children[at]!);
    const own = words.get(name);
    if (own === undefined) elements.add(`<${oneLine(name.slice(0, 60))}>`, line);
    else if (!own.has('any'))
      for (const attribute of Object.keys(element.attributes))
        if (!own.has(attribute)) attributes.add(`\`${oneLine(attribute.slice(0, 60))}\` of <${name}>`, line);
  }
  return [
    ...elements.warnings((name) => `Unknown element ${name}`),
    ...attributes.warnings((name) => `Unknown attribute ${name}`),
  ];
}
