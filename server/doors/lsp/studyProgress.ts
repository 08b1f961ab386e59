import type { Connection } from 'vscode-languageserver/node';
import { progressWords } from '../../language/service/progressWords.ts';
import type { StudyProgressBar } from './studies.ts';

/** A study that takes longer than this shows a progress bar that can be cancelled. */
const quietMilliseconds = 300;

/**
 * A progress bar of the editor (`window/workDoneProgress`) for one study, once it has taken a while. `cancel` is
 * called when the user presses its button.
 */
export function showProgress(connection: Connection, title: string, cancel: () => void): StudyProgressBar {
  let finished = false;
  let last = { share: 0, message: '' };
  let reporter: Awaited<ReturnType<typeof connection.window.createWorkDoneProgress>> | undefined;

  const begin = async (): Promise<void> => {
    const created = await connection.window.createWorkDoneProgress();
    created.begin(title, 0, last.message, true);
    created.token.onCancellationRequested(cancel);
    if (finished) created.done();
    else reporter = created;
  };
  const timer = setTimeout(() => {
    begin().catch(() => undefined); // The editor refused the bar: the study goes on without one.
  }, quietMilliseconds);

  return {
    report: (placement, progress, share) => {
      last = { share, message: `${placement}: ${progressWords(progress)}` };
      reporter?.report(Math.round(share * 100), last.message);
    },
    done: () => {
      finished = true;
      clearTimeout(timer);
      reporter?.done();
    },
  };
}

export const noProgress: StudyProgressBar = { report: () => undefined, done: () => undefined };
