import { exchangeEffect, moveEffect } from './exchangeTable.ts';
import type { Change, DueChanges, TabuSearch } from './tabuSearch.ts';

/**
 * The second aspiration of Taillard 1991, section 3.3: a task that has long not been on a site is
 * brought there, so that the search does not stay in one region. As in his published program, a change
 * is due when one of its tasks has been away for `patience` steps longer than its tenure, the best of
 * those that are due is made, and the absences at the start are staggered.
 */
export class LongAbsence implements DueChanges {
  readonly #patience: number;
  /** Of each task, the site other than its own that it was kept from longest ago. */
  readonly #oldestSite: Int32Array;

  /** For a search that has not begun; 2 · tasks · sites steps are Taillard's 2 n². */
  constructor(taskCount: number, siteCount: number) {
    this.#patience = 2 * taskCount * siteCount;
    this.#oldestSite = new Int32Array(taskCount);
  }

  begin(search: TabuSearch): void {
    search.tabuUntil.forEach((_, entry, tabuUntil) => (tabuUntil[entry] = -entry));
    for (let task = 0; task < this.#oldestSite.length; task++) this.moved(search, task);
  }

  moved({ tabuUntil, table }: TabuSearch, task: number): void {
    const { siteOfTask, problem } = table;
    const row = task * problem.siteCount;
    let oldest = siteOfTask[task]!;
    let until = Infinity;
    for (let site = 0; site < problem.siteCount; site++) {
      if (tabuUntil[row + site]! >= until || site === siteOfTask[task]) continue;
      until = tabuUntil[row + site]!;
      oldest = site;
    }
    this.#oldestSite[task] = oldest;
  }

  choose(search: TabuSearch, choice: Change): boolean {
    const { tabuUntil, step, table } = search;
    const { siteCount } = table.problem;
    const threshold = step - this.#patience;
    let isDue = false;
    for (let task = 0; task < this.#oldestSite.length; task++) {
      const oldest = this.#oldestSite[task]!;
      if (oldest === table.siteOfTask[task] || tabuUntil[task * siteCount + oldest]! >= threshold) continue;
      if (!isDue) choice.effect = Infinity;
      isDue = true;
      chooseAmong(search, task, threshold, choice);
    }
    return isDue;
  }
}

/** The best change that brings `task` to a site where it has not been since `threshold`, if better than `choice`. */
function chooseAmong({ tabuUntil, table }: TabuSearch, task: number, threshold: number, choice: Change): void {
  const { siteOfTask, freePlaces, problem } = table;
  const row = task * problem.siteCount;
  const isLongAgo = (site: number): boolean => site !== siteOfTask[task] && tabuUntil[row + site]! < threshold;
  const take = (other: number, site: number, effect: number): void => {
    if (effect >= choice.effect) return;
    choice.task = task;
    choice.other = other;
    choice.site = site;
    choice.effect = effect;
  };
  for (let other = 0; other < problem.taskCount; other++) {
    if (isLongAgo(siteOfTask[other]!)) take(other, siteOfTask[other]!, exchangeEffect(table, task, other));
  }
  for (let site = 0; site < problem.siteCount; site++) {
    if (freePlaces[site]! > 0 && isLongAgo(site)) take(-1, site, moveEffect(table, task, site));
  }
}
