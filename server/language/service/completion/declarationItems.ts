import { CompletionItemKind, InsertTextFormat, MarkupKind, type CompletionItem } from 'vscode-languageserver-types';
import { declarationOf } from '../../schema.ts';
import type { DeclarationKind } from '../../tree.ts';
import { codeBlock } from '../hover/markdown.ts';
import type { ServiceInput } from '../input.ts';
import { askAgain } from './items.ts';

/** A declaration that can be written whole, in the syntax of snippets. */
interface Skeleton {
  /** What is typed to get it. */
  readonly label: string;
  readonly kind: DeclarationKind;
  /** Where it is not the usual one of its kind: what is different. */
  readonly summary?: string;
  readonly lines: readonly string[];
}

/** Names that are offered at most where a skeleton asks for one. */
const mostNames = 20;

/**
 * What may stand at the top of a file: each declaration with a body that has no error once its names are filled in. A
 * place for a name offers those that are declared. O(declarations).
 */
export function declarationItems(input: ServiceInput): CompletionItem[] {
  const names = (stop: number, kind: DeclarationKind): string => {
    const declared = input.checked.symbols.names(kind).slice(0, mostNames);
    return declared.length === 0 ? `\${${stop}:${kind}}` : `\${${stop}|${declared.join(',')}|}`;
  };
  return [...skeletonsWith(names).map(itemOf), tableFromItem, importItem];
}

const skeletonsWith = (names: (stop: number, kind: DeclarationKind) => string): readonly Skeleton[] => [
  {
    label: 'machine',
    kind: 'machine',
    lines: ['topology ${2|torus,mesh|} ${3:4 x 4}', 'cores    ${4:1}'],
  },
  {
    label: 'machine-switches',
    kind: 'machine',
    summary: 'A machine of switches with any cables between them.',
    lines: [
      'topology switches ${2:4}',
      'link     0 -- ${3:1, 2}',
      'link     3 -- ${4:1, 2}',
      'hosts    ${5:4}',
      'routing  up-down',
    ],
  },
  {
    label: 'machine-from',
    kind: 'machine',
    summary: 'A machine read from the file of another tool.',
    lines: ['topology from "${2:fabric.out}"', 'routing  ${3|up-down,minimal|}'],
  },
  {
    label: 'job',
    kind: 'job',
    lines: ['grid    ${2:4 x 4}', 'stencil ${3|five-point,nine-point|}', 'bytes   ${4:64 KiB}'],
  },
  {
    label: 'job-tasks',
    kind: 'job',
    summary: 'A job whose tasks form no grid.',
    lines: [
      'tasks   ${2:64}',
      'pattern ${3|all-to-all,ring,one-to-all,all-to-one,linear,tree,butterfly,random|}',
      'bytes   ${4:64 KiB}',
    ],
  },
  {
    label: 'stencil',
    kind: 'stencil',
    lines: ['dimensions 2', 'offset ( 1, 0)   offset (-1, 0)', 'offset ( 0, 1)   offset ( 0,-1)'],
  },
  { label: 'table', kind: 'table', lines: ['unit ${2|bytes,messages,packets|}', '${3:0 -> 1 : 40}'] },
  {
    label: 'placement',
    kind: 'placement',
    lines: [`job     ${names(2, 'job')}`, `machine ${names(3, 'machine')}`, 'map     ${4:auto}'],
  },
  {
    label: 'stream',
    kind: 'stream',
    lines: [
      'arrivals exponential(rate ${2:0.001})',
      'width    uniform(1, ${3:16})   height uniform(1, ${4:16})',
      'traffic  ${5|one-to-all,all-to-all,random,near-neighbour|}',
      'jobs     ${6:1000} completed',
    ],
  },
  { label: 'network', kind: 'network', lines: ['switching ${2|wormhole,cut-through|}', 'router    ${3:3} cycles'] },
  {
    label: 'experiment',
    kind: 'experiment',
    lines: [`stream   ${names(2, 'stream')}`, `machine  ${names(3, 'machine')}`, 'allocate ${4:first-fit}'],
  },
];

function itemOf({ label, kind, summary, lines }: Skeleton): CompletionItem {
  const specification = declarationOf(kind);
  return {
    label,
    kind: CompletionItemKind.Keyword,
    detail: summary ?? specification?.summary ?? '',
    documentation: markdown(specification?.example ?? ''),
    insertText: [`${kind} \${1:name} {`, ...lines.map((line) => `\t${line}`), '}$0'].join('\n'),
    insertTextFormat: InsertTextFormat.Snippet,
  };
}

const markdown = (example: string) => ({ kind: MarkupKind.Markdown, value: codeBlock(example) });

const tableFromItem: CompletionItem = {
  label: 'table-from',
  kind: CompletionItemKind.Keyword,
  detail: 'A table read from a file: a matrix, a list, a graph, a profile or a trace.',
  documentation: markdown('table cg64 from "cg.A.64.mtx"'),
  insertText: 'table ${1:name} from "${2:traffic.mtx}"$0',
  insertTextFormat: InsertTextFormat.Snippet,
};

const importItem: CompletionItem = {
  label: 'import',
  kind: CompletionItemKind.Keyword,
  detail: 'Declarations of another file.',
  documentation: markdown('import "machines/cielo.place"'),
  insertText: 'import "$1"$0',
  insertTextFormat: InsertTextFormat.Snippet,
  command: askAgain,
};
