import { CompletionItemKind, InsertTextFormat, MarkupKind, type CompletionItem } from 'vscode-languageserver-types';
import { allocators } from '../../../allocation/catalogue.ts';
import { mappers } from '../../../mapping/catalogue.ts';
import { needsOnlyItsName, type CatalogueEntry } from '../../../model/catalogue.ts';
import { switchings } from '../../../model/networkModel.ts';
import { topologies } from '../../../network/catalogue.ts';
import { patterns, stencils } from '../../../traffic/catalogue.ts';
import { trafficPatterns } from '../../experimentWords.ts';
import { declarationSpecification } from '../../schema.ts';
import { freeName, type SymbolTable } from '../../symbols.ts';
import type { DeclarationKind } from '../../tree.ts';
import { stencilOfDeclaration } from '../hover/catalogueEntry.ts';
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
  readonly lines: Lines;
  /** Declarations that it refers to, and that are written before it where the file has none of the kind. */
  readonly needs?: readonly Need[];
}

/** The lines of a body. `nameOf` refers to a declaration that the skeleton needs. */
type Lines = (stops: Stops, nameOf: (kind: DeclarationKind) => string) => readonly string[];

interface Need {
  readonly kind: DeclarationKind;
  readonly name: string;
  readonly lines: Lines;
}

/** Names that are offered at most where a skeleton asks for one. */
const mostNames = 20;

/**
 * Numbers the stops of one snippet in the order of the text. A closed list is a choice: an editor that offers suggestions of
 * its own there would filter them by the text of the placeholder, and the next Tab would accept one in its place.
 */
class Stops {
  #last = 0;

  text(usual: string): string {
    return `\${${++this.#last}:${usual.replaceAll(/[\\$}]/g, String.raw`\$&`)}}`;
  }

  choice(values: readonly string[]): string {
    const escaped = values.map((value) => value.replaceAll(/[\\,|]/g, String.raw`\$&`));
    return `\${${++this.#last}|${escaped.join(',')}|}`;
  }

  /** Repeats what is written at the last stop. */
  repeated(): string {
    return `$${this.#last}`;
  }
}

/**
 * What may stand at the top of a file: each declaration with a body that has no error, and with the declarations that it
 * refers to where the file has none. A place for a name offers those that are declared. Jobs fit the machine that the first
 * skeleton writes. O(declarations).
 */
export function declarationItems({ checked: { symbols } }: ServiceInput): CompletionItem[] {
  return [
    ...skeletonsFor(symbols).map((skeleton) => declarationItem(symbols, skeleton)),
    tableFromItem(symbols),
    importItem,
  ];
}

const small: Need = {
  kind: 'machine',
  name: 'small',
  lines: (stops) => [`topology torus ${stops.text('4 x 4')}`],
};

/** A job on a plane. Stencils of other dimensions would not fit its grid. */
const gridLines =
  (symbols: SymbolTable): Lines =>
  (stops) => [
    `grid    ${stops.text('4 x 4')}`,
    `stencil ${stops.choice([...builtInStencils, ...declaredStencils(symbols)])}`,
    `bytes   ${stops.text('64 KiB')}`,
  ];

const catalogueNames = (entries: readonly { readonly name: string }[]): readonly string[] =>
  entries.map(({ name }) => name);

const builtInStencils = catalogueNames(stencils.filter(({ stencil }) => stencil.dimensions === 2));

const declaredStencils = (symbols: SymbolTable): readonly string[] =>
  catalogueNames(symbols.all('stencil').filter(({ node }) => stencilOfDeclaration(node).dimensions === 2)).slice(
    0,
    mostNames,
  );

/** Those whose routers take time: the servers of `queueing` have their figures in the machine. */
const packetSwitchings = switchings.filter((name) => name !== 'queueing');

/** Those that can serve a stream of jobs, the usual one first. */
const streamAllocators = [
  'first-fit',
  ...catalogueNames(allocators.filter((entry) => 'finder' in entry && entry.name !== 'first-fit')),
];

const load: Need = {
  kind: 'stream',
  name: 'load',
  lines: (stops) => [
    `arrivals exponential(rate ${stops.text('0.001')})`,
    `width    uniform(1, ${stops.text('4')})   height uniform(1, ${stops.text('4')})`,
    `traffic  ${stops.choice(trafficPatterns.map(entryOnOneLine))}`,
    `jobs     ${stops.text('1000')} completed`,
  ],
};

const skeletonsFor = (symbols: SymbolTable): readonly Skeleton[] => [
  {
    label: 'machine',
    kind: 'machine',
    lines: (stops) => [`topology ${stops.choice(topologies.map(entryOnOneLine))}`, `cores    ${stops.text('1')}`],
  },
  {
    label: 'machine-switches',
    kind: 'machine',
    summary: 'A machine of switches with arbitrary links.',
    lines: (stops) => [
      `topology switches ${stops.text('4')}`,
      `link     0 -- ${stops.text('1, 2')}`,
      `link     3 -- ${stops.text('1, 2')}`,
      `hosts    ${stops.text('4')}`,
      'routing  up-down',
    ],
  },
  {
    label: 'machine-from',
    kind: 'machine',
    summary: 'A machine imported from a file of another tool.',
    lines: (stops) => [
      `topology from "${stops.text('fabric.out')}"`,
      `routing  ${stops.choice(['up-down', 'minimal'])}`,
    ],
  },
  {
    label: 'job',
    kind: 'job',
    lines: gridLines(symbols),
  },
  {
    label: 'job-tasks',
    kind: 'job',
    summary: 'A job without a grid of tasks.',
    lines: (stops) => [
      `tasks   ${stops.text('16')}`,
      `pattern ${stops.choice(patterns.map(entryOnOneLine))}`,
      `bytes   ${stops.text('64 KiB')}`,
    ],
  },
  {
    label: 'stencil',
    kind: 'stencil',
    lines: () => ['dimensions 2', 'offset ( 1, 0)   offset (-1, 0)', 'offset ( 0, 1)   offset ( 0,-1)'],
  },
  {
    label: 'table',
    kind: 'table',
    lines: (stops) => [`unit ${stops.choice(['bytes', 'messages', 'packets'])}`, stops.text('0 -> 1 : 40')],
  },
  {
    label: 'placement',
    kind: 'placement',
    needs: [small, { kind: 'job', name: 'heat', lines: gridLines(symbols) }],
    lines: (stops, nameOf) => [
      `job     ${nameOf('job')}`,
      `machine ${nameOf('machine')}`,
      `map     ${stops.choice(catalogueNames(mappers.filter(needsOnlyItsName)))}`,
    ],
  },
  { label: 'stream', kind: 'stream', lines: load.lines },
  {
    label: 'network',
    kind: 'network',
    lines: (stops) => [`switching ${stops.choice(packetSwitchings)}`, `router    ${stops.text('3')} cycles`],
  },
  {
    label: 'experiment',
    kind: 'experiment',
    needs: [small, load],
    lines: (stops, nameOf) => [
      `stream   ${nameOf('stream')}`,
      `machine  ${nameOf('machine')}`,
      `network  ${stops.choice([...symbols.names('network').slice(0, mostNames), 'wormhole(router 3, buffer 1)'])}`,
      `allocate ${stops.choice(streamAllocators)}`,
    ],
  },
];

/** An entry on one line, with what it needs at its usual values. */
const entryOnOneLine = ({ name, skeleton }: CatalogueEntry): string =>
  (skeleton ?? name)
    .replaceAll(/\$\{\d+:([^}]*)\}/g, '$1')
    .replaceAll(/\$\{\d+\|([^,|]*)[^}]*\}/g, '$1')
    .replaceAll('\n', '  ');

function declarationItem(symbols: SymbolTable, { label, kind, summary, lines, needs = [] }: Skeleton): CompletionItem {
  const specification = declarationSpecification(kind);
  const stops = new Stops();
  const before: string[] = [];
  const names = new Map<DeclarationKind, () => string>();
  for (const need of needs) {
    const declared = symbols.names(need.kind).slice(0, mostNames);
    if (declared.length > 0) {
      names.set(need.kind, () => stops.choice(declared));
      continue;
    }
    const name = stops.text(need.name);
    const again = stops.repeated();
    names.set(need.kind, () => again);
    before.push(
      ...declarationText(
        need.kind,
        name,
        need.lines(stops, () => ''),
      ),
      '',
    );
  }
  const name = stops.text(newName(symbols, kind));
  const body = lines(stops, (needed) => names.get(needed)?.() ?? '');
  return {
    label,
    kind: CompletionItemKind.Keyword,
    detail: summary ?? specification?.summary ?? '',
    documentation: codeMarkup(specification?.example ?? ''),
    insertText: `${[...before, ...declarationText(kind, name, body)].join('\n')}$0`,
    insertTextFormat: InsertTextFormat.Snippet,
  };
}

/** A name that the file does not have yet: two snippets one after the other leave no name twice. */
const newName = (symbols: SymbolTable, kind: DeclarationKind): string =>
  symbols.lookup(kind, 'name') === undefined ? 'name' : freeName(symbols, kind, 'name');

const declarationText = (kind: DeclarationKind, name: string, body: readonly string[]): readonly string[] => [
  `${kind} ${name} {`,
  ...body.map((line) => `\t${line}`),
  '}',
];

const codeMarkup = (example: string) => ({ kind: MarkupKind.Markdown, value: codeBlock(example) });

const tableFromItem = (symbols: SymbolTable): CompletionItem => ({
  label: 'table-from',
  kind: CompletionItemKind.Keyword,
  detail: 'A table read from a file: a matrix, a list, a graph, a profile or a trace.',
  documentation: codeMarkup('table cg64 from "cg.A.64.mtx"'),
  insertText: `table \${1:${newName(symbols, 'table')}} from "\${2:traffic.mtx}"$0`,
  insertTextFormat: InsertTextFormat.Snippet,
});

const importItem: CompletionItem = {
  label: 'import',
  kind: CompletionItemKind.Keyword,
  detail: 'Declarations of another file.',
  documentation: codeMarkup('import "machines/cielo.place"'),
  insertText: 'import "$1"$0',
  insertTextFormat: InsertTextFormat.Snippet,
  command: askAgain,
};
