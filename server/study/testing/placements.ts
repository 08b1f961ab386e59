import type { Machine } from '../../model/machine.ts';
import type { PlacedJob } from '../../model/placement.ts';
import { shuffle, type RandomSource } from '../../model/random.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { tableTraffic } from '../../traffic/build.ts';
import { tableOf } from './programs.ts';

/** One or two jobs of random whole amounts on random slots of their own. */
export function randomJobs(machine: Machine, random: RandomSource): PlacedJob[] {
  const slots = Int32Array.from({ length: machine.slotCount }, (_, slot) => slot);
  shuffle(slots, random);
  const jobs: PlacedJob[] = [];
  let taken = 0;
  for (let job = 0; job < 1 + random.integer(2) && taken < slots.length; job++) {
    const taskCount = 1 + random.integer(slots.length - taken);
    const rows = Array.from(
      { length: random.integer(4 * taskCount) },
      () => [random.integer(taskCount), random.integer(taskCount), random.integer(1000)] as const,
    );
    const traffic = tableTraffic(tableOf(rows, taskCount), taskCount, 1);
    if (!traffic.ok) throw new Error(traffic.failure.message);
    const mapping = slots.slice(taken, taken + taskCount);
    taken += taskCount;
    const allocation = new Int32Array(new Set(mapping.map((slot) => Math.floor(slot / machine.coresPerNode))));
    jobs.push({ job: { name: `job-${job}`, taskCount, periodic: false, traffic: traffic.value }, allocation, mapping });
  }
  return jobs;
}

export function randomMachine(random: RandomSource): Machine {
  const kind = ['torus', 'mesh', 'hypercube'][random.integer(3)]!;
  const shape =
    kind === 'hypercube'
      ? [1 + random.integer(5)]
      : Array.from({ length: 1 + random.integer(3) }, () => 1 + random.integer(5));
  const machine = gridMachine(kind, shape, {
    hosts: 1 + random.integer(2),
    cores: 1 + random.integer(3),
    figures: { bandwidth: 1000 },
  });
  return random.integer(2) === 0 ? machine : withHostLinks(machine);
}

/** The same machine with its nodes on links of their own, which no topology of this version has yet. */
function withHostLinks(machine: Machine): Machine {
  const { topology, nodeCount } = machine;
  const links = { ...topology.links, linkCount: topology.links.routerLinkCount + 2 * nodeCount };
  return { ...machine, topology: { ...topology, hasHostLinks: true, links } };
}
