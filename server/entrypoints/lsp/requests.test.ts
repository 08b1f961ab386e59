import { describe, expect, it } from 'vitest';
import { CancellationToken, CancellationTokenSource } from 'vscode-languageserver/node';
import type { ExplainAnswer } from '../../protocol/messages.ts';
import type { ExplainOrder } from '../workerMessages.ts';
import { Explanations } from './requests.ts';
import type { WorkerHandle } from './workerHandle.ts';

const nothing: ExplainAnswer = { kind: 'nothing', reason: 'A test.' };

/** A worker that answers when it is told to, and the orders that it was given. */
function slowWorker() {
  const orders: ExplainOrder[] = [];
  const answers: (() => void)[] = [];
  const send = (order: ExplainOrder) => {
    orders.push(order);
    return new Promise<ExplainAnswer>((resolve) => {
      answers.push(() => {
        resolve(nothing);
      });
    });
  };
  const isCancelled = (index: number) => Atomics.load(new Int32Array(orders[index]!.cancelFlag), 0) !== 0;
  return { worker: { send } as unknown as Pick<WorkerHandle, 'send'>, orders, answers, isCancelled };
}

const link = (id: number, placement = 'one') => ({ uri: 'a', placement, target: { kind: 'link', link: id } as const });

describe('explanations', () => {
  it('are cancelled by the next one for the same placement, and by no other', async () => {
    const { worker, answers, isCancelled } = slowWorker();
    const explanations = new Explanations(worker);
    const asked = [link(1), link(2), link(3, 'two')].map((each) => explanations.explain(each, CancellationToken.None));
    expect([0, 1, 2].map(isCancelled)).toEqual([true, false, false]);
    for (const answer of answers) answer();
    expect(await Promise.all(asked)).toEqual([nothing, nothing, nothing]);
    void explanations.explain(link(4), CancellationToken.None);
    expect(isCancelled(1)).toBe(false);
  });

  it('are cancelled by the editor', () => {
    const { worker, orders, isCancelled } = slowWorker();
    const source = new CancellationTokenSource();
    void new Explanations(worker).explain(link(1), source.token);
    expect(orders).toMatchObject([{ kind: 'explain', placement: 'one', target: { link: 1 } }]);
    expect(isCancelled(0)).toBe(false);
    source.cancel();
    expect(isCancelled(0)).toBe(true);
  });
});
