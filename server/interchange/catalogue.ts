import type { ExportFormatEntry } from './contract.ts';
import { json } from './exports/json.ts';
import { rankfile, vector } from './exports/ranks.ts';

export { machineFormats } from './fabrics.ts';
export { forwardingReaders } from './forwarding.ts';
export { nodeFormats } from './nodes.ts';
export { tableFormats } from './table.ts';
export { traceReaders } from './traces.ts';

/** Formats that placements are written in. */
export const exportFormats: readonly ExportFormatEntry[] = [vector, rankfile, json];
