import type { RouterId } from '../../model/identifiers.ts';
import type { Machine } from '../../model/machine.ts';

/** Pairs of routers whose routes may be kept, and links of routes that are: 16 and 64 MiB at most. */
const pairLimit = 2 ** 22;
const entryLimit = 2 ** 23;

/** Routes between some routers of a machine, kept as they are asked for while there is room. */
export class RouteTable {
  /** Of the route that was found last: its links are `links[first] … links[end − 1]`, with their whole shares. */
  links: Int32Array = new Int32Array(1024);
  shares: Int32Array = new Int32Array(1024);
  first = 0;
  end = 0;

  readonly #machine: Machine;
  readonly #routers: Int32Array;
  /** Where the route of each pair stands, and how long it is; −1 where it is not kept. */
  readonly #start: Int32Array | undefined;
  readonly #length: Int32Array | undefined;
  #used = 0;

  /** What a share of 1 is in `shares`. */
  readonly scale: number;

  /** Pairs are of indices into `routers`. */
  constructor(machine: Machine, routers: Int32Array, scale: number) {
    this.#machine = machine;
    this.#routers = routers;
    this.scale = scale;
    const pairs = routers.length ** 2;
    if (pairs > pairLimit) return;
    this.#start = new Int32Array(pairs).fill(-1);
    this.#length = new Int32Array(pairs);
  }

  /** Sets `first` and `end`; another search may put other arrays into `links` and `shares`. */
  find(from: number, to: number): void {
    const pair = from * this.#routers.length + to;
    const start = this.#start?.[pair] ?? -1;
    if (start >= 0) {
      this.first = start;
      this.end = start + this.#length![pair]!;
      return;
    }
    this.first = this.#used;
    this.end = this.#used;
    this.#machine.routing.visitShares(this.#routers[from]! as RouterId, this.#routers[to]! as RouterId, this.#append);
    if (this.#start === undefined || this.end > entryLimit) return;
    this.#start[pair] = this.first;
    this.#length![pair] = this.end - this.first;
    this.#used = this.end;
  }

  readonly #append = (link: number, share: number): void => {
    if (this.end === this.links.length) {
      this.links = enlarged(this.links);
      this.shares = enlarged(this.shares);
    }
    this.links[this.end] = link;
    this.shares[this.end++] = Math.round(share * this.scale);
  };
}

function enlarged(values: Int32Array): Int32Array {
  const larger = new Int32Array(2 * values.length);
  larger.set(values);
  return larger;
}
