import { describe, expect, it } from 'vitest';
import type { ExplainAnswer, ExplainTarget } from '../server/protocol/messages.ts';
import { createSelector, type Selector } from './selection.ts';

function start(): { readonly selector: Selector; readonly asked: ExplainTarget[] } {
  const asked: ExplainTarget[] = [];
  const selector = createSelector(
    (target) => asked.push(target),
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
  it('of the same task twice is of one task', () => {
    const { selector, asked } = start();
    selector.selectTask(one, true);
    selector.selectTask(one, true);
    expect(selector.selection).toEqual({ kind: 'first', from: one });
    expect(asked).toEqual([]);
  });

  it('tells tasks of the same number in two jobs apart', () => {
    const { selector, asked } = start();
    selector.selectTask(one, false);
    selector.selectTask(other, true);
    expect(asked).toEqual([{ kind: 'tasks', from: one, to: other }]);
    selector.receive({ kind: 'tasks', from: other, to: one }, nothing);
    expect(selector.selection).not.toHaveProperty('answer');
    selector.receive({ kind: 'tasks', from: one, to: other }, nothing);
    expect(selector.selection).toHaveProperty('answer', nothing);
  });

  it('of a link is no first task', () => {
    const { selector, asked } = start();
    selector.selectLink(5);
    selector.selectTask(one, true);
    expect(selector.selection.kind).toBe('first');
    expect(asked).toEqual([{ kind: 'link', link: 5 }]);
  });

  it('is forgotten where the new picture does not show it', () => {
    const { selector, asked } = start();
    selector.selectLink(5);
    selector.refresh(() => false);
    expect(selector.selection.kind).toBe('none');
    expect(asked).toHaveLength(1);
  });

  it('of one task stays where the new picture still shows it', () => {
    const { selector, asked } = start();
    selector.selectTask(one, false);
    selector.refresh(() => true);
    expect(selector.selection).toEqual({ kind: 'first', from: one });
    selector.refresh(() => false);
    expect(selector.selection.kind).toBe('none');
    expect(asked).toEqual([]);
  });
});
