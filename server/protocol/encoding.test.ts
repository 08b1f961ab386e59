import { describe, expect, it } from 'vitest';
import { drawScene } from '../drawing/drawScene.ts';
import { torusReport } from '../drawing/testing/fixtures.ts';
import { decodeScene, encodeScene } from './encoding.ts';

describe('a scene as text', () => {
  it.each([
    ['of a small machine', torusReport([4, 4], { jobs: [3, 5] })],
    ['without links and jobs', torusReport([1], { jobs: [] })],
    ['with names of any script', torusReport([2, 2], { placement: 'Ü "é" 配置 \\ {"array":1}' })],
    ['of 10,648 nodes', torusReport([22, 22, 22])],
  ])('comes back %s', (_name, report) => {
    const scene = drawScene(report);
    const wire = JSON.stringify(encodeScene(scene));
    expect(decodeScene(JSON.parse(wire) as ReturnType<typeof encodeScene>)).toEqual(scene);
  });

  it('keeps every bit of loads and does not share memory with the original', () => {
    const scene = drawScene(
      torusReport([2, 2], {
        loads: [
          [0, 1, 2 ** 53 - 1],
          [1, 0, 1 / 3],
        ],
      }),
    );
    const { links } = decodeScene(encodeScene(scene));
    expect(links.forward[0]).toBe(2 ** 53 - 1);
    expect(links.backward[0]).toBe(1 / 3);
    links.forward[0] = 0;
    expect(scene.links.forward[0]).toBe(2 ** 53 - 1);
  });

  it('encodes a view into a larger buffer by itself', () => {
    const scene = drawScene(torusReport([2, 2]));
    const padded = new Float32Array([9, ...scene.nodes.x, 9]).subarray(1, 5);
    const decoded = decodeScene(encodeScene({ ...scene, nodes: { ...scene.nodes, x: padded } }));
    expect([...decoded.nodes.x]).toEqual([...scene.nodes.x]);
  });
});
