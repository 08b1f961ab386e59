import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import type { TaskId } from '../../model/identifiers.ts';
import type { Machine } from '../../model/machine.ts';
import type { PlacedJob } from '../../model/placement.ts';
import { seededRandom } from '../../model/random.ts';
import type { SuggestedImprovement } from '../../model/report.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { tableTraffic } from '../../traffic/build.ts';
import { outlinedHotLinks } from '../report.ts';
import { randomJobs, randomMachine } from '../testing/placements.ts';
import { tableOf } from '../testing/programs.ts';
import { evaluate } from './evaluate.ts';
import { placeTasks, Occupancy } from './placedTasks.ts';
import { ChangedLoads, MovedFlows } from './changedLoads.ts';
import { casesOf } from '../../model/testing/thoroughness.ts';

/** The jobs with the change made. */
function applied(
  jobs: readonly PlacedJob[],
  { job, task, slot, with: displaced }: SuggestedImprovement,
): readonly PlacedJob[] {
  const changed = jobs.map((placed) => ({ ...placed, mapping: placed.mapping.slice() }));
  if (displaced !== undefined) {
    expect(jobs[displaced.job]!.mapping[displaced.task]).toBe(slot);
    changed[displaced.job]!.mapping[displaced.task] = jobs[job]!.mapping[task]!;
  }
  changed[job]!.mapping[task] = slot;
  return changed;
}

/** No two tasks in one slot, every job within its allocation. */
function expectSound(machine: Machine, jobs: readonly PlacedJob[]): void {
  const slots = jobs.flatMap(({ mapping }) => [...mapping]);
  expect(new Set(slots).size).toBe(slots.length);
  for (const { allocation, mapping } of jobs) {
    const nodes = new Set(allocation);
    for (const slot of mapping) expect(nodes.has(Math.floor(slot / machine.coresPerNode))).toBe(true);
  }
}

describe('improvements', () => {
  it('do exactly what they promise once they are made', () => {
    const random = seededRandom(21);
    const seen = { swaps: 0, moves: 0, betweenJobs: 0, hostLinks: 0 };
    const rounds = casesOf(14, 80);
    for (let round = 0; round < rounds; round++) {
      const machine = randomMachine(random);
      const jobs = everywhere(machine, randomJobs(machine, random), random.integer(2) === 0);
      const { hotLinks, metrics } = evaluate(machine, jobs, 1.5, neverCancelled)!;
      for (const { link, load, improvements } of hotLinks.slice(0, outlinedHotLinks)) {
        expect(improvements.length).toBeLessThanOrEqual(3);
        for (const improvement of improvements) {
          const after = applied(jobs, improvement);
          expectSound(machine, after);
          const measured = evaluate(machine, after, 1.5, neverCancelled)!;
          expect(improvement.load).toBeLessThan(load);
          expect(measured.linkLoads[link]).toBe(improvement.load);
          expect(measured.metrics.hopBytes - metrics.hopBytes).toBe(improvement.hopBytesChange);
          expect(measured.metrics.maximumLinkLoad).toBe(improvement.maximumLinkLoad);
          if (improvement.with === undefined) seen.moves++;
          else seen.swaps++;
          if (improvement.with !== undefined && improvement.with.job !== improvement.job) seen.betweenJobs++;
          if (link >= machine.topology.links.routerLinkCount) seen.hostLinks++;
        }
      }
    }
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(rounds / 4);
  });

  it('bring two tasks together that talk across the machine', () => {
    const machine = gridMachine('mesh', [6]);
    // Task 0 sends to task 5, the others a little to their neighbours.
    const rows = [[0, 5, 1000], ...[1, 2, 3].map((task) => [task, task + 1, 10])] as [number, number, number][];
    const traffic = tableTraffic(tableOf(rows, 6), 6, 1);
    if (!traffic.ok) throw new Error(traffic.failure.message);
    const line = Int32Array.from({ length: 6 }, (_, task) => task);
    const job = { name: 'far', taskCount: 6, periodic: false, traffic: traffic.value };
    const { hotLinks, metrics } = evaluate(machine, [{ job, allocation: line, mapping: line }], 1, neverCancelled)!;
    const [first] = hotLinks;
    expect(first?.load).toBe(1010);
    // The heavy flow still takes a link, but nothing else takes that one.
    const [best] = first!.improvements;
    expect(best).toMatchObject({ maximumLinkLoad: 1000 });
    expect(best?.load).toBeLessThan(100);
    expect(best?.hopBytesChange).toBeLessThan(-0.7 * metrics.hopBytes);
  });

  it('put no more tasks on a node than the file of its nodes gives it slots', () => {
    const machine = gridMachine('mesh', [6], { cores: 2 });
    const traffic = tableTraffic(
      tableOf(
        [
          [0, 5, 1000],
          [1, 2, 10],
          [2, 3, 10],
        ],
        6,
      ),
      6,
      1,
    );
    if (!traffic.ok) throw new Error(traffic.failure.message);
    const allocation = Int32Array.from({ length: 6 }, (_, node) => node);
    const job = { name: 'far', taskCount: 6, periodic: false, traffic: traffic.value };
    const placed = { job, allocation, mapping: allocation.map((node) => 2 * node) };
    const movesWithin = (room?: Int32Array): number[] =>
      evaluate(machine, [{ ...placed, ...(room && { room }) }], 1, neverCancelled)!
        .hotLinks.flatMap(({ improvements }) => improvements)
        .flatMap((improvement) => (improvement.with === undefined ? [Math.floor(improvement.slot / 2)] : []));
    expect(new Set(movesWithin()).size).toBeGreaterThan(1);
    expect(movesWithin(new Int32Array(6).fill(1))).toEqual([]);
    expect(new Set(movesWithin(Int32Array.of(2, 1, 1, 1, 1, 1)))).toEqual(new Set([0]));
  });

  it('are none where every other place is as bad', () => {
    const machine = gridMachine('mesh', [2]);
    const traffic = tableTraffic(tableOf([[0, 1, 8]], 2), 2, 1);
    if (!traffic.ok) throw new Error(traffic.failure.message);
    const mapping = Int32Array.of(0, 1);
    const job = { name: 'two', taskCount: 2, periodic: false, traffic: traffic.value };
    // Only the swap is left, which turns the flow round: the other link would be as hot.
    const [hot] = evaluate(machine, [{ job, allocation: mapping, mapping }], 1, neverCancelled)!.hotLinks;
    expect(hot).toMatchObject({ load: 8, flowCount: 1, improvements: [] });
  });
});

describe('a changedLoads of a change', () => {
  const machine = gridMachine('torus', [4, 4]);
  const jobs = everywhere(machine, randomJobs(machine, seededRandom(2)), true);
  const { linkLoads, hotLinks } = evaluate(machine, jobs, 1.5, neverCancelled)!;
  const occupancy = new Occupancy(machine, placeTasks(machine, jobs));
  const moved = { job: 0, task: 0 as TaskId };
  const slot = occupancy.slotOf({ job: 0, task: 1 as TaskId });
  const change = { moved, slot, displaced: { job: 0, task: 1 as TaskId } };
  const flows = new MovedFlows(occupancy, [change]);

  it('gives up after as many links as it may visit, and leaves no trace of it', () => {
    const changedLoads = new ChangedLoads(machine, { linkLoads, hotLinks });
    const whole = changedLoads.of(change, flows, Infinity);
    const needed = changedLoads.linksVisited;
    expect(needed).toBeGreaterThan(8);
    expect(changedLoads.of(change, flows, Math.floor(needed / 2))).toBeUndefined();
    expect(changedLoads.linksVisited).toBeLessThan(needed);
    expect(changedLoads.of(change, flows, needed)).toEqual(whole);
  });
});

/** Jobs on all nodes, so that they may exchange tasks; or on their own. */
function everywhere(machine: Machine, jobs: readonly PlacedJob[], all: boolean): readonly PlacedJob[] {
  const allocation = Int32Array.from({ length: machine.nodeCount }, (_, node) => node);
  return all ? jobs.map((placed) => ({ ...placed, allocation })) : jobs;
}
