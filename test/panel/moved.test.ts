import { describe, expect, it } from 'vitest';
import { drawScene } from '../../server/drawing/drawScene.ts';
import { autonetReport, fabricOf, fabricReport, torusReport } from '../../server/drawing/testing/fixtures.ts';
import { panelForTests } from './testing/panelForTests.ts';

/** What is on the canvas already is moved with the view, and only what comes into sight is painted. */

const host = panelForTests();

describe('a picture that is moved shows what it would if it were painted anew', () => {
  it.each([
    ['a torus', drawScene(torusReport([8, 8], { jobs: [40] })), 0],
    ['a torus from nearby', drawScene(torusReport([8, 8], { jobs: [40] })), 5],
    ['switches with names and roots', drawScene(autonetReport({ hosts: 7, jobs: [30, 24], loads: [[6, 2, 4096]] })), 4],
    ['a fabric of long lines', drawScene(fabricReport('from', { fabric: fabricOf(6, 20, 8), jobs: [100] })), 6],
  ])('%s', async (_what, scene, steps) => {
    const panel = await host.open({ scene });
    const differences = await panel.page.evaluate(async (zoomed) => {
      const canvas = document.querySelector<HTMLCanvasElement>('canvas.scene')!;
      const context = canvas.getContext('2d')!;
      const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
      const press = async (key: string): Promise<void> => {
        canvas.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey: key.startsWith('Arrow') }));
        await frame();
      };
      const pixels = (): Uint8ClampedArray => context.getImageData(0, 0, canvas.width, canvas.height).data;
      for (let step = 0; step < zoomed; step++) await press('+');
      const found: { readonly moved: number; readonly differ: number }[] = [];
      for (const keys of [['ArrowLeft'], ['ArrowDown', 'ArrowDown'], ['ArrowRight', 'ArrowUp', 'ArrowRight']]) {
        const before = pixels();
        for (const key of keys) await press(key);
        const moved = pixels();
        // As after the loss of what was painted: all is painted.
        canvas.dispatchEvent(new Event('contextrestored'));
        await frame();
        const anew = pixels();
        const differing = (one: Uint8ClampedArray, other: Uint8ClampedArray): number =>
          one.reduce((count, value, at) => count + (Math.abs(value - other[at]!) > 16 ? 1 : 0), 0);
        found.push({ moved: differing(before, moved), differ: differing(moved, anew) });
      }
      return found;
    }, steps);
    for (const { moved, differ } of differences) {
      expect(moved).toBeGreaterThan(1000);
      expect(differ).toBe(0);
    }
  });
});
