/**
 * The kernel of packet events (`kernels/packets`), compiled once, and the memory that one network of it lives in.
 */
import { neverCancelled } from '../../../model/cancellation.ts';
import { asRouterId } from '../../../model/identifiers.ts';
import type { Machine } from '../../../model/machine.ts';
import type { MessageObserver } from '../../messages.ts';
import { optionReads, packetKernel } from './packetKernel.ts';

/** Bytes that are copied between two looks at the cancellation: some milliseconds. */
const bytesPerLook = 2 ** 23;

/** Why the kernel has returned. */
export const reasons = { reached: 0, events: 1, deadlock: 2, looks: 3, needsMemory: 4 } as const;

/** The options of `kernels/packets/options.ts`. */
export type KernelOptions = Readonly<Record<(typeof optionNames)[number], number | boolean>>;

/** What packets do, and of what there is little: see {@link kernelFor}. */
const ruleNames = [
  ...(['flits', 'channels', 'capacity', 'router', 'hopDelay', 'linkDelay'] as const),
  ...(['hasBubble', 'bubble', 'bubbleIsHere', 'isAdaptive', 'isFirstFree', 'isRandom', 'isFirstCome'] as const),
  ...(['isSingle', 'isStored', 'isUneven', 'isObserved', 'tellsSent', 'hasOneOption', 'isOffered', 'isLarge'] as const),
  ...(['isGrid', 'isFixed', 'axes', 'escapeChannels', 'portWords', 'stepWords'] as const),
];

const optionNames = [
  ...ruleNames,
  ...(['seed', 'queueCount', 'linkQueues', 'nodeCount', 'linkCount', 'routerLinks', 'stationCount'] as const),
  ...(['mostOptions', 'slotCount', 'stateCount', 'stepCount', 'rowCount'] as const),
];

/** What the kernel does, by the names and in the words of its files. Numbers below 0 are none. */
export interface PacketKernel {
  readonly advance: (to: number) => number;
  readonly send: (from: number, to: number, packets: number, start: number) => number;
  readonly keepSteps: (router: number) => void;
  // Who waits.
  readonly headOf: (queue: number) => number;
  readonly firstSinceOf: (queue: number) => number;
  readonly nodeOfFirst: (queue: number) => number;
  readonly serialOfFirst: (queue: number) => number;
  readonly messageOfFirst: (queue: number) => number;
  readonly grantedTo: (queue: number) => number;
  readonly countOptions: (queue: number) => number;
  readonly optionOf: (index: number) => number;
  readonly optionHasRoom: (index: number) => number;
  readonly blockerOf: (index: number) => number;
  readonly linkOf: (queue: number) => number;
  readonly channelOf: (queue: number) => number;
  // Tables.
  readonly layOut: () => number;
  readonly extendTo: (bytes: number) => void;
  readonly placeTimes: (link: number, packet: number, flitLess1: number) => void;
  readonly placeQueue: (
    queue: number,
    link: number,
    station: number,
    port: number,
    before: number,
    own: number,
  ) => void;
  readonly placePort: (place: number, queue: number) => void;
  readonly placeStation: (station: number, firstPort: number, router: number, uplink: number, downlink: number) => void;
  readonly placeAxis: (axis: number, side: number, isRing: number, shift: number, bits: number) => void;
  readonly placePosition: (node: number, axis: number, position: number) => void;
  readonly placeRouter: (router: number, axis: number, position: number, onwards: number, back: number) => void;
  readonly placeState: (state: number, first: number) => void;
  readonly placeStep: (step: number, link: number, to: number) => void;
  readonly hasStep: (step: number) => number;
  readonly addSteps: (count: number) => number;
  readonly finish: () => void;
}

// As much of WebAssembly as is used here: neither the editors nor Node are known in this room, but all that run it have this.
interface Memory {
  readonly buffer: ArrayBuffer;
}
interface Engine {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (size: { readonly initial: number }) => Memory;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
}
const { WebAssembly: webAssembly } = globalThis as unknown as { readonly WebAssembly: Engine };

const pageBytes = 2 ** 16;
/** The instruction of WebAssembly. */
const i32Const = 0x41;
/** Where the kernel writes what is read after each advance: the beginning of its `Engine`. */
const resultsAt = 64;

/** Modules by their options, the last ones that were asked for. */
const compiled = new Map<string, object>();
const mostCompiled = 16;

/**
 * The kernel for some options, as constants of its code where they are small, so that it is compiled without what others need: `global.get` of one
 * of the first 128 variables and `i32.const` of a number below 64 are two bytes each.
 */
function kernelFor(options: KernelOptions): object {
  const constants = ruleNames.filter((name) => Number(options[name]) < 64);
  const key = constants.map((name) => `${name} ${Number(options[name])}`).join(' ');
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const bytes = base64Bytes(packetKernel);
  for (const line of optionReads.split('\n')) {
    const [name, ...places] = line.split(' ');
    const constant = constants.find((each) => each === name);
    if (constant === undefined) continue;
    for (const place of places) bytes.set([i32Const, Number(options[constant])], Number(place));
  }
  const made = new webAssembly.Module(bytes);
  if (compiled.size === mostCompiled) compiled.delete(compiled.keys().next().value ?? '');
  compiled.set(key, made);
  return made;
}

/** The kernel of one network, and its memory. */
export class PacketMemory {
  kernel: PacketKernel;
  /** The first entry is the cycle that the network has come to. */
  clock = new Float64Array(1);
  /** Messages of this cycle: how many were sent and how many have arrived, and where their numbers stand among the `words`. */
  messages = new Int32Array(3);
  words = new Int32Array(0);
  #memory: Memory;
  readonly #options: KernelOptions;
  readonly #module: object;
  readonly #imports: object;

  constructor(machine: Machine, options: KernelOptions, observer: MessageObserver) {
    this.#options = options;
    this.#module = kernelFor(options);
    this.#imports = {
      observer: {
        delivered: (message: number, created: number, arrived: number, hops: number) =>
          observer.delivered?.(message, created, arrived, hops, flits),
        crossed: (link: number, start: number, cycles: number, message: number) =>
          observer.crossed?.(link, start, cycles, message),
        waited: (channel: number, start: number, cycles: number, message: number) =>
          observer.waited?.(channel, start, cycles, message),
      },
      graph: {
        writeDistances: (router: number, address: number) => {
          const row = machine.routing.stepsTo(asRouterId(router));
          if (row === undefined) throw new RangeError('A routing with a graph has distances.');
          new Uint16Array(this.#memory.buffer, address, row.length).set(row);
        },
      },
    };
    const flits = Number(options.flits);
    this.#memory = new webAssembly.Memory({ initial: 1 });
    this.kernel = this.#load();
    this.#extend(this.kernel.layOut() + 64 * Number(options.nodeCount) + pageBytes);
  }

  get bytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Half as much memory again; false where it was cancelled, and all is as it was. */
  grow(cancellation = neverCancelled): boolean {
    return this.#extend(this.#memory.buffer.byteLength * 1.5, cancellation);
  }

  /**
   * A longer memory is a new one with what the old one held, under a new instance of the kernel. To let a memory grow in place would
   * detach its buffer, and from then on every access to a typed array of the process asks whether its memory is still there.
   */
  #extend(bytes: number, cancellation = neverCancelled): boolean {
    const old = new Uint8Array(this.#memory.buffer);
    const longer = new webAssembly.Memory({ initial: Math.ceil(bytes / pageBytes) });
    const copy = new Uint8Array(longer.buffer);
    for (let begin = 0; begin < old.length; begin += bytesPerLook) {
      if (cancellation.isCancelled()) return false;
      copy.set(old.subarray(begin, begin + bytesPerLook), begin);
    }
    this.#memory = longer;
    this.kernel = this.#load();
    this.kernel.extendTo(this.#memory.buffer.byteLength);
    return true;
  }

  #load(): PacketKernel {
    const { exports } = new webAssembly.Instance(this.#module, { ...this.#imports, env: { memory: this.#memory } });
    this.clock = new Float64Array(this.#memory.buffer, resultsAt, 1);
    this.messages = new Int32Array(this.#memory.buffer, resultsAt + 8, 3);
    this.words = new Int32Array(this.#memory.buffer);
    const globals = exports as Readonly<Record<string, { value: number }>>;
    for (const name of optionNames) globals[name]!.value = Number(this.#options[name]);
    // The object of exports is a dictionary, which each call would look into; a copy has its functions at fixed places.
    return Object.fromEntries(Object.entries(exports)) as unknown as PacketKernel;
  }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** What stands in lines of base 64. */
function base64Bytes(lines: string): Uint8Array {
  const text = lines.replace(/[^A-Za-z0-9+/]/g, '');
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let bits = 0;
  for (let place = 0, byte = 0; byte < bytes.length; place++) {
    bits = (bits << 6) | alphabet.indexOf(text.charAt(place));
    if (place % 4 !== 0) bytes[byte++] = bits >> (6 - 2 * (place % 4));
  }
  return bytes;
}
