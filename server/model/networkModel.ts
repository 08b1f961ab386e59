/**
 * How messages travel through a machine's network when they are simulated. A row of {@link networkRows} is all that is
 * said of a property of a `network` declaration: checker, completion, hovers, documentation, what can be varied and the
 * type of the model read it.
 */

/** Virtual channels of a link, at most: they are bits of a word. */
export const mostChannels = 30;

/** Packets of a queue where a model does not say. */
export const usualQueue = 4;

const mostCounted = 2 ** 31 - 1;

export const switchings = ['wormhole', 'cut-through', 'store-and-forward', 'flow', 'queueing'] as const;
export type Switching = (typeof switchings)[number];

/** Packets are switched as wholes. */
const ofPackets: readonly Switching[] = ['cut-through', 'store-and-forward'];
const routed: readonly Switching[] = ['wormhole', ...ofPackets];
const timed: readonly Switching[] = [...routed, 'flow'];
const ofServers: readonly Switching[] = ['queueing'];

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

/** What the phrases behind some properties say. */
interface PhraseValues {
  readonly delay: Delay;
  readonly bubble: Bubble;
  readonly packets: number;
}

export type PhraseKind = keyof PhraseValues;

export interface NetworkProperty {
  readonly word: string;
  /** Its key in the model, where that is not the word. */
  readonly key?: string;
  readonly summary: string;
  /** For words the choices say it. */
  readonly takes?: string;
  readonly example: string;
  readonly content:
    | { readonly form: 'integer' | 'number'; readonly minimum: number; readonly maximum: number }
    | { readonly form: 'size' | 'rate' }
    | { readonly form: 'word'; readonly choices: readonly string[] }
    | { readonly form: 'phrase'; readonly words: readonly string[]; readonly reads: PhraseKind };
  /** With which switching it means something. */
  readonly goesWith: readonly Switching[];
  /** With other switchings: why another property is meant, and how that is written. */
  readonly instead?: { readonly of: readonly Switching[]; readonly says: string; readonly written: string };
  /** Experiments can vary it: what it is counted in, and its limits where they are not whole numbers from 1 on. */
  readonly varies?: {
    readonly unit?: string;
    readonly limits?: { readonly minimum: number; readonly maximum: number; readonly says: string };
  };
}

const wholeNumber = { takes: 'a whole number' } as const;
const delay = {
  takes: 'a time or a number of `cycles`',
  content: { form: 'phrase', words: ['cycle', 'cycles', 'ns', 'us', 'ms', 's'], reads: 'delay' },
} as const;
const counted = { form: 'integer', minimum: 1, maximum: mostCounted } as const;

export const networkRows = [
  {
    word: 'packet',
    summary: 'Flits of a packet.',
    ...wholeNumber,
    example: 'packet 8',
    content: counted,
    goesWith: routed,
    varies: { unit: 'flits' },
  },
  {
    word: 'flit',
    summary: 'Bytes of a flit.',
    takes: 'a size',
    example: 'flit 4 B',
    content: { form: 'size' },
    goesWith: timed,
  },
  {
    word: 'buffer',
    summary: 'Flits that a channel buffers at each router.',
    ...wholeNumber,
    example: 'buffer 1',
    content: counted,
    goesWith: ['wormhole'],
    instead: {
      of: ofPackets,
      says: 'its queues are counted in packets, `queue 4 packets`',
      written: 'queue {number} packets',
    },
    varies: { unit: 'flits' },
  },
  {
    word: 'queue',
    summary: 'Packets that a channel queues at each router.',
    takes: 'a whole number and `packets`',
    example: 'queue 4 packets',
    content: { form: 'phrase', words: ['packet', 'packets'], reads: 'packets' },
    goesWith: ofPackets,
    instead: { of: ['wormhole'], says: 'its buffers are counted in flits, `buffer 4`', written: 'buffer {number}' },
    varies: { unit: 'packets' },
  },
  {
    word: 'channels',
    summary: 'Virtual channels of each link.',
    ...wholeNumber,
    example: 'channels 1',
    content: { form: 'integer', minimum: 1, maximum: mostChannels },
    goesWith: routed,
    varies: {},
  },
  {
    word: 'bubble',
    summary: 'Free packet buffers needed to enter a ring; `(here)`: in this router only.',
    takes: 'a whole number, and `(here)` behind it or nothing',
    example: 'bubble 2(here)',
    content: { form: 'phrase', words: ['here'], reads: 'bubble' },
    goesWith: ofPackets,
  },
  {
    word: 'router',
    summary: 'Time to route a header.',
    ...delay,
    example: 'router 3 cycles',
    goesWith: timed,
  },
  {
    word: 'link',
    summary: 'Time to cross a link (default: machine `latency`, otherwise 1 cycle; with `wormhole`: 1 cycle).',
    ...delay,
    example: 'link 1 cycle',
    goesWith: timed,
  },
  {
    word: 'routing',
    summary: 'Whether packets choose adaptively among the links of the routing.',
    example: 'routing adaptive',
    content: { form: 'word', choices: ['deterministic', 'adaptive'] },
    goesWith: routed,
  },
  {
    word: 'select',
    summary: 'Which of several links a packet takes.',
    example: 'select first-free',
    content: { form: 'word', choices: ['first-free', 'random', 'least-filled'] },
    goesWith: routed,
  },
  {
    word: 'arbiter',
    summary: 'Which of several packets gets a link.',
    example: 'arbiter round-robin',
    content: { form: 'word', choices: ['round-robin', 'first-come'] },
    goesWith: routed,
  },
  {
    word: 'ejection',
    summary: 'Whether a node takes one packet at a time or several.',
    example: 'ejection multiple',
    content: { form: 'word', choices: ['single', 'multiple'] },
    goesWith: routed,
  },
  {
    word: 'variation',
    key: 'serviceVariation',
    summary: 'Service-time variation of cluster servers: 0 (default) constant, 1 exponential.',
    takes: 'a coefficient of variation, from 0 to 100',
    example: 'variation 1',
    content: { form: 'number', minimum: 0, maximum: 100 },
    goesWith: ofServers,
    varies: { limits: { minimum: 0, maximum: 100, says: 'is a coefficient of variation: 0 to 100.' } },
  },
  {
    word: 'cache',
    summary: 'Copy rate within a socket for messages up to 1 MiB, instead of its memory rate.',
    takes: 'a rate',
    example: 'cache 8 GB/s',
    content: { form: 'rate' },
    goesWith: ofServers,
  },
] as const satisfies readonly NetworkProperty[];

type Row = (typeof networkRows)[number];
type KeyOf<Each> = Each extends { readonly key: infer Key extends string }
  ? Key
  : Each extends Row
    ? Each['word']
    : never;
type ValueOf<Content> = Content extends { readonly reads: infer Kind extends PhraseKind }
  ? PhraseValues[Kind]
  : Content extends { readonly choices: readonly (infer Word)[] }
    ? Word
    : number;

/** A `network` declaration as the checker gives it. What is absent was not written and has the default of the engine that reads it. */
export type NetworkModel = {
  /** Absent where an experiment writes it in place: `network wormhole(router 3)`. */
  readonly name?: string;
  readonly switching: Switching;
} & { readonly [Each in Row as KeyOf<Each>]?: ValueOf<Each['content']> };

export type NetworkRouting = NonNullable<NetworkModel['routing']>;
export type NetworkSelection = NonNullable<NetworkModel['select']>;
export type NetworkArbiter = NonNullable<NetworkModel['arbiter']>;
export type NetworkEjection = NonNullable<NetworkModel['ejection']>;

/** The rows, told apart by nothing but their columns. */
export const networkProperties: readonly NetworkProperty[] = networkRows;

/** A number of a model by the word of its property; undefined where it is not written. */
export function networkNumber(model: NetworkModel, { word, key = word }: NetworkProperty): number | undefined {
  const value = (model as Readonly<Record<string, unknown>>)[key];
  return typeof value === 'number' ? value : undefined;
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
