import { shuffle } from '../../model/random.ts';
import type { RandomSource } from '../../model/random.ts';
import type { DenseProblem } from './denseProblem.ts';

/**
 * Uniform crossover (Tate & Smith 1995, as in Benlic & Hao 2015, section 3.4): a task that both parents
 * put on one site stays there; the others, in random order, take the site of either parent while it
 * has room, and those that are left any place that is free. Sites of one kind count as one site, and
 * tasks of one kind are first renamed in the other parent so that as many as can be agree.
 * O(tasks · sites of a kind + places).
 */
export function recombine(
  problem: DenseProblem,
  parent: Int32Array,
  otherParent: Int32Array,
  random: RandomSource,
): Int32Array {
  const { capacity, kindOfSite } = problem;
  const aligned = alignTwins(problem, parent, otherParent);
  const child = new Int32Array(parent.length).fill(nowhere);
  const room = capacity.slice();
  const put = (task: number, wanted: number): void => {
    const site =
      room[wanted]! > 0 ? wanted : kindOfSite.findIndex((kind, twin) => kind === kindOfSite[wanted] && room[twin]! > 0);
    if (child[task] !== nowhere || site < 0) return;
    child[task] = site;
    room[site]! -= 1;
  };
  parent.forEach((site, task) => {
    if (kindOfSite[aligned[task]!] === kindOfSite[site]) put(task, site);
  });
  const order = Int32Array.from(parent.keys());
  shuffle(order, random);
  for (const task of order) {
    const [first, second] = random.integer(2) === 0 ? [parent, aligned] : [aligned, parent];
    put(task, first[task]!);
    put(task, second[task]!);
  }
  const free = placesLeft(room, random);
  for (const task of order) {
    if (child[task] === nowhere) child[task] = free.pop()!;
  }
  return child;
}

const nowhere = -1;

/** `assignment` with the sites of tasks of one kind dealt anew: to those that have such a site in `model`, then in order. */
function alignTwins({ kindOfTask, kindOfSite }: DenseProblem, model: Int32Array, assignment: Int32Array): Int32Array {
  const sitesOfKind: number[][] = [];
  kindOfTask.forEach((kind, task) => (sitesOfKind[kind] ??= []).push(assignment[task]!));
  const aligned = assignment.map((_, task) => {
    const sites = sitesOfKind[kindOfTask[task]!]!;
    const agreeing = sites.findIndex((site) => kindOfSite[site] === kindOfSite[model[task]!]);
    return agreeing < 0 ? nowhere : sites.splice(agreeing, 1)[0]!;
  });
  return aligned.map((site, task) => (site === nowhere ? sitesOfKind[kindOfTask[task]!]!.shift()! : site));
}

/** Every task on a place of its own, all assignments alike. O(places). */
export function randomAssignment({ taskCount, capacity }: DenseProblem, random: RandomSource): Int32Array {
  return Int32Array.from(placesLeft(capacity, random).slice(0, taskCount));
}

/** The site of every place there is room for, in random order. */
function placesLeft(room: Int32Array, random: RandomSource): number[] {
  const sites = [...room].flatMap((count, site) => new Array<number>(count).fill(site));
  shuffle(sites, random);
  return sites;
}
