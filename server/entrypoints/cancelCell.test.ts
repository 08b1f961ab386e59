import { describe, expect, it } from 'vitest';
import { shouldFinish } from '../model/cancellation.ts';
import { CancelCell, cancellationOf, cancelledUnlessSearching } from './cancelCell.ts';

describe('after the first Ctrl-C', () => {
  function interrupted() {
    const cell = new CancelCell();
    const clock = { now: 0 };
    const cancellation = cancelledUnlessSearching(cancellationOf(cell.buffer), () => clock.now);
    expect(cancellation.isCancelled()).toBe(false);
    expect(shouldFinish(cancellation)).toBe(false);
    cell.finish();
    return { cell, clock, cancellation };
  }

  it('work that no search does is cancelled, once a search would have looked', () => {
    const { clock, cancellation } = interrupted();
    expect(cancellation.isCancelled()).toBe(false);
    clock.now = 150;
    expect(cancellation.isCancelled()).toBe(false);
    clock.now = 250;
    expect(cancellation.isCancelled()).toBe(true);
  });

  it('a search that looks ends with what it has, and that is measured for as long as it takes', () => {
    const { clock, cancellation } = interrupted();
    expect(cancellation.isCancelled()).toBe(false);
    clock.now = 100;
    expect(shouldFinish(cancellation)).toBe(true);
    clock.now = 60_000;
    expect(cancellation.isCancelled()).toBe(false);
  });

  it('what was cancelled is so at once', () => {
    const { cell, cancellation } = interrupted();
    cell.cancel();
    expect(cancellation.isCancelled()).toBe(true);
  });
});
