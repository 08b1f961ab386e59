import type { DevicePath, FabricWarning, NodeDevice, NodeShape } from '../model/fabric.ts';
import { countOf } from '../model/quantities.ts';
import { type Result, succeed } from '../model/result.ts';

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
  const warnings: FabricWarning[] = [];
  const coresPerSocket = Math.min(...counts);
  warnings.push({ message: 'Processing units count as cores: where cores have several threads, write `cores` in the machine.' }); // prettier-ignore
  if (counts.some((count) => count > coresPerSocket)) {
    warnings.push({ message: `Sockets have ${counts.join(', ')} cores: all count as having ${coresPerSocket}, the fewest.` }); // prettier-ignore
  }
  const gpus = devices.filter(({ kind }) => kind === 'gpu').length;
  const nics = devices.length - gpus;
  if (devices.length > 0) {
    warnings.push({ message: `${countOf(gpus, 'GPU')} and ${countOf(nics, 'NIC')} are read with their paths; placements do not count distances inside a node.` }); // prettier-ignore
  }
  return succeed({
    sockets: counts.length,
    coresPerSocket,
    coresOfSockets: counts,
    numaNodes,
    devices,
    paths,
    warnings,
  });
}
