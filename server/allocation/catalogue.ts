import type { AnnouncedEntry } from '../model/catalogue.ts';
import type { AllocatorEntry, FinderEntry } from './contract.ts';
import { all, random } from './allocators/free.ts';
import { firstFit } from './allocators/firstFit.ts';
import { announcedAllocators } from './allocators/announced.ts';
import { band, quadrant } from './allocators/corners.ts';
import { nodes, sameAs } from './allocators/named.ts';

/** Allocators that can also serve jobs that come and go. */
export const finders: readonly FinderEntry[] = [firstFit];

/** Every allocator there is; a new one is a file and a line here. */
export const allocators: readonly (AllocatorEntry | AnnouncedEntry)[] = [
  all,
  nodes,
  random,
  quadrant,
  band,
  sameAs,
  ...finders,
  ...announcedAllocators,
];
