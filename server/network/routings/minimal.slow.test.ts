/** Rows of hops that do not fit into their memory all at once. */
import { expect, it } from 'vitest';
import { asRouterId } from '../../model/identifiers.ts';
import { switchesRequest } from '../testing/exampleNetworks.ts';
import { valueOf } from '../testing/routingContract.ts';
import { switches } from '../topologies/switches.ts';
import { minimal } from './minimal.ts';

it('minimal routing knows hops of more routers than rows are kept', () => {
  const side = 12_000;
  const ring = Array.from({ length: side }, (_, from) => ({ from, to: (from + 1) % side }));
  const routing = valueOf(minimal.build(valueOf(switches.build(switchesRequest(side, ring))), {}));
  // Rows of two bytes a router: 5,592 of them are kept.
  for (let from = 0; from < side; from += 2) routing.hops(asRouterId(from), asRouterId(0));
  for (const [from, to, hops] of [
    [0, 6000, 6000],
    [2, 11_999, 3],
    [11_998, 1, 3],
  ] as const) {
    expect(routing.hops(asRouterId(from), asRouterId(to))).toBe(hops);
  }
});
