import type { ExplainAnswer, ExplainTarget, TaskOfJob } from '../server/protocol/messages.ts';

/** What is selected, and what the host has said about it; `answer` is absent while it is asked. */
export type Selection =
  | { readonly kind: 'none' }
  /** One task; a second one is wanted. */
  | { readonly kind: 'first'; readonly from: TaskOfJob }
  | { readonly kind: 'asked'; readonly target: ExplainTarget; readonly answer?: ExplainAnswer };

export interface Selector {
  readonly selection: Selection;
  selectLink(link: number): void;
  /** The first of two tasks, or, where `second` and there is a first one, the other. */
  selectTask(task: TaskOfJob, second: boolean): void;
  readonly clear: () => void;
  /** An answer of the host; one to an earlier question is passed over. */
  receive(target: ExplainTarget, answer: ExplainAnswer): void;
  /** The picture has changed: a task stays selected and what was answered is asked again, where they still are. */
  refresh(stillThere: (target: ExplainTarget) => boolean): void;
}

/** `ask` sends a question to the host, `changed` follows every change of the selection. */
export function createSelector(ask: (target: ExplainTarget) => void, changed: () => void): Selector {
  let selection: Selection = { kind: 'none' };
  const become = (next: Selection): void => {
    selection = next;
    changed();
  };
  const request = (target: ExplainTarget): void => {
    become({ kind: 'asked', target });
    ask(target);
  };
  return {
    get selection() {
      return selection;
    },
    selectLink(link) {
      request({ kind: 'link', link });
    },
    selectTask(task, second) {
      const from = second ? firstOf(selection) : undefined;
      if (from === undefined || (from.job === task.job && from.task === task.task)) {
        become({ kind: 'first', from: task });
      } else request({ kind: 'tasks', from, to: task });
    },
    clear() {
      if (selection.kind !== 'none') become({ kind: 'none' });
    },
    receive(target, answer) {
      if (selection.kind !== 'asked' || !sameTarget(selection.target, target)) return;
      become({ kind: 'asked', target, answer });
    },
    refresh(stillThere) {
      if (selection.kind === 'first') {
        const { from } = selection;
        become(stillThere({ kind: 'tasks', from, to: from }) ? selection : { kind: 'none' });
      }
      if (selection.kind !== 'asked') return;
      if (stillThere(selection.target)) request(selection.target);
      else become({ kind: 'none' });
    },
  };
}

/** The task that a second one is the partner of: of a pair its first, so that partners can be compared. */
export function firstOf(selection: Selection): TaskOfJob | undefined {
  if (selection.kind === 'first') return selection.from;
  return selection.kind === 'asked' && selection.target.kind === 'tasks' ? selection.target.from : undefined;
}

function sameTarget(one: ExplainTarget, other: ExplainTarget): boolean {
  if (one.kind === 'link') return other.kind === 'link' && one.link === other.link;
  return other.kind === 'tasks' && sameTask(one.from, other.from) && sameTask(one.to, other.to);
}

const sameTask = (one: TaskOfJob, other: TaskOfJob): boolean => one.job === other.job && one.task === other.task;
