import { succeed } from '../../model/result.ts';
import { placementToJson } from '../../output/json.ts';
import type { ExportFormatEntry } from '../contract.ts';

/** One placement of `placewright run --json`, with all that was measured. */
export const json: ExportFormatEntry = {
  name: 'json',
  summary: 'nodes, mapping and all metrics, as in `placewright run --json`',
  source: 'Placewright',
  options: [],
  extension: '.json',
  write: (report) => succeed({ text: `${JSON.stringify(placementToJson(report), undefined, 2)}\n`, warnings: [] }),
};
