/** The servers of a simulated cluster one by one, by name, with what the queueing model had predicted of each. */
import { neverCancelled } from '../model/cancellation.ts';
import type { BusyServer, PlacementReport } from '../model/report.ts';
import { realAt } from '../numeric/elements.ts';
import { predictUse, type PredictedUse } from '../queueing/predict.ts';
import { clusterFigures } from '../queueing/servers.ts';
import { serverKinds, type ServerKind } from '../simulation/engines/servers/serverStates.ts';
import type { SimulationResult } from '../simulation/simulationResult.ts';

/** A server that messages came to. */
export interface SimulatedServer extends Omit<BusyServer, 'server' | 'utilisation'> {
  readonly server: BusyServer['server'] | 'send hardware' | 'receive hardware' | 'cache';
  readonly visits: number;
  /** Of all that came, before they were served. */
  readonly waited: { readonly cycles: number; readonly seconds: number };
  /** Share of the whole run that it worked. */
  readonly utilisation: number;
  /** By the queueing model, while messages come at their rates; absent where jobs have none, and of caches, which it does not know. */
  readonly predicted?: number;
}

/** Those that messages came to, the busiest first, equal ones by number; none of other engines. O(pairs + servers · log servers). */
export function simulatedServers(
  { machine, jobs, metrics }: PlacementReport,
  { waits, cycles, secondsPerCycle = 0 }: SimulationResult,
): readonly SimulatedServer[] {
  if (waits === undefined) return [];
  const { firstOf, visits, waited, busy } = waits.each;
  // Without rates the model says nothing of the jobs.
  const use = metrics.queueing && predictUse(machine, jobs, clusterFigures(machine).figures, neverCancelled);
  const { coresPerNode, socketsPerNode, slotCount } = machine;
  const onCore = (slot: number) => ({ node: Math.floor(slot / coresPerNode), core: slot % coresPerNode });
  const inSocket = (socket: number) => ({ node: Math.floor(socket / socketsPerNode), socket: socket % socketsPerNode });
  const placeOf = (kind: ServerKind, index: number): Pick<SimulatedServer, 'server' | 'node' | 'core' | 'socket'> => {
    const isSecond = index >= slotCount;
    const slot = isSecond ? index - slotCount : index;
    const [node, isIn] = [Math.floor(index / 2), index % 2 === 1];
    switch (kind) {
      case 'queuePair':
        return { server: isSecond ? 'receive queue pair' : 'send queue pair', ...onCore(slot) };
      case 'processing':
        return { server: isSecond ? 'receive hardware' : 'send hardware', ...onCore(slot) };
      case 'port':
        return { server: isIn ? 'port in' : 'port out', node };
      case 'switch':
        return { server: isIn ? 'switch out' : 'switch in', node };
      case 'memory':
      case 'cache':
        return { server: kind, ...inSocket(index) };
    }
  };
  const found: SimulatedServer[] = [];
  for (const [position, kind] of serverKinds.entries()) {
    const following = serverKinds[position + 1];
    const end = following === undefined ? visits.length : firstOf[following];
    for (let number = firstOf[kind]; number < end; number++) {
      if (realAt(visits, number) === 0) continue;
      const index = number - firstOf[kind];
      const predicted = use && predictedServerUse(use, kind, index, slotCount);
      found.push({
        ...placeOf(kind, index),
        visits: realAt(visits, number),
        waited: { cycles: realAt(waited, number), seconds: realAt(waited, number) * secondsPerCycle },
        utilisation: Math.min(1, realAt(busy, number) / Math.max(1, cycles)),
        ...(predicted !== undefined && { predicted }),
      });
    }
  }
  return found.sort((one, other) => other.utilisation - one.utilisation);
}

/** The hardware behind a queue pair is as busy as that. */
function predictedServerUse(use: PredictedUse, kind: ServerKind, index: number, slots: number): number | undefined {
  const [node, isIn] = [Math.floor(index / 2), index % 2 === 1];
  switch (kind) {
    case 'queuePair':
    case 'processing':
      return index < slots ? realAt(use.sending, index) : realAt(use.receiving, index - slots);
    case 'port':
      return realAt(isIn ? use.portIn : use.portOut, node);
    case 'switch':
      return realAt(isIn ? use.switchOut : use.switchIn, node);
    case 'memory':
      return realAt(use.memory, index);
    case 'cache':
      return undefined;
  }
}
