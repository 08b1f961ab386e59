import { resolve } from 'node:path';
import { startBrowser } from '../e2e/browser.ts';
import { drawScene } from '../server/drawing/drawScene.ts';
import type { Scene } from '../server/drawing/scene.ts';
import { renderSvg } from '../server/drawing/renderSvg.ts';
import { decodeScene, encodeScene } from '../server/protocol/encoding.ts';
import { fabricOf, fabricReport, torusReport } from '../server/drawing/testing/fixtures.ts';
import type { PlacementReport } from '../server/model/report.ts';
import { protocolVersion } from '../server/protocol/messages.ts';
import { root } from '../tools/run.ts';
import { startPanelHost, type PanelHost } from '../test/panel/testing/panelPage.ts';
import { median, quantile, timesOf, type Figure } from './measure.ts';

/** Budgets of the house for 10,648 nodes in Chromium without GPU. */
const redrawBudget = 40;
const firstPaintBudget = 500;
const svgBudget = 500;

/**
 * From the report to the scene, over the wire, onto the screen and onto paper: a torus of
 * 22 x 22 x 22, and a fabric of as many hosts, 44 on each of 242 leaves below 22 spines.
 */
export async function picture(): Promise<Figure[]> {
  const jobs = [3000, 2000, 5000];
  const host = await startPanelHost(resolve(root, 'dist'), await startBrowser());
  try {
    return [
      ...(await figuresOf(host, 'torus', torusReport([22, 22, 22], { jobs }))),
      ...(await figuresOf(host, 'fabric', fabricReport('from', { fabric: fabricOf(22, 242, 44), jobs }))),
    ];
  } finally {
    await host.stop();
  }
}

async function figuresOf(host: PanelHost, machine: string, report: PlacementReport): Promise<Figure[]> {
  const scene = drawScene(report);
  const encoded = encodeScene(scene);
  const draw = median(timesOf(10, () => drawScene(report)));
  const encode = median(timesOf(10, () => encodeScene(scene)));
  const decode = median(timesOf(10, () => decodeScene(encoded)));
  const svg = median(timesOf(10, () => renderSvg(scene)));
  const first = await firstPaint(host, scene);
  const moved = await redraws(host, scene, 0, moves);
  const movedClose = await redraws(host, scene, 7, moves);
  const whole = await redraws(host, scene, 0, zooms);
  const close = await redraws(host, scene, 7, zooms);
  const budget = { against: 'budget of a redraw', againstMilliseconds: redrawBudget };
  const start = { against: 'budget of the first paint', againstMilliseconds: firstPaintBudget };
  const figures = [
    { what: 'redraw, all in view, median', milliseconds: median(whole), ...budget },
    { what: 'redraw, all in view, 95th percentile', milliseconds: quantile(whole, 0.95), ...budget },
    { what: 'redraw, zoomed in, median', milliseconds: median(close), ...budget },
    { what: 'moved, all in view, median', milliseconds: median(moved), ...budget },
    { what: 'moved, zoomed in, median', milliseconds: median(movedClose), ...budget },
    { what: 'first paint: draw + encode + message to pixels', milliseconds: draw + encode + first, ...start },
    { what: 'of which drawScene', milliseconds: draw, ...start },
    { what: 'of which encodeScene', milliseconds: encode, ...start },
    { what: 'decodeScene (in Node)', milliseconds: decode, ...start },
    { what: 'renderSvg', milliseconds: svg, against: 'budget of the SVG', againstMilliseconds: svgBudget },
  ];
  return figures.map((figure) => ({ ...figure, what: `${machine}: ${figure.what}` }));
}

/** From the message to rasterised pixels; the browser paints lazily, so a pixel is read back. */
async function firstPaint(host: PanelHost, scene: Scene): Promise<number> {
  const { page } = await host.open({ width: 1100, height: 760 });
  const data = {
    kind: 'scene',
    version: protocolVersion,
    uri: 'file:///a.place',
    stale: false,
    scene: encodeScene(scene),
  };
  return page.evaluate(async (message) => {
    const start = performance.now();
    window.dispatchEvent(new MessageEvent('message', { data: message }));
    await new Promise((resolve) => requestAnimationFrame(resolve));
    document.querySelector<HTMLCanvasElement>('canvas.scene')!.getContext('2d')!.getImageData(0, 0, 1, 1);
    return performance.now() - start;
  }, data);
}

/** Keys that lead to another picture and back: a move keeps most of what is painted, another scale nothing. */
const moves = ['ArrowLeft', 'ArrowRight'] as const;
const zooms = ['+', '-'] as const;

/** Milliseconds of each of 40 redraws after as many keys, rasterised, ascending. */
async function redraws(
  host: PanelHost,
  scene: Scene,
  zoomSteps: number,
  keys: readonly [string, string],
): Promise<number[]> {
  const panel = await host.open({ width: 1100, height: 760 });
  await panel.show(scene);
  const times = await panel.page.evaluate(
    async ([steps, there, back]) => {
      const canvas = document.querySelector<HTMLCanvasElement>('canvas.scene')!;
      const press = async (key: string): Promise<number> => {
        // With Shift the arrows move the picture.
        canvas.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey: key.startsWith('Arrow') }));
        await new Promise((resolve) => requestAnimationFrame(resolve));
        canvas.getContext('2d')!.getImageData(0, 0, 1, 1);
        return performance.now() - performance.getEntriesByName('placewright-redraw', 'measure').at(-1)!.startTime;
      };
      for (let step = 0; step < steps; step++) await press('+');
      // The first ones warm the compiler up.
      for (let round = 0; round < 6; round++) await press(round % 2 === 0 ? there : back);
      const found: number[] = [];
      for (let round = 0; round < 40; round++) found.push(await press(round % 2 === 0 ? there : back));
      return found;
    },
    [zoomSteps, ...keys] as const,
  );
  return times.sort((first, second) => first - second);
}
