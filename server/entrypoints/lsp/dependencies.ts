/** Which open documents were made of which files, and the watchers of these files. */
import {
  DidChangeWatchedFilesNotification,
  type Connection,
  type Disposable,
  type FileSystemWatcher,
} from 'vscode-languageserver';
import { Utils, URI } from 'vscode-uri';

/** What a document was made of: files that its sources import, and files that its study read. */
type Kind = 'sources' | 'study';

interface Dependency {
  /** Documents that were made of the file, each with how many of the kinds. */
  readonly readers: Map<string, number>;
  readonly registration: Promise<Disposable> | undefined;
}

/**
 * Which open documents were made of which files, both ways, and the watchers of exactly these files: their names may
 * have any extension, so there is no pattern that covers them. A change costs what it changes, however many
 * documents are open.
 */
export class Dependencies {
  readonly #connection: Connection;
  readonly #mayWatch: (uri: string) => boolean;
  readonly #filesOf: Readonly<Record<Kind, Map<string, ReadonlySet<string>>>> = {
    sources: new Map(),
    study: new Map(),
  };
  readonly #dependencies = new Map<string, Dependency>();

  /** `mayWatch`: whether the editor may be asked to look at a file at all. */
  constructor(connection: Connection, mayWatch: (uri: string) => boolean) {
    this.#connection = connection;
    this.#mayWatch = mayWatch;
  }

  /** The document is made of these files now. */
  set(document: string, kind: Kind, files: Iterable<string>): void {
    const before = this.#filesOf[kind].get(document);
    const now = new Set(files);
    if (now.size === 0) this.#filesOf[kind].delete(document);
    else this.#filesOf[kind].set(document, now);
    for (const file of now) if (before?.has(file) !== true) this.#add(document, file);
    for (const file of before ?? []) if (!now.has(file)) this.#remove(document, file);
  }

  /** The document was closed. */
  forget(document: string): void {
    this.set(document, 'sources', []);
    this.set(document, 'study', []);
  }

  /** Documents that were made of the file, itself included where it is one. */
  readersOf(file: string): readonly string[] {
    return [...new Set([file, ...(this.#dependencies.get(file)?.readers.keys() ?? [])])];
  }

  #add(document: string, file: string): void {
    const known = this.#dependencies.get(file);
    const dependency = known ?? { readers: new Map<string, number>(), registration: this.#watch(file) };
    this.#dependencies.set(file, dependency);
    dependency.readers.set(document, (dependency.readers.get(document) ?? 0) + 1);
  }

  #remove(document: string, file: string): void {
    const dependency = this.#dependencies.get(file);
    if (dependency === undefined) return;
    const left = (dependency.readers.get(document) ?? 0) - 1;
    if (left > 0) dependency.readers.set(document, left);
    else dependency.readers.delete(document);
    if (dependency.readers.size > 0) return;
    this.#dependencies.delete(file);
    dependency.registration?.then(
      (registration) => {
        registration.dispose();
      },
      () => undefined,
    );
  }

  #watch(file: string): Promise<Disposable> | undefined {
    if (file.startsWith('untitled:') || !this.#mayWatch(file)) return undefined;
    const watcher = watcherOf(file);
    if (watcher === undefined) return undefined;
    const registration = this.#connection.client.register(DidChangeWatchedFilesNotification.type, {
      watchers: [watcher],
    });
    // An editor that cannot watch refuses: then files count from the next save on.
    registration.catch(() => undefined);
    return registration;
  }
}

function watcherOf(uri: string): FileSystemWatcher | undefined {
  try {
    const parsed = URI.parse(uri);
    return {
      globPattern: { baseUri: Utils.dirname(parsed).toString(), pattern: literally(Utils.basename(parsed)) },
    };
  } catch {
    return undefined;
  }
}

/** A glob that matches the name itself. */
const literally = (name: string): string => name.replace(/[*?[\]{}]/g, '[$&]');
