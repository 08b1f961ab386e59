import { fail } from '../../model/result.ts';
import type { AllocatorEntry } from '../contract.ts';
import { holdingAllocation } from './capacity.ts';
import { listedNodes } from './listed.ts';

export const nodes: AllocatorEntry = {
  name: 'nodes',
  summary: 'the listed nodes, in the order listed',
  source: 'Placewright',
  details: 'Node id = router · hosts + host. Listed nodes without a free core stay in the list and take no task.',
  argument: { kind: 'integer-list', summary: 'the nodes: `[0..63, 70]`', required: true, minimum: 0 },
  options: [],
  allocate(request) {
    if (request.argument?.kind !== 'numbers') {
      return fail('missing-argument', 'Say which nodes: `allocate nodes [0..63]`.');
    }
    const listed = listedNodes(request.argument.numbers, request.machine.nodeCount);
    return listed.ok ? holdingAllocation(request, listed.value, 'The list of nodes') : listed;
  },
};
