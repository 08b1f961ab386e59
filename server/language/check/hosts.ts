/** The compute nodes of a machine: how many hang on which switches, `hosts 4 on 0..15`, and what they are called, `names "node[001-128]"`. */
import { countHostlist, namesForNodes } from '../../model/hostlist.ts';
import { succeed } from '../../model/result.ts';
import type {
  HostingRouters,
  MachineDescription,
  NumberRange,
  RouterReference,
  TopologyEntry,
} from '../../network/contract.ts';
import { replaceByMeant } from '../codes.ts';
import type { PropertyNode, Span } from '../tree.ts';
import { readReferences } from './faults.ts';
import { type Properties, soundParts, type Written } from './properties.ts';

/** How many nodes hang on which routers. */
export type Attached = Pick<MachineDescription, 'hosts' | 'hostsOn'>;

/** `hosts 4 on 0..15`; undefined where something of it is wrong. */
export function checkAttachedHosts(
  properties: Properties,
  entry: TopologyEntry | undefined,
  routers: number | undefined,
): Attached | undefined {
  const hosts = properties.number('hosts');
  const hostsOn = entry && checkHostsOn(properties, entry, routers);
  return soundParts({ hosts, hostsOn });
}

/** `on leaves`, `on 0..15, 20`, `on "leaf[0-15]"`: what is wrong is reported; undefined where it does not stand there. */
function checkHostsOn(
  properties: Properties,
  { takesHostsOn }: TopologyEntry,
  routers: number | undefined,
): Written<HostingRouters> {
  const { scope } = properties;
  const on = properties.get('on');
  if (on === undefined || takesHostsOn !== true) return undefined;
  const reader = properties.phraseBehind(on);
  if (reader === undefined) return 'wrong';
  const isLeaves = reader.accept('leaves');
  const found = isLeaves ? [] : readReferences(scope, reader, 'switch', { switch: routers, node: undefined });
  const isBeyond = (one: RouterReference | NumberRange): boolean =>
    typeof one !== 'string' && routers !== undefined && (typeof one === 'number' ? one : one.last) >= routers;
  if (!reader.finish() || found.some(isBeyond)) return 'wrong';
  return isLeaves ? 'leaves' : found;
}

/** Names that are written out while typing; more are left to the study. */
const mostWhileTyping = 2 ** 16;

/**
 * `names "node[001-128]"`, `names "login", "nid[1-7]"`, `names "nid%05d"`: one text for all, as `expandHostNames` takes it. What is wrong is
 * reported, and then it is left out. `nodes`: how many the machine has, where the declaration says it. O(letters of the names).
 */
export function checkHostNames(properties: Properties, nodes: number | undefined): string | undefined {
  const { scope } = properties;
  const property = properties.get('names');
  const lists = property && quotedNameLists(properties, property);
  if (lists === undefined) return undefined;
  const written = lists.map(({ text }) => text).join(',');
  const span = { start: lists[0]!.start, end: lists.at(-1)!.end };
  const count = written.includes('%') ? succeed(nodes ?? 2) : countHostlist(written);
  if (!count.ok) {
    scope.report(span, 'wrong-value', count.failure);
    return undefined;
  }
  const expected = nodes ?? count.value;
  if (count.value === expected && expected > mostWhileTyping) return written;
  const names = namesForNodes(written, expected);
  if (names.ok) return written;
  const fix = ofSoMany(written, expected);
  scope.report(span, 'names-do-not-fit', names.failure, { otherFixes: [replaceByMeant(span, fix && `"${fix}"`)] });
  return undefined;
}

/** What stands in the double quotes, once or several times; undefined where something else does, which is reported. */
function quotedNameLists(
  properties: Properties,
  property: PropertyNode,
): readonly (Span & { readonly text: string })[] | undefined {
  const reader = properties.phraseBehind(property);
  if (reader === undefined) return undefined;
  const lists = reader.each(() => {
    const list = reader.quoted();
    if (list === undefined) reader.fail();
    return list;
  });
  if (reader.failed) return undefined;
  const isEmpty = ({ text }: { readonly text: string }): boolean => text.trim() === '';
  const wrong = lists.find((list) => isEmpty(list) || (lists.length > 1 && list.text.includes('%')));
  if (wrong === undefined) return reader.finish() ? lists : undefined;
  const message = isEmpty(wrong)
    ? 'Expected one or more host names, as in `"n[01-04],n07"`.'
    : 'A pattern such as `"nid%05d"` names all nodes. Write it without other names.';
  properties.scope.report(wrong, 'wrong-value', message);
  return undefined;
}

/** `node[01-64]` for `node[01-50]` and 64 nodes; undefined for lists of another form. */
function ofSoMany(list: string, nodes: number): string | undefined {
  const [, head = '', first, last, tail = ''] = /^([^[\],%]+)\[(\d{1,9})-(\d{1,9})\]([^[\],%]*)$/.exec(list) ?? [];
  if (first === undefined || Number(last) - Number(first) + 1 === nodes) return undefined;
  const end = String(Number(first) + nodes - 1).padStart(first.length, '0');
  return `${head}[${first}-${end}]${tail}`;
}
