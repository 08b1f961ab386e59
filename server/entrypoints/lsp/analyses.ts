/** Checked programs of the open documents, kept until a text that they were made of changes. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { ReadText, Sources } from '../../language/sources.ts';
import { resolvePath } from '../../language/uris.ts';
import { readAndCheck, type CheckedSources } from '../../language/check.ts';

/** One open document read and checked, with everything it imports. Valid for one version of the text. */
export interface Analysis extends CheckedSources {
  readonly uri: string;
  readonly document: TextDocument;
  /** Version of the document when it was analysed: the object above changes with every keystroke. */
  readonly version: number;
}

/**
 * Checked programs of the open documents, worked out on demand and kept until a text they were
 * made of changes. Every editor feature asks here, so that one keystroke is checked once.
 */
export class Analyses {
  readonly #documentOf: (uri: string) => TextDocument | undefined;
  readonly #readText: (uri: string, document: string) => ReturnType<ReadText>;
  readonly #analysed: (uri: string, files: ReadonlySet<string>) => void;
  readonly #finished = new Map<string, Analysis>();
  /** What was last read of each document: imports whose text did not change are not parsed again. */
  readonly #previous = new Map<string, Sources>();
  readonly #running = new Map<string, Promise<Analysis>>();

  /**
   * `readText` must answer with the text of an open document where there is one. `analysed` is told which files a
   * document was made of, with imports that could not be read: those may appear.
   */
  constructor(
    documentOf: (uri: string) => TextDocument | undefined,
    readText: (uri: string, document: string) => ReturnType<ReadText>,
    analysed: (uri: string, files: ReadonlySet<string>) => void,
  ) {
    this.#documentOf = documentOf;
    this.#readText = readText;
    this.#analysed = analysed;
  }

  /** The analysis of an open document's present text; undefined for a document that is not open. */
  async of(uri: string): Promise<Analysis | undefined> {
    const document = this.#documentOf(uri);
    if (document === undefined) return undefined;
    const finished = this.#finished.get(uri);
    if (finished?.version === document.version) return finished;
    const analysis = await this.#started(document);
    // The text may have changed while imports were read; then the answer is for an older text.
    return analysis.version === document.version ? analysis : this.of(uri);
  }

  /** The text of `uri` changed, appeared or went: what was made of it is worked out anew. */
  invalidate(uris: readonly string[]): void {
    for (const uri of uris) {
      this.#finished.delete(uri);
      this.#running.delete(uri);
    }
  }

  /** The document was closed. */
  forget(uri: string): void {
    this.invalidate([uri]);
    this.#previous.delete(uri);
  }

  #started(document: TextDocument): Promise<Analysis> {
    const uri = document.uri;
    const running = this.#running.get(uri);
    if (running !== undefined) return running;
    const started = this.#analyse(document).then((analysis) => {
      if (this.#running.get(uri) === started) {
        this.#running.delete(uri);
        this.#finished.set(uri, analysis);
      }
      return analysis;
    });
    this.#running.set(uri, started);
    return started;
  }

  async #analyse(document: TextDocument): Promise<Analysis> {
    const version = document.version;
    const { uri } = document;
    const read = await readAndCheck(uri, (file) => this.#readText(file, uri), this.#previous.get(uri));
    if (this.#documentOf(uri) !== undefined) {
      this.#previous.set(uri, read.sources);
      this.#analysed(uri, filesWanted(read.sources));
    }
    return { uri, document, version, ...read };
  }
}

/** Files the sources were made of, and imports that could not be read: those may appear. */
function filesWanted(sources: Sources): ReadonlySet<string> {
  const wanted = new Set(sources.files.keys());
  for (const { uri, tree } of sources.files.values()) {
    for (const { path } of tree.imports) {
      const imported = path && resolvePath(uri, path.text);
      if (imported !== undefined) wanted.add(imported);
    }
  }
  return wanted;
}
