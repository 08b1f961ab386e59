/**
 * What the extension keeps of its pages, so that they are back as they were left. The editor has a memory for that too, and gives
 * from it to restored panels; but in a browser it writes that every five seconds, only while it is idle, and not when its page is
 * reloaded or closed: the last seconds would be lost. Ours is written at once.
 */
import type { Memento } from 'vscode';
import { readLeftState, type GivenPage, type LeftState } from '../../server/protocol/leftPage.ts';

const prefix = 'page ';
/** Pages of panels that the editor itself has forgotten are never asked for again: of more than these the oldest go. */
const mostKept = 50;

/** The memory of one page, whichever panel or view shows it. */
export class PageMemory {
  readonly #memento: Memento;
  readonly page: string;

  /** `page` names it: the same after the window was loaded again. */
  constructor(memento: Memento, page: string) {
    this.#memento = memento;
    this.page = page;
  }

  get given(): GivenPage {
    const state = readLeftState(this.#memento.get(this.#key));
    return { page: this.page, ...(state && { state }) };
  }

  keep(state: LeftState): void {
    void this.#memento.update(this.#key, state);
  }

  forget(): void {
    void this.#memento.update(this.#key, undefined);
  }

  get #key(): string {
    return `${prefix}${this.page}`;
  }
}

/** Once, when the extension starts. */
export function forgetOldPages(memento: Memento): void {
  const kept = memento.keys().filter((key) => key.startsWith(prefix));
  const ages = kept.map((key) => ({ key, at: readLeftState(memento.get(key))?.at ?? 0 }));
  for (const { key } of ages.sort((one, other) => other.at - one.at).slice(mostKept))
    void memento.update(key, undefined);
}
