import type { CancellationToken } from 'vscode-languageserver/node';
import type { ExplainAnswer, ExplainParameters } from '../../protocol/messages.ts';
import { CancelCell } from '../cancelCell.ts';
import type { WorkerHandle } from './workerHandle.ts';

/**
 * Orders explanations from the worker. Who clicks on one link after another wants the last one:
 * an order for a placement cancels the one before it.
 */
export class Explanations {
  readonly #worker: Pick<WorkerHandle, 'send'>;
  readonly #latest = new Map<string, CancelCell>();

  constructor(worker: Pick<WorkerHandle, 'send'>) {
    this.#worker = worker;
  }

  async explain({ uri, placement, target }: ExplainParameters, token: CancellationToken): Promise<ExplainAnswer> {
    const key = JSON.stringify([uri, placement]);
    const cell = new CancelCell();
    this.#latest.get(key)?.cancel();
    this.#latest.set(key, cell);
    const subscription = token.onCancellationRequested(() => {
      cell.cancel();
    });
    try {
      return await this.#worker.send({ kind: 'explain', uri, placement, target, cancelFlag: cell.buffer });
    } finally {
      subscription.dispose();
      if (this.#latest.get(key) === cell) this.#latest.delete(key);
    }
  }
}
