import { InlayHintKind, type InlayHint, type Range } from 'vscode-languageserver-types';
import type { PlacementOutline } from '../../study/report.ts';
import type { DeclarationNode, PropertyNode } from '../tree.ts';
import { treeOf, type ServiceInput } from './input.ts';

/** Behind `map auto`: what it chose. Only within the range that the editor shows. */
export function inlayHints(input: ServiceInput, range: Range): InlayHint[] {
  const outlines = new Map(input.summary?.placements.map((outline) => [outline.name, outline]));
  const start = input.document.offsetAt(range.start);
  const end = input.document.offsetAt(range.end);
  return treeOf(input)
    .declarations.filter((declaration) => declaration.start <= end && start <= declaration.end)
    .flatMap((declaration) => hintOf(input, declaration, outlines.get(declaration.name?.text ?? '')));
}

function hintOf(
  { document }: ServiceInput,
  placement: DeclarationNode,
  outline: PlacementOutline | undefined,
): InlayHint[] {
  const auto = placement.kind === 'placement' ? placement.properties.find(isAuto) : undefined;
  const chosen = (outline?.jobs ?? []).flatMap(({ name, search }) =>
    search?.chosen === undefined ? [] : [{ job: name, ...search.chosen }],
  );
  if (auto === undefined || chosen.length === 0) return [];
  // Jobs mostly get the same mapper.
  const names = new Set(chosen.map(({ name }) => name));
  const several = chosen.length > 1;
  return [
    {
      position: document.positionAt(auto.end),
      label: `→ ${[...names].join(', ')}`,
      kind: InlayHintKind.Type,
      paddingLeft: true,
      tooltip: chosen.map(({ job, name, why }) => `${several ? `${job}: ` : ''}${name}: ${why}`).join('\n'),
    },
  ];
}

const isAuto = ({ word, content }: PropertyNode): boolean =>
  word.text === 'map' && content.kind === 'choice' && content.choice.name.text === 'auto';
