/**
 * What is to be said of the picture of a placement: whether it is of the text as it is, and if not, why, and what the reader can do about
 * it.
 */
import { formatSeconds } from '../../server/drawing/labels.ts';
import type { Scene } from '../../server/drawing/scene.ts';
import type { FromPanel, ToPanel } from '../../server/protocol/panel.ts';
import type { Notice, NoticeAction, PageStatus } from '../page/frame.ts';
import { t } from '../page/words.ts';

/** What the host last said about the picture. */
export type Said = Pick<Extract<ToPanel, { readonly kind: 'scene' }>, 'status' | 'problem'> & {
  readonly stale: boolean;
  readonly reason?: string;
};

export interface PictureStatuses {
  /** Of the picture; of none where `scene` is undefined. */
  of(said: Said, scene: Scene | undefined): PageStatus;
  /** Of a change that is not written; `title` says which. */
  ofPreview(title: string, scene: Scene | undefined): PageStatus;
  /** While a newer picture is worked out. */
  ofWork(text: string, canFinish: boolean): PageStatus;
}

/** `action` makes a button that tells the host what the reader does about it. */
export function createPictureStatuses(action: (text: string, message: FromPanel) => NoticeAction): PictureStatuses {
  const stopAndKeep = action(t('Stop and keep the best'), { kind: 'finish' });
  const cancel = action(t('Cancel'), { kind: 'cancel' });
  const runAgain = action(t('Re-evaluate'), { kind: 'run' });
  const goToProblem = action(t('Go to the problem'), { kind: 'reveal-problem' });
  const writePreview = action(t('Write'), { kind: 'write-preview' });
  const leavePreview = action(t('Leave'), { kind: 'preview-end' });

  const ofWork: PictureStatuses['ofWork'] = (text, canFinish) => [
    'working',
    { text, busy: true, actions: canFinish ? [stopAndKeep, cancel] : [cancel] },
  ];

  const whyOld = ({ stale, problem, status, reason }: Said, scene: Scene | undefined): Notice | undefined => {
    if (problem !== undefined) {
      // Without a picture the reason stands in its place.
      const text = scene === undefined ? '' : problem.message;
      return { text, actions: problem.location === undefined ? [runAgain] : [goToProblem] };
    }
    if (scene === undefined || !stale) return undefined;
    const why = status?.kind === 'failed' ? status.message : reason;
    return { text: why ?? t('Out of date. Save the file to update the diagram.') };
  };

  return {
    of(said, scene) {
      const { stale, status } = said;
      switch (status?.kind) {
        case 'waiting':
          return ['working', { text: t('Queued for evaluation.'), actions: [cancel] }];
        case 'working':
          return ofWork(status.progress.message, status.progress.search !== undefined);
        case 'stopped':
          return [
            stale ? 'stale' : 'fresh',
            {
              text: t(
                'Search stopped after {0}; best mapping so far shown.',
                formatSeconds(status.milliseconds / 1000),
              ),
              actions: [runAgain],
            },
          ];
        case 'cancelled':
          return [stale ? 'stale' : 'fresh', { text: t('Cancelled before the first result.'), actions: [runAgain] }];
        default:
          return [stale ? 'stale' : 'fresh', whyOld(said, scene)];
      }
    },
    ofPreview(title, scene) {
      const moves = scene?.difference?.moves.task.length;
      const moved = moves === undefined ? '' : ` ${moves === 1 ? t('1 task moves') : t('{0} tasks move', moves)}.`;
      return [
        'preview',
        { text: t('{0}:{1} Nothing is written yet.', title, moved), actions: [writePreview, leavePreview] },
      ];
    },
    ofWork,
  };
}
