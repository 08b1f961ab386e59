/**
 * Which channel a header of worms flit by flit asks for, which of several headers gets a channel, and who sleeps until one can be had: the
 * rules that `flits.ts` states. What a header may ask for is found when it asks first, and kept where it has to ask again.
 */
import type { NetworkSelection } from '../../../model/networkModel.ts';
import { grown, intAt } from '../../../numeric/elements.ts';
import type { FlitOptions } from './flitOptions.ts';
import { linkWords, queueWords, wormStates, wormWords } from './flitRecords.ts';
import { mixedBits, type PacketRoutes } from '../packetRoutes.ts';
import type { Stations } from '../packetStations.ts';

const none = -1;

const { shift, room, sender } = queueWords;
const { shift: wormShift, state: stateWord, out, since, nextWaiting, nextState, options, optionCount } = wormWords;
const { asking, asleep } = wormStates;
const { shift: linkShift, from: fromWord, wayOut } = linkWords;

/** Options for which a list has room that is kept for the first time. */
const fewOptions = 4;

export class FlitSelection {
  /** Headers that ask in the next cycle. */
  asking: Int32Array = new Int32Array(0);
  askingCount = 0;
  #spareList: Int32Array = new Int32Array(0);
  /** Records of queues, of their worms, of links. */
  readonly #queues: Int32Array = new Int32Array(0);
  readonly #worms: Int32Array = new Int32Array(0);
  readonly #links: Int32Array = new Int32Array(0);
  readonly #routes: PacketRoutes;
  readonly #stations: Stations;
  readonly #channels: number = 0;
  readonly #buffer: number = 0;
  readonly #select: NetworkSelection;
  readonly #isFirstFree: boolean = false;
  readonly #isFirstCome: boolean = false;
  readonly #seed: number = 0;
  /** Options that are kept: of each list the escape channel, −1 for none, then a channel and the state of the route behind it in turn. */
  #lists: Int32Array = new Int32Array(64);
  #listsEnd = 0;
  /** Options for which the list of each queue has room. */
  readonly #listRoom: Int32Array = new Int32Array(0);
  /** By station, the first that sleeps. */
  readonly #firstAsleep: Int32Array = new Int32Array(0);

  /** Takes the records of the engine, and writes where links begin into theirs. `seed` is that of choices by chance. */
  constructor(
    queues: Int32Array,
    worms: Int32Array,
    links: Int32Array,
    routes: PacketRoutes,
    { channels, buffer, select, arbiter }: Pick<FlitOptions, 'channels' | 'buffer' | 'select' | 'arbiter'>,
    seed: number,
  ) {
    const { stations } = routes;
    const queueCount = stations.ofQueue.length;
    this.#queues = queues;
    this.#worms = worms;
    this.#links = links;
    this.#routes = routes;
    this.#stations = stations;
    // As 32 bits, so that the loops do not take them for doubles.
    this.#channels = channels | 0;
    this.#buffer = buffer | 0;
    this.#select = select;
    this.#isFirstFree = select === 'first-free';
    this.#isFirstCome = arbiter === 'first-come';
    this.#seed = seed;
    this.asking = new Int32Array(queueCount);
    this.#spareList = new Int32Array(queueCount);
    this.#listRoom = new Int32Array(queueCount);
    this.#firstAsleep = new Int32Array(stations.count).fill(none);
    const waysOut = new Int32Array(stations.count);
    for (let link = 0; link < stations.linkCount; link++) {
      const station = intAt(stations.from, link);
      links[(link << linkShift) + fromWord] = station;
      links[(link << linkShift) + wayOut] = 1 << (intAt(waysOut, station) & 31);
      waysOut[station] = intAt(waysOut, station) + 1;
    }
  }

  /** A header asks in the next cycle. */
  askNext(queue: number): void {
    this.asking[this.askingCount++] = queue;
  }

  /** The headers that ask in this cycle, `askingCount` of them before the call; the list is empty then. */
  takeAsking(): Int32Array {
    const list = this.asking;
    this.asking = this.#spareList;
    this.#spareList = list;
    this.askingCount = 0;
    return list;
  }

  /** Finds what the header of a queue may ask for, or takes what was kept: it stands in the routes then. Whether it is there instead. */
  find(queue: number, node: number, state: number): boolean {
    const worm = queue << wormShift;
    const count = this.#worms[worm + optionCount]!;
    const routes = this.#routes;
    if (count === 0) return routes.find(queue, node, state);
    const lists = this.#lists;
    const { queues, states } = routes;
    let at = this.#worms[worm + options]!;
    const escape = lists[at++]!;
    for (let option = 0; option < count; option++) {
      queues[option] = lists[at++]!;
      states[option] = lists[at++]!;
    }
    routes.count = count;
    routes.hasEscape = escape !== none;
    routes.escape = escape;
    return false;
  }

  /** The channel that the header asks for whose options were found last, −1 where none of them is to be had. */
  choose(queue: number, now: number, state: number): number {
    if (!this.#isFirstFree) return this.#chooseAmong(queue, now, state);
    const { count, queues, states, hasEscape } = this.#routes;
    const places = hasEscape ? this.#buffer : 1;
    for (let option = 0; option < count; option++) {
      const channel = queues[option]!;
      if (!this.#isFree(channel, places)) continue;
      this.#worms[(queue << wormShift) + nextState] = states[option]!;
      return channel;
    }
    return this.#chooseEscape(queue, state);
  }

  #isFree(channel: number, places: number): boolean {
    const own = channel << shift;
    return this.#queues[own + sender] === none && intAt(this.#queues, own + room) >= places;
  }

  /** Free places that the queue of a channel must have for a header to get it: all of them beside channels for escape. */
  placesNeeded(channel: number): number {
    return this.#routes.isBesideEscape(channel) ? this.#buffer : 1;
  }

  #chooseEscape(queue: number, state: number): number {
    const { hasEscape, escape } = this.#routes;
    if (!hasEscape || !this.#isFree(escape, 1)) return none;
    this.#worms[(queue << wormShift) + nextState] = state;
    return escape;
  }

  /** By chance, or the one with most room and the first of equals. */
  #chooseAmong(queue: number, now: number, state: number): number {
    const { count, queues, states, hasEscape } = this.#routes;
    const needed = hasEscape ? this.#buffer : 1;
    let open = 0;
    let best = none;
    let most = 0;
    for (let option = 0; option < count; option++) {
      const channel = intAt(queues, option);
      if (!this.#isFree(channel, needed)) continue;
      open++;
      const places = intAt(this.#queues, (channel << shift) + room);
      if (places <= most) continue;
      best = option;
      most = places;
    }
    if (open === 0) return this.#chooseEscape(queue, state);
    if (this.#select === 'random') {
      best = none;
      for (let left = Math.floor((mixedBits(this.#seed, queue, now) / 2 ** 32) * open); left >= 0; left--) {
        best++;
        while (!this.#isFree(intAt(queues, best), needed)) best++;
      }
    }
    this.#worms[(queue << wormShift) + nextState] = intAt(states, best);
    return intAt(queues, best);
  }

  /** Whether a header gets a channel, and not a rival. */
  isBefore(queue: number, rival: number, lastPort: number): boolean {
    const { portOfQueue } = this.#stations;
    const port = intAt(portOfQueue, queue);
    const against = intAt(portOfQueue, rival);
    if (this.#isFirstCome) {
      // Both waits are far shorter than 2^31 cycles.
      const worms = this.#worms;
      const later = (intAt(worms, (queue << wormShift) + since) - intAt(worms, (rival << wormShift) + since)) | 0;
      return later < 0 || (later === 0 && port < against);
    }
    return port > lastPort === against > lastPort ? port < against : port > lastPort;
  }

  /** Nothing is to be had of what was found last for the header of a queue, until something happens to a link which it may take. */
  sleep(queue: number): void {
    const worm = queue << wormShift;
    const worms = this.#worms;
    const station = this.#stations.ofQueue[queue]!;
    const { count, queues, hasEscape, escape } = this.#routes;
    if (worms[worm + optionCount] === 0) this.#keep(queue);
    let waysOut = hasEscape ? this.#wayOutOf(escape) : 0;
    for (let option = 0; option < count; option++) waysOut |= this.#wayOutOf(queues[option]!);
    worms[worm + stateWord] = asleep;
    worms[worm + out] = waysOut;
    worms[worm + nextWaiting] = this.#firstAsleep[station]!;
    this.#firstAsleep[station] = queue;
  }

  #wayOutOf(channel: number): number {
    return this.#links[(Math.floor(channel / this.#channels) << linkShift) + wayOut]!;
  }

  /** Keeps what was found last for the header of a queue. */
  #keep(queue: number): void {
    const { count, queues, states, hasEscape, escape } = this.#routes;
    const worm = queue << wormShift;
    if (count > this.#listRoom[queue]!) this.#provide(queue, count);
    const lists = this.#lists;
    let at = this.#worms[worm + options]!;
    lists[at++] = hasEscape ? escape : none;
    for (let option = 0; option < count; option++) {
      lists[at++] = queues[option]!;
      lists[at++] = states[option]!;
    }
    this.#worms[worm + optionCount] = count;
  }

  /** A queue gets a longer list. */
  #provide(queue: number, count: number): void {
    const size = Math.max(fewOptions, 2 * intAt(this.#listRoom, queue), count);
    const begin = this.#listsEnd;
    this.#listsEnd += 1 + 2 * size;
    if (this.#listsEnd > this.#lists.length) {
      this.#lists = grown(this.#lists, new Int32Array(2 * this.#listsEnd));
    }
    this.#worms[(queue << wormShift) + options] = begin;
    this.#listRoom[queue] = size;
  }

  /** A channel of a link has become free: who sleeps for the link asks again in the next cycle. */
  wake(link: number): void {
    const station = this.#links[(link << linkShift) + fromWord]!;
    const first = this.#firstAsleep[station]!;
    if (first === none) return;
    const worms = this.#worms;
    const way = this.#links[(link << linkShift) + wayOut]!;
    let kept = none;
    let next = none;
    for (let queue = first; queue !== none; queue = next) {
      const worm = queue << wormShift;
      next = worms[worm + nextWaiting]!;
      if ((worms[worm + out]! & way) === 0) {
        worms[worm + nextWaiting] = kept;
        kept = queue;
        continue;
      }
      worms[worm + stateWord] = asking;
      this.asking[this.askingCount++] = queue;
    }
    this.#firstAsleep[station] = kept;
  }

  /** Headers that sleep at a station. */
  asleepAt(station: number): readonly number[] {
    const found: number[] = [];
    for (let queue = intAt(this.#firstAsleep, station); queue !== none;) {
      found.push(queue);
      queue = intAt(this.#worms, (queue << wormShift) + nextWaiting);
    }
    return found;
  }
}
