import { InlayHintKind, type InlayHint, type Range } from 'vscode-languageserver-types';
import { chosenByAuto } from '../../mapping/auto/auto.ts';
import type { DeclarationNode, PropertyNode } from '../tree.ts';
import { treeOf, type ServiceInput } from './input.ts';

/** Behind `map auto`: what it chose. Only within the range that the editor shows. */
export function inlayHints(input: ServiceInput, range: Range): InlayHint[] {
  const start = input.document.offsetAt(range.start);
  const end = input.document.offsetAt(range.end);
  return treeOf(input)
    .declarations.filter((declaration) => declaration.start <= end && start <= declaration.end)
    .flatMap((declaration) => hintOf(input, declaration));
}

function hintOf({ document, summary }: ServiceInput, placement: DeclarationNode): InlayHint[] {
  const notes = summary?.placements.find(({ name }) => name === placement.name?.text)?.notes ?? [];
  const auto = placement.kind === 'placement' ? placement.properties.find(isAuto) : undefined;
  // One note per job; jobs mostly get the same mapper.
  const chosen = new Set(notes.flatMap((note) => chosenByAuto([note]) ?? []));
  if (auto === undefined || chosen.size === 0) return [];
  return [
    {
      position: document.positionAt(auto.end),
      label: `→ ${[...chosen].join(', ')}`,
      kind: InlayHintKind.Type,
      paddingLeft: true,
      tooltip: notes.join('\n'),
    },
  ];
}

const isAuto = ({ word, content }: PropertyNode): boolean =>
  word.text === 'map' && content.kind === 'choice' && content.choice.name.text === 'auto';
