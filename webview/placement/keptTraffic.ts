/**
 * What the map of its traffic has the picture of a placement keep: the flows of a part of it. A strip on the picture says which,
 * and takes that back.
 */
import { formatBytes } from '../../server/drawing/labels.ts';
import type { KeptAnswer, KeptTarget } from '../../server/protocol/messages.ts';
import type { TrafficBrush } from '../../server/protocol/selections.ts';
import { make } from '../page/controls.ts';
import { counted, t } from '../page/words.ts';

type TrafficTarget = Extract<KeptTarget, { kind: 'traffic' }>;

interface KeptTraffic {
  /** The strip, which lies on the picture and is seen while something is kept. */
  readonly element: HTMLElement;
  /** The picture leaves other flows out. */
  readonly isKeeping: boolean;
  /** Flows of a part of the map are kept, named by `words`; none any more where there is no `brush`. */
  set(brush: TrafficBrush | undefined, words: string): void;
  /** Asks the host for the flows; false where none are kept. */
  ask(): boolean;
  /** Whether the answer to this question is still wanted; then the strip says how much it is. */
  take(target: TrafficTarget, answer: KeptAnswer): boolean;
  /** Nothing is kept any more, and the map is told; without effect where nothing was. */
  readonly drop: () => void;
}

interface KeptTrafficActions {
  /** The host finds out what flows there, and over which links. */
  readonly ask: (target: TrafficTarget) => void;
  /** The user has had enough of it, or has chosen something else. */
  readonly dropped: () => void;
}

export function createKeptTraffic({ ask, dropped }: KeptTrafficActions): KeptTraffic {
  let kept: TrafficBrush | undefined;
  /** As the map calls it. */
  let name = '';
  const text = make('span', { 'aria-live': 'polite' });
  const all = make('button', { type: 'button', title: t('Show all flows again (Escape)') }, t('Show all'));
  const element = make('div', { class: 'kept', role: 'group', 'aria-label': t('Selected flows') }, text, all);
  element.hidden = true;
  /** Screen readers are told when it changes. */
  const say = (words: string): void => {
    element.hidden = kept === undefined;
    text.textContent = words;
  };
  const drop = (): void => {
    if (kept === undefined) return;
    kept = undefined;
    say('');
    dropped();
  };
  all.addEventListener('click', drop);
  return {
    element,
    get isKeeping() {
      return kept !== undefined;
    },
    set(brush, words) {
      kept = brush;
      name = words;
      say(brush === undefined ? '' : t('Only {0}', name));
    },
    ask() {
      if (kept === undefined) return false;
      ask({ kind: 'traffic', ...kept });
      return true;
    },
    take(target, { pairs, bytes }) {
      if (kept === undefined || brushKey(kept) !== brushKey(target)) return false;
      say(
        pairs === 0
          ? t('Only {0}: no traffic', name)
          : t('Only {0}: {1}, {2}', name, counted(pairs, '1 pair', '{0} pairs'), formatBytes(bytes)),
      );
      return true;
    },
    drop,
  };
}

/** The same for one part of one map. */
const brushKey = ({ by, order, block: { rows, columns } }: TrafficBrush): string =>
  JSON.stringify([by, order, rows.first, rows.last, columns.first, columns.last]);
