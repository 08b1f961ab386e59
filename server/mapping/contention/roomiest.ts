/**
 * The site with most idle cores, the earliest of equal ones, while cores are taken but never given
 * back. A binary heap whose entries are brought up to date when they come to the top: an entry
 * that is out of date promises too much, so the top is right once it is not.
 */
export class RoomiestSite {
  readonly #room: (site: number) => number;
  readonly #heap: Int32Array;
  /** What each site promised when it was last looked at. */
  readonly #promised: Int32Array;
  #size: number;

  /** `room` says how many tasks a site can still take. O(sites). */
  constructor(siteCount: number, room: (site: number) => number) {
    this.#room = room;
    this.#heap = Int32Array.from({ length: siteCount }, (_, site) => site);
    this.#promised = Int32Array.from({ length: siteCount }, (_, site) => room(site));
    this.#size = siteCount;
    for (let entry = (siteCount >> 1) - 1; entry >= 0; entry--) this.#sink(entry);
  }

  /** Undefined where no site has room. O(log sites), amortised over what was taken. */
  find(): number | undefined {
    while (this.#size > 0) {
      const site = this.#heap[0]!;
      const room = this.#room(site);
      if (room > 0 && room === this.#promised[site]) return site;
      this.#promised[site] = room;
      if (room <= 0) this.#heap[0] = this.#heap[--this.#size]!;
      this.#sink(0);
    }
    return undefined;
  }

  #sink(entry: number): void {
    const heap = this.#heap;
    const site = heap[entry]!;
    for (;;) {
      let child = 2 * entry + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && this.#before(heap[child + 1]!, heap[child]!)) child++;
      if (!this.#before(heap[child]!, site)) break;
      heap[entry] = heap[child]!;
      entry = child;
    }
    heap[entry] = site;
  }

  #before(one: number, other: number): boolean {
    const difference = this.#promised[one]! - this.#promised[other]!;
    return difference > 0 || (difference === 0 && one < other);
  }
}
