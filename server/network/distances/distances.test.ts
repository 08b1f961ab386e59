import { describe, expect, it } from 'vitest';
import { findEntry } from '../../model/catalogue.ts';
import type { Machine } from '../../model/machine.ts';
import { distanceModels } from '../catalogue.ts';
import { distanceTable } from './distanceTable.ts';
import { gridMachine } from '../testing/machines.ts';
import { valueOf } from '../testing/routingContract.ts';

const table = (model: string, machine: Machine) => distanceTable(machine, findEntry(distanceModels, model)!);
const row = (model: string, machine: Machine, router = 0) => {
  const size = machine.topology.routerCount;
  return [...valueOf(table(model, machine))].slice(router * size, (router + 1) * size);
};

describe('distance models', () => {
  it('hops: ring distances add up', () => {
    expect(row('hops', gridMachine('torus', [4, 4]))).toEqual([0, 1, 2, 1, 1, 2, 3, 2, 2, 3, 4, 3, 1, 2, 3, 2]);
  });

  it('traffic-distribution: twice the longer axis in two dimensions', () => {
    expect(row('traffic-distribution', gridMachine('torus', [4, 4]))).toEqual([
      0, 2, 4, 2, 2, 2, 4, 2, 4, 4, 4, 4, 2, 2, 4, 2,
    ]);
  });

  it.each([
    { shape: [5], expected: [0, 1, 2, 3, 4] },
    { shape: [2, 2, 2], expected: [0, 2, 2, 3, 2, 3, 3, 3] },
  ])('traffic-distribution on mesh $shape: hops plus longest minus shortest', ({ shape, expected }) => {
    expect(row('traffic-distribution', gridMachine('mesh', shape))).toEqual(expected);
  });

  it('even-hops: a neighbour costs less than the diagonal, and two hops along an axis more', () => {
    expect(row('even-hops', gridMachine('torus', [4, 4]))).toEqual([0, 1, 4, 1, 1, 2, 3, 2, 4, 3, 4, 3, 1, 2, 3, 2]);
    expect(row('even-hops', gridMachine('mesh', [5]))).toEqual([0, 1, 2, 3, 4]);
    expect(row('even-hops', gridMachine('mesh', [2, 2, 2]))).toEqual([0, 1, 1, 2, 1, 2, 2, 3]);
  });

  it('equivalent: the hops where there is one route per pair', () => {
    const machine = gridMachine('mesh', [3, 2]);
    expect(row('equivalent', machine, 4)).toEqual(row('hops', machine, 4));
  });

  it('equivalent: says so where routes are many', () => {
    const machine = gridMachine('mesh', [3, 2]);
    const manyRoutes = { ...machine, routing: { ...machine.routing, singlePath: false } };
    expect(table('equivalent', manyRoutes)).toMatchObject({ ok: false, failure: { code: 'not-evaluated-yet' } });
  });

  it.each(distanceModels.map(({ name }) => ({ name })))('$name is symmetric and 0 on the diagonal', ({ name }) => {
    const machine = gridMachine('torus', [5, 4, 2]);
    const size = machine.topology.routerCount;
    const distances = valueOf(table(name, machine));
    for (let from = 0; from < size; from++) {
      expect(distances[from * size + from]).toBe(0);
      for (let to = 0; to < from; to++) expect(distances[from * size + to]).toBe(distances[to * size + from]);
    }
  });

  it.each(distanceModels.map(({ name }) => ({ name })))('$name refuses a table that is too large', ({ name }) => {
    expect(table(name, gridMachine('torus', [4097]))).toMatchObject({
      ok: false,
      failure: { code: 'too-many-distances' },
    });
  });

  it.each(['traffic-distribution', 'even-hops'])('%s needs coordinates', (model) => {
    const machine = gridMachine('mesh', [3]);
    const { kind, routerCount, hasHostLinks, links, routerOfNode } = machine.topology;
    const irregular = { kind, routerCount, hasHostLinks, links, routerOfNode };
    expect(table(model, { ...machine, topology: irregular })).toMatchObject({
      ok: false,
      failure: { code: 'no-coordinates' },
    });
  });
});
