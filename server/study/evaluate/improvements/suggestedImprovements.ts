import { intAt, itemAt } from '../../../numeric/elements.ts';
import type { Cancellation } from '../../../model/cancellation.ts';
import type { NodeId } from '../../../model/identifiers.ts';
import { hopsBetweenNodes } from '../../../model/machine.ts';
import type { Flow, SuggestedImprovement } from '../../../model/report.ts';
import type { LinkUse } from '../linkUse.ts';
import { ChangeFinder, type Change } from './changes.ts';
import { LoadTrial, type Loads, type LoadsAfter, MovedFlows } from './loadTrial.ts';
import type { JobTask, Occupancy } from './slotOccupancy.ts';

/** A link for which changes are sought. */
export interface ExaminedLink {
  readonly use: LinkUse;
  readonly load: number;
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
 * undefined where it was cancelled. Tried are the ends of its heaviest flows in slots near their
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
  const flows = new MovedFlows(occupancy, changes.flat());
  const trial = new LoadTrial(occupancy.machine, loads);
  const answers: (readonly SuggestedImprovement[])[] = [];
  const left: Allowance = { flows: flowsWeighed, links: linksVisited };
  for (const [index, link] of examined.entries()) {
    const allowance = takePart(left, examined.length - index);
    const improvements = improvementsOf(
      { occupancy, trial, flows, cancellation, allowance },
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
  readonly trial: LoadTrial;
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
  const improvements: SuggestedImprovement[] = [];
  for (const weighed of found.sort(betterFirst).slice(0, shortListed)) {
    if (search.cancellation.isCancelled()) return undefined;
    if (improvements.length === improvementsPerLink) break;
    const after = elsewhere(search, weighed.change);
    if (after !== undefined && after.raised <= (1 - leastGain) * examined.load)
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
  flows.visit(change, (bytes, from, to, newFrom, newTo) => {
    loadChange += bytes * (use.share(newFrom, newTo) - use.share(from, to));
    const hops = hopsBetweenNodes(machine, from as NodeId, to as NodeId);
    hopBytesChange += bytes * (hopsBetweenNodes(machine, newFrom as NodeId, newTo as NodeId) - hops);
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
function elsewhere(search: Search, change: Change): LoadsAfter | undefined {
  const { trial, flows, allowance } = search;
  const after = trial.of(change, flows, allowance.links);
  allowance.links -= trial.linksVisited;
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
