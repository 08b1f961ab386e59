import { fail } from '../../model/result.ts';
import type { AllocatorEntry } from '../contract.ts';
import { holdingAllocation } from './capacity.ts';
import { listedNodes } from './listed.ts';

export const sameAs: AllocatorEntry = {
  name: 'same-as',
  summary: 'the nodes that another placement was given, to compare mappers on them',
  source: 'Placewright',
  details: 'With several jobs each takes the nodes of the job at its position in the list of the other placement.',
  argument: { kind: 'placement', summary: 'the other placement', required: true },
  options: [],
  allocate(request) {
    if (request.argument?.kind !== 'name') {
      return fail('missing-argument', 'Say which placement: `allocate same-as first-try`.');
    }
    const { name } = request.argument;
    const allocation = request.allocationOf(name);
    if (!allocation.ok) return allocation;
    const listed = listedNodes(allocation.value, request.machine.nodeCount);
    return listed.ok ? holdingAllocation(request, listed.value, `The allocation of \`${name}\``) : listed;
  },
};
