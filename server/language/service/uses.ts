/** Who uses a declaration and what it uses: jobs and machines of placements, stencils of jobs, streams of experiments. */
import { TextDocument } from 'vscode-languageserver-textdocument';
import type {
  CallHierarchyIncomingCall,
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
  Range,
} from 'vscode-languageserver-types';
import { symbolsOf } from '../symbols.ts';
import type { DeclarationNode, SyntaxTree } from '../tree.ts';
import { rangeOf, touches } from './input.ts';
import { markAt, marksOf } from './marks.ts';
import { symbolKinds } from './symbols.ts';
import {
  declarationAt,
  namedBy,
  namedKey,
  namedPlaces,
  programsReading,
  shownPlaces,
  workspaceText,
  type Declaration,
  type Workspace,
} from './workspace.ts';

/** The declaration that the name at the offset stands for, as an editor's call hierarchy wants it. */
export function prepareUses(workspace: Workspace, uri: string, offset: number): CallHierarchyItem[] {
  const tree = treeIn(workspace, uri);
  // On the keyword or within the body, the declaration round it.
  const mark = tree && markAt(tree, offset);
  const around = tree?.declarations.find((node) => touches(node, offset));
  const named = mark && namedBy(mark);
  const declaration =
    named === undefined && around?.name !== undefined
      ? { uri, kind: around.kind, name: around.name.text, node: around }
      : declarationAt(workspace, uri, offset);
  return declaration === undefined ? [] : [callHierarchyItem(workspace, declaration)];
}

/** Declarations that name this one, each with the places where it does. */
export function usesOf(workspace: Workspace, item: CallHierarchyItem): CallHierarchyIncomingCall[] {
  const declaration = declarationOfItem(workspace, item);
  if (declaration === undefined) return [];
  return [...shownPlaces(workspace, namedPlaces(workspace, declaration))].flatMap(([uri, spans]) => {
    const tree = treeIn(workspace, uri);
    const document = documentIn(workspace, uri);
    return (tree?.declarations ?? []).flatMap((node) => {
      const inside = spans.filter(
        ({ start, end }) => node.start <= start && end <= node.end && start !== node.name?.start,
      );
      const user = declared(uri, node);
      if (inside.length === 0 || user === undefined) return [];
      return [{ from: callHierarchyItem(workspace, user), fromRanges: inside.map((span) => rangeOf(document, span)) }];
    });
  });
}

/** Declarations that this one names. */
export function usedBy(workspace: Workspace, item: CallHierarchyItem): CallHierarchyOutgoingCall[] {
  const declaration = declarationOfItem(workspace, item);
  if (declaration === undefined) return [];
  const { uri, node } = declaration;
  const document = documentIn(workspace, uri);
  const [own] = programsReading(workspace, [uri]);
  const symbols = own === undefined ? undefined : symbolsOf(workspace.programs.get(uri) ?? own);
  const found = new Map<string, { readonly to: Declaration; readonly fromRanges: Range[] }>();
  for (const mark of marksOf({ imports: [], declarations: [node], length: node.end })) {
    const named = mark.kind === 'reference' ? namedBy(mark) : undefined;
    const target = named && symbols?.lookup(named.kind, named.name);
    if (named === undefined || target === undefined) continue;
    const key = namedKey(named);
    const known = found.get(key) ?? { to: { ...named, uri: target.uri, node: target.node }, fromRanges: [] };
    known.fromRanges.push(rangeOf(document, mark.span));
    found.set(key, known);
  }
  return [...found.values()].map(({ to, fromRanges }) => ({ to: callHierarchyItem(workspace, to), fromRanges }));
}

const declared = (uri: string, node: DeclarationNode): Declaration | undefined =>
  node.name && { uri, node, kind: node.kind, name: node.name.text };

function treeIn({ programs }: Workspace, uri: string): SyntaxTree | undefined {
  const own = programs.get(uri) ?? [...programs.values()].find(({ files }) => files.has(uri));
  return own?.files.get(uri)?.tree;
}

const documentIn = (workspace: Workspace, uri: string): TextDocument =>
  TextDocument.create(uri, 'place', 0, workspaceText(workspace, uri) ?? '');

/** The editor hands the item back as it got it; the text may have changed meanwhile, the name has not. */
function declarationOfItem(workspace: Workspace, { uri, name, detail }: CallHierarchyItem): Declaration | undefined {
  const node = treeIn(workspace, uri)?.declarations.find((one) => one.kind === detail && one.name?.text === name);
  return node && declared(uri, node);
}

function callHierarchyItem(workspace: Workspace, { uri, node, name, kind }: Declaration): CallHierarchyItem {
  const document = documentIn(workspace, uri);
  return {
    name,
    kind: symbolKinds[kind],
    detail: kind,
    uri,
    range: rangeOf(document, node),
    selectionRange: rangeOf(document, node.name ?? node.keyword),
  };
}
