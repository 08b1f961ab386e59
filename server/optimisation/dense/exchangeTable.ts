import { intAt } from '../../numeric/elements.ts';
import { denseValue, type DenseProblem } from './denseProblem.ts';

/**
 * An assignment, and what each exchange of two tasks would change, kept up to date.
 *
 * With `costAt[u, x]`, what task u would pay on site x while all others stay, an exchange of u and v
 * on sites s(u) and s(v) changes the value by
 *
 *     costAt[u, s(v)] − costAt[u, s(u)] + costAt[v, s(u)] − costAt[v, s(v)] + what u and v pay each other, both ways
 *
 * and a move of u to a free place of site x by costAt[u, x] − costAt[u, s(u)]. After tasks have moved,
 * both tables change by products of two vectors: with a[u] the flow of u with the task that went from
 * site x to y, less its flow with the task that went the other way, and b[z] = cost(z, x) − cost(z, y),
 * costAt[u, z] falls by a[u] · b[z] and the effect of exchanging u and v grows by
 * (a[u] − a[v]) · (b[s(u)] − b[s(v)]). That is the update of Taillard 1991 (eq. 2; Frieze et al. 1989)
 * with its eight lookups gathered once per task; `costAt` replaces the sums of O(n) that he needs for the
 * pairs with a task that moved. Matrices that are not symmetric have two such products, out and in.
 */
export interface ExchangeTable {
  readonly problem: DenseProblem;
  readonly siteOfTask: Int32Array;
  /** Places of each site that hold no task. */
  readonly freePlaces: Int32Array;
  /** Row-major, taskCount × siteCount. */
  readonly costAt: Float64Array;
  /**
   * Row-major, taskCount × taskCount, of which u < v is used; (a[u] − a[v]) · (b[u] − b[v]) of the pending
   * vectors comes on top. Infinity where tasks or sites are of one kind, so that nothing would change.
   */
  readonly effects: Float64Array;
  /**
   * The last product, a and b by task, not yet added to `effects`: the search for the best exchange
   * adds it in the same pass over the table.
   */
  readonly pendingFlow: Float64Array;
  readonly pendingCost: Float64Array;
  isPending: boolean;
  /** b by site: room to work in. */
  readonly siteChange: Float64Array;
  value: number;
}

/** O(tasks² · sites). */
export function exchangeTable(problem: DenseProblem, siteOfTask: Int32Array): ExchangeTable {
  const { taskCount, siteCount, capacity } = problem;
  const table: ExchangeTable = {
    problem,
    siteOfTask: siteOfTask.slice(),
    freePlaces: capacity.slice(),
    costAt: new Float64Array(taskCount * siteCount),
    effects: new Float64Array(taskCount * taskCount),
    pendingFlow: new Float64Array(taskCount),
    pendingCost: new Float64Array(taskCount),
    isPending: false,
    siteChange: new Float64Array(siteCount),
    value: denseValue(problem, siteOfTask),
  };
  for (const site of siteOfTask) table.freePlaces[site] = intAt(table.freePlaces, site) - 1;
  for (let task = 0; task < taskCount; task++) fillCosts(table, task);
  for (let task = 0; task < taskCount; task++) {
    for (let other = task + 1; other < taskCount; other++) {
      table.effects[task * taskCount + other] = effectInTable(table, task, other);
    }
  }
  return table;
}

/** What `task` would pay on each site, from nothing. */
function fillCosts({ problem, siteOfTask, costAt }: ExchangeTable, task: number): void {
  const { taskCount, siteCount, flow, cost, symmetric } = problem;
  const row = task * siteCount;
  for (let other = 0; other < taskCount; other++) {
    const site = siteOfTask[other]!;
    // Along the row of the other's site: what task sends if costs are symmetric, else what it receives.
    const along = symmetric ? flow[task * taskCount + other]! : flow[other * taskCount + task]!;
    if (along !== 0) {
      for (let at = 0; at < siteCount; at++) costAt[row + at]! += along * cost[site * siteCount + at]!;
    }
    const sent = flow[task * taskCount + other]!;
    if (symmetric || sent === 0) continue;
    for (let at = 0; at < siteCount; at++) costAt[row + at]! += sent * cost[at * siteCount + site]!;
  }
}

/** What exchanging two tasks would change. O(1). */
export function exchangeEffect({ problem, siteOfTask, costAt }: ExchangeTable, task: number, other: number): number {
  const { taskCount, siteCount, flow, cost, symmetric } = problem;
  const site = siteOfTask[task]!;
  const otherSite = siteOfTask[other]!;
  const sent = flow[task * taskCount + other]!;
  const there = cost[site * siteCount + otherSite]!;
  const between = symmetric
    ? 2 * sent * there
    : (sent + flow[other * taskCount + task]!) * (there + cost[otherSite * siteCount + site]!);
  return (
    costAt[task * siteCount + otherSite]! -
    costAt[task * siteCount + site]! +
    costAt[other * siteCount + site]! -
    costAt[other * siteCount + otherSite]! +
    between
  );
}

/** Exchanges that change nothing are worth infinitely much in the table, so that no search takes them for a step. */
function effectInTable(table: ExchangeTable, task: number, other: number): number {
  const { kindOfTask, kindOfSite } = table.problem;
  const { siteOfTask } = table;
  const areInterchangeable =
    kindOfTask[task] === kindOfTask[other] || kindOfSite[siteOfTask[task]!] === kindOfSite[siteOfTask[other]!];
  return areInterchangeable ? Infinity : exchangeEffect(table, task, other);
}

/** What moving a task to a free place of `site` would change. O(1). */
export const moveEffect = ({ problem, siteOfTask, costAt }: ExchangeTable, task: number, site: number): number =>
  costAt[task * problem.siteCount + site]! - costAt[task * problem.siteCount + siteOfTask[task]!]!;

/** Exchanges two tasks. O(tasks · sites). */
export function exchangeTasks(table: ExchangeTable, task: number, other: number): void {
  const { siteOfTask } = table;
  flushUpdates(table);
  table.value += exchangeEffect(table, task, other);
  const from = siteOfTask[task]!;
  const to = siteOfTask[other]!;
  siteOfTask[task] = to;
  siteOfTask[other] = from;
  addChange(table, task, other, from, to);
}

/** Moves a task to a site that has a free place. O(tasks · sites). */
export function moveTask(table: ExchangeTable, task: number, site: number): void {
  const { siteOfTask, freePlaces } = table;
  flushUpdates(table);
  table.value += moveEffect(table, task, site);
  const from = siteOfTask[task]!;
  siteOfTask[task] = site;
  freePlaces[from]! += 1;
  freePlaces[site]! -= 1;
  addChange(table, task, none, from, site);
}

/** Stands for the task that comes back where a task moves to a free place. */
const none = -1;

/** Brings the tables up to date after `task` has gone from `from` to `to`, and `other` back. */
function addChange(table: ExchangeTable, task: number, other: number, from: number, to: number): void {
  if (!table.problem.symmetric) {
    gatherChange(table, task, other, from, to, true);
    lowerCosts(table);
    flushUpdates(table);
  }
  gatherChange(table, task, other, from, to, false);
  lowerCosts(table);
  writeEffects(table, task);
  if (other !== none) writeEffects(table, other);
}

/** Makes a and b of a change pending: along the rows of both matrices or, transposed, along the columns. */
function gatherChange(
  table: ExchangeTable,
  task: number,
  other: number,
  from: number,
  to: number,
  transposed: boolean,
): void {
  const { siteOfTask, pendingFlow, pendingCost, siteChange } = table;
  const { taskCount, siteCount, flow, cost } = table.problem;
  const flowRow = transposed ? 1 : taskCount;
  const flowColumn = transposed ? taskCount : 1;
  const costRow = transposed ? 1 : siteCount;
  const costColumn = transposed ? siteCount : 1;
  for (let site = 0; site < siteCount; site++) {
    siteChange[site] = cost[from * costRow + site * costColumn]! - cost[to * costRow + site * costColumn]!;
  }
  for (let partner = 0; partner < taskCount; partner++) {
    const back = other === none ? 0 : flow[other * flowRow + partner * flowColumn]!;
    pendingFlow[partner] = flow[task * flowRow + partner * flowColumn]! - back;
    pendingCost[partner] = siteChange[siteOfTask[partner]!]!;
  }
  table.isPending = true;
}

/** costAt[u, z] −= a[u] · b[z]. */
function lowerCosts({ problem, costAt, pendingFlow, siteChange }: ExchangeTable): void {
  const { taskCount, siteCount } = problem;
  for (let task = 0; task < taskCount; task++) {
    const flow = pendingFlow[task]!;
    if (flow === 0) continue;
    const row = task * siteCount;
    for (let site = 0; site < siteCount; site++) costAt[row + site]! -= flow * siteChange[site]!;
  }
}

/** Effects of all exchanges with `task`, less the pending product, which does not hold for them. */
function writeEffects(table: ExchangeTable, task: number): void {
  const { effects, pendingFlow, pendingCost, problem } = table;
  const { taskCount } = problem;
  for (let other = 0; other < taskCount; other++) {
    if (other === task) continue;
    const pending = (pendingFlow[task]! - pendingFlow[other]!) * (pendingCost[task]! - pendingCost[other]!);
    const pair = task < other ? task * taskCount + other : other * taskCount + task;
    effects[pair] = effectInTable(table, task, other) - pending;
  }
}

/** Adds the pending product to the effects. O(tasks²). */
export function flushUpdates(table: ExchangeTable): void {
  if (!table.isPending) return;
  const { effects, pendingFlow, pendingCost, problem } = table;
  const { taskCount } = problem;
  for (let task = 0; task < taskCount; task++) {
    const flow = pendingFlow[task]!;
    const cost = pendingCost[task]!;
    const row = task * taskCount;
    for (let other = task + 1; other < taskCount; other++) {
      effects[row + other]! += (flow - pendingFlow[other]!) * (cost - pendingCost[other]!);
    }
  }
  clearPending(table);
}

/** Once the pending product stands in `effects`. */
export function clearPending(table: ExchangeTable): void {
  table.pendingFlow.fill(0);
  table.isPending = false;
}
