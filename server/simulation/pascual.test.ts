import { describe, expect, it } from 'vitest';
import { WorkloadBuilder } from '../model/workload.ts';
import { makespanOf, programOf } from './testing/pascual.ts';

describe('programs on the torus of Pascual et al. 2010', () => {
  it('256 bytes to a neighbour end in cycle 65', () => {
    const builder = new WorkloadBuilder(16);
    for (let task = 0; task < 16; task++) {
      builder.list(task);
      if (task === 0) builder.send(1, 256, 0);
      if (task === 1) builder.receive(0, 256, 0);
    }
    const workload = builder.finished();
    expect(workload.ok && makespanOf(workload.value)).toBe(65);
  });

  // Table 2, class W on 4 x 4, mapped consecutively, in 10⁴ cycles: the paper's figure, and that of an independent simulation.
  it.each([
    ['lu', 74.78, 74.4],
    ['mg', 50.48, 48.7],
  ])('%s takes the cycles of table 2: %f, or without its coins %f', (name, paper, independent) => {
    const cycles = makespanOf(programOf(name, { class: 'W', tasks: 16 })) / 1e4;
    expect(Math.abs(cycles / paper - 1)).toBeLessThan(0.05);
    expect(Math.abs(cycles / independent - 1)).toBeLessThan(0.01);
  });

  it('an exchange between opposite ends of rings uses both directions', () => {
    // 438 packets of 8 cycles each to the far end of the ring and back: in one direction alone they would take 7,008.
    const builder = new WorkloadBuilder(16);
    for (let task = 0; task < 16; task++) {
      builder.list(task);
      builder.send(task ^ 2, 438 * 32, 0);
      builder.receive(task ^ 2, 438 * 32, 0);
    }
    const workload = builder.finished();
    const cycles = workload.ok ? makespanOf(workload.value) : Number.NaN;
    expect(cycles).toBeGreaterThan(438 * 8);
    expect(cycles).toBeLessThan(0.75 * 2 * 438 * 8);
  });
});
