/**
 * What is read for an open document, and how: below which folders its files may lie, by trust and by the folders of the workspace,
 * and the texts of documents that are open in the editor, which hold before what is on the disk.
 */
import type { TextDocuments } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { normalUri } from '../../language/uris.ts';
import { platform, readTextFile, type ReadPolicy } from '../platform.ts';
import type { ReadPolicyMessage } from '../workerMessages.ts';

export class ReadPolicies {
  /** Whether the user trusts the workspace: of one that is not trusted nothing is read outside of its folders. */
  trusted = true;
  /** URIs of the folders of the workspace. */
  readonly folders = new Set<string>();
  readonly #documents: Pick<TextDocuments<TextDocument>, 'get'>;
  /** Open documents by the usual spelling of their URI: editors percent-encode in different ways. */
  readonly #byNormalUri = new Map<string, TextDocument>();

  constructor(documents: Pick<TextDocuments<TextDocument>, 'get'>) {
    this.#documents = documents;
  }

  /** What the editor says when it starts. */
  begin({
    trusted = true,
    folders = [],
  }: {
    readonly trusted?: boolean | undefined;
    readonly folders?: readonly string[] | undefined;
  }): void {
    this.trusted = trusted;
    for (const uri of folders) this.folders.add(uri);
  }

  opened(document: TextDocument): void {
    this.#byNormalUri.set(normalUri(document.uri), document);
  }

  closed(uri: string): void {
    this.#byNormalUri.delete(normalUri(uri));
  }

  /** The text of an open document. */
  textOf(uri: string): string | undefined {
    return (this.#documents.get(uri) ?? this.#byNormalUri.get(uri))?.getText();
  }

  /** Whether an open document has the text that its file has on the disk. */
  async isOnDisk(uri: string): Promise<boolean> {
    const onDisk = await readTextFile(uri, {});
    return onDisk.ok && onDisk.value === this.textOf(uri);
  }

  /** Folders below which files are read for a document; a document without a folder may read its neighbours. */
  allowedRoots(document: string): readonly string[] | undefined {
    if (this.trusted) return undefined;
    if (this.folders.size > 0) return [...this.folders];
    const own = platform().files.folderOf(document);
    return own === undefined ? [] : [own];
  }

  /** Whether the editor is asked to watch a file. */
  mayWatch(uri: string): boolean {
    const roots = this.trusted || this.folders.size === 0 ? undefined : [...this.folders];
    return roots === undefined || platform().files.liesWithin(uri, roots);
  }

  of(document: string): ReadPolicy {
    const openTexts = { get: (uri: string): string | undefined => this.textOf(uri) };
    const allowedRoots = this.allowedRoots(document);
    return allowedRoots === undefined ? { openTexts } : { openTexts, allowedRoots };
  }

  /** The same for another thread, for reading one file. */
  messageFor(uri: string): ReadPolicyMessage {
    const text = this.textOf(uri);
    const openTexts = new Map(text === undefined ? [] : [[uri, text]]);
    const allowedRoots = this.allowedRoots(uri);
    return allowedRoots === undefined ? { openTexts } : { openTexts, allowedRoots };
  }
}
