/**
 * A run of a workload on a network that delivers at once and never refuses: by plain recursion and maps, for comparison
 * with what the engine computes by arrays.
 */
import { operationKind, type Workload } from '../../../model/workload.ts';

export interface Event {
  readonly kind: number;
  readonly partner: number;
  readonly tag: number;
  readonly amount: number;
}

/** The operations of a list one after the other, repetitions written out. */
export function unrolled(workload: Workload, list: number): Event[] {
  const events: Event[] = [];
  const run = (begin: number, end: number): void => {
    for (let at = begin; at < end; at++) {
      const [kind, partner] = [workload.kinds[at]!, workload.partners[at]!];
      const amount = workload.amounts[at]!;
      if (kind === operationKind.repeat) {
        for (let time = 0; time < amount; time++) run(at + 1, at + 1 + partner);
        at += partner;
      } else events.push({ kind, partner, tag: workload.tags[at]!, amount });
    }
  };
  run(workload.offsets[list]!, workload.offsets[list + 1]!);
  return events;
}

/** Runs all lists as far as they come; returns those that wait for a message for ever. */
export function stuckLists(workload: Workload): number[] {
  const programs = Array.from(workload.taskOfList, (_, list) => unrolled(workload, list));
  const at = programs.map(() => 0);
  const delivered = new Map<string, number>();
  for (let moved = true; moved;) {
    moved = false;
    for (const [list, program] of programs.entries()) {
      const task = workload.taskOfList[list]!;
      for (; at[list]! < program.length; at[list]! += 1, moved = true) {
        const { kind, partner, tag, amount } = program[at[list]!]!;
        const [from, to] = kind === operationKind.send ? [task, partner] : [partner, task];
        const key = `${from} ${to} ${tag} ${amount}`;
        const waiting = delivered.get(key) ?? 0;
        if (kind === operationKind.send) delivered.set(key, waiting + 1);
        else if (kind === operationKind.receive && waiting === 0) break;
        else if (kind === operationKind.receive) delivered.set(key, waiting - 1);
      }
    }
  }
  return programs.flatMap((program, list) => (at[list]! < program.length ? [list] : []));
}
