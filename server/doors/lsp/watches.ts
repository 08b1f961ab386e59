import { Utils, URI } from 'vscode-uri';
import {
  DidChangeWatchedFilesNotification,
  type Connection,
  type Disposable,
  type FileSystemWatcher,
} from 'vscode-languageserver/node';

/**
 * Watches exactly the files that open documents were made of: imports, tables, given mappings, fabrics.
 * Their names may have any extension, so there is no pattern that covers them.
 */
export class Watches {
  readonly #connection: Connection;
  #watched = '';
  #registration: Promise<Disposable> | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Watches `uris` and nothing else. Cheap where nothing changed. */
  watch(uris: ReadonlySet<string>): void {
    const files = [...uris].filter((uri) => uri.startsWith('file:')).sort();
    const key = files.join('\n');
    if (key === this.#watched) return;
    this.#watched = key;
    const previous = this.#registration;
    this.#registration =
      files.length === 0
        ? undefined
        : this.#connection.client.register(DidChangeWatchedFilesNotification.type, { watchers: files.map(watcherOf) });
    // An editor that cannot watch refuses: then files count from the next save on.
    this.#registration?.catch(() => undefined);
    previous?.then(
      (registration) => {
        registration.dispose();
      },
      () => undefined,
    );
  }
}

function watcherOf(uri: string): FileSystemWatcher {
  const parsed = URI.parse(uri);
  return {
    globPattern: { baseUri: Utils.dirname(parsed).toString(), pattern: literally(Utils.basename(parsed)) },
  };
}

/** A glob that matches the name itself. */
const literally = (name: string): string => name.replace(/[*?[\]{}]/g, '[$&]');
