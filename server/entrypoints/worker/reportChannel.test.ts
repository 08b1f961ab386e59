import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { drawScene } from '../../drawing/drawScene.ts';
import { neverCancelled } from '../../model/cancellation.ts';
import type { PlacementReport } from '../../model/report.ts';
import { succeed } from '../../model/result.ts';
import { encodeScene } from '../../protocol/encoding.ts';
import { evaluate } from '../../study/evaluate/evaluate.ts';
import { explainLink } from '../../study/explain/explain.ts';
import { defaultStudySettings } from '../../study/report.ts';
import { CancelCell } from '../cancelCell.ts';
import { FileMemory } from '../evaluation.ts';
import { readAndCheck } from '../../language/check.ts';
import { declaredNames } from '../../language/sources.ts';
import type { StudyNews } from '../workerMessages.ts';
import { collectGarbage, ReportReceiver } from './reportChannel.ts';
import { StudyRunner } from './studyRunner.ts';

const uri = 'file:///a.place';
const machines = [
  'torus 4 x 4',
  'mesh 4 x 2 x 2\n  routing minimal',
  'hypercube 4',
  'fat-tree(k 4, n 2)',
  'dragonfly(p 2, a 4, h 2)',
  'cluster 16',
  'fat-tree(k 4, n 2)\n  routing static',
  'dragonfly(p 2, a 4, h 2)\n  routing ecmp',
  'switches 3\n  link 0 -- 1, 2\n  link 1 -- 2\n  hosts 8\n  routing up-down',
  'dragonfly(p 2, a 4, h 2)\n  routing valiant',
  'dragonfly(p 2, a 4, h 2)\n  routing ugal',
  'fat-tree(k 4, n 2)\n  rails 2\n  routing ugal',
];
const ofUgal = machines.flatMap((machine, index) => (machine.endsWith('ugal') ? [`p${index}`] : []));
const text = `job talk { tasks 16  pattern random }
job ring { tasks 16  pattern ring }
${machines.map((machine, index) => `machine m${index} { topology ${machine} }`).join('\n')}
${machines.map((_, index) => `placement p${index} { job talk  machine m${index}  map baseline }`).join('\n')}
placement other { job ring  machine m0  map baseline }
`;

/** What runs studies and the other end of its reports; `sent` has what was sent, and nothing else holds. */
function connected() {
  const studyRunner = new StudyRunner(new FileMemory());
  const receiver = new ReportReceiver();
  const sent = new Map<string, WeakRef<PlacementReport>>();
  const connect = (): void => {
    const { port1, port2 } = new MessageChannel();
    studyRunner.sender.connect(port1);
    receiver.connect(port2);
  };
  connect();
  const send = studyRunner.sender.send.bind(studyRunner.sender);
  studyRunner.sender.send = (document, report, description) => {
    sent.set(report.name, new WeakRef(report));
    return send(document, report, description);
  };
  const study = async (changed = text): Promise<readonly StudyNews[]> => {
    const news: StudyNews[] = [];
    const { sources, checked } = await readAndCheck(uri, () => Promise.resolve(succeed(changed)));
    const declared = new Set(declaredNames(sources, 'placement'));
    const { buffer: cancelFlag } = new CancelCell();
    const again = new Set<string>();
    const order = {
      kind: 'study',
      uri,
      ...checked,
      declared,
      again,
      settings: defaultStudySettings,
      cancelFlag,
    } as const;
    await studyRunner.study(order, (told) => {
      news.push(told);
    });
    return news;
  };
  return { studyRunner, receiver, sent, connect, study };
}

const outlines = (news: readonly StudyNews[]) =>
  news.flatMap((told) => (told.kind === 'placement' ? [told.outline === 'same' ? 'same' : typeof told.outline] : []));

describe('reports that go to another thread', () => {
  it('give the same pictures and explanations there, on every kind of machine', async () => {
    const { receiver, sent, study } = connected();
    const news = await study();
    expect(outlines(news)).toEqual(machines.map(() => 'object').concat('object'));
    for (const [name, reference] of sent) {
      const report = reference.deref()!;
      const received = receiver.find(uri, name)!;
      expect(encodeScene(drawScene(received))).toEqual(encodeScene(drawScene(report)));
      const link = report.hotLinks[0]?.link ?? report.linkLoads.findIndex((load) => load > 0);
      expect(explainLink(received, link, neverCancelled)).toEqual(explainLink(report, link, neverCancelled));
    }
    // Placements of one job hold it once.
    expect(receiver.find(uri, 'p0')?.jobs[0]?.job).toBe(receiver.find(uri, 'p1')?.jobs[0]?.job);
    expect(receiver.find(uri, 'p0')?.machine).toBe(receiver.find(uri, 'other')?.machine);
  });

  it('keep the split that all traffic of a placement settled on', async () => {
    const { receiver, sent, study } = connected();
    await study();
    expect(ofUgal).toHaveLength(2);
    for (const name of ofUgal) {
      const { machine, jobs, linkLoads } = sent.get(name)!.deref()!;
      const received = receiver.find(uri, name)!;
      expect(received.machine.routing.split).toEqual(machine.routing.split);
      expect(machine.routing.split).toBeDefined();
      const again = evaluate(received.machine, jobs, defaultStudySettings.hotLinkFactor, neverCancelled)!;
      expect(again.linkLoads).toEqual(linkLoads);
    }
  });

  it('are sent once, and again to another thread', async () => {
    const { receiver, connect, study } = connected();
    await study();
    const before = receiver.find(uri, 'p0');
    expect(new Set(outlines(await study()))).toEqual(new Set(['same']));
    expect(receiver.find(uri, 'p0')).toBe(before);
    connect();
    expect(receiver.find(uri, 'p0')).toBe(before);
    expect(new Set(outlines(await study()))).toEqual(new Set(['object']));
    expect(receiver.find(uri, 'p6')?.jobs[0]?.job.name).toBe('talk');
  });

  it('go with their placement', async () => {
    const { receiver, study } = connected();
    await study();
    await study(text.replace('placement other', 'placement another'));
    expect(receiver.find(uri, 'other')).toBeUndefined();
    expect(receiver.find(uri, 'another')).toBeDefined();
  });
});

describe('a document that is closed', () => {
  it('lets go of everything that was kept of it', async () => {
    const { studyRunner, receiver, sent, study } = connected();
    await study();
    const received = new WeakRef(receiver.find(uri, 'p0')!);
    expect(studyRunner.documents).toEqual([uri]);
    studyRunner.forget(uri);
    expect(receiver.find(uri, 'p0')).toBeUndefined();
    expect(studyRunner.documents).toEqual([]);
    // A reference that was looked at is held until the present task is over.
    await new Promise((resolve) => setTimeout(resolve));
    collectGarbage();
    expect([received, ...sent.values()].filter((reference) => reference.deref() !== undefined)).toEqual([]);
  });
});
