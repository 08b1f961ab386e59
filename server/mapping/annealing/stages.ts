import { exponential, logarithm } from './elementary.ts';

export interface Stage {
  readonly temperature: number;
  readonly trials: number;
}

interface Cooling {
  readonly steps: number;
  readonly from: number;
  readonly to: number;
}

/** Temperatures that an order has at least, where it has that many steps. */
const fewestStages = 64;

/** The steps of an order dealt into stages of at most `mostTrials`, with temperatures that fall geometrically. */
export function stagesOf({ steps, from, to }: Cooling, mostTrials: number): Stage[] {
  const count = Math.min(steps, Math.max(fewestStages, Math.ceil(steps / mostTrials)));
  const slope = from > 0 && to > 0 && count > 1 ? logarithm(to / from) / (count - 1) : 0;
  return Array.from({ length: count }, (_, stage) => ({
    temperature: from * exponential(slope * stage),
    trials: Math.floor(((stage + 1) * steps) / count) - Math.floor((stage * steps) / count),
  }));
}
