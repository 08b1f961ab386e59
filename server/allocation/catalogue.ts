import { bestFit } from './allocators/bestFit.ts';
import { buddy2d } from './allocators/buddy2d.ts';
import { band, quadrant } from './allocators/corners.ts';
import { curve } from './allocators/curve.ts';
import { ess } from './allocators/ess.ts';
import { firstFit } from './allocators/firstFit.ts';
import { frameSliding } from './allocators/frameSliding.ts';
import { all, random } from './allocators/free.ts';
import { gabl } from './allocators/gabl.ts';
import { mbs } from './allocators/mbs.ts';
import { mc, mc1x1 } from './allocators/minimumContention.ts';
import { nodes, sameAs } from './allocators/named.ts';
import { paging } from './allocators/paging.ts';
import { rbs } from './allocators/rbs.ts';
import type { AllocatorEntry, FinderEntry } from './contract.ts';

/** Allocators that can also serve jobs that come and go. */
export const finders: readonly FinderEntry[] = [
  random,
  firstFit,
  bestFit,
  frameSliding,
  buddy2d,
  paging,
  mbs,
  ess,
  gabl,
  rbs,
  mc,
  mc1x1,
  curve,
];

/** Every allocator there is; a new one is a file and a line here or above. */
export const allocators: readonly AllocatorEntry[] = [all, nodes, quadrant, band, sameAs, ...finders];
