import { describe, expect, it } from 'vitest';
import type { ExplainAnswer, ExplainTarget } from '../../server/protocol/messages.ts';
import { createSelector, type Selector } from './selection.ts';

function start(): { readonly selector: Selector; readonly asked: ExplainTarget[] } {
  const asked: ExplainTarget[] = [];
  const selector = createSelector(
    // What is asked of a node is told by itself below.
    (target) => target.kind === 'node' || asked.push(target),
    () => undefined,
  );
  return { selector, asked };
}

const nothing: ExplainAnswer = { kind: 'nothing', reason: 'so' };
const [one, other] = [
  { job: 0, task: 1 },
  { job: 1, task: 1 },
];

describe('the selection', () => {
  it('of the same task twice is of one node', () => {
    const { selector, asked } = start();
    selector.selectNode(7, one, true);
    selector.selectNode(7, one, true);
    expect(selector.selection).toEqual({ kind: 'node', node: 7, task: one });
    expect(asked).toEqual([]);
  });

  it('tells tasks of the same number in two jobs apart', () => {
    const { selector, asked } = start();
    selector.selectNode(7, one, false);
    selector.selectNode(8, other, true);
    expect(asked).toEqual([{ kind: 'tasks', from: one, to: other }]);
    selector.receive({ kind: 'tasks', from: other, to: one }, nothing);
    expect(selector.selection).not.toHaveProperty('answer');
    selector.receive({ kind: 'tasks', from: one, to: other }, nothing);
    expect(selector.selection).toHaveProperty('answer', nothing);
  });

  it('of a link is no first task', () => {
    const { selector, asked } = start();
    selector.selectLink(5);
    selector.selectNode(7, one, true);
    expect(selector.selection.kind).toBe('node');
    expect(asked).toEqual([{ kind: 'link', link: 5 }]);
  });

  it('keeps the first task where the second node runs none', () => {
    const { selector, asked } = start();
    selector.selectNode(7, one, false);
    selector.selectNode(9, undefined, true);
    expect(selector.selection).toEqual({ kind: 'node', node: 7, task: one });
    expect(asked).toEqual([]);
    selector.selectNode(9, undefined, false);
    expect(selector.selection).toEqual({ kind: 'node', node: 9 });
  });

  it('is forgotten where the new picture does not show it', () => {
    const { selector, asked } = start();
    selector.selectLink(5);
    selector.refresh(() => undefined);
    expect(selector.selection.kind).toBe('none');
    expect(asked).toHaveLength(1);
  });

  it('of a node that runs something asks with whom it talks, and takes the answer to itself', () => {
    const asked: ExplainTarget[] = [];
    const selector = createSelector(
      (target) => asked.push(target),
      () => undefined,
    );
    selector.selectNode(9, undefined, false);
    selector.selectNode(7, one, false);
    expect(asked).toEqual([{ kind: 'node', node: 7 }]);
    selector.receive({ kind: 'node', node: 9 }, nothing);
    expect(selector.selection).not.toHaveProperty('answer');
    selector.receive({ kind: 'node', node: 7 }, nothing);
    expect(selector.selection).toEqual({ kind: 'node', node: 7, task: one, answer: nothing });
  });

  it('of a node goes where the new picture shows it', () => {
    const { selector, asked } = start();
    selector.selectNode(7, one, false);
    selector.refresh(() => ({ kind: 'node', node: 12, task: one }));
    expect(selector.selection).toEqual({ kind: 'node', node: 12, task: one });
    selector.refresh(() => undefined);
    expect(selector.selection.kind).toBe('none');
    expect(asked).toEqual([]);
  });
});
