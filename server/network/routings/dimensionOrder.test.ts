import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { asRouterId } from '../../model/identifiers.ts';
import type { Machine } from '../../model/machine.ts';
import { buildMachine } from '../machine.ts';
import { gridDescription, gridMachine } from '../testing/machines.ts';

/** Routers a packet passes, both ends included. */
function passed(machine: Machine, from: number, to: number): number[] {
  const route = machine.routing.route(asRouterId(from), asRouterId(to)) ?? [];
  return [from, ...route.map((link) => machine.topology.links.to[link]!)];
}

function loadsOf(machine: Machine, flows: readonly [from: number, to: number, amount: number][]): Map<string, number> {
  const { links } = machine.topology;
  const loads = new Float64Array(links.linkCount);
  const column = (index: 0 | 1 | 2) => flows.map((flow) => flow[index]);
  machine.routing.addLoads(
    { from: Int32Array.from(column(0)), to: Int32Array.from(column(1)), amount: Float64Array.from(column(2)) },
    loads,
    neverCancelled,
  );
  const named = new Map<string, number>();
  loads.forEach((load, link) => {
    if (load !== 0) named.set(`${links.from[link]!}-${links.to[link]!}`, load);
  });
  return named;
}

describe('dimension-order routes', () => {
  it.each([
    { kind: 'torus', shape: [4, 4], from: 0, to: 10, route: [0, 1, 2, 6, 10] },
    { kind: 'torus', shape: [4, 4], from: 10, to: 0, route: [10, 11, 8, 12, 0] },
    { kind: 'torus', shape: [4], from: 2, to: 0, route: [2, 3, 0] },
    { kind: 'torus', shape: [5], from: 0, to: 3, route: [0, 4, 3] },
    { kind: 'torus', shape: [2, 3], from: 5, to: 0, route: [5, 4, 0] },
    { kind: 'mesh', shape: [4, 4], from: 3, to: 12, route: [3, 2, 1, 0, 4, 8, 12] },
    { kind: 'hypercube', shape: [3], from: 0, to: 7, route: [0, 1, 3, 7] },
  ])('$kind $shape from $from to $to', ({ kind, shape, from, to, route }) => {
    expect(passed(gridMachine(kind, shape), from, to)).toEqual(route);
  });

  it('follows the order of axes that is asked for', () => {
    expect(passed(gridMachine('torus', [4, 4], { order: [1, 0] }), 0, 5)).toEqual([0, 4, 5]);
    expect(passed(gridMachine('mesh', [3, 3, 3], { order: [2, 0, 1] }), 0, 13)).toEqual([0, 9, 10, 13]);
  });

  it.each([{ order: [0] }, { order: [0, 0] }, { order: [0, 2] }, { order: [0, 1, 2] }])(
    'refuses the order $order on two axes',
    ({ order }) => {
      expect(buildMachine(gridDescription('torus', [4, 4], { order }))).toMatchObject({
        ok: false,
        failure: { code: 'invalid-axis-order' },
      });
    },
  );
});

describe('dimension-order loads', () => {
  it('go the positive way on a half-way tie, whichever way the flow travels', () => {
    expect(
      loadsOf(gridMachine('torus', [4]), [
        [0, 2, 7],
        [2, 0, 5],
      ]),
    ).toEqual(
      new Map([
        ['0-1', 7],
        ['1-2', 7],
        ['2-3', 5],
        ['3-0', 5],
      ]),
    );
  });

  it('leave no residue on a link that no flow crosses, and keep a small flow beside a large one', () => {
    const flows: [number, number, number][] = [
      [0, 3, 0.1],
      [0, 2, 0.7],
      [1, 3, 1e30],
      [1, 2, 0.3],
      [4, 5, 1e-3],
    ];
    const loads = loadsOf(gridMachine('mesh', [7]), flows);
    expect([...loads.keys()].sort()).toEqual(['0-1', '1-2', '2-3', '4-5']);
    expect(loads.get('0-1')).toBeCloseTo(0.8, 15);
    expect(loads.get('4-5')).toBe(1e-3);
  });

  it('keep a small flow that shares its line with a large one', () => {
    const loads = loadsOf(gridMachine('mesh', [6]), [
      [0, 3, 1e20],
      [2, 5, 0.5],
    ]);
    expect(loads.get('3-4')).toBe(0.5);
  });

  it('stop where the computation is cancelled', () => {
    const machine = gridMachine('torus', [4, 4]);
    const loads = new Float64Array(machine.topology.links.linkCount);
    const flows = { from: Int32Array.of(0), to: Int32Array.of(5), amount: Float64Array.of(1) };
    machine.routing.addLoads(flows, loads, { isCancelled: () => true });
    expect(loads.every((load) => load === 0)).toBe(true);
  });
});
