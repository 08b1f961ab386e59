import type { DeclarationKind } from '../../tree.ts';
import type { Declared } from '../../symbols.ts';
import { fileNameOf } from '../../uris.ts';
import type { ServiceInput } from '../input.ts';
import { jobMarkdown } from './job.ts';
import { machineMarkdown } from './machine.ts';
import { code, codeBlock, documentationMarkdown, paragraphs } from './markdown.ts';
import { placementMarkdown } from './placement.ts';
import { stencilMarkdown, stencilOfDeclaration } from './stencil.ts';
import { tableMarkdown } from './table.ts';

/** A declared name, the same at its declaration and wherever it is used: its `///` text, then its facts. */
export function declaredMarkdown(input: ServiceInput, kind: DeclarationKind, name: string): string | undefined {
  const declared = input.checked.symbols.lookup(kind, name);
  if (declared === undefined) return undefined;
  const origin = declared.uri === input.uri ? undefined : `*Declared in ${code(fileNameOf(declared.uri))}*`;
  return paragraphs(
    codeBlock(`${kind} ${name}`),
    documentationMarkdown(input, declared.node),
    factsOf(input, kind, declared),
    origin,
  );
}

function factsOf(
  { checked, summary, stale }: ServiceInput,
  kind: DeclarationKind,
  declared: Declared,
): string | undefined {
  const { name, node } = declared;
  const isIt = (candidate: { readonly name: string }) => candidate.name === name;
  switch (kind) {
    case 'machine':
      return machineMarkdown(checked.program.machines.get(name), summary?.machines.find(isIt));
    case 'job':
      return jobMarkdown(checked.program.jobs.get(name), summary?.jobs.find(isIt));
    case 'stencil':
      return stencilMarkdown(stencilOfDeclaration(node));
    case 'table':
      return tableMarkdown(node);
    case 'placement': {
      const outline = summary?.placements.find(isIt);
      return outline === undefined ? '*Not evaluated yet.*' : placementMarkdown(outline, stale?.has(name) === true);
    }
  }
}
