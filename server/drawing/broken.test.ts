import { describe, expect, it } from 'vitest';
import { drawScene } from './drawScene.ts';
import { numberNotes } from './legendLayout.ts';
import { planeOf } from './projections.ts';
import { renderSvg } from './renderSvg.ts';
import { torusReport } from './testing/fixtures.ts';

/** Nodes 3 and 14 of 3 x 3 x 2 do not work; tasks run on the first three. */
const faults = { cables: [], routers: [], nodes: [3, 14] };
const scene = drawScene(torusReport([3, 3, 2], { jobs: [3], faults }));
const numbers = ({ nodes }: typeof scene): number[] => [...(nodes.broken ?? [])].map((entry) => nodes.id[entry]!);

describe('nodes that do not work', () => {
  it('are told in the scene, and in each plane of it', () => {
    expect(numbers(scene).sort((a, b) => a - b)).toEqual([3, 14]);
    expect(numbers(planeOf(scene, 0))).toEqual([3]);
    expect(numbers(planeOf(scene, 1))).toEqual([14]);
  });

  it('are crossed out on paper, with a note of what that means', () => {
    const svg = renderSvg(scene);
    const [, strokes = ''] = /<g id="broken"[^>]*>\s*<path d="([^"]*)"/.exec(svg) ?? [];
    expect(strokes.match(/M/g)).toHaveLength(4);
    expect(svg).toContain('Crossed out: failed');
  });

  it('are not spoken of where all work', () => {
    const whole = drawScene(torusReport([3, 3, 2], { jobs: [3] }));
    expect(whole.nodes.broken).toBeUndefined();
    expect(renderSvg(whole)).not.toContain('id="broken"');
    expect(numberNotes(whole).join()).not.toContain('Crossed');
  });
});
