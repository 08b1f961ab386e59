/**
 * All `.place` files of the opened folders, for what concerns more than one file: renaming, references, symbols, moved
 * files. The folders are listed and every file is looked at again at each question (both are cheap beside a wrong
 * answer); only what changed is read and parsed.
 */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import {
  LSPErrorCodes,
  ResponseError,
  type CallHierarchyItem,
  type Connection,
  type ReferenceParams,
  type RenameFilesParams,
  type RenameParams,
  type WorkspaceEdit,
  type WorkspaceSymbolParams,
} from 'vscode-languageserver';
import * as service from '../../language/service/languageService.ts';
import { normalUri } from '../../language/uris.ts';
import type { AnswerTo } from '../../protocol/calls.ts';
import { succeed, type Result } from '../../model/result.ts';
import { placeFileLimit, platform, decodeTextFile, type ReadPolicy } from '../platform.ts';

export interface WorkspaceEnvironment {
  /** URIs of the opened folders. */
  readonly folders: () => Iterable<string>;
  readonly documents: () => readonly TextDocument[];
  readonly documentOf: (uri: string) => TextDocument | undefined;
  /** What may be read, by whoever reads a file. */
  readonly policyOf: (uri: string) => ReadPolicy;
  /** What is known of a document that is open. */
  readonly inputOf: (uri: string) => Promise<service.ServiceInput | undefined>;
}

/** What was read of a file on disk; `stamp` changes when its content does. */
interface KnownText {
  readonly stamp: string;
  readonly text: Result<string>;
}

export class WorkspaceIndex {
  readonly #environment: WorkspaceEnvironment;
  readonly #texts = new Map<string, KnownText>();
  #last: service.Workspace | undefined;

  constructor(environment: WorkspaceEnvironment) {
    this.#environment = environment;
  }

  /** The workspace as it stands now. O(entries of the folders + length of the texts). */
  async workspace(): Promise<service.Workspace> {
    const open = this.#environment.documents().map(({ uri }) => normalUri(uri));
    const { uris, isComplete } = await platform().files.listPlaceFiles(this.#environment.folders());
    const roots = [...new Set([...uris, ...open])];
    const real = new Map<string, Promise<string>>();
    const realOf = (uri: string): Promise<string> => {
      const known = real.get(uri) ?? platform().files.realUri(uri, this.#environment.policyOf(uri));
      real.set(uri, known);
      return known;
    };
    const openOfReal = new Map<string, string>();
    for (const uri of open) openOfReal.set(await realOf(uri), uri);
    // One look at each file per question: all programs see the same text of it, by whatever link they reach it.
    const texts = new Map<string, Promise<Result<string>>>();
    const read = (uri: string): Promise<Result<string>> => {
      const known = texts.get(uri) ?? realOf(uri).then((file) => this.#read(uri, openOfReal.get(file)));
      texts.set(uri, known);
      return known;
    };
    const gathered = await service.gatherWorkspace(roots, read, this.#last, isComplete);
    this.#last = { ...gathered, sameFiles: await groupUris([...open, ...texts.keys()], realOf) };
    for (const uri of this.#texts.keys()) if (!texts.has(uri)) this.#texts.delete(uri);
    return this.#last;
  }

  /** `opened`: the URI under which the file is open, if it is. */
  async #read(uri: string, opened: string | undefined): Promise<Result<string>> {
    const policy = this.#environment.policyOf(uri);
    const edited = policy.openTexts?.get(uri) ?? (opened === undefined ? undefined : policy.openTexts?.get(opened));
    if (edited !== undefined) return succeed(edited);
    const known = this.#texts.get(uri);
    const file = await platform().files.readBytes(uri, policy, { limit: placeFileLimit, unlessStamp: known?.stamp });
    if (!file.ok) return file;
    const { stamp, bytes } = file.value;
    if (bytes === undefined && known !== undefined) return known.text;
    const text = decodeTextFile(uri, bytes);
    if (stamp !== undefined) this.#texts.set(uri, { stamp, text });
    return text;
  }
}

/** URIs of one file, where it has several; those that come first are first in their group. */
async function groupUris(
  uris: readonly string[],
  realOf: (uri: string) => Promise<string>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const groups = new Map<string, string[]>();
  for (const uri of new Set(uris)) {
    const file = await realOf(uri);
    const group = groups.get(file) ?? [];
    group.push(uri);
    groups.set(file, group);
  }
  const several = [...groups.values()].filter((group) => group.length > 1);
  return new Map(several.flatMap((group) => group.map((uri) => [uri, group] as const)));
}

/** After the last change of a text, before the other files are looked at, milliseconds. */
const usesPause = 400;

/**
 * What the files of the workspace name of the open documents' declarations. Looked at a while after a text has changed,
 * and only where a document has a declaration that it does not use itself.
 */
export class UsesOfDocuments {
  readonly #index: WorkspaceIndex;
  readonly #unsure: () => Promise<readonly string[]>;
  readonly #changed: (uri: string) => void;
  readonly #uses = new Map<string, ReadonlySet<string>>();
  #timer: NodeJS.Timeout | undefined;

  /** `unsure`: open documents with declarations that they do not use themselves. */
  constructor(index: WorkspaceIndex, unsure: () => Promise<readonly string[]>, changed: (uri: string) => void) {
    this.#index = index;
    this.#unsure = unsure;
    this.#changed = changed;
  }

  of(uri: string): ReadonlySet<string> | undefined {
    return this.#uses.get(uri);
  }

  lookSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), usesPause);
  }

  forget(uri: string): void {
    this.#uses.delete(uri);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    const unsure = await this.#unsure();
    if (unsure.length === 0) return;
    const workspace = await this.#index.workspace();
    // A use might be in a file that was not looked at.
    if (!workspace.isComplete) return;
    for (const uri of unsure) {
      const uses = service.usesElsewhere(workspace, normalUri(uri));
      const before = this.#uses.get(uri);
      this.#uses.set(uri, uses);
      if (before === undefined || before.size !== uses.size || [...uses].some((use) => !before.has(use)))
        this.#changed(uri);
    }
  }
}

/** Answers the requests that are about all files. Files are named as the editor names them, where they are open. */
export function answerWorkspaceRequests(
  connection: Connection,
  environment: WorkspaceEnvironment,
  index: WorkspaceIndex,
): void {
  const offsetOf = ({
    textDocument,
    position,
  }: {
    textDocument: { uri: string };
    position: RenameParams['position'];
  }) => environment.documentOf(textDocument.uri)?.offsetAt(position);
  const spelling = (): ((uri: string) => string) => spellingIn(environment);
  const asTheEditorNames = ({ changes = {} }: WorkspaceEdit): WorkspaceEdit => {
    const named = spelling();
    return { changes: Object.fromEntries(Object.entries(changes).map(([uri, edits]) => [named(uri), edits])) };
  };

  connection.onReferences(async (parameters: ReferenceParams) => {
    const offset = offsetOf(parameters);
    if (offset === undefined) return null;
    const workspace = await index.workspace();
    const named = spelling();
    const found = service.references(workspace, normalUri(parameters.textDocument.uri), offset, parameters.context);
    return found.map(({ uri, range }) => ({ uri: named(uri), range }));
  });
  connection.onRenameRequest(async (parameters: RenameParams) => {
    const offset = offsetOf(parameters);
    if (offset === undefined) return null;
    const workspace = await index.workspace();
    const edit = await service.rename(workspace, normalUri(parameters.textDocument.uri), offset, parameters.newName);
    // A name that cannot be given is told to the user by the editor.
    return edit.ok
      ? asTheEditorNames(edit.value)
      : new ResponseError(LSPErrorCodes.RequestFailed, edit.failure.message);
  });
  const itemIn = (item: CallHierarchyItem): CallHierarchyItem => ({ ...item, uri: normalUri(item.uri) });
  const named = (item: CallHierarchyItem): CallHierarchyItem => ({ ...item, uri: spelling()(item.uri) });
  const hierarchy = connection.languages.callHierarchy;
  hierarchy.onPrepare(async (parameters) => {
    const offset = offsetOf(parameters);
    if (offset === undefined) return null;
    const items = service.prepareUses(await index.workspace(), normalUri(parameters.textDocument.uri), offset);
    return items.map(named);
  });
  hierarchy.onIncomingCalls(async ({ item }) =>
    service
      .usesOf(await index.workspace(), itemIn(item))
      .map(({ from, fromRanges }) => ({ from: named(from), fromRanges })),
  );
  hierarchy.onOutgoingCalls(async ({ item }) =>
    service.usedBy(await index.workspace(), itemIn(item)).map(({ to, fromRanges }) => ({ to: named(to), fromRanges })),
  );
  connection.onWorkspaceSymbol(async ({ query }: WorkspaceSymbolParams) =>
    service.workspaceSymbols(await index.workspace(), query),
  );
  connection.workspace.onWillRenameFiles(async ({ files }: RenameFilesParams) => {
    const renames = files.map(({ oldUri, newUri }) => ({ from: normalUri(oldUri), to: normalUri(newUri) }));
    return asTheEditorNames(service.fileRenames(await index.workspace(), renames));
  });
}

/** URIs as the editor writes them, where their documents are open. */
function spellingIn(environment: WorkspaceEnvironment): (uri: string) => string {
  const open = new Map(environment.documents().map(({ uri }) => [normalUri(uri), uri]));
  return (uri) => open.get(uri) ?? uri;
}

/** What the files of the folders declare. */
export async function overviewOf(
  environment: WorkspaceEnvironment,
  index: WorkspaceIndex,
): Promise<AnswerTo<'overview'>> {
  const workspace = await index.workspace();
  const inputs = new Map<string, service.ServiceInput>();
  for (const { uri } of environment.documents()) {
    const input = await environment.inputOf(uri);
    if (input !== undefined) inputs.set(normalUri(uri), input);
  }
  const named = spellingIn(environment);
  const entries = service.workspaceOverview(workspace, (uri) => inputs.get(uri));
  return { entries: entries.map((entry) => ({ ...entry, uri: named(entry.uri) })), isComplete: workspace.isComplete };
}
