import type { OptionValues } from '../../model/catalogue.ts';
import type { Machine, MachineFigures } from '../../model/machine.ts';
import type { Shape } from '../../model/shape.ts';
import type { MachineDescription, TopologyRequest } from '../contract.ts';
import { buildMachine } from '../machine.ts';

export interface GridMachineOptions {
  readonly name?: string;
  readonly hosts?: number;
  readonly sockets?: number;
  readonly cores?: number;
  /** Axes in order of travel. */
  readonly order?: readonly number[];
  readonly figures?: MachineFigures;
  readonly faults?: MachineDescription['faults'];
  readonly gpus?: MachineDescription['gpus'];
}

/** What `topology torus 4 x 4` asks for, and nothing else. */
export const requestOf = (numbers: readonly number[], hosts?: number): TopologyRequest => ({
  argument: { kind: 'numbers', numbers },
  options: {},
  cables: [],
  hosts,
  fabric: undefined,
});

/** Describes `topology torus 4 x 4` or `hypercube 3` (`gridDescription('hypercube', [3])`). */
export function gridDescription(kind: string, argument: Shape, options: GridMachineOptions = {}): MachineDescription {
  const routingOptions: OptionValues = options.order ? { order: options.order } : {};
  return {
    name: options.name ?? 'test',
    topology: { name: kind, argument: { kind: 'numbers', numbers: argument }, options: {} },
    routing: { name: 'dimension-order', options: routingOptions },
    cables: [],
    ...(options.hosts === undefined ? {} : { hosts: options.hosts }),
    ...(options.faults && { faults: options.faults }),
    ...(options.gpus && { gpus: options.gpus }),
    socketsPerNode: options.sockets ?? 1,
    coresPerSocket: options.cores ?? 1,
    figures: options.figures ?? {},
  };
}

/** A machine for tests: `gridMachine('torus', [4, 4], { hosts: 2, cores: 4 })`; throws where it cannot be built. */
export function gridMachine(kind: string, argument: Shape, options: GridMachineOptions = {}): Machine {
  const built = buildMachine(gridDescription(kind, argument, options));
  if (!built.ok) throw new Error(built.failure.message);
  return built.value;
}

/** The machine with links of which `timeOf` says how many times as long as the fastest one they take for a byte. */
export function withLinkTimes(machine: Machine, timeOf: (link: number) => number): Machine {
  const times = Array.from({ length: machine.topology.links.linkCount }, (_, link) => timeOf(link));
  const kinds = [...new Set([1, ...times])];
  const classes = kinds.map((time) => ({ cables: 1, bandwidth: 4e9 / time }));
  return { ...machine, linkClasses: { classes, of: Int32Array.from(times, (time) => kinds.indexOf(time)) } };
}

/** What `bandwidth 5 GB/s, 7 GB/s` says of the axes of a grid. */
export const axisBandwidths = (...bandwidths: readonly number[]): Pick<MachineFigures, 'groups'> => ({
  groups: bandwidths.map((bandwidth, axis) => ({ group: { kind: 'axis', axis }, bandwidth })),
});
