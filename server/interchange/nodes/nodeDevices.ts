import type { DevicePath, NodeDevice, NodeShape } from '../../model/fabric.ts';
import { type Result, succeed } from '../../model/result.ts';

/** Units of one node that readers take; more are a damaged file. */
const mostUnits = 2 ** 16;

/**
 * The shape of a node of which processing units are known by socket, and devices with their paths. Sets that are alike
 * are one socket. Fails with a sentence where there is no unit.
 */
export function shapeOfUnits(
  units: readonly (readonly number[])[],
  numaNodes: number,
  devices: readonly NodeDevice[],
  paths: readonly DevicePath[],
): Result<NodeShape, string> {
  const sets = new Map<string, number>();
  for (const set of units) if (set.length > 0) sets.set(set.join(','), set.length);
  const counts = Array.from(sets.values());
  if (counts.length === 0) return { ok: false, failure: 'The file names no processing unit that tasks may run on.' };
  if (counts.some((count) => count > mostUnits)) return { ok: false, failure: `A socket has more than ${mostUnits} processing units.` }; // prettier-ignore
  return succeed({ coresOfSockets: counts, countsThreads: true, numaNodes, devices, paths, warnings: [] });
}

/** The shape of a node of whose cores nothing is known but the reason: so many sockets, until `cores` says what they have. */
export const shapeWithoutCores = (
  coresUnknown: string,
  sockets: number,
  devices: readonly NodeDevice[],
  paths: readonly DevicePath[],
): NodeShape => ({
  coresOfSockets: new Array<number>(sockets).fill(0),
  coresUnknown,
  numaNodes: sockets,
  devices,
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
