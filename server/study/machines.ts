import type { Fabric } from '../model/fabric.ts';
import { linkLimit, slotLimit, type Machine } from '../model/machine.ts';
import type { Result } from '../model/result.ts';
import type { MachineDescription } from '../network/contract.ts';
import { machineFactsOf } from '../network/facts.ts';
import { buildMachine, measureMachine } from '../network/machine.ts';
import type { StudyCache } from './cache.ts';
import { keepDistances } from './distances.ts';
import { fingerprintOfText } from './fingerprint.ts';
import { machineDetails } from './machineDetails.ts';
import { problemsOfMachine, problemsOfRouting } from './machineProblems.ts';
import { machineClaim } from './memory.ts';
import type { MachineFacts } from './report.ts';
import type { Run } from './run.ts';

/** Everything a machine depends on, as text: its declaration and what its files hold. */
export function machineKey({ files, context }: Run, description: MachineDescription): string {
  const { topology, nodeFile } = description;
  const fabric = topology.argument?.kind === 'file' ? files.fabric(topology.argument.uri, topology.format) : undefined;
  const node = nodeFile === undefined ? undefined : files.nodeShape(nodeFile);
  return JSON.stringify([description, contentOf(context.cache, fabric), node]);
}

/** A fabric can have thousands of cables: its text is hashed once for each time its file is read. */
function contentOf({ fingerprints }: StudyCache, fabric: Result<Fabric> | undefined): string | undefined {
  if (fabric === undefined) return undefined;
  const held = fabric.ok ? fabric.value : fabric.failure;
  const content = fingerprints.get(held) ?? fingerprintOfText(JSON.stringify(held));
  fingerprints.set(held, content);
  return content;
}

/**
 * All machines of the program, by name. One that cannot be built is reported here, once; what
 * this version cannot evaluate is left to the placements that need it.
 */
export function buildMachines(run: Run): ReadonlyMap<string, Result<Machine>> {
  const built = new Map<string, Result<Machine>>();
  for (const [name, description] of run.program.machines) {
    const key = machineKey(run, description);
    const machine = memoryRefusal(run, description, key) ?? rememberedMachine(run, description, key);
    built.set(name, machine);
    if (machine.ok) keepDistances(run.context.cache, machine.value);
    for (const problem of problemsOfMachine(run, description, machine)) run.problems.add(problem);
  }
  return built;
}

/** A machine whose declaration says how large it is must fit in memory beside those before it. */
function memoryRefusal(
  { files, memory }: Run,
  description: MachineDescription,
  key: string,
): Result<never> | undefined {
  const size = measureMachine(description, files);
  // What is above the limits of a machine is refused with those.
  if (size === undefined || size.slots > slotLimit || size.links > linkLimit) return undefined;
  const failure = memory.claim(`Machine \`${description.name}\``, [machineClaim(key, size, description)]);
  return failure && { ok: false, failure };
}

function rememberedMachine({ files, context }: Run, description: MachineDescription, key: string): Result<Machine> {
  const { machines } = context.cache;
  const machine = machines.get(key) ?? buildMachine(description, files);
  machines.set(key, machine);
  return machine;
}

/** Facts for hovers of every machine that stands; fewer where the run is cancelled. */
export function machineFacts(run: Run, machines: ReadonlyMap<string, Result<Machine>>): readonly MachineFacts[] {
  const { cache, cancellation } = run.context;
  const facts: MachineFacts[] = [];
  for (const [name, machine] of machines) {
    if (!machine.ok) continue;
    const description = run.program.machines.get(name)!;
    const key = machineKey(run, description);
    const known = cache.machineFacts.get(key) ?? factsOf(run, description, machine.value);
    if (cancellation.isCancelled()) return facts;
    cache.machineFacts.set(key, known);
    for (const problem of problemsOfRouting(description, known)) run.problems.add(problem);
    facts.push(known);
  }
  return facts;
}

const factsOf = (run: Run, description: MachineDescription, machine: Machine): MachineFacts => ({
  ...machineFactsOf(machine, run.context.cancellation),
  details: machineDetails(run, description, machine),
});
