import { neverCancelled } from '../../model/cancellation.ts';
import { defaultOptions, findEntry } from '../../model/catalogue.ts';
import type { NetworkModel } from '../../model/networkModel.ts';
import type { Workload } from '../../model/workload.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { simulateWorkloads } from '../replay.ts';
import { skeletons } from '../workloads/catalogue.ts';

/** The network of Pascual et al. 2010: the defaults of their simulator, two channels. */
const torus2010: NetworkModel = {
  switching: 'cut-through',
  ...{ packet: 8, flit: 4, channels: 2, queue: 4, bubble: { packets: 2, here: true } },
  ...{ routing: 'adaptive', select: 'first-free', arbiter: 'round-robin', ejection: 'multiple' },
};

/** Iterations that fit the tables, the untimed one included where a benchmark has one. */
const iterations: Readonly<Record<string, number>> = { bt: 20, cg: 10, ft: 6, is: 10, lu: 20, mg: 10, sp: 20 };

/** What a benchmark of the papers' time sends. */
export function programOf(
  name: string,
  options: { readonly class: string; readonly tasks: number; readonly iterations?: number },
): Workload {
  const entry = findEntry(skeletons, name)!;
  const chosen = { class: options.class, version: 'npb2', iterations: options.iterations ?? iterations[name]! };
  const built = entry.build(options.tasks, { ...defaultOptions(entry), ...chosen }, neverCancelled);
  if (!built.ok) throw new Error(built.failure.message);
  return built.value;
}

/** Cycles until the last task has ended, on a square torus; tasks on slots 0, 1, 2 … where nothing else is said. */
export function makespanOf(workload: Workload, slotOfTask?: Int32Array, seed = 1): number {
  const side = Math.sqrt(workload.taskCount);
  const slots = slotOfTask ?? Int32Array.from({ length: workload.taskCount }, (_, task) => task);
  const machine = gridMachine('torus', [side, side]);
  const jobs = [{ kind: 'causal', workload, slotOfTask: slots }] as const;
  const result = simulateWorkloads({ model: torus2010, machine, seed, figures: 'few', jobs }, neverCancelled);
  if (!result.ok) throw new Error(result.failure.message);
  return result.value.makespan ?? Number.NaN;
}
