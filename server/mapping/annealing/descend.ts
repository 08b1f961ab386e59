import type { Cancellation } from '../../model/cancellation.ts';
import { exchange, exchangeDelta, type Chain } from './chain.ts';

/** Edges looked at between two questions whether to stop: about a millisecond. */
const looksPerPoll = 2 ** 18;

interface Descent {
  readonly chain: Chain;
  /** 1 for tasks whose surroundings changed since they were tried. */
  readonly waiting: Uint8Array;
  /** The attempt that last looked at each site: partners live close together and share what is near. */
  readonly attemptAtSite: Int32Array;
  attempt: number;
}

/**
 * Makes exchanges that pay until no task has one left with a place near one of its partners: the
 * first that is found, tasks in ascending order, again for those whose surroundings changed.
 * O(tasks · candidates · degree) for the first sweep; those after it are short.
 */
export function descend(chain: Chain, stop: Cancellation): void {
  const { annealing, movers } = chain;
  const { partnersTried } = annealing.parameters;
  const { rowStart, taskCount } = annealing.core.graph;
  const descent: Descent = {
    chain,
    waiting: new Uint8Array(taskCount),
    attemptAtSite: new Int32Array(annealing.core.places.siteCount),
    attempt: 0,
  };
  for (const task of movers) descent.waiting[task] = 1;
  let looks = looksPerPoll;
  for (let found = true; found;) {
    found = false;
    for (const task of movers) {
      if (descent.waiting[task] === 0) continue;
      if (looks >= looksPerPoll) {
        if (stop.isCancelled()) return;
        looks = 0;
      }
      looks += (rowStart[task + 1]! - rowStart[task]!) * annealing.near.perSite * partnersTried;
      descent.waiting[task] = 0;
      if (improve(descent, task)) found = true;
    }
  }
}

/** Takes the first exchange of `task` that pays, and wakes all that it concerns. */
function improve(descent: Descent, task: number): boolean {
  const { chain } = descent;
  const place = payingPlace(descent, task);
  if (place < 0) return false;
  const other = chain.taskAtPlace[place]!;
  exchange(chain, task, place);
  chain.accepted++;
  wake(descent, task);
  if (other >= 0) wake(descent, other);
  return true;
}

function wake({ chain, waiting }: Descent, task: number): void {
  const { rowStart, partner } = chain.annealing.core.graph;
  waiting[task] = 1;
  for (let edge = rowStart[task]!; edge < rowStart[task + 1]!; edge++) waiting[partner[edge]!] = 1;
}

/** A place near a partner that is worth an exchange, −1 where there is none. */
function payingPlace(descent: Descent, task: number): number {
  const { chain, attemptAtSite } = descent;
  const { annealing, siteOfTask, inside } = chain;
  const { rowStart, partner } = annealing.core.graph;
  const { perSite, sites } = annealing.near;
  const attempt = ++descent.attempt;
  attemptAtSite[siteOfTask[task]!] = attempt;
  const start = rowStart[task]!;
  const end = rowStart[task + 1]!;
  const stride = Math.ceil((end - start) / annealing.parameters.partnersTried);
  for (let edge = start; edge < end; edge += stride) {
    const first = siteOfTask[partner[edge]!]! * perSite;
    for (let index = first; index < first + perSite; index++) {
      const site = sites[index]!;
      if (inside[site] === 0 || attemptAtSite[site] === attempt) continue;
      attemptAtSite[site] = attempt;
      const place = payingPlaceAt(chain, task, site);
      if (place >= 0) return place;
    }
  }
  return -1;
}

function payingPlaceAt(chain: Chain, task: number, site: number): number {
  const { firstPlace } = chain.annealing.core.places;
  const end = firstPlace[site + 1]!;
  for (let place = firstPlace[site]!; place < end; place++) {
    chain.evaluations++;
    if (exchangeDelta(chain, task, place, 0) < 0) return place;
  }
  return -1;
}
