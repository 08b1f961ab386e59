/**
 * What would take load off hot links: changes that bring the two ends of a heavy flow together (`ChangeFinder`), and
 * the best of them by what they do to all links (`changedLoads.ts`).
 */
import { intAt, itemAt } from '../../numeric/elements.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import type { SlotId } from '../../model/identifiers.ts';
import { hopsBetweenNodes, type Machine } from '../../model/machine.ts';
import { endOfSlot, insideHopsOf } from '../../model/slots.ts';
import type { Flow, SuggestedImprovement } from '../../model/report.ts';
import type { LinkUse } from './linkUse.ts';
import { type Change, ChangedLoads, type Loads, type LoadsAfter, MovedFlows } from './changedLoads.ts';
import type { JobTask, Occupancy } from './placedTasks.ts';
import { groupStarts } from '../../numeric/grouping.ts';

/** A link for which changes are sought. */
interface ExaminedLink {
  readonly use: LinkUse;
  readonly load: number;
  /** What a byte takes on it. */
  readonly time: number;
  /** Its heaviest flows: their ends are tried in other places. */
  readonly flows: readonly Flow[];
}

/** Improvements named for each link. */
const improvementsPerLink = 3;
/** Of the best changes for the link, so many are asked what they do to all other links. */
const shortListed = 24;
/** What a change must take off a link to be worth a word. */
const leastGain = 0.01;
/**
 * The bounds of the whole search, some 40 ms together: flows that are looked at to see what changes
 * do to the links themselves, and links of their routes that are visited to see what they do elsewhere.
 */
const flowsWeighed = 1 << 17;
const linksVisited = 1 << 19;
/** A change that moves more flows than this is not tried: its tasks have too many partners. */
const flowsPerChange = 1 << 13;

/** A change with what it does to the link and to hop-bytes. */
interface Weighed {
  readonly change: Change;
  readonly load: number;
  readonly hopBytesChange: number;
}

/**
 * For each link the changes of the mapping that take most off it, at most three, best first;
 * undefined if cancelled. Tried are the ends of its heaviest flows in slots near their
 * partners: a swap with the task there, or a move where it is free. What is said of them is exact.
 * A change that makes another link as heavy as this one was is none: it would only move the trouble.
 */
export function suggestImprovements(
  occupancy: Occupancy,
  loads: Loads,
  examined: readonly ExaminedLink[],
  cancellation: Cancellation,
): readonly (readonly SuggestedImprovement[])[] | undefined {
  if (examined.length === 0) return [];
  const finder = new ChangeFinder(occupancy);
  const changes = examined.map((link) => finder.changesFor(link.flows).filter((change) => isSmall(occupancy, change)));
  const flows = new MovedFlows(occupancy, changes.flat(), cancellation);
  if (cancellation.isCancelled()) return undefined;
  const changedLoads = new ChangedLoads(occupancy.machine, loads);
  const answers: (readonly SuggestedImprovement[])[] = [];
  const left: Allowance = { flows: flowsWeighed, links: linksVisited };
  for (const [index, link] of examined.entries()) {
    const allowance = takePart(left, examined.length - index);
    const improvements = improvementsOf(
      { occupancy, changedLoads, flows, cancellation, allowance },
      link,
      itemAt(changes, index),
    );
    if (improvements === undefined) return undefined;
    answers.push(improvements);
    // What this link did not need is there for the next ones.
    left.flows += allowance.flows;
    left.links += allowance.links;
  }
  return answers;
}

/** Work that may still be done. */
interface Allowance {
  flows: number;
  links: number;
}

/** Takes one of so many equal parts out of what is left. */
function takePart(left: Allowance, parts: number): Allowance {
  const part = { flows: Math.floor(left.flows / parts), links: Math.floor(left.links / parts) };
  left.flows -= part.flows;
  left.links -= part.links;
  return part;
}

/** Whether its tasks send to few enough; what they are sent is not counted yet. */
function isSmall(occupancy: Occupancy, { moved, displaced }: Change): boolean {
  const sends = ({ job, task }: JobTask): number => {
    const { rowStart } = itemAt(occupancy.jobs, job).placed.job.traffic;
    return intAt(rowStart, task + 1) - intAt(rowStart, task);
  };
  return sends(moved) + (displaced === undefined ? 0 : sends(displaced)) <= flowsPerChange;
}

/** What one search for improvements works with. */
interface Search {
  readonly occupancy: Occupancy;
  readonly changedLoads: ChangedLoads;
  readonly flows: MovedFlows;
  readonly cancellation: Cancellation;
  readonly allowance: Allowance;
}

function improvementsOf(
  search: Search,
  examined: ExaminedLink,
  changes: readonly Change[],
): readonly SuggestedImprovement[] | undefined {
  const found: Weighed[] = [];
  for (const change of changes) {
    if (search.cancellation.isCancelled()) return undefined;
    const work = search.flows.countOf(change);
    if (work > Math.min(flowsPerChange, search.allowance.flows)) continue;
    search.allowance.flows -= work;
    const weighed = weigh(search, examined, change);
    if (weighed.load <= (1 - leastGain) * examined.load) found.push(weighed);
  }
  const busyTime = examined.load * examined.time;
  const improvements: SuggestedImprovement[] = [];
  for (const weighed of found.sort(betterFirst).slice(0, shortListed)) {
    if (search.cancellation.isCancelled()) return undefined;
    if (improvements.length === improvementsPerLink) break;
    const after = loadsAfterChange(search, weighed.change);
    if (after !== undefined && after.raised <= (1 - leastGain) * busyTime)
      improvements.push(asImprovement(weighed, after));
  }
  return improvements;
}

/** The lighter link first, then the fewer hop-bytes, then in order of tasks and slots. */
const betterFirst = (one: Weighed, other: Weighed): number =>
  one.load - other.load ||
  one.hopBytesChange - other.hopBytesChange ||
  one.change.moved.job - other.change.moved.job ||
  one.change.moved.task - other.change.moved.task ||
  one.change.slot - other.change.slot;

function weigh({ occupancy, flows }: Search, { use, load }: ExaminedLink, change: Change): Weighed {
  const { machine } = occupancy;
  let loadChange = 0;
  let hopBytesChange = 0;
  const endOf = (slot: number): number => endOfSlot(machine, slot);
  const inside = insideHopsOf(machine) ?? (() => 0);
  const hops = (from: number, to: number): number =>
    hopsBetweenNodes(machine, endOf(from), endOf(to)) + inside(from, to);
  flows.visit(change, (bytes, from, to, newFrom, newTo) => {
    loadChange += bytes * (use.share(endOf(newFrom), endOf(newTo)) - use.share(endOf(from), endOf(to)));
    hopBytesChange += bytes * (hops(newFrom, newTo) - hops(from, to));
  });
  return { change, load: withoutResidue(load + loadChange, load), hopBytesChange };
}

/**
 * What is left of a load after a subtraction: whole amounts as they are; of shares of flows without the last
 * bits, in which a new sum would differ, so that a link that all its flows leave carries nothing.
 */
function withoutResidue(value: number, before: number): number {
  if (Number.isInteger(value)) return value;
  const grain = 2 ** (Math.ceil(Math.log2(before)) - residueBits);
  return Math.round(value / grain) * grain;
}

/** Bits of a load that are kept. */
const residueBits = 36;

/** What the change does to all links; undefined where the search has done enough. */
function loadsAfterChange(search: Search, change: Change): LoadsAfter | undefined {
  const { changedLoads, flows, allowance } = search;
  const after = changedLoads.of(change, flows, allowance.links);
  allowance.links -= changedLoads.linksVisited;
  return after;
}

const asImprovement = (
  { change: { moved, slot, displaced }, load, hopBytesChange }: Weighed,
  { maximum }: LoadsAfter,
): SuggestedImprovement => ({
  ...moved,
  slot,
  with: displaced,
  load,
  maximumLinkLoad: withoutResidue(maximum, maximum),
  hopBytesChange,
});

/** Nodes near the partner that are tried for each end of a flow. */
const nodesPerEnd = 16;
/** Slots tried of a node with many cores: a free one and then occupied ones. */
const slotsPerNode = 3;

/** Finds changes of a placement that bring the two ends of a flow together. */
class ChangeFinder {
  readonly #occupancy: Occupancy;
  readonly #firstNode: Int32Array;

  constructor(occupancy: Occupancy) {
    this.#occupancy = occupancy;
    const { topology } = occupancy.machine;
    // Nodes of one router follow one another.
    this.#firstNode = groupStarts(topology.routerOfNode, topology.routerCount);
  }

  /**
   * For both ends of each flow: slots of the end's job near the other end. No change is listed
   * twice, none leaves a job's allocation; at most 2 · nodesPerEnd · slotsPerNode for each flow.
   */
  changesFor(flows: readonly Flow[]): readonly Change[] {
    const changes = new Map<number, Change>();
    for (const { job, from, to } of flows) {
      for (const [task, partner] of [
        [from, to],
        [to, from],
      ] as const) {
        for (const change of this.#bringTo({ job, task }, { job, task: partner })) {
          changes.set(this.#keyOf(change), change);
        }
      }
    }
    return [...changes.values()];
  }

  #bringTo(moved: JobTask, partner: JobTask): Change[] {
    const occupancy = this.#occupancy;
    const home = occupancy.nodeOf(moved);
    const accepts = (node: number): boolean => node !== home && occupancy.mayUse(moved.job, node);
    const nodes = nodesNear(occupancy.machine, this.#firstNode, occupancy.nodeOf(partner), accepts, nodesPerEnd);
    return nodes.flatMap((node) => this.#slotsOf(node, home, moved.job).map((change) => ({ moved, ...change })));
  }

  /** Slots of the node to go to: the first free one, then those of tasks that may take the other place. */
  #slotsOf(node: number, home: number, job: number): Omit<Change, 'moved'>[] {
    const { coresPerNode } = this.#occupancy.machine;
    const hasRoom = this.#occupancy.hasRoom(job, node);
    let free: Omit<Change, 'moved'> | undefined;
    const occupied: Omit<Change, 'moved'>[] = [];
    for (let core = 0; core < coresPerNode && occupied.length < slotsPerNode; core++) {
      const slot = (node * coresPerNode + core) as SlotId;
      const displaced = this.#occupancy.occupantOf(slot);
      if (displaced === undefined) {
        if (hasRoom && this.#occupancy.mayBegin(job, slot)) free ??= { slot, displaced };
        continue;
      }
      const isOwnSlot = this.#occupancy.slotOf(displaced) === slot && this.#occupancy.needAlike(job, displaced.job);
      if (isOwnSlot && this.#occupancy.mayUse(displaced.job, home)) occupied.push({ slot, displaced });
    }
    return free === undefined ? occupied : [free, ...occupied.slice(0, slotsPerNode - 1)];
  }

  /** The same for a swap and the swap the other way round. */
  #keyOf({ moved, slot, displaced }: Change): number {
    const own = this.#occupancy.slotOf(moved);
    const { slotCount } = this.#occupancy.machine;
    return displaced === undefined || own < slot ? own * slotCount + slot : slot * slotCount + own;
  }
}

/** How far from a node its neighbourhood reaches, in hops between routers. */
const reach = 2;
/** Routers that are looked at before the search ends: switches have many neighbours. */
const routersLookedAt = 64;
/** Nodes of one router that are offered, so that one full switch does not hide the next. */
const nodesPerRouter = 8;

/**
 * Nodes near a node, the nearest first, itself included: at most `limit` of those that `accepts`.
 * Breadth first over the cables. O(routers looked at · degree).
 */
function nodesNear(
  machine: Machine,
  firstNode: Int32Array,
  node: number,
  accepts: (node: number) => boolean,
  limit: number,
): readonly number[] {
  const { firstLink, to } = machine.topology.links;
  const start = intAt(machine.topology.routerOfNode, node);
  const hops = new Map([[start, 0]]);
  const queue = [start];
  const found = accepts(node) ? [node] : [];
  for (let next = 0; next < queue.length && found.length < limit; next++) {
    const router = itemAt(queue, next);
    const end = Math.min(intAt(firstNode, router + 1), intAt(firstNode, router) + nodesPerRouter);
    for (let other = intAt(firstNode, router); other < end && found.length < limit; other++) {
      if (other !== node && accepts(other)) found.push(other);
    }
    const distance = hops.get(router)!;
    if (distance === reach) continue;
    for (
      let link = intAt(firstLink, router);
      link < intAt(firstLink, router + 1) && queue.length < routersLookedAt;
      link++
    ) {
      if (hops.has(intAt(to, link))) continue;
      hops.set(intAt(to, link), distance + 1);
      queue.push(intAt(to, link));
    }
  }
  return found;
}
