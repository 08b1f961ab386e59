/**
 * The queues of packet events and the outputs that lead to them: what room there is, who sleeps until there is some, and who asks in the
 * next cycle.
 */
import type { Bubble } from '../../model/networkModel.ts';
import { intAt } from '../../numeric/elements.ts';
import { headStates, outputBits, queueWords } from './packetRecords.ts';
import type { Grid, Stations } from './packetRoutes.ts';

const none = -1;

const { asks, sleeps } = headStates;
const { shift, firstOf, lastOf, does, room, inStart, output, moving, holder, lastWinner, candidate } = queueWords;
const { sleepers, bubbleSleepers, linkOf, channelOf, portOf, portsOf, ownOf, afterOf, beginOf, blockOf } = queueWords;

const { hasPlace, hasBubblePlace, isFree } = outputBits;

interface QueueOptions {
  readonly channels: number;
  /** Packets of a queue. */
  readonly capacity: number;
  readonly bubble: Bubble | undefined;
  readonly isAdaptive: boolean;
}

export class PacketQueues {
  readonly count: number = 0;
  /** Queues of links; those of nodes come behind them. */
  readonly ofLinks: number = 0;
  /** Their records. */
  readonly words: Int32Array = new Int32Array(0);
  /** What each output has: bits. */
  readonly status: Uint8Array = new Uint8Array(0);
  readonly bubbleIsHere: boolean = false;
  /** Queues that ask in the next cycle. */
  asking: Int32Array = new Int32Array(0);
  askingCount = 0;
  readonly #stations: Stations;
  readonly #bubble: number = 0;
  /** First channel whose sleepers turn to other options when it has no room: the escape channel of a grid has its turn in any case. */
  readonly #firstOfTurn: number = 0;
  /** Words for the ports of a station, and, where that are several, the ports that sleep: of each queue, then of each own queue. */
  readonly #sleepWords: number = 0;
  readonly #manySleepers: Int32Array = new Int32Array(0);
  #spareList: Int32Array = new Int32Array(0);

  constructor(stations: Stations, grid: Grid | undefined, options: QueueOptions) {
    const { channels, bubble, isAdaptive } = options;
    this.#stations = stations;
    this.#bubble = bubble?.packets ?? 0;
    this.bubbleIsHere = bubble?.here ?? true;
    this.#firstOfTurn = isAdaptive && grid !== undefined && channels > 1 ? 1 : 0;
    // As 32 bits, so that no engine takes them for doubles.
    this.ofLinks = (stations.linkCount * channels) | 0;
    this.count = stations.ofQueue.length;
    this.words = new Int32Array(this.count << shift);
    this.status = new Uint8Array(this.count).fill(isFree);
    this.asking = new Int32Array(this.count);
    this.#spareList = new Int32Array(this.count);
    this.#sleepWords = Math.ceil(mostPortsOf(stations) / 32);
    this.#manySleepers = new Int32Array(this.#sleepWords === 1 ? 0 : 2 * this.count * this.#sleepWords);
    this.#fill(grid, options);
  }

  #fill(grid: Grid | undefined, { channels, capacity }: QueueOptions): void {
    const { ofQueue, portOfQueue, firstQueue, linkCount } = this.#stations;
    const { words } = this;
    const block = optionsOf(grid, channels);
    for (let queue = 0; queue < this.count; queue++) {
      const record = queue << shift;
      const isOfLink = queue < this.ofLinks;
      const link = isOfLink ? Math.floor(queue / channels) : linkCount + queue - this.ofLinks;
      const before = this.#bubble > 0 && isOfLink ? (grid?.before[link] ?? none) : none;
      const station = intAt(ofQueue, queue);
      for (const word of [firstOf, lastOf, output, moving, holder, lastWinner, candidate, afterOf]) {
        words[record + word] = none;
      }
      words[record + room] = capacity;
      words[record + inStart] = none - 1;
      words[record + linkOf] = link;
      words[record + channelOf] = isOfLink ? queue - link * channels : 0;
      words[record + portOf] = intAt(portOfQueue, queue);
      words[record + portsOf] = intAt(firstQueue, station + 1) - intAt(firstQueue, station);
      words[record + ownOf] = before === none ? none : before * channels + (queue - link * channels);
      words[record + beginOf] = queue * block;
      words[record + blockOf] = block;
    }
    for (let queue = 0; queue < this.count; queue++) {
      const own = intAt(words, (queue << shift) + ownOf);
      if (own !== none) words[(own << shift) + afterOf] = queue;
      this.#note(queue);
    }
  }

  /** Whether a channel, or the complement of one that is entered by the rule of the bubble, takes a packet. */
  hasRoom(option: number): boolean {
    return (this.status[option ^ (option >> 31)]! & (1 << (option >>> 31))) !== 0;
  }

  /** A queue asks in the next cycle. */
  askNext(queue: number): void {
    this.asking[this.askingCount++] = queue;
  }

  /** The queues that ask in this cycle, `askingCount` of them before the call; the list is empty then. */
  takeAsking(): Int32Array {
    const list = this.asking;
    this.asking = this.#spareList;
    this.#spareList = list;
    this.askingCount = 0;
    return list;
  }

  /** A queue has a place more or less: 1 or −1. Whether that changes what its output or the next one of its ring has. */
  changeRoom(queue: number, change: number): boolean {
    const { words } = this;
    const own = queue << shift;
    const places = words[own + room]! + change;
    words[own + room] = places;
    const larger = change > 0 ? places : places + 1;
    if (larger !== 1 && larger !== this.#bubble) return false;
    this.#note(queue);
    const after = words[own + afterOf]!;
    if (after !== none && this.bubbleIsHere) this.#note(after);
    return true;
  }

  #note(queue: number): void {
    const { words } = this;
    const own = queue << shift;
    let has = this.status[queue]! & isFree;
    const places = words[own + room]!;
    if (places > 0) {
      has |= hasPlace;
      const ring = words[own + ownOf]!;
      const inRing = this.bubbleIsHere && ring !== none ? words[(ring << shift) + room]! : places;
      if (inRing >= this.#bubble) has |= hasBubblePlace;
    }
    this.status[queue] = has;
  }

  /** Nothing that the first packet of a queue may ask for is to be had: until something happens to one of these. */
  sleep(queue: number, options: Int32Array, begin: number, count: number): void {
    const { words } = this;
    const own = queue << shift;
    words[own + does] = sleeps;
    const port = words[own + portOf]!;
    for (let each = begin; each < begin + count; each++) {
      const option = options[each]!;
      const wanted = option < 0 ? ~option : option;
      this.#sleepFor(wanted, 0, port);
      if (option < 0 && this.bubbleIsHere) this.#sleepFor(words[(wanted << shift) + ownOf]!, 1, port);
    }
  }

  #sleepFor(wanted: number, kind: number, port: number): void {
    const record = (wanted << shift) + sleepers + kind;
    const bit = 1 << (port & 31);
    if (this.#sleepWords === 1) {
      this.words[record] = this.words[record]! | bit;
      return;
    }
    const word = (2 * wanted + kind) * this.#sleepWords + (port >> 5);
    this.#manySleepers[word] = this.#manySleepers[word]! | bit;
    this.words[record] = 1;
  }

  /** A place of a queue is gone. Who sleeps cannot have it anyway, but turns to other options from now on. */
  wakeForLess(wanted: number): void {
    if (this.words[(wanted << shift) + channelOf]! >= this.#firstOfTurn) this.wakeFor(wanted);
  }

  /** There is room in the queue of a channel where there was none, or as much as a bubble takes. */
  wakeFor(wanted: number): void {
    const record = wanted << shift;
    if (this.words[record + sleepers] !== 0) this.#wake(wanted, 0, this.#stationBefore(wanted));
    if (this.words[record + bubbleSleepers] !== 0) this.#wake(wanted, 1, intAt(this.#stations.ofQueue, wanted));
  }

  /** Nobody holds an output any more. */
  release(wanted: number): void {
    const record = wanted << shift;
    this.words[record + holder] = none;
    this.status[wanted] = this.status[wanted]! | isFree;
    if (this.words[record + sleepers] !== 0 && this.words[record + room]! > 0) {
      this.#wake(wanted, 0, this.#stationBefore(wanted));
    }
  }

  /** Station of those that ask for an output. */
  #stationBefore(wanted: number): number {
    if (wanted >= this.ofLinks) return intAt(this.#stations.ofQueue, wanted);
    return intAt(this.#stations.from, this.words[(wanted << shift) + linkOf]!);
  }

  /** `kind` 0: who sleeps for the channel; 1: who sleeps for room in it as an own queue. The word of its record says whether somebody does. */
  #wake(wanted: number, kind: number, station: number): void {
    const record = (wanted << shift) + sleepers + kind;
    const first = intAt(this.#stations.firstQueue, station);
    const count = this.#sleepWords;
    if (count === 1) this.#wakePorts(this.words[record]!, first);
    else {
      const begin = (2 * wanted + kind) * count;
      for (let word = 0; word < count; word++) {
        this.#wakePorts(this.#manySleepers[begin + word]!, first + 32 * word);
        this.#manySleepers[begin + word] = 0;
      }
    }
    this.words[record] = 0;
  }

  #wakePorts(ports: number, first: number): void {
    for (let bits = ports; bits !== 0; bits &= bits - 1) {
      const queue = this.#stations.queues[first + 31 - Math.clz32(bits & -bits)]!;
      const own = queue << shift;
      if (this.words[own + does] !== sleeps) continue;
      this.words[own + does] = asks;
      this.asking[this.askingCount++] = queue;
    }
  }
}

/** Room for the options of each queue: of a grid, all channels along each axis and the escape channel; elsewhere it comes as it is needed. */
export const optionsOf = (grid: Grid | undefined, channels: number): number =>
  grid === undefined ? 0 : grid.axes * channels + 1;

function mostPortsOf({ count, firstQueue }: Stations): number {
  let most = 1;
  for (let station = 0; station < count; station++) {
    most = Math.max(most, intAt(firstQueue, station + 1) - intAt(firstQueue, station));
  }
  return most;
}
