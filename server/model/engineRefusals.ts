/**
 * Why an engine does not simulate a network on a machine: as data, with the names and numbers concerned. The engines
 * know no sentences; the table here words each refusal once, and {@link EngineRefusal} is made of its rows.
 */
import { countOf, formatNumber } from './quantities.ts';
import { fail, type Failure } from './result.ts';

/** The network as the user calls it. */
interface OfNetwork {
  readonly network: string;
}

interface OnMachine extends OfNetwork {
  readonly machine: string;
}

/** A number of so many, of which there may be at most `most`. */
interface TooMany extends OfNetwork {
  readonly count: number;
  readonly most: number;
}

/** A number out of its range. */
interface FlitOption {
  readonly word: 'channels' | 'buffer' | 'router' | 'link';
  readonly value: number;
  readonly least: number;
  readonly most: number;
}

const rangesOfFlits: Readonly<Record<FlitOption['word'], (range: string) => string>> = {
  channels: (range) => `${range} channels`,
  buffer: (range) => `buffers of ${range} flits on this machine`,
  router: (range) => `routers of ${range} cycles`,
  link: (range) => `links of ${range} cycles`,
};

/** `clause` has no full stop. */
const inNetwork = ({ network }: OfNetwork, clause: string): string => `Network \`${network}\`: ${clause}.`;

const refusalTexts = {
  /** A routing over intermediate nodes. */
  'no-fixed-routes': ({ routing, machine }: { readonly routing: string; readonly machine: string }) =>
    `Routing \`${routing}\` of machine \`${machine}\` is not simulated: it uses intermediate nodes. Write \`routing minimal\`; placements show its link loads.`,
  'several-rails': (one: OnMachine) =>
    inNetwork(
      one,
      `nodes of machine \`${one.machine}\` have several rails, but its servers model one NIC. Use another \`switching\``,
    ),
  'slow-interface': (one: OnMachine) =>
    inNetwork(
      one,
      `nodes of machine \`${one.machine}\` share the router and send at link bandwidth. Use \`switching flow\`, or remove \`interface\``,
    ),
  /** A delay of so many seconds, where no bandwidth says how long a cycle is. */
  'delay-without-bandwidth': (one: OnMachine & { readonly word: string }) =>
    inNetwork(
      one,
      `\`${one.word}\` in seconds needs a \`bandwidth\` of machine \`${one.machine}\`. Add it, or use cycles`,
    ),
  'long-delay': (one: TooMany & { readonly word: string }) =>
    inNetwork(one, `\`${one.word}\` takes ${formatNumber(one.count)} cycles; the maximum is ${formatNumber(one.most)}`),
  'no-delay': (one: OfNetwork) => inNetwork(one, '`router` plus `link` must be at least 1 cycle'),
  /** Queues of wormhole switching flit by flit. */
  'too-much-memory': (one: OfNetwork & { readonly links: number; readonly channels: number }) =>
    inNetwork(
      one,
      `its ${formatNumber(one.links)} links with ${countOf(one.channels, 'channel')} each need more than 1 GiB of memory. Use a smaller machine, fewer channels or \`switching flow\``,
    ),
  'many-queues': (one: TooMany) =>
    inNetwork(one, `it has ${formatNumber(one.count)} queues; the maximum is ${formatNumber(one.most)}`),
  'many-queues-of-router': (one: OfNetwork & { readonly count: number }) =>
    inNetwork(
      one,
      `${formatNumber(one.count)} of its queues are at one router, which is too many. Use \`switching flow\`, or fewer channels`,
    ),
  'long-routes': (one: OnMachine & { readonly routing: string; readonly steps: number }) =>
    inNetwork(
      one,
      `routing \`${one.routing}\` of machine \`${one.machine}\` has routes of ${formatNumber(one.steps)} steps, too long to save. Use \`switching wormhole\`, \`switching flow\` or routing \`minimal\``,
    ),
  'many-channels': (one: TooMany) =>
    inNetwork(one, `\`channels ${one.count}\` is too large; the maximum is ${one.most}`),
  'long-packet': (one: TooMany) =>
    inNetwork(one, `\`packet ${one.count}\` is too long; the maximum is ${formatNumber(one.most)} flits`),
  'slow-link': (one: OnMachine & TooMany) =>
    inNetwork(
      one,
      `a packet takes ${formatNumber(one.count)} cycles on the slowest link of machine \`${one.machine}\`; the maximum is ${formatNumber(one.most)}`,
    ),
  'bubble-without-rings': (one: OnMachine) =>
    inNetwork(
      one,
      `\`bubble\` needs torus rings and \`dimension-order\`, which machine \`${one.machine}\` does not have. Remove it`,
    ),
  'large-bubble': (one: OfNetwork & { readonly packets: number; readonly queue: number }) =>
    inNetwork(one, `\`bubble\` of ${one.packets} packets exceeds a queue of ${one.queue}`),
  /** An option of wormhole switching flit by flit. */
  'flit-option': ({ word, value, least, most }: FlitOption) =>
    `Wormhole switching needs ${rangesOfFlits[word](`${least} to ${formatNumber(most)}`)}, found ${value}. Change \`${word}\` of the network.`,
  'slow-flit': ({ cycles, machine }: { readonly cycles: number; readonly machine: string }) =>
    `A flit may take at most 1,048,576 cycles on the slowest link, not ${formatNumber(cycles)}. Change the bandwidths of machine \`${machine}\`.`,
  'header-delay': ({ value, most }: { readonly value: number; readonly most: number }) =>
    `The header delay must be 0 to ${most} whole cycles, not ${value}.`,
  'channel-buffer': ({ value, most }: { readonly value: number; readonly most: number }) =>
    `The channel buffer must hold 1 to ${most} whole flits, not ${value}.`,
  'several-switches': ({ machine, routers }: { readonly machine: string; readonly routers: number }) =>
    `The queueing model needs one switch; \`${machine}\` has ${routers} routers. Use \`topology cluster(N)\`, or another \`switching\`.`,
  'service-variation': ({ value }: { readonly value: number }) =>
    `The variation of service times is ${value}; it must be 0 to 100.`,
  'cache-bandwidth': ({ value }: { readonly value: number }) =>
    `The cache bandwidth is ${value} B/s; it must be above 0.`,
} satisfies Readonly<Record<string, (refusal: never) => string>>;

type RefusalKind = keyof typeof refusalTexts;

/** Its kind, and what its row of the table needs to say so. */
export type EngineRefusal = {
  readonly [Kind in RefusalKind]: { readonly kind: Kind } & Parameters<(typeof refusalTexts)[Kind]>[0];
}[RefusalKind];

/** Options of the engine that are no whole numbers in their range; a file cannot write them. */
const ofCounts: ReadonlySet<RefusalKind> = new Set(['header-delay', 'channel-buffer']);

/** A refusal in words: the failure of an engine that is not made. */
export function refuseNetwork(refusal: EngineRefusal): { readonly ok: false; readonly failure: Failure } {
  // A refusal is what the row of its kind takes, which the compiler sees of one kind at a time alone.
  const textOf = refusalTexts[refusal.kind] as (one: EngineRefusal) => string;
  return fail(ofCounts.has(refusal.kind) ? 'invalid-count' : 'bad-network', textOf(refusal));
}
