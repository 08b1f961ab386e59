import { describe, expect, it } from 'vitest';
import { intAt } from '../../numeric/elements.ts';
import { fastestBandwidth } from '../../model/machine.ts';
import { linkBandwidths } from './grids.ts';
import { gridMachine } from '../testing/machines.ts';

describe('bandwidths of links', () => {
  it.each([
    { kind: 'torus', shape: [4, 3, 2] },
    { kind: 'mesh', shape: [2, 1, 5] },
    { kind: 'torus', shape: [1, 6, 2] },
    { kind: 'torus', shape: [3, 2, 1] },
  ] as const)('are those of the axis along which a link of a $kind $shape leads', ({ kind, shape }) => {
    const axisBandwidths = [5, 7, 11];
    const machine = gridMachine(kind, shape, { figures: { axisBandwidths } });
    const found = linkBandwidths(machine);
    const { from, to, linkCount } = machine.topology.links;
    const [width, height] = shape;
    const coordinates = (router: number) => [
      router % width,
      Math.floor(router / width) % height,
      Math.floor(router / width / height),
    ];
    const expected = Array.from({ length: linkCount }, (_, link) => {
      const [start, end] = [coordinates(intAt(from, link)), coordinates(intAt(to, link))];
      const axes = [0, 1, 2].filter((axis) => start[axis] !== end[axis]);
      expect(axes).toHaveLength(1);
      return axisBandwidths[axes[0] ?? 0];
    });
    expect(found).toEqual(Float64Array.from(expected.map(Number)));
    expect(fastestBandwidth(machine.figures)).toBe(11);
  });

  it('are one number where no axis has its own, and unknown where nothing is said', () => {
    expect(linkBandwidths(gridMachine('torus', [4, 4], { figures: { bandwidth: 9 } }))).toBe(9);
    expect(linkBandwidths(gridMachine('torus', [4, 4]))).toBeUndefined();
  });
});
