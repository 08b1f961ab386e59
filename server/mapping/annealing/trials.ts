import type { Chain } from './chain.ts';
import { exchange, jointWeight } from './chain.ts';
import { thresholdBits, thresholds } from './thresholds.ts';

/**
 * So many trials at one temperature: the next task of the sweep, one of its partners, one of the sites
 * near that, one of its places; what is there is exchanged with the task if Metropolis' test accepts.
 * Partners are drawn evenly: preferring the heavier of two ends no lower in the same time.
 * The generator is written out, and the task's new cost is compared with what it is known to cost now;
 * where even the least that the other task can come to loses too much, its edges are not looked at.
 */
export function runTrials(chain: Chain, temperature: number, trials: number): void {
  const { annealing, lookups, movers, inside, siteOfTask, columnOfTask, taskAtPlace, costOfTask, generator } = chain;
  const { near, floorOfTask, core } = annealing;
  const { rowStart, partner, weight } = core.graph;
  const { firstPlace } = core.places;
  const { table, rowOfSite, columnOfSite } = lookups;
  const { perSite, sites: nearOfSite } = near;
  const lastMover = movers.length - 1;
  if (lastMover < 0) return;
  let a = generator[0]!;
  let b = generator[1]!;
  let c = generator[2]!;
  let counter = generator[3]!;
  let next = chain.next;
  let skipped = 0;
  for (let trial = 0; trial < trials; trial++) {
    let word = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + word) | 0;

    const task = movers[next]!;
    next = next === lastMover ? 0 : next + 1;
    const start = rowStart[task]!;
    const end = rowStart[task + 1]!;
    const friend = partner[start + (((word >>> 16) * (end - start)) >>> 16)]!;
    const toSite = nearOfSite[siteOfTask[friend]! * perSite + (((word & 0xffff) * perSite) >>> 16)]!;

    word = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + word) | 0;

    const fromSite = siteOfTask[task]!;
    if (toSite === fromSite || inside[toSite] === 0) {
      skipped++;
      continue;
    }
    const first = firstPlace[toSite]!;
    const place = first + (((word & 0xffff) * (firstPlace[toSite + 1]! - first)) >>> 16);
    const other = taskAtPlace[place]!;
    const toRow = rowOfSite[toSite]!;
    const most = temperature * thresholds[word >>> (32 - thresholdBits)]! + costOfTask[task]!;
    let fresh = 0;
    for (let edge = start; edge < end; edge++) fresh += weight[edge]! * table[toRow + columnOfTask[partner[edge]!]!]!;
    if (other < 0) {
      if (fresh > most) continue;
    } else {
      const mostWithOther = most + costOfTask[other]!;
      if (fresh + floorOfTask[other]! > mostWithOther) continue;
      const fromRow = rowOfSite[fromSite]!;
      const otherEnd = rowStart[other + 1]!;
      for (let edge = rowStart[other]!; edge < otherEnd; edge++) {
        fresh += weight[edge]! * table[fromRow + columnOfTask[partner[edge]!]!]!;
      }
      if (fresh > mostWithOther) continue;
      // Partners that change places keep their distance; the sums have each of them meet itself.
      const joint = jointWeight(core.graph, task, other);
      const apart = table[fromRow + columnOfSite[toSite]!]! - table[toRow + columnOfSite[toSite]!]!;
      if (fresh + 2 * joint * apart > mostWithOther) continue;
    }
    exchange(chain, task, place);
    chain.accepted++;
  }
  generator[0] = a;
  generator[1] = b;
  generator[2] = c;
  generator[3] = counter;
  chain.next = next;
  chain.evaluations += trials - skipped;
}
