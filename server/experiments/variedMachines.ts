/** The machines of an experiment, which its points name and vary. */
import type { Choice } from '../model/catalogue.ts';
import type { Cancellation } from '../model/cancellation.ts';
import { namesOfChoices, type ExperimentDescription } from '../model/experiment.ts';
import type { Machine } from '../model/machine.ts';
import { cancelledCode, type Result } from '../model/result.ts';
import { machineWithNumber, type MachineDescription, type MachineFiles } from '../network/contract.ts';
import { buildMachine } from '../network/machine.ts';
import { itemAt } from '../numeric/elements.ts';
import { variedAt, type Point } from './plan.ts';

/** The machines of an experiment, at each value of what is varied of them. */
export class VariedMachines {
  /** At least one, the first where points name none. */
  readonly #descriptions: readonly MachineDescription[];
  readonly #files: MachineFiles;
  readonly #routings: ReadonlyMap<string, Choice>;
  readonly #varied: Pick<ExperimentDescription, 'vary'>;
  readonly #built = new Map<string, Result<Machine>>();

  constructor(
    descriptions: readonly MachineDescription[],
    files: MachineFiles,
    { vary, routing = [] }: Pick<ExperimentDescription, 'vary' | 'routing'>,
  ) {
    this.#descriptions = descriptions;
    this.#files = files;
    this.#routings = namesOfChoices(routing);
    this.#varied = { vary };
  }

  /** Those that take the place of the machines' own, by the names of rows. */
  get routings(): readonly string[] {
    return [...this.#routings.keys()];
  }

  descriptionAt({ values, machine, routing: routingName = '' }: Point): MachineDescription {
    let description = this.#descriptions.find(({ name }) => name === machine) ?? itemAt(this.#descriptions, 0);
    const routing = this.#routings.get(routingName);
    if (routing !== undefined) description = { ...description, routing };
    return variedAt(this.#varied, values, description, machineWithNumber);
  }

  /** Fails as a machine does that cannot be built, and with `cancelled`. */
  at(point: Point, stop: Cancellation): Result<Machine> {
    const description = this.descriptionAt(point);
    const key = JSON.stringify(description);
    const known = this.#built.get(key);
    if (known !== undefined) return known;
    const built = buildMachine(description, this.#files, stop);
    if (built.ok || built.failure.code !== cancelledCode) this.#built.set(key, built);
    return built;
  }
}
