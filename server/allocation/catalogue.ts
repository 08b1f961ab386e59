import type { AnnouncedEntry } from '../model/catalogue.ts';
import type { AllocatorEntry } from './contract.ts';
import { all } from './allocators/all.ts';
import { announcedAllocators } from './allocators/announced.ts';
import { band } from './allocators/band.ts';
import { nodes } from './allocators/nodes.ts';
import { quadrant } from './allocators/quadrant.ts';
import { random } from './allocators/random.ts';
import { sameAs } from './allocators/sameAs.ts';

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
