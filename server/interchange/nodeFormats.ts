import type { NodeFormatEntry } from './contract.ts';
import { hwloc } from './nodes/hwloc.ts';

/** Formats that the inside of a node is read from. */
export const nodeFormats: readonly NodeFormatEntry[] = [hwloc];
