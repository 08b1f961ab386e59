/**
 * How messages travel through a machine's network when they are simulated: a `network` declaration as the checker
 * gives it. What is absent was not written and has the default of the engine that reads it.
 */
export interface NetworkModel {
  /** Absent where an experiment writes it in place: `network wormhole(router 3)`. */
  readonly name?: string;
  readonly switching: Switching;
  /** Flits of a packet. */
  readonly packet?: number;
  /** Bytes of a flit. */
  readonly flit?: number;
  /** Flits that a channel buffers at each router. */
  readonly buffer?: number;
  /** Packets that a channel queues at each router. */
  readonly queue?: number;
  /** Virtual channels of each link. */
  readonly channels?: number;
  /** Packets for which there must be room before a packet may enter a ring. */
  readonly bubble?: Bubble;
  /** To route a header. */
  readonly router?: Delay;
  /** To cross a link. */
  readonly link?: Delay;
  readonly routing?: NetworkRouting;
  readonly select?: NetworkSelection;
  readonly arbiter?: NetworkArbiter;
  readonly ejection?: NetworkEjection;
  /** `queueing`: coefficient of variation of times of service: 0 constant, 1 exponential, else a gamma distribution. */
  readonly serviceVariation?: number;
  /** `queueing`: bytes per second of the cache that messages of up to 1 MiB take within a socket; none where absent. */
  readonly cache?: number;
}

/** Virtual channels of a link, at most: they are bits of a word. */
export const mostChannels = 30;

/** Packets of a queue where a model does not say. */
export const usualQueue = 4;

export const switchings = ['wormhole', 'cut-through', 'store-and-forward', 'flow', 'queueing'] as const;
export type Switching = (typeof switchings)[number];

export const networkRoutings = ['deterministic', 'adaptive'] as const;
export type NetworkRouting = (typeof networkRoutings)[number];

export const networkSelections = ['first-free', 'random', 'least-filled'] as const;
export type NetworkSelection = (typeof networkSelections)[number];

export const networkArbiters = ['round-robin', 'first-come'] as const;
export type NetworkArbiter = (typeof networkArbiters)[number];

export const networkEjections = ['single', 'multiple'] as const;
export type NetworkEjection = (typeof networkEjections)[number];

/** Cycles are related to seconds by the bandwidth of the machine. */
export interface Delay {
  readonly unit: 'cycles' | 'seconds';
  readonly amount: number;
}

/** `here`: the room must be in the router itself, and not in the next one. */
export interface Bubble {
  readonly packets: number;
  readonly here: boolean;
}

/** What streams cannot be simulated with, as it is written: they know wormhole switching with one channel. Undefined where there is nothing. */
export function beyondStreams(model: NetworkModel): string | undefined {
  const { switching, channels = 1, queue, bubble, routing, select, arbiter, ejection, link } = model;
  if (switching !== 'wormhole') return `switching ${switching}`;
  if (channels !== 1) return `channels ${channels}`;
  if (queue !== undefined) return 'queue';
  if (bubble !== undefined) return 'bubble';
  if (routing === 'adaptive') return 'routing adaptive';
  if (select !== undefined) return `select ${select}`;
  if (arbiter === 'round-robin') return 'arbiter round-robin';
  if (ejection === 'multiple') return 'ejection multiple';
  if (link !== undefined && !(link.unit === 'cycles' && link.amount === 1)) return 'link';
  return undefined;
}
