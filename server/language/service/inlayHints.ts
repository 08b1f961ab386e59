import { InlayHintKind, type InlayHint, type Range } from 'vscode-languageserver-types';
import { changeOrAsBefore } from '../../model/words.ts';
import { formatBytes, hopsOf } from '../../model/quantities.ts';
import type { PlacementOutline } from '../../study/report.ts';
import type { DeclarationNode, PropertyNode } from '../tree.ts';
import { treeOf, type ServiceInput } from './input.ts';

/**
 * Behind what a placement maps with: what `auto` chose, the mean hops, and by how much the hop-bytes differ from the
 * first placement of the same jobs. Only within the range that the editor shows; of figures of an older text none.
 */
export function inlayHints(input: ServiceInput, range: Range): InlayHint[] {
  const placements = input.summary?.placements ?? [];
  const outlines = new Map(placements.map((outline) => [outline.name, outline]));
  const first = firstPlacements(placements);
  const start = input.document.offsetAt(range.start);
  const end = input.document.offsetAt(range.end);
  return treeOf(input)
    .declarations.filter(({ kind }) => kind === 'placement')
    .filter((declaration) => declaration.start <= end && start <= declaration.end)
    .flatMap((declaration) => {
      const outline = outlines.get(declaration.name?.text ?? '');
      if (outline === undefined || input.stale?.has(outline.name) === true) return [];
      return hintOf(input, declaration, outline, first(outline));
    });
}

/** What the figures of a placement are compared with: the first of the same jobs, which may be itself. O(placements). */
export function firstPlacements(
  placements: readonly PlacementOutline[],
): (outline: PlacementOutline) => PlacementOutline | undefined {
  const firsts = new Map<string, PlacementOutline>();
  for (const outline of placements) {
    const key = jobNamesText(outline);
    if (!firsts.has(key)) firsts.set(key, outline);
  }
  return (outline) => firsts.get(jobNamesText(outline));
}

const jobNamesText = ({ jobs }: PlacementOutline): string => jobs.map(({ name }) => name).join('\n');

function hintOf(
  { document }: ServiceInput,
  { name, properties }: DeclarationNode,
  outline: PlacementOutline,
  first: PlacementOutline | undefined,
): InlayHint[] {
  const map = properties.find(({ word }) => word.text === 'map');
  const place = map ?? name;
  if (place === undefined) return [];
  const chosen = map !== undefined && isAuto(map) ? chosenBy(outline) : [];
  const several = chosen.length > 1;
  // Jobs mostly get the same mapper.
  const names = [...new Set(chosen.map((one) => one.name))];
  const { averageHops, hopBytes } = outline.metrics;
  const before = first === undefined || first.name === outline.name ? undefined : first;
  const change =
    before === undefined || before.metrics.hopBytes === 0 ? undefined : hopBytes / before.metrics.hopBytes - 1;
  const label = [
    ...(names.length === 0 ? [] : [`→ ${names.join(', ')}`]),
    hopsOf(averageHops),
    ...(change === undefined ? [] : [changeOrAsBefore(change)]),
  ].join(' · ');
  const tooltip = [
    ...chosen.map(({ job, name: mapper, why }) => `${several ? `${job}: ` : ''}${mapper}: ${why}`),
    `${hopsOf(averageHops)} on average, ${formatBytes(hopBytes)} hop-bytes.`,
    ...(before === undefined || change === undefined
      ? []
      : [`Hop-bytes ${changeOrAsBefore(change)} against \`${before.name}\`, the first placement of the same jobs.`]),
  ].join('\n');
  return [{ position: document.positionAt(place.end), label, kind: InlayHintKind.Type, paddingLeft: true, tooltip }];
}

const chosenBy = ({ jobs }: PlacementOutline) =>
  jobs.flatMap(({ name, search }) => (search?.chosen === undefined ? [] : [{ job: name, ...search.chosen }]));

const isAuto = ({ content }: PropertyNode): boolean => content.kind === 'choice' && content.choice.name.text === 'auto';
