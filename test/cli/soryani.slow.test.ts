/** The experiments of Soryani et al. 2013 that take longer: messages one by one, and the mixed workloads. */
import { describe, expect, it } from 'vitest';
import { at, byMapper, expectCyclicWorst, meanOf, soryaniExperiments } from './soryaniExperiments.ts';

const { run } = soryaniExperiments();

describe('table 1', () => {
  it('simulated, equal sizes take as long as the model says, and small messages wait for large ones', async () => {
    const result = await run('table-1', 'table-1-simulated', ['--short'], 'replications 3, messages 4000');
    const slowdown = (sent: number, beside: number) =>
      at(result, 'slowdown', { 'many-sent.bytes': sent, 'many-beside.bytes': beside });
    expect(slowdown(2 ** 20, 2 ** 20)).toBeCloseTo(1.0267, 1);
    expect(Math.abs(slowdown(2 ** 16, 2 ** 16) - 1.0011)).toBeLessThan(0.01);
    // The model lets a message wait as if all before it were of its own size: 1.0083.
    expect(slowdown(2 ** 10, 2 ** 20)).toBeGreaterThan(5);
  });
});

describe('figures 4 to 6: one sender', () => {
  it('the numbers of figure 4, and points about the curves', async () => {
    const figure = await run('figures-4-5-6', 'figure-4', ['--short'], 'replications 4, messages 600');
    expect(figure.quoted.map(({ paper, ours }) => Math.abs((ours ?? 0) / paper - 1) < 0.03)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    const places = figure.rows.filter(
      (row) => meanOf(row, 'predictedLatency') > 0 && meanOf(row, 'predictedLatency') < 20_000,
    );
    expect(places.length).toBeGreaterThan(20);
    for (const row of places) {
      const halfWidth = row.metrics['latency']?.halfWidth ?? 0;
      const off = Math.abs(meanOf(row, 'latency') - meanOf(row, 'predictedLatency'));
      expect(off, JSON.stringify(row.point)).toBeLessThan(2 * halfWidth + 0.01 * meanOf(row, 'latency'));
    }
    const constant = await run('figures-4-5-6', 'figure-4-constant', ['--short'], 'replications 3, messages 600');
    const large = { 'sender.bytes': 2 ** 20, 'sender.rate': 500 };
    expect(at(constant, 'latency', large)).toBeLessThan(0.8 * at(figure, 'latency', large));
  });

  it('figure 5: the variation of arrivals costs large messages much, by the model small ones nothing', async () => {
    const figure = await run('figures-4-5-6', 'figure-5');
    const growth = (metric: string, bytes: number) =>
      at(figure, metric, { 'sender.bytes': bytes, 'replay.variation': 3 }) /
      at(figure, metric, { 'sender.bytes': bytes, 'replay.variation': 0.5 });
    // The paper: 75, 5 and 0.2 %.
    expect([2 ** 20, 2 ** 16, 2 ** 10].map((bytes) => growth('predictedLatency', bytes))).toEqual(
      [1.728, 1.055, 1.005].map((value): unknown => expect.closeTo(value, 2)),
    );
    expect(growth('latency', 2 ** 20)).toBeGreaterThan(1.6);
    // Messages that come all at once wait for each other however small they are.
    expect(growth('latency', 2 ** 10)).toBeGreaterThan(1.1);
  });

  it('figure 6: the port works as the utilisation law says, but never more than all the time', async () => {
    for (const row of (await run('figures-4-5-6', 'figure-6')).rows) {
      const predicted = meanOf(row, 'predictedPortUtilisation');
      const simulated = meanOf(row, 'portUtilisation');
      expect(simulated).toBeLessThan(1);
      if (predicted < 0.9) expect(Math.abs(simulated / predicted - 1)).toBeLessThan(0.1);
      else expect(simulated).toBeGreaterThan(0.9);
    }
  });
});

describe('figures 9 to 11: workloads by mapper', () => {
  it('gather: contention-free as blocked and drb, cyclic worst', async () => {
    expectCyclicWorst(await run('figures-9-10-11', 'figure-9-gather'));
  });

  it('mixed-6: contention-free waits least by far, and has all done first', async () => {
    const result = await run('figures-9-10-11', 'figure-9-mixed-6');
    const waits = byMapper(result, 'totalWaiting');
    expect(waits['contention-free']).toBeLessThan(0.35 * waits.cyclic);
    expect(waits.cyclic).toBeLessThan(Math.min(waits.blocked, waits.drb));
    const finish = byMapper(result, 'totalFinish');
    expect(finish['contention-free']).toBeLessThan(finish.cyclic);
    expect(byMapper(result, 'makespan')['contention-free']).toBeLessThanOrEqual(byMapper(result, 'makespan').cyclic);
  });
});

describe('figure 12', () => {
  it.each(['hw-1', 'hw-2'])('%s: contention-free waits least, then cyclic', async (name) => {
    const waits = byMapper(await run('figure-12', `figure-12-${name}`, []), 'totalWaiting');
    expect(waits['contention-free']).toBeLessThan(waits.cyclic);
    expect(waits.cyclic).toBeLessThan(Math.min(waits.blocked, waits.drb));
  });
});
