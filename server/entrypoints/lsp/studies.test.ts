import { describe, expect, it } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { succeed } from '../../model/result.ts';
import { defaultStudySettings } from '../../study/report.ts';
import { readAndCheck } from '../../language/check.ts';
import type { Order, StudyAnswer } from '../workerMessages.ts';
import type { Analysis } from './analyses.ts';
import { noProgress } from './publisher.ts';
import { Studies } from './studies.ts';
import type { ComputingThreads } from './workerHandle.ts';

const text = 'machine m { topology torus 4 } job j { tasks 4 pattern ring } placement p { job j machine m }';

async function analysisOf(uri: string): Promise<Analysis> {
  const document = TextDocument.create(uri, 'place', 1, text);
  return { uri, document, version: 1, ...(await readAndCheck(uri, () => Promise.resolve(succeed(text)))) };
}

/** Studies whose thread answers when it is told to, and whose texts are read when it is allowed. */
function start({ reads = Promise.resolve() } = {}) {
  const ordered: string[] = [];
  const answers: ((answer: StudyAnswer) => void)[] = [];
  const send = ({ uri }: Order<'study'>) => {
    ordered.push(uri);
    return new Promise<StudyAnswer>((done) => answers.push(done));
  };
  const threads = { study: { send }, forget: () => undefined } as unknown as ComputingThreads;
  const studies = new Studies(threads, {
    analysisOf: async (uri) => {
      await reads;
      return analysisOf(uri);
    },
    settings: () => defaultStudySettings,
    allowedRoots: () => undefined,
    showProgress: () => noProgress,
    progressed: () => undefined,
    changed: () => undefined,
  });
  return { studies, ordered, answers };
}

/** Everything that can go on without the thread has done so. */
const calm = (): Promise<void> => new Promise((done) => setTimeout(done));

describe('once the server is asked to end', () => {
  it('the study that runs is the last one, whatever waits for it', async () => {
    const { studies, ordered, answers } = start();
    for (const uri of ['file:///a.place', 'file:///b.place']) studies.order(uri);
    await calm();
    studies.stop();
    answers[0]?.({ kind: 'cancelled' });
    await calm();
    expect(ordered).toEqual(['file:///a.place']);
  });

  it('none is begun for a save, for reports that were lost with their thread, or for what is opened', async () => {
    const { studies, ordered, answers } = start();
    studies.order('file:///a.place');
    await calm();
    answers[0]?.({ kind: 'cancelled' });
    await calm();
    studies.stop();
    studies.order('file:///a.place');
    studies.order('file:///b.place');
    studies.sendAgain();
    await calm();
    expect(ordered).toEqual(['file:///a.place']);
  });

  it('none is begun whose files were still being read', async () => {
    let read: () => void = () => undefined;
    const { studies, ordered } = start({ reads: new Promise((done) => (read = done)) });
    studies.order('file:///a.place');
    await calm();
    studies.stop();
    read();
    await calm();
    expect(ordered).toEqual([]);
  });
});
