import { XMLParser } from 'fast-xml-parser';
import type { NodeShape } from '../../model/fabric.ts';
import { type Result, fail, succeed } from '../../model/result.ts';
import type { NodeFormatEntry } from '../contract.ts';
import { type HwlocObject, shapeOf } from './hwlocShape.ts';

const name = 'hwloc';

/** Real files are below a megabyte; a document object model of more would take gigabytes. */
const largestText = 16 * 2 ** 20;

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
  if (text.length > largestText) return fail('bad-node', `${fileName}: The file is larger than 16 MiB.`);
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
  try {
    return succeed(parser.parse(text, true) as Document);
  } catch (error) {
    // The parser throws `message:line:column`, and a bare message where tags are nested too deep.
    const thrown = error instanceof Error ? error.message : '';
    const [, message = thrown, line] = /^(.*):(\d+):\d+$/s.exec(thrown) ?? [];
    const place = line === undefined ? '' : `${line}:`;
    const reason = message.replace(/\.$/, '');
    return {
      ok: false,
      failure: `${place} The XML is damaged or was cut off: ${reason}. Write it again with \`lstopo FILE.xml\`.`,
    };
  }
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
