/** Machines by themselves, for who looks at one before placing anything on it: built from a checked program, with their figures. */
import { machinePicture } from '../drawing/machine.ts';
import type { Scene } from '../drawing/scene.ts';
import { filesOfMachine } from '../language/fileNeeds.ts';
import type { Cancellation } from '../model/cancellation.ts';
import type { Fabric } from '../model/fabric.ts';
import type { Machine } from '../model/machine.ts';
import { type Failure, type Result, succeed } from '../model/result.ts';
import type { MachineDescription, MachineFiles } from '../network/contract.ts';
import { fabricOfMachine } from '../network/fabricParts.ts';
import { buildMachine } from '../network/machine.ts';
import { machineFigures, type MachineFigures } from '../study/machineFigures.ts';
import { type FileMemory, readStudyFiles } from './evaluation.ts';
import type { ReadPolicy } from './platform.ts';

/** A machine as it is built from its declaration and its files. */
export interface KnownMachine {
  readonly machine: Machine;
  readonly figures: MachineFigures;
  readonly fabric?: Fabric;
  /** Why no job can run on it: it is in several parts, and is shown all the same. */
  readonly fault?: Failure;
}

/** Machines that are kept, with their figures: those that were looked at last. */
const mostKept = 4;

/** Builds machines, and keeps those that were looked at last as long as their text and their files are the same. */
export class MachineReader {
  readonly #memory: FileMemory;
  readonly #known = new Map<string, { readonly made: readonly unknown[]; readonly machine: KnownMachine }>();

  constructor(memory: FileMemory) {
    this.#memory = memory;
  }

  /** Fails as reading its files does and as building it does, but for a network in several parts. */
  async read(
    uri: string,
    description: MachineDescription,
    policy: ReadPolicy,
    cancellation: Cancellation,
  ): Promise<Result<KnownMachine>> {
    const key = JSON.stringify([uri, description.name]);
    const needs = filesOfMachine(description);
    this.#memory.need(`machine ${key}`, needs);
    const files = await readStudyFiles(needs, policy, this.#memory, cancellation);
    const { argument, format } = description.topology;
    const fabric = argument?.kind === 'file' ? files.fabric(argument.uri, format) : undefined;
    const node = description.nodeFile === undefined ? undefined : files.nodeShape(description.nodeFile);
    const { argument: dump, format: dumpFormat } = description.routing ?? {};
    const forwarding = dump?.kind === 'file' ? files.forwarding(dump.uri, dumpFormat) : undefined;
    const made = [
      JSON.stringify(description),
      contentOrMessage(fabric),
      contentOrMessage(forwarding),
      contentOrMessage(node),
    ];
    const known = this.#known.get(key);
    this.#known.delete(key);
    if (known?.made.every((part, index) => part === made[index]) === true) {
      this.#known.set(key, known);
      return succeed(known.machine);
    }
    const part = fabricOfMachine(description, files);
    const machine = knownMachine(description, files, part?.ok === true ? part.value : undefined, cancellation);
    if (!machine.ok || cancellation.isCancelled()) return machine;
    this.#known.set(key, { made, machine: machine.value });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= mostKept) break;
      this.#known.delete(oldest);
      this.#memory.need(`machine ${oldest}`, []);
    }
    return machine;
  }
}

function knownMachine(
  description: MachineDescription,
  files: MachineFiles,
  fabric: Fabric | undefined,
  cancellation: Cancellation,
): Result<KnownMachine> {
  const whole = buildMachine(description, files, cancellation);
  const isParted = !whole.ok && whole.failure.code === 'disconnected';
  const built = isParted ? buildMachine(description, files, cancellation, { partsAllowed: true }) : whole;
  if (!built.ok) return built;
  return succeed({
    machine: built.value,
    figures: machineFigures(built.value, cancellation, fabric),
    ...(fabric && { fabric }),
    ...(isParted && { fault: whole.failure }),
  });
}

/** The same object as long as a file has not changed. */
const contentOrMessage = (content: Result<unknown> | undefined): unknown =>
  content === undefined ? undefined : content.ok ? content.value : content.failure.message;

/** Its picture; fails where it is too large to be drawn. */
export const sceneOfMachine = ({ machine, figures, fabric }: KnownMachine): Result<Scene> =>
  machinePicture(machine, figures, fabric);
