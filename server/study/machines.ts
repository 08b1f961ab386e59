import type { Machine } from '../model/machine.ts';
import type { Result } from '../model/result.ts';
import type { MachineDescription } from '../network/contract.ts';
import { machineFactsOf } from '../network/facts.ts';
import { buildMachine } from '../network/machine.ts';
import { notEvaluatedYet, problemAt } from './problems.ts';
import type { MachineFacts } from './report.ts';
import type { Run } from './run.ts';

/** Everything a machine depends on, as text. */
export const machineKey = (description: MachineDescription): string => JSON.stringify(description);

/**
 * All machines of the program, by name. One that cannot be built is reported here, once; what
 * this version cannot evaluate is left to the placements that need it.
 */
export function buildMachines(run: Run): ReadonlyMap<string, Result<Machine>> {
  const built = new Map<string, Result<Machine>>();
  for (const [name, description] of run.program.machines) {
    const key = machineKey(description);
    const machine = run.context.cache.machines.get(key) ?? buildMachine(description);
    run.context.cache.machines.set(key, machine);
    built.set(name, machine);
    if (!machine.ok && machine.failure.code !== notEvaluatedYet) {
      run.problems.add(problemAt(machine.failure, { kind: 'machine', name, property: 'topology' }));
    }
  }
  return built;
}

/** Facts for hovers of every machine that stands; fewer where the run is cancelled. */
export function machineFacts(run: Run, machines: ReadonlyMap<string, Result<Machine>>): readonly MachineFacts[] {
  const { cache, cancellation } = run.context;
  const facts: MachineFacts[] = [];
  for (const [name, machine] of machines) {
    if (!machine.ok) continue;
    const key = machineKey(run.program.machines.get(name)!);
    const known = cache.machineFacts.get(key) ?? machineFactsOf(machine.value, cancellation);
    if (cancellation.isCancelled()) return facts;
    cache.machineFacts.set(key, known);
    facts.push(known);
  }
  return facts;
}
