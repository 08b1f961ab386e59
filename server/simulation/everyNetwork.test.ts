import { expect, it } from 'vitest';
import { routings, topologies } from '../network/catalogue.ts';
import { everyNetwork, testEveryNetwork } from './testing/everyNetwork.ts';

// Those of up to 25 nodes are in everyNetwork.slow.test.ts.
const networks = everyNetwork(12);

it('every topology is tried, and every routing but that of a file, whose tables are what `static` makes', () => {
  const untried = (all: readonly { readonly name: string }[], tried: readonly string[]): string[] =>
    all.map(({ name }) => name).filter((name) => !tried.includes(name));
  expect(
    untried(
      topologies,
      networks.map(([topology]) => topology),
    ),
  ).toEqual([]);
  expect(
    untried(
      routings,
      networks.map(([, routing]) => routing),
    ),
  ).toEqual(['from']);
});

testEveryNetwork(networks);
