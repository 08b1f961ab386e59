import { XMLParser } from 'fast-xml-parser';
import type { NodeShape } from '../../model/fabric.ts';
import { type Result, fail } from '../../model/result.ts';
import type { NodeFormatEntry } from '../contract.ts';
import { calling } from '../reading.ts';
import { type HwlocObject, shapeOf } from './hwlocShape.ts';

const name = 'hwloc';

/** Real files are below a megabyte; the parser's objects take sixty times the text. */
const largestText = 4 * 2 ** 20;

/** Attributes as `@name`; entities are not expanded and nothing is fetched. */
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseAttributeValue: false,
  processEntities: false,
  isArray: (tag) => tag === 'object',
});

/** Reads hwloc 1.x, 2.x and 3.x. O(text). */
function readHwloc(text: string, fileName: string): Result<NodeShape> {
  if (text.length > largestText)
    return fail('bad-node', `${fileName}: The file is larger than 4 MiB, the most that is read of hwloc.`);
  const document = parse(text);
  if (!document.ok) return fail('bad-node', `${fileName}:${document.failure}`);
  const shape = shapeOf(document.value.topology?.object ?? []);
  return shape.ok ? shape : fail('bad-node', `${fileName}: ${shape.failure}`);
}

interface Document {
  readonly topology?: { readonly object?: readonly HwlocObject[] };
}

/** Fails with the line, where it is known, and a sentence. */
function parse(text: string): Result<Document, string> {
  const fault = faultOfEnd(text);
  if (fault !== undefined) return { ok: false, failure: fault };
  // The parser throws where tags do not close, or are nested too deep.
  const document = calling(() => parser.parse(text) as Document, ' The XML is damaged');
  return document.ok ? document : { ok: false, failure: `${document.failure} ${advice}` };
}

const advice = 'Write it again with `lstopo FILE.xml`.';

/** The parser takes a file that was cut off for a whole one, so its end and its tags are looked at first. */
function faultOfEnd(text: string): string | undefined {
  if (!text.trimEnd().endsWith('</topology>')) {
    const lines = text.trimEnd().split('\n').length;
    return `${lines}: The file ends before </topology>: it was cut off. ${advice}`;
  }
  let open = 0;
  for (const [, slash, body = ''] of text.matchAll(/<(\/?)object\b([^<>]*)>/g)) {
    if (slash) open--;
    else if (!body.endsWith('/')) open++;
  }
  return open === 0 ? undefined : ` The XML is damaged: <object> and </object> do not pair up. ${advice}`;
}

export const hwloc: NodeFormatEntry = {
  name,
  summary: 'XML of hwloc, as `lstopo FILE.xml` writes it',
  source: 'Broquedis et al., hwloc, PDP 2010; hwloc 1.x, 2.x and 3.x',
  details:
    'Packages are sockets; cores are counted where at least one processing unit is allowed. A machine without packages is one socket, one without cores has a core per processing unit; of unequal sockets the smallest counts.',
  options: [],
  recognizes: (text) => /<topology[\s>]/.test(text),
  read: readHwloc,
};
