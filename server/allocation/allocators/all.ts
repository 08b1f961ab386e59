import type { AllocatorEntry } from '../contract.ts';
import { freeNodesOf, holdingAllocation } from './capacity.ts';

export const all: AllocatorEntry = {
  name: 'all',
  summary: 'every node of the machine that has a free core',
  source: 'Placewright',
  details: 'Jobs of one placement are placed in order: a later one gets what the earlier ones left.',
  options: [],
  allocate: (request) => holdingAllocation(request, freeNodesOf(request), 'The machine'),
};
