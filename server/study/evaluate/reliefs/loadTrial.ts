import type { LinkId, NodeId } from '../../../model/identifiers.ts';
import type { Machine } from '../../../model/machine.ts';
import { visitNodeShares } from '../../../network/nodeShares.ts';
import type { Change } from './changes.ts';
import type { MovedFlows } from './movedFlows.ts';

/** The loads of a placement as it is, with its hot links, heaviest first. */
export interface Loads {
  readonly linkLoads: Float64Array;
  readonly hotLinks: readonly { readonly link: LinkId; readonly load: number }[];
}

/** Link loads once a change is made. */
export interface LoadsAfter {
  /** The largest of those links that the change makes heavier; 0 where it makes none so. */
  readonly raised: number;
  /** The largest of all. */
  readonly maximum: number;
}

/** Works out the heaviest links after changes, one after another. */
export class LoadTrial {
  readonly #machine: Machine;
  readonly #before: Loads;
  /** As before but for the links in `#altered`, during a trial. */
  readonly #after: Float64Array;
  readonly #isAltered: Uint8Array;
  readonly #altered: LinkId[] = [];
  /** Of the last trial. */
  linksVisited = 0;

  /** O(links). */
  constructor(machine: Machine, loads: Loads) {
    this.#machine = machine;
    this.#before = loads;
    this.#after = loads.linkLoads.slice();
    this.#isAltered = new Uint8Array(loads.linkLoads.length);
  }

  /**
   * The heaviest links once the change is made: the routes of the flows it moves are taken out and
   * put in again. The heaviest link that is left alone is among the hot ones, or all are looked
   * through. O(links of the routes of moved flows); undefined where these are more than `limit`.
   */
  of(change: Change, flows: MovedFlows, limit: number): LoadsAfter | undefined {
    this.linksVisited = 0;
    flows.visit(change, (bytes, from, to, newFrom, newTo) => {
      if (this.linksVisited > limit) return;
      this.#add(from, to, -bytes);
      this.#add(newFrom, newTo, bytes);
    });
    const found = this.linksVisited > limit ? undefined : this.#heaviest();
    this.#undo();
    return found;
  }

  #add(from: number, to: number, bytes: number): void {
    visitNodeShares(this.#machine, from as NodeId, to as NodeId, (link, share) => {
      this.linksVisited++;
      if (this.#isAltered[link] === 0) {
        this.#isAltered[link] = 1;
        this.#altered.push(link);
      }
      this.#after[link]! += bytes * share;
    });
  }

  #heaviest(): LoadsAfter {
    const { linkLoads } = this.#before;
    let raised = 0;
    let maximum = this.#heaviestLeftAlone();
    for (const link of this.#altered) {
      const load = this.#after[link]!;
      if (load > maximum) maximum = load;
      if (load > linkLoads[link]! && load > raised) raised = load;
    }
    return { raised, maximum };
  }

  #heaviestLeftAlone(): number {
    const hot = this.#before.hotLinks.find(({ link }) => this.#isAltered[link] === 0);
    if (hot !== undefined) return hot.load;
    let maximum = 0;
    for (const [link, load] of this.#before.linkLoads.entries()) {
      if (load > maximum && this.#isAltered[link] === 0) maximum = load;
    }
    return maximum;
  }

  #undo(): void {
    for (const link of this.#altered) {
      this.#after[link] = this.#before.linkLoads[link]!;
      this.#isAltered[link] = 0;
    }
    this.#altered.length = 0;
  }
}
