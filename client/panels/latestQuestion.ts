/** What a panel asks the server one at a time: a newer question ends what is worked out for the one before. */
import { CancellationTokenSource, type CancellationToken } from 'vscode';

export class LatestQuestion {
  #asked: CancellationTokenSource | undefined;

  /** What is worked out for the question ends; an answer that comes all the same says so. */
  cancel(): void {
    this.#asked?.cancel();
  }

  /** The answer; undefined where another question was asked meanwhile, or where it has failed for having been cancelled. */
  async ask<Answer>(question: (token: CancellationToken) => Promise<Answer>): Promise<Answer | undefined> {
    this.cancel();
    const asked = new CancellationTokenSource();
    this.#asked = asked;
    try {
      const answer = await question(asked.token);
      return this.#asked === asked ? answer : undefined;
    } catch (error) {
      if (!asked.token.isCancellationRequested) throw error;
      return undefined;
    } finally {
      if (this.#asked === asked) this.#asked = undefined;
      asked.dispose();
    }
  }
}
