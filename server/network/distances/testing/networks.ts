import type { Machine } from '../../../model/machine.ts';
import { seededRandom } from '../../../model/random.ts';
import type { Cable, MachineDescription } from '../../contract.ts';
import { buildMachine } from '../../machine.ts';

/** Orduña et al. 2004, figure 3, as Table 2 determines it (the figure itself is lost). */
export const autonetCables: readonly Cable[] = cablesOf('0-2 0-4 0-9 1-2 1-4 1-9 2-6 4-6 3-6 3-7 3-8 5-7 5-8 5-9 7-8');

/** `'0-2 0-4'` as cables. */
export function cablesOf(text: string): Cable[] {
  return text.split(' ').map((pair) => {
    const [from, to] = pair.split('-').map(Number) as [number, number];
    return { from, to };
  });
}

/** What `topology switches N`, its links and `routing …` say. */
export const switchesDescription = (
  switches: number,
  cables: readonly Cable[],
  routing: RoutingChoice = { name: 'up-down', options: {} },
): MachineDescription => ({
  name: 'irregular',
  topology: { name: 'switches', argument: { kind: 'numbers', numbers: [switches] }, options: {} },
  routing,
  cables,
  socketsPerNode: 1,
  coresPerSocket: 1,
  figures: {},
});

/** A machine of `switches`; throws where it cannot be built. */
export function switchesMachine(...description: Parameters<typeof switchesDescription>): Machine {
  const built = buildMachine(switchesDescription(...description));
  if (!built.ok) throw new Error(built.failure.message);
  return built.value;
}

type RoutingChoice = NonNullable<MachineDescription['routing']>;

export const upDownFrom = (root: number): RoutingChoice => ({ name: 'up-down', options: { root } });

/**
 * A connected random network: a random tree first, then cables between random switches, parallel
 * ones among them, until there are `degree` ends per switch on average.
 */
export function randomCables(switches: number, degree: number, seed: number): Cable[] {
  const random = seededRandom(seed);
  const cables: Cable[] = [];
  for (let from = 1; from < switches; from++) cables.push({ from, to: random.integer(from) });
  while (cables.length * 2 < switches * degree) {
    const from = random.integer(switches);
    const to = random.integer(switches);
    if (from !== to) cables.push({ from, to });
  }
  return cables;
}
