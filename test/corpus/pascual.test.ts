import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../server/model/random.ts';
import type { Workload } from '../../server/model/workload.ts';
import { gridMachine } from '../../server/network/testing/machines.ts';
import { findEntry, defaultOptions } from '../../server/model/catalogue.ts';
import { mappers } from '../../server/mapping/catalogue.ts';
import { mapWith } from '../../server/mapping/testing/problems.ts';
import { problemOn } from '../../server/optimisation/testing/problems.ts';
import { makespanOf, programOf } from '../../server/simulation/testing/pascual.ts';
import { workloadTraffic } from '../../server/simulation/workloads/programs.ts';

/** Makespans of the mappings that a mapper finds with seeds 1 … count, in 10⁴ cycles. */
function makespans(workload: Workload, mapper: string, options: Record<string, string>, count: number): number[] {
  const entry = findEntry(mappers, mapper)!;
  const side = Math.sqrt(workload.taskCount);
  const problem = problemOn(gridMachine('torus', [side, side]), {
    taskCount: workload.taskCount,
    traffic: workloadTraffic(workload),
  });
  return Array.from({ length: count }, (_, index) => {
    const context = { options: { ...defaultOptions(entry), ...options }, random: seededRandom(1 + index) };
    return makespanOf(workload, mapWith(entry, problem, context).mapping, 1 + index) / 1e4;
  });
}

const residual = (ours: number, paper: number): number => Math.abs(ours / paper - 1);

/** Millions of packets each: much longer than other tests. */
const longest = 900_000;

// In 10⁴ cycles: the paper's cell, and that of an independent simulation under the same rules.
describe('table 2 of Pascual et al. 2010, 4 x 4, class W', { timeout: longest }, () => {
  it.each([
    ['bt', 93.78, 93.6],
    ['cg', 348.65, 346.5],
    ['ft', 117.94, 118.3],
    ['is', 82.54, 84.1],
    ['lu', 74.78, 74.4],
    ['mg', 50.48, 48.7],
    ['sp', 161.11, 160.7],
  ])('%s, consecutive', (name, paper, independent) => {
    const cycles = makespanOf(programOf(name, { class: 'W', tasks: 16 })) / 1e4;
    expect(residual(cycles, paper)).toBeLessThan(0.05);
    expect(residual(cycles, independent)).toBeLessThan(0.01);
  });

  it.each([
    ['lu', 85.29],
    ['mg', 57.98],
  ])('%s, mean of random mappings', (name, paper) => {
    const all = makespans(programOf(name, { class: 'W', tasks: 16 }), 'random', {}, 8);
    expect(residual(all.reduce((sum, each) => sum + each, 0) / all.length, paper)).toBeLessThan(0.05);
  });

  it.each([
    ['bt', 93.77],
    ['cg', 302.8],
    ['lu', 74.76],
    ['mg', 45.52],
  ])('%s, the best of GRASP', (name, paper) => {
    const workload = programOf(name, { class: 'W', tasks: 16 });
    const found = ['distance', 'traffic-distribution'].flatMap((criterion) =>
      makespans(workload, 'grasp', { criterion }, 1),
    );
    expect(residual(Math.min(...found), paper)).toBeLessThan(0.05);
  });
});

describe('table 3, 8 x 8, class A', { timeout: longest }, () => {
  it.each([
    ['bt', 369.35, 368.9],
    ['lu', 136.57, 135.8],
  ])('%s, consecutive', (name, paper, independent) => {
    const cycles = makespanOf(programOf(name, { class: 'A', tasks: 64 })) / 1e4;
    expect(residual(cycles, paper)).toBeLessThan(0.05);
    expect(residual(cycles, independent)).toBeLessThan(0.01);
  });
});
