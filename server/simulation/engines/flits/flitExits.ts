/**
 * The way out of a network of worms: what is there leaves one flit a cycle, every queue of a station for itself, or one worm after the other, of
 * which the arbiter takes the next.
 */
import { intAt } from '../../../numeric/elements.ts';
import { queueWords, wormStates, wormWords } from './flitRecords.ts';
import type { FlitSelection } from './flitSelection.ts';
import type { Stations } from '../packetStations.ts';

const none = -1;

const { ejecting, queued } = wormStates;
const { shift, here, left } = queueWords;
const { shift: wormShift, state: stateWord, nextWaiting } = wormWords;

/** What the exits work on, and whom they tell. */
export interface ExitsOf {
  readonly queues: Int32Array;
  readonly worms: Int32Array;
  readonly stations: Stations;
  readonly selection: FlitSelection;
  /** Worms leave a station one after the other. */
  readonly isSingle: boolean;
  /** A flit has left a queue; the last flit of its first worm has. */
  readonly flitLeft: (queue: number) => void;
  readonly wormLeft: (queue: number) => void;
}

export class FlitExits {
  /** Queues that eject. */
  count = 0;
  readonly #ejectors: Int32Array;
  /** By station the queue whose turn it is, port of the last one, and the first of those that wait. */
  readonly #exit: Int32Array;
  readonly #lastExit: Int32Array;
  readonly #firstQueued: Int32Array;
  /** Stations with worms that wait to leave and none that does. */
  readonly #free: number[] = [];
  readonly #of: ExitsOf;

  constructor(of: ExitsOf) {
    this.#of = of;
    this.#ejectors = new Int32Array(of.queues.length >> shift);
    this.#exit = new Int32Array(of.stations.count).fill(none);
    this.#lastExit = new Int32Array(of.stations.count).fill(none);
    this.#firstQueued = new Int32Array(of.stations.count).fill(none);
  }

  /** A worm is there: it leaves the network, or waits for its turn. */
  leave(queue: number): void {
    const { isSingle, stations, worms } = this.#of;
    if (!isSingle) {
      this.#start(queue);
      return;
    }
    const station = intAt(stations.ofQueue, queue);
    const worm = queue << wormShift;
    worms[worm + stateWord] = queued;
    worms[worm + nextWaiting] = intAt(this.#firstQueued, station);
    this.#firstQueued[station] = queue;
    if (this.#exit[station] === none) this.#free.push(station);
  }

  /** All have asked in this cycle: exits that nobody has are given away. */
  give(): void {
    for (const station of this.#free) this.#giveExit(station);
    this.#free.length = 0;
  }

  /** Worms leave, or one may from the next cycle on. */
  get isBusy(): boolean {
    return this.count > 0 || this.#free.length > 0;
  }

  /** One flit of each worm that leaves. */
  move(): void {
    const { queues, isSingle, flitLeft, wormLeft } = this.#of;
    const ejectors = this.#ejectors;
    const { count } = this;
    let kept = 0;
    for (let index = 0; index < count; index++) {
      const queue = ejectors[index]!;
      const own = queue << shift;
      const there = queues[own + here]!;
      if (there !== 0) {
        const stillLeft = queues[own + left]! - 1;
        queues[own + here] = there - 1;
        queues[own + left] = stillLeft;
        flitLeft(queue);
        if (stillLeft === 0) {
          wormLeft(queue);
          if (isSingle) this.#freeExit(queue);
          continue;
        }
      }
      ejectors[kept++] = queue;
    }
    this.count = kept;
  }

  /** The next worm of the station has its turn from the next cycle on, of those that ask by then. */
  #freeExit(queue: number): void {
    const station = intAt(this.#of.stations.ofQueue, queue);
    this.#exit[station] = none;
    if (this.#firstQueued[station] !== none) this.#free.push(station);
  }

  #start(queue: number): void {
    this.#of.worms[(queue << wormShift) + stateWord] = ejecting;
    this.#ejectors[this.count++] = queue;
  }

  /** Of the worms that wait to leave a station the arbiter takes one; there may be none. */
  #giveExit(station: number): void {
    if (this.#exit[station] !== none) return;
    const { worms, selection, stations } = this.#of;
    const last = intAt(this.#lastExit, station);
    let best = none;
    let before = none;
    let beforeBest = none;
    for (
      let each = intAt(this.#firstQueued, station);
      each !== none;
      each = intAt(worms, (each << wormShift) + nextWaiting)
    ) {
      if (best === none || selection.isBefore(each, best, last)) [best, beforeBest] = [each, before];
      before = each;
    }
    if (best === none) return;
    const following = intAt(worms, (best << wormShift) + nextWaiting);
    if (beforeBest === none) this.#firstQueued[station] = following;
    else worms[(beforeBest << wormShift) + nextWaiting] = following;
    this.#exit[station] = best;
    this.#lastExit[station] = intAt(stations.portOfQueue, best);
    this.#start(best);
  }
}
