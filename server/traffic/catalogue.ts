import type { PatternEntry } from './contract.ts';
import { allToAll } from './patterns/allToAll.ts';
import { allToOne } from './patterns/allToOne.ts';
import { butterfly } from './patterns/butterfly.ts';
import { linear } from './patterns/linear.ts';
import { nearNeighbour } from './patterns/nearNeighbour.ts';
import { oneToAll } from './patterns/oneToAll.ts';
import { randomPartner } from './patterns/randomPartner.ts';
import { ring } from './patterns/ring.ts';
import { transpose } from './patterns/transpose.ts';
import { tree } from './patterns/tree.ts';

/** Every stencil and pattern there is; a new pattern is a file and a line here. */
export { stencils } from './stencils.ts';

export const patterns: readonly PatternEntry[] = [
  oneToAll,
  allToOne,
  allToAll,
  nearNeighbour,
  ring,
  linear,
  randomPartner,
  transpose,
  butterfly,
  tree,
];
