/** What a reader does not know: a warning for each name, with its number and the first line. */
import type { FabricWarning } from '../model/fabric.ts';
import { countOf } from '../model/quantities.ts';

/** So many names are made up: further ones are left out. */
const mostNames = 1000;

export class UnknownNames {
  readonly #found = new Map<string, { count: number; readonly line: number }>();

  /** `line`: on which the name stands; asked for only once. */
  add(name: string, line: number | (() => number)): void {
    const before = this.#found.get(name);
    if (before !== undefined) before.count++;
    else if (this.#found.size < mostNames)
      this.#found.set(name, { count: 1, line: typeof line === 'number' ? line : line() });
  }

  /** `what`: the name and its kind, as in `Unknown element <frob>`. */
  warnings(what: (name: string) => string = (name) => name): readonly Required<FabricWarning>[] {
    return Array.from(this.#found, ([name, { count, line }]) => ({
      line,
      message: `${what(name)}, ${countOf(count, 'time')}: not read.`,
    }));
  }
}
