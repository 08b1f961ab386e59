/**
 * The way that is left of a packet on a grid, as a word: 8 bits for each axis, the lower seven of them steps, the highest one set where they
 * lead back. From it follow the choices of the first packet of a queue, which {@link PacketRoutes} finds from positions.
 */
import { intAt } from '../../numeric/elements.ts';
import { queueWords } from './packetRecords.ts';
import type { Grid, Stations } from './packetRoutes.ts';

const none = -1;

const { shift, channelOf, stationLinks, directionOf } = queueWords;

const mostSteps = 127;
/** Of a way: none of these is set where it has ended. */
export const stepsOfAll = 0x7f7f7f7f;

interface WayOptions {
  readonly channels: number;
  readonly isAdaptive: boolean;
  readonly hasBubble: boolean;
}

/**
 * Whether ways are packed: where the steps left along each axis say everything, since they fit into a word, and no channel depends on where
 * a ring closes.
 */
export function packsWays({ axes, sides, rings }: Grid, { channels, hasBubble }: WayOptions): boolean {
  const areShort = sides.every((side, axis) => (rings[axis] === 1 ? side >> 1 : side - 1) <= mostSteps);
  return axes <= 4 && areShort && (hasBubble || channels === 1 || !rings.includes(1));
}

export class GridWays {
  /** Whether behind the choices of a packet stands an escape channel. */
  readonly hasEscape: boolean = false;
  readonly #channels: number = 0;
  readonly #axes: number = 0;
  readonly #order: Int32Array = new Int32Array(0);
  readonly #links: Int32Array = new Int32Array(0);
  readonly #before: Int32Array = new Int32Array(0);
  readonly #isAdaptive: boolean = false;
  readonly #hasBubble: boolean = false;
  /** First channel that is not for escape. */
  readonly #first: number = 0;
  /** Records of the queues. */
  readonly #queues: Int32Array = new Int32Array(0);

  /** Writes into the records of the queues where they stand on the grid. */
  constructor(grid: Grid, { ofQueue, linkCount }: Stations, queues: Int32Array, options: WayOptions) {
    const { channels, isAdaptive, hasBubble } = options;
    const { axes, order, links, before, direction } = grid;
    this.#channels = channels;
    this.#axes = axes;
    this.#order = order;
    this.#links = links;
    this.#before = before;
    this.#isAdaptive = isAdaptive;
    this.#hasBubble = hasBubble;
    this.#first = isAdaptive && channels > 1 ? 1 : 0;
    this.hasEscape = this.#first > 0;
    this.#queues = queues;
    for (const [queue, station] of ofQueue.entries()) {
      const link = queue < linkCount * channels ? Math.floor(queue / channels) : none;
      queues[(queue << shift) + stationLinks] = 2 * station * axes;
      queues[(queue << shift) + directionOf] = direction[link] ?? none;
    }
  }

  /** What is left of a way behind a queue that it leads to. */
  behind(way: number, queue: number): number {
    return way - (1 << (8 * (this.#queues[(queue << shift) + directionOf]! >> 1)));
  }

  /** The first choice, as {@link find} writes it. The way has not ended. */
  first(queue: number, way: number): number {
    if (!this.#isAdaptive) return this.#firstOrdered(queue, this.#ordered(queue, way));
    const queues = this.#queues;
    const own = queue << shift;
    const arrival = queues[own + directionOf]!;
    let axis = arrival === none ? 0 : arrival >> 1;
    while (((way >> (8 * axis)) & mostSteps) === 0) axis = axis + 1 === this.#axes ? 0 : axis + 1;
    const direction = 2 * axis + ((way >> (8 * axis + 7)) & 1);
    const begin = this.#links[queues[own + stationLinks]! + direction]! * this.#channels;
    return begin + (arrival === direction ? Math.max(this.#first, queues[own + channelOf]!) : this.#first);
  }

  /** Writes all choices from `begin` on, and behind them the escape channel where there is one; how many there are without it. */
  find(queue: number, way: number, choices: Int32Array, begin: number): number {
    return this.#isAdaptive ? this.#findAdaptive(queue, way, choices, begin) : this.#findOrdered(queue, way, choices, begin); // prettier-ignore
  }

  /** The link that dimension order takes. */
  #ordered(queue: number, way: number): number {
    const order = this.#order;
    let turn = 0;
    while (((way >> (8 * order[turn]!)) & mostSteps) === 0) turn++;
    const axis = order[turn]!;
    return this.#links[this.#queues[(queue << shift) + stationLinks]! + 2 * axis + ((way >> (8 * axis + 7)) & 1)]!;
  }

  /** A packet keeps its channel in a ring that has a bubble; others are entered by its rule. */
  #firstOrdered(queue: number, link: number): number {
    const channels = this.#channels;
    const before = this.#hasBubble ? this.#before[link]! : none;
    if (before === none) return link * channels;
    const isStraight = queue >= before * channels && queue < (before + 1) * channels;
    return isStraight ? link * channels + queue - before * channels : ~(link * channels);
  }

  #findOrdered(queue: number, way: number, choices: Int32Array, begin: number): number {
    const channels = this.#channels;
    const link = this.#ordered(queue, way);
    const first = this.#firstOrdered(queue, link);
    choices[begin] = first;
    if (first >= 0 && this.#hasBubble && intAt(this.#before, link) !== none) return 1;
    for (let channel = 1; channel < channels; channel++) {
      choices[begin + channel] = first < 0 ? first - channel : first + channel;
    }
    return channels;
  }

  #findAdaptive(queue: number, way: number, choices: Int32Array, begin: number): number {
    const queues = this.#queues;
    const own = queue << shift;
    const channels = this.#channels;
    const axes = this.#axes;
    const first = this.#first;
    const arrival = queues[own + directionOf]!;
    const links = queues[own + stationLinks]!;
    let count = begin;
    let axis = arrival === none ? 0 : arrival >> 1;
    for (let turn = 0; turn < axes; turn++) {
      const steps = way >> (8 * axis);
      if ((steps & mostSteps) !== 0) {
        const direction = 2 * axis + ((steps >> 7) & 1);
        const link = this.#links[links + direction]! * channels;
        let channel = arrival === direction ? Math.max(first, queues[own + channelOf]!) : first;
        for (let each = first; each < channels; each++) {
          choices[count++] = link + channel;
          channel = channel + 1 === channels ? first : channel + 1;
        }
      }
      axis = axis + 1 === axes ? 0 : axis + 1;
    }
    if (first === 0) return count - begin;
    const link = this.#ordered(queue, way);
    const before = this.#hasBubble ? this.#before[link]! : none;
    choices[count] = before === none || before * channels === queue ? link * channels : ~(link * channels);
    return count - begin;
  }
}
