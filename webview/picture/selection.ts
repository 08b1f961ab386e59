/** What is selected in the panel, and what the host has said about it. It knows neither the picture nor the page. */
import type { ExplainAnswer, ExplainTarget, TaskOfJob } from '../../server/protocol/messages.ts';

/** What is selected, and what the host has said about it; `answer` is absent while it is asked. */
export type Selection =
  | { readonly kind: 'none' }
  /** A node by its number; `task` runs there and is the first of two whose route may be asked for. */
  | { readonly kind: 'node'; readonly node: number; readonly task?: TaskOfJob; readonly answer?: ExplainAnswer }
  | { readonly kind: 'asked'; readonly target: AskedTarget; readonly answer?: ExplainAnswer };

/** A link, or two tasks; what is asked of a node belongs to its own selection. */
type AskedTarget = Exclude<ExplainTarget, { kind: 'node' }>;

/** Something is selected. */
export type Selected = Exclude<Selection, { kind: 'none' }>;

export interface Selector {
  readonly selection: Selection;
  selectLink(link: number): void;
  /** A node; or, where `second` and a first task is selected, its task as the other one. */
  selectNode(node: number, task: TaskOfJob | undefined, second: boolean): void;
  readonly clear: () => void;
  /** Something as it was selected earlier, which is asked about anew. */
  choose(selected: Selected): void;
  /** An answer of the host; one to an earlier question is passed over. */
  receive(target: ExplainTarget, answer: ExplainAnswer): void;
  /**
   * The picture has changed: `follow` says what of the selection it still shows. What was answered
   * is asked again.
   */
  refresh(follow: (selected: Selected) => Selected | undefined): void;
}

/** `ask` sends a question to the host, `changed` follows every change of the selection. */
export function createSelector(ask: (target: ExplainTarget) => void, changed: () => void): Selector {
  let selection: Selection = { kind: 'none' };
  const become = (next: Selection): void => {
    selection = next;
    changed();
  };
  const request = (target: AskedTarget): void => {
    become({ kind: 'asked', target });
    ask(target);
  };
  const choose = (selected: Selected): void => {
    if (selected.kind === 'asked') {
      request(selected.target);
      return;
    }
    become(selected);
    if (selected.task !== undefined) ask({ kind: 'node', node: selected.node });
  };
  return {
    get selection() {
      return selection;
    },
    choose,
    selectLink(link) {
      request({ kind: 'link', link });
    },
    selectNode(node, task, second) {
      const from = second ? selectedTask(selection) : undefined;
      if (from === undefined) {
        become(task === undefined ? { kind: 'node', node } : { kind: 'node', node, task });
        // A node that runs nothing talks with none.
        if (task !== undefined) ask({ kind: 'node', node });
      } else if (task !== undefined && !sameTask(from, task)) request({ kind: 'tasks', from, to: task });
    },
    clear() {
      if (selection.kind !== 'none') become({ kind: 'none' });
    },
    receive(target, answer) {
      if (selection.kind === 'node' && target.kind === 'node' && target.node === selection.node) {
        become({ ...selection, answer });
        return;
      }
      if (selection.kind !== 'asked' || !sameTarget(selection.target, target)) return;
      become({ ...selection, answer });
    },
    refresh(follow) {
      if (selection.kind === 'none') return;
      const followed = follow(selection);
      if (followed === undefined) become({ kind: 'none' });
      else choose(followed);
    },
  };
}

/** The task that a second one is the partner of: of a pair its first, so that partners can be compared. */
export function selectedTask(selection: Selection): TaskOfJob | undefined {
  if (selection.kind === 'node') return selection.task;
  return selection.kind === 'asked' && selection.target.kind === 'tasks' ? selection.target.from : undefined;
}

function sameTarget(one: AskedTarget, other: ExplainTarget): boolean {
  if (one.kind === 'link') return other.kind === 'link' && one.link === other.link;
  return other.kind === 'tasks' && sameTask(one.from, other.from) && sameTask(one.to, other.to);
}

const sameTask = (one: TaskOfJob, other: TaskOfJob): boolean => one.job === other.job && one.task === other.task;
