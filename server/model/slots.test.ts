import { expect, it } from 'vitest';
import { coreOfSlot, nodeOfSlot, nodesOfSlots } from './slots.ts';

it.each([1, 3, 24])('slots count the cores of node after node, %i each', (coresPerNode) => {
  const machine = { coresPerNode };
  let slot = 0;
  for (let node = 0; node < 5; node++) {
    for (let core = 0; core < coresPerNode; core++, slot++) {
      expect([nodeOfSlot(machine, slot), coreOfSlot(machine, slot)]).toEqual([node, core]);
      expect(nodesOfSlots(machine, Int32Array.of(slot))).toEqual(Int32Array.of(node));
    }
  }
});
