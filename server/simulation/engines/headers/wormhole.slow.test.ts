/** Many random cases of headers on every machine, and the memory of a million packets. */
import { expect, it } from 'vitest';
import { gridMachine } from '../../../network/testing/machines.ts';
import { bytesAfter, headerEvents, testHeaderDeadlocks, testRandomHeaders } from '../../testing/headerRuns.ts';

testRandomHeaders(150);
testHeaderDeadlocks(200);

it('header events need no more memory for a million packets than for ten thousand', () => {
  const network = headerEvents(gridMachine('mesh', [4, 4]), { routing: 3, buffer: 1 });
  const few = bytesAfter(network, 10_000);
  expect(bytesAfter(network, 1_000_000)).toBe(few);
  expect(network.total.packets).toBe(1_010_000);
});
