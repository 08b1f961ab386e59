import type { ExportFormatEntry } from './contract.ts';
import { json } from './exports/json.ts';
import { rankfile } from './exports/rankfile.ts';
import { vector } from './exports/vector.ts';

export { machineFormats } from './machineFormats.ts';
export { nodeFormats } from './nodes.ts';
export { tableFormats } from './table.ts';

/** Formats that placements are written in. */
export const exportFormats: readonly ExportFormatEntry[] = [vector, rankfile, json];
