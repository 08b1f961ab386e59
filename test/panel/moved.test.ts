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
      /** Values of colours that are further apart than so much. */
      const differing = (one: Uint8ClampedArray, other: Uint8ClampedArray, by: number): number =>
        one.reduce((count, value, at) => count + (Math.abs(value - other[at]!) > by ? 1 : 0), 0);
      const redraws = (): number => performance.getEntriesByName('placewright-redraw', 'measure').length;
      for (let step = 0; step < zoomed; step++) await press('+');
      const found: { readonly moved: number; readonly wrong: number; readonly atRest: number }[] = [];
      for (const keys of [['ArrowLeft'], ['ArrowDown', 'ArrowDown'], ['ArrowRight', 'ArrowUp', 'ArrowRight']]) {
        const before = pixels();
        for (const key of keys) await press(key);
        const moved = pixels();
        const drawn = redraws();
        while (redraws() === drawn) await frame();
        const rested = pixels();
        canvas.dispatchEvent(new Event('contextrestored'));
        await frame();
        const anew = pixels();
        // Smoothed edges of what was painted in parts are a shade lighter or darker.
        found.push({
          moved: differing(before, moved, 16),
          wrong: differing(moved, anew, 96),
          atRest: differing(rested, anew, 0),
        });
      }
      return found;
    }, steps);
    for (const { moved, ...differ } of differences) {
      expect(moved).toBeGreaterThan(1000);
      expect(differ).toEqual({ wrong: 0, atRest: 0 });
    }
  });
});
