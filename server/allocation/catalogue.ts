import type { AnnouncedEntry } from '../model/catalogue.ts';
import type { AllocatorEntry } from './contract.ts';
import { all, random } from './allocators/free.ts';
import { announcedAllocators } from './allocators/announced.ts';
import { band, quadrant } from './allocators/corners.ts';
import { nodes, sameAs } from './allocators/named.ts';

/** Every allocator there is; a new one is a file and a line here. */
export const allocators: readonly (AllocatorEntry | AnnouncedEntry)[] = [
  all,
  nodes,
  random,
  quadrant,
  band,
  sameAs,
  ...announcedAllocators,
];
