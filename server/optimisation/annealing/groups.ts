import { intAt, itemAt, realAt } from '../../numeric/elements.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import { seededRandom, shuffle, type RandomSource } from '../../model/random.ts';
import { quotientGraph } from '../partitioning/weightedGraph.ts';
import { sitesOfTasks } from '../problem/places.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';
import { anneal } from './anneal.ts';
import type { Annealing } from './annealing.ts';
import type { NearSites } from './nearSites.ts';
import type { AnnealOutcome } from './chain.ts';
import { costNoise } from './temperature.ts';

/** A work item of annealing at several scales; plain data, so that any thread can do it. */
export interface GroupOrder {
  /** Where the tasks are. Not written. */
  readonly placeOfTask: Int32Array;
  readonly seed: number;
  /** Proposals at all scales together. */
  readonly steps: number;
  /** Temperatures of the first and the last proposal, in units of the noise of what is moved. */
  readonly hottest: number;
  readonly coldest: number;
}

/**
 * Anneals whole sites as groups of tasks, then halves of them, and so on down to single tasks, each from where the one
 * before ended: a change that single exchanges reach only through much worse mappings is one exchange of groups. Groups
 * are pairs of pairs of tasks with the most traffic, matched anew for every seed. Never worse than its start.
 * O(edges · log(places of a site) + steps · degree).
 */
export function annealGroups(annealing: Annealing, order: GroupOrder, stop: Cancellation): AnnealOutcome {
  const { placeOfTask, seed, steps, hottest, coldest } = order;
  const { groupShare, proposalsPerGroup } = annealing.parameters;
  const levels = groupLevels(annealing.core, placeOfTask, seed, stop);
  let evaluations = 0;
  let accepted = 0;
  let left = steps;
  const run = (on: Annealing, from: Int32Array, proposals: number): AnnealOutcome => {
    const noise = costNoise(on, from, seed);
    const share = {
      from: hottest * noise,
      to: Math.min(coldest, hottest / 2) * noise,
    };
    const outcome = anneal(on, { placeOfTask: from, seed, steps: proposals, ...share, finalDescent: true }, stop);
    evaluations += outcome.evaluations;
    accepted += outcome.accepted;
    left -= proposals;
    return outcome;
  };
  let current = levels.at(-1)?.placeOfTask ?? placeOfTask;
  for (let level = levels.length - 1; level >= 0; level--) {
    const grouped = itemAt(levels, level);
    const proposals = Math.min((groupShare * steps) / levels.length, proposalsPerGroup * grouped.placeOfTask.length);
    const outcome = run(annealingOf(annealing, grouped), current, Math.floor(proposals));
    current = ungrouped(grouped, outcome.placeOfTask);
  }
  return { ...run(annealing, current, left), evaluations, accepted };
}

/** A problem whose tasks are groups of the tasks of another, all of a group at one site, and how it stands now. */
interface Grouped {
  readonly core: SearchCore;
  /** Of each group. */
  readonly placeOfTask: Int32Array;
  /** The group of each task of the finer problem, and its rank in it. */
  readonly groupOfTask: Int32Array;
  readonly rankInGroup: Int32Array;
  /** Places of the finer problem that one place of a group stands for. */
  readonly size: number;
}

/** Pairs, pairs of pairs, …, and whole sites, the coarsest last; those made by then where it is stopped. */
function groupLevels(core: SearchCore, placeOfTask: Int32Array, seed: number, stop: Cancellation): Grouped[] {
  const random = seededRandom(seed);
  const levels: Grouped[] = [];
  let finer = { core, placeOfTask };
  while (!stop.isCancelled()) {
    const pairs = pairUp(finer.core, finer.placeOfTask, random);
    if (pairs === undefined || pairs.core.places.placeCount <= pairs.core.places.siteCount) break;
    levels.push(pairs);
    finer = pairs;
  }
  const whole =
    finer.core.places.siteCount > 2 && !stop.isCancelled() ? wholeSites(finer.core, finer.placeOfTask) : undefined;
  return whole === undefined || whole.size === 1 ? levels : [...levels, whole];
}

/**
 * Pairs of tasks with the most traffic at their site: groups of two places each; undefined where a site has an odd
 * number.
 */
export function pairUp(core: SearchCore, placeOfTask: Int32Array, random: RandomSource): Grouped | undefined {
  const { places, graph } = core;
  for (let site = 0; site < places.siteCount; site++) {
    if ((intAt(places.firstPlace, site + 1) - intAt(places.firstPlace, site)) & 1) return undefined;
  }
  const mate = matchTasks(graph, sitesOfTasks(core.places, placeOfTask), random);
  const groupPlace = places.firstPlace.map((first) => first >> 1);
  const next = groupPlace.slice();
  const left = new Int32Array(places.siteCount).fill(-1);
  const groupOfTask = new Int32Array(graph.taskCount).fill(-1);
  const rankInGroup = new Int32Array(graph.taskCount);
  const placeOfGroup: number[] = [];
  const open = (site: number): number => {
    placeOfGroup.push(next[site]!++);
    return placeOfGroup.length - 1;
  };
  const lonely: number[] = [];
  for (let task = 0; task < graph.taskCount; task++) {
    if (intAt(groupOfTask, task) >= 0) continue;
    const other = intAt(mate, task);
    if (other < 0) {
      lonely.push(task);
      continue;
    }
    const group = open(intAt(places.siteOfPlace, intAt(placeOfTask, task)));
    groupOfTask[task] = group;
    groupOfTask[other] = group;
    rankInGroup[other] = 1;
  }
  for (const task of lonely) {
    const site = intAt(places.siteOfPlace, intAt(placeOfTask, task));
    const waiting = intAt(left, site);
    left[site] = waiting < 0 ? task : -1;
    groupOfTask[task] = waiting < 0 ? open(site) : intAt(groupOfTask, waiting);
    rankInGroup[task] = waiting < 0 ? 0 : 1;
  }
  return groupedProblem(core, groupOfTask, rankInGroup, Int32Array.from(placeOfGroup), 2, groupPlace);
}

/** All tasks of a site as one group; undefined where sites differ in their places. */
export function wholeSites(core: SearchCore, placeOfTask: Int32Array): Grouped | undefined {
  const { places, graph } = core;
  const size = places.placeCount / places.siteCount;
  for (let site = 0; site <= places.siteCount; site++) if (places.firstPlace[site] !== site * size) return undefined;
  const groupOfSite = new Int32Array(places.siteCount).fill(-1);
  const placeOfGroup: number[] = [];
  const groupOfTask = new Int32Array(graph.taskCount);
  const rankInGroup = new Int32Array(graph.taskCount);
  for (let task = 0; task < graph.taskCount; task++) {
    const site = intAt(places.siteOfPlace, intAt(placeOfTask, task));
    if (intAt(groupOfSite, site) < 0) {
      groupOfSite[site] = placeOfGroup.length;
      placeOfGroup.push(site);
    }
    groupOfTask[task] = intAt(groupOfSite, site);
    rankInGroup[task] = intAt(placeOfTask, task) - site * size;
  }
  const firstPlace = Int32Array.from({ length: places.siteCount + 1 }, (_, site) => site);
  return groupedProblem(core, groupOfTask, rankInGroup, Int32Array.from(placeOfGroup), size, firstPlace);
}

function groupedProblem(
  { graph, places, costs, weightUnit }: SearchCore,
  groupOfTask: Int32Array,
  rankInGroup: Int32Array,
  placeOfTask: Int32Array,
  size: number,
  firstPlace: Int32Array,
): Grouped {
  const placeCount = firstPlace.at(-1)!;
  const siteOfPlace = new Int32Array(placeCount);
  for (let site = 0; site < places.siteCount; site++) siteOfPlace.fill(site, firstPlace[site], firstPlace[site + 1]);
  const coarse = { ...places, placeCount, siteOfPlace, firstPlace };
  const core = { graph: quotientGraph(graph, groupOfTask, placeOfTask.length), weightUnit, costs, places: coarse };
  return { core, placeOfTask, groupOfTask, rankInGroup, size };
}

/** Where the tasks are once their groups are at `placeOfGroup`. */
export const ungrouped = ({ groupOfTask, rankInGroup, size }: Grouped, placeOfGroup: Int32Array): Int32Array =>
  groupOfTask.map((group, task) => intAt(placeOfGroup, group) * size + intAt(rankInGroup, task));

/** Heavy-edge matching within sites (Karypis and Kumar 1998), tasks in random order; −1 where a task is left over. */
function matchTasks(
  { taskCount, rowStart, partner, weight }: TaskGraph,
  siteOf: Int32Array,
  random: RandomSource,
): Int32Array {
  const mate = new Int32Array(taskCount).fill(-1);
  const order = Int32Array.from({ length: taskCount }, (_, task) => task);
  shuffle(order, random);
  for (const task of order) {
    if (intAt(mate, task) >= 0) continue;
    let heaviest = -1;
    let most = 0;
    for (let edge = intAt(rowStart, task); edge < intAt(rowStart, task + 1); edge++) {
      const other = intAt(partner, edge);
      if (intAt(mate, other) >= 0 || siteOf[other] !== siteOf[task] || realAt(weight, edge) <= most) continue;
      heaviest = other;
      most = realAt(weight, edge);
    }
    if (heaviest < 0) continue;
    mate[task] = heaviest;
    mate[heaviest] = task;
  }
  return mate;
}

/** What chains over groups share, made of what those over single tasks do. */
function annealingOf({ near, lookups, parameters }: Annealing, { core }: Grouped): Annealing {
  const { graph, places } = core;
  const communicatingTasks = Int32Array.from({ length: graph.taskCount }, (_, task) => task).filter(
    (task) => intAt(graph.rowStart, task) < intAt(graph.rowStart, task + 1),
  );
  const room = places.placeCount / places.siteCount;
  return {
    core,
    near: withOwnSite(near, places.siteCount, room),
    ...(lookups === undefined ? {} : { lookups }),
    floorOfTask: new Float64Array(graph.taskCount),
    communicatingTasks,
    parameters,
  };
}

/** The same lists, with the site itself as often as it has room for others of its groups. */
function withOwnSite({ perSite, sites }: NearSites, siteCount: number, room: number): NearSites {
  const own = Math.min(Math.max(0, Math.round(room) - 1), perSite >> 1);
  const lists = new Int32Array(sites.length);
  for (let site = 0; site < siteCount; site++) {
    const start = site * perSite;
    const others = sites.subarray(start, start + perSite).filter((other) => other !== site);
    for (let index = 0; index < perSite; index++)
      lists[start + index] = index < own || others.length === 0 ? site : intAt(others, (index - own) % others.length);
  }
  return { perSite, sites: lists };
}
