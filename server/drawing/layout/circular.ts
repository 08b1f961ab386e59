import type { Layout } from './contract.ts';
import { planarSize } from './planar.ts';
import { ascending } from './project.ts';

/** Routers without coordinates: on a circle, one unit apart, the first at the top, clockwise. */
export function layoutCircular(routerCount: number): Layout {
  const radius = routerCount < 2 ? 0 : 0.5 / Math.sin(Math.PI / routerCount);
  const angleOf = (router: number): number => (2 * Math.PI * router) / routerCount - Math.PI / 2;
  return {
    x: Float32Array.from({ length: routerCount }, (_, router) => radius * Math.cos(angleOf(router))),
    y: Float32Array.from({ length: routerCount }, (_, router) => radius * Math.sin(angleOf(router))),
    size: new Float32Array(routerCount).fill(planarSize),
    order: ascending(routerCount),
    stub: () => undefined,
  };
}
