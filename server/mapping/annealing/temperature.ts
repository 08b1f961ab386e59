import { costBetween } from '../problem/siteCosts.ts';
import type { Annealing } from './annealing.ts';
import { drawBelow, generatorState } from './generator.ts';

const samples = 1000;

/**
 * By how much the cost of one task changes when it moves to a site near one of its partners, were the
 * changes of its edges independent: the root of the mean sum of their squares, over a sample. What
 * temperatures are measured in. Depends on the seed a little, on the engine not at all. O(samples · degree).
 */
export function costNoise({ core, near, talkers }: Annealing, placeOfTask: Int32Array, seed: number): number {
  if (talkers.length === 0) return 0;
  const { graph, places } = core;
  const generator = generatorState(seed);
  const siteOf = (task: number) => places.siteOfPlace[placeOfTask[task]!]!;
  let squares = 0;
  for (let sample = 0; sample < samples; sample++) {
    const task = talkers[drawBelow(generator, talkers.length)]!;
    const start = graph.rowStart[task]!;
    const end = graph.rowStart[task + 1]!;
    const friend = graph.partner[start + drawBelow(generator, end - start)]!;
    const toSite = near.sites[siteOf(friend) * near.perSite + drawBelow(generator, near.perSite)]!;
    const fromSite = siteOf(task);
    for (let edge = start; edge < end; edge++) {
      const site = siteOf(graph.partner[edge]!);
      const change =
        graph.weight[edge]! * (costBetween(core.costs, toSite, site) - costBetween(core.costs, fromSite, site));
      squares += change * change;
    }
  }
  return Math.sqrt(squares / samples);
}
