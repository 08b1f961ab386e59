import type { CodeLens } from 'vscode-languageserver-types';
import { gapWords } from '../../study/explain/searchWords.ts';
import type { PlacementOutline } from '../../study/report.ts';
import type { DeclarationNode } from '../tree.ts';
import { treeOf, type ServiceInput } from './input.ts';
import { countOf, formatBytes, formatNumber } from './numbers.ts';
import { rangeOf } from './ranges.ts';

/** Commands of the extension; both take the document's URI and the placement's name. */
export const showPlacementCommand = 'placewright.showPlacement';
export const exportMappingVectorCommand = 'placewright.exportMappingVector';

/** Above each placement: what it costs (click for the picture), and a way to take the mapping out. */
export function codeLens(input: ServiceInput): CodeLens[] {
  const placements = treeOf(input).declarations.filter(({ kind }) => kind === 'placement');
  return placements.flatMap((placement) => lensesOf(input, placement));
}

function lensesOf({ uri, document, summary, stale }: ServiceInput, placement: DeclarationNode): CodeLens[] {
  const name = placement.name?.text;
  if (name === undefined) return [];
  const range = rangeOf(document, placement.keyword);
  const outline = summary?.placements.find((candidate) => candidate.name === name);
  const lens = (title: string, command: string) => ({ range, command: { title, command, arguments: [uri, name] } });
  if (outline === undefined) return [lens('Show placement', showPlacementCommand)];
  const title = stale?.has(name) === true ? `${titleOf(outline)} · before the last edits` : titleOf(outline);
  return [lens(title, showPlacementCommand), lens('Export mapping', exportMappingVectorCommand)];
}

function titleOf({ jobs, metrics, hotLinkCount }: PlacementOutline): string {
  const { averageHops, hopBytes } = metrics;
  const hops = `${formatNumber(averageHops)} average hops`;
  const left = gapOfJobs(jobs);
  const cost = `${formatBytes(hopBytes)} hop-bytes${left === undefined ? '' : ` (${left})`}`;
  return [hops, cost, countOf(hotLinkCount, 'hot link')].join(' · ');
}

/** How much is left, where the search of every job has a bound in hop-bytes: bounds add up as costs do. */
function gapOfJobs(jobs: PlacementOutline['jobs']): string | undefined {
  const searches = jobs.flatMap(({ search }) => (search?.criterion === 'hop-bytes' ? [search] : []));
  const bounds = searches.flatMap(({ bound }) => bound ?? []);
  const [first] = bounds;
  if (first === undefined || bounds.length < jobs.length) return undefined;
  const value = searches.reduce((sum, search) => sum + search.value, 0);
  return gapWords({ value, bound: { ...first, value: bounds.reduce((sum, bound) => sum + bound.value, 0) } });
}
