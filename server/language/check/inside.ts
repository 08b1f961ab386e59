/** The inside of a compute node: `sockets`, `cores`, `gpus` and `gpu-link`, or `node from "FILE"`; `slots` and `inside`. */
import { appendAll, leastOf } from '../../model/lists.ts';
import { slotKindOf, type SlotKind } from '../../model/nodeInside.ts';
import { formatNumber } from '../../model/quantities.ts';
import type { GpuDescription, MachineDescription } from '../../network/contract.ts';
import { countLimit } from '../propertyForms.ts';
import { propertyOf } from '../schema.ts';
import type { NumberValue, PropertyNode } from '../tree.ts';
import { numberOfOne } from './numbers.ts';
import { presentParts, type Properties, type Written } from './properties.ts';
import type { Scope } from './scope.ts';

/** What a declaration says of a node; counts are 1 where nothing says so. */
export type Inside = Pick<
  MachineDescription,
  | 'nodeFile'
  | 'coresInFile'
  | 'socketsPerNode'
  | 'coresPerSocket'
  | 'coresUnstated'
  | 'coresOfSockets'
  | 'gpus'
  | 'slots'
  | 'countsInside'
>;

/** Undefined where something of it is wrong. */
export function checkInside(properties: Properties): Inside | undefined {
  const sockets = properties.number('sockets');
  const cores = coresOf(properties, sockets);
  const gpus = checkGpus(properties);
  const slots = properties.word<SlotKind>('slots');
  const inside = properties.word('inside');
  const isFile = properties.get('node') !== undefined;
  if (!isFile) checkSlots(properties, slots);
  const nodeFile = fileOfNode(properties);
  if (slots === 'wrong' || inside === 'wrong' || nodeFile === 'wrong') return undefined;
  const how = presentParts({ slots, countsInside: inside === undefined ? undefined : inside === 'counted' });
  if (sockets === 'wrong' || cores === 'wrong' || gpus === 'wrong') return undefined;
  if (nodeFile !== undefined) {
    const coresInFile = cores && { coresInFile: cores };
    return { socketsPerNode: 1, coresPerSocket: 1, nodeFile, ...coresInFile, ...how };
  }
  return { ...socketsOf(sockets, cores), ...presentParts({ gpus }), ...how };
}

/** Equal sockets, or each with its cores. */
function socketsOf(
  sockets = 1,
  cores?: readonly number[],
): Pick<Inside, 'socketsPerNode' | 'coresPerSocket' | 'coresUnstated' | 'coresOfSockets'> {
  if (cores === undefined) return { socketsPerNode: sockets, coresPerSocket: 1, coresUnstated: true };
  const [coresPerSocket = 1] = cores;
  if (cores.length === 1) return { socketsPerNode: sockets, coresPerSocket };
  return { socketsPerNode: cores.length, coresPerSocket: leastOf(cores), coresOfSockets: cores };
}

/** Slots of a node; undefined where they are wrong or stand in a file. */
export function slotsPerNode(inside: Inside | undefined): number | undefined {
  if (inside === undefined || inside.nodeFile !== undefined) return undefined;
  const { socketsPerNode, coresPerSocket, coresOfSockets, gpus } = inside;
  if (slotKindOf(inside) === 'gpus') return gpus?.count;
  return coresOfSockets?.reduce((sum, own) => sum + own, 0) ?? socketsPerNode * coresPerSocket;
}

function fileOfNode(properties: Properties): Written<string> {
  const chosen = properties.chosen('node');
  if (chosen === undefined || chosen === 'wrong') return chosen;
  return chosen.argument?.kind === 'file' ? chosen.argument.uri : 'wrong';
}

/** `cores 8`, `cores 24, 16`. */
function coresOf(properties: Properties, sockets: Written<number>): Written<readonly number[]> {
  const property = properties.get('cores');
  if (property === undefined) return undefined;
  const reader = properties.phraseBehind(property);
  if (reader === undefined) return 'wrong';
  const counts = reader.each(() => reader.integer({ minimum: 1, maximum: countLimit }));
  if (!reader.finish()) return 'wrong';
  if (counts.length > 1 && typeof sockets === 'number' && sockets !== counts.length) {
    const message = `\`cores\` gives one number for each of ${counts.length} sockets, and \`sockets\` says ${formatNumber(sockets)}: give as many, or remove \`sockets\`.`;
    properties.reportConflict(properties.get('sockets') ?? property, message);
    return 'wrong';
  }
  return counts;
}

/** `gpus 8`, with every `gpu-link`. */
function checkGpus(properties: Properties): Written<GpuDescription> {
  const count = properties.number('gpus');
  const written = properties.all('gpu-link');
  const [first] = written;
  if (count === undefined && first !== undefined) {
    const why =
      properties.get('node') === undefined
        ? 'there are no `gpus`: write their number'
        : 'the file of `node` says how GPUs are linked: remove it';
    properties.refuse(first, `\`gpu-link\` does not apply where ${why}.`);
    return undefined;
  }
  if (count === undefined || count === 'wrong') return count;
  let allLinks: number | undefined;
  const links: GpuDescription['links'][number][] = [];
  for (const property of written) {
    const found = gpuLinksOf(properties, property, count);
    if (typeof found === 'number') allLinks = found;
    else appendAll(links, found);
  }
  return { count, ...presentParts({ allLinks }), links };
}

/** Side by side, more than any GPU has. */
const mostLinks = 1024;

/** `0 -- 1, 2 links 4`; `all links 12`, which is the number alone. What is wrong is reported and left out. */
function gpuLinksOf(properties: Properties, property: PropertyNode, gpus: number): GpuDescription['links'] | number {
  const { scope } = properties;
  const reader = properties.phraseBehind(property);
  if (reader === undefined) return [];
  const isAll = reader.accept('all');
  const from = isAll ? undefined : gpuNumber(scope, reader.plain(), gpus);
  const to: number[] = [];
  if (!isAll && reader.expect('--')) {
    do {
      const node = reader.plain();
      const end = gpuNumber(scope, node, gpus);
      if (node === undefined || end === undefined) continue;
      if (end === from)
        scope.report(node, 'self-cable', `A link connects two different GPUs: ${end} is on both sides.`);
      else to.push(end);
    } while (reader.accept(','));
  }
  const links = reader.accept('links') ? reader.integer({ minimum: 1, maximum: mostLinks }) : 1;
  if (!reader.finish() || links === undefined) return [];
  if (isAll) return links;
  return from === undefined ? [] : to.map((end) => ({ from, to: end, links }));
}

function gpuNumber(scope: Scope, node: NumberValue | undefined, gpus: number): number | undefined {
  const found = node && numberOfOne(scope, node, 'GPU', { count: gpus, most: countLimit });
  return found?.isThere === true ? found.value : undefined;
}

/** `slots` against the GPUs that there are. */
function checkSlots(properties: Properties, slots: Written<SlotKind>): void {
  const [property, gpus] = [properties.get('slots'), properties.get('gpus')];
  if (slots === 'gpus' && gpus === undefined && property !== undefined) {
    const { example } = propertyOf('machine', 'gpus') ?? { example: 'gpus 8' };
    properties.scope.report(
      property,
      'missing-property',
      `\`slots gpus\` needs GPUs. Write their number, as in \`${example}\`, or \`node from\` a file that lists them.`,
    );
  }
  if (slots === 'cores' && gpus !== undefined) {
    properties.refuse(gpus, '`gpus` has no effect with `slots cores`. Remove one of them.', true);
  }
}
