import type { DevicePath, NodeDevice, NodeShape } from '../../model/fabric.ts';
import { type Result, fail, succeed } from '../../model/result.ts';

/** Units of one node that readers take; more are a damaged file. */
const mostUnits = 2 ** 16;

/** A device, and the position of the set of processing units that it is next to, where the file says. */
export interface DeviceBeside {
  readonly device: NodeDevice;
  readonly beside?: number | undefined;
}

/** What is wrong with a line of a file about a node. */
export const badNode = (fileName: string, line: number, message: string): Result<never> =>
  fail('bad-node', `${fileName}:${line}: ${message}`);

/**
 * The shape of a node of which processing units are known by socket, and devices with their paths. Sets that are alike
 * are one socket, in the order of the file; an empty one is none. Fails with a sentence where there is no unit.
 */
export function shapeOfUnits(
  units: readonly (readonly number[])[],
  numaNodes: number,
  devices: readonly DeviceBeside[],
  paths: readonly DevicePath[],
): Result<NodeShape, string> {
  const socketOfSet = new Map<string, number>();
  const sockets: (readonly number[])[] = [];
  for (const set of units) {
    if (set.length === 0 || socketOfSet.has(set.join())) continue;
    socketOfSet.set(set.join(), sockets.length);
    sockets.push(set);
  }
  const counts = sockets.map((set) => set.length);
  if (counts.length === 0) return { ok: false, failure: 'The file lists no usable processing unit.' };
  if (counts.some((count) => count > mostUnits))
    return { ok: false, failure: `A socket has more than ${mostUnits} processing units, the maximum.` };
  const placed = devices.map(({ device, beside = -1 }) =>
    onSocket(device, socketOfSet.get((units[beside] ?? []).join())),
  );
  const systemNumbers = sockets.map((set) => set.map((unit) => [unit]));
  return succeed({
    coresOfSockets: counts,
    systemNumbers,
    countsThreads: true,
    numaNodes,
    devices: placed,
    paths,
    warnings: [],
  });
}

const onSocket = (device: NodeDevice, socket: number | undefined): NodeDevice =>
  socket === undefined ? device : { ...device, socket };

/**
 * The shape of a node of whose cores nothing is known but the reason: so many sockets, until `cores` says what they have, each
 * a set of which nothing else is known.
 */
export const shapeWithoutCores = (
  coresUnknown: string,
  sockets: number,
  devices: readonly DeviceBeside[],
  paths: readonly DevicePath[],
): NodeShape => ({
  coresOfSockets: new Array<number>(sockets).fill(0),
  coresUnknown,
  numaNodes: sockets,
  devices: devices.map(({ device, beside }) => onSocket(device, beside)),
  paths,
  warnings: [],
});

/** Where a device stands in the tree of PCI. */
export interface OnPci {
  /** NUMA node, by any number or name of its own. */
  readonly numa: number;
  /** The PCI bridges above it, from the outside in; the same objects for devices below the same ones. */
  readonly bridges: readonly object[];
}

/** How two devices reach each other over PCI, by NCCL's words (graph/topo.h). O(bridges). */
export function pathOverPci(one: OnPci, other: OnPci): Exclude<DevicePath['kind'], 'NV'> {
  if (one.numa !== other.numa) return 'SYS';
  let shared = 0;
  while (shared < one.bridges.length && one.bridges[shared] === other.bridges[shared]) shared++;
  if (shared === 0) return 'PHB';
  return one.bridges.length === shared && other.bridges.length === shared ? 'PIX' : 'PXB';
}
