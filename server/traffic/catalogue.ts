import type { PatternEntry } from './contract.ts';
import {
  allToAll,
  allToOne,
  butterfly,
  linear,
  nearNeighbour,
  oneToAll,
  randomPartner,
  ring,
  transpose,
  tree,
} from './patterns.ts';

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
