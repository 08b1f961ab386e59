import { describe, expect, it } from 'vitest';
import { fingerprintOfExperiment, isJournal, journalHeader, journalLine, readJournal } from './journal.ts';
import { experimentToCsv, experimentToJson } from './results.ts';
import { runExperiment, type FinishedReplication } from './run.ts';
import { poolOfOneThread } from './testing/pool.ts';
import { planOf, queue, environment } from './testing/queues.ts';
import { casesOf } from '../model/testing/thoroughness.ts';

const plan = planOf({
  schedulers: [],
  allocators: ['plain', 'broken'],
  compare: [],
  quoted: [],
  steadyState: { delete: 'mser-5', batches: 8 },
  replications: { kind: 'until', precision: 0.02, confidence: 0.95, atMost: 20 },
});
const fingerprint = fingerprintOfExperiment(plan, 'the text of the stream');
const header = journalHeader(plan.name, fingerprint);
const lineOf = (done: FinishedReplication): string => journalLine(done, fingerprint);

/** Runs what a journal does not have; gives the answer, and the journal as it is then. */
function goOn(text: string) {
  const journal = readJournal(text, plan, fingerprint);
  if (!journal.ok) throw new Error(journal.failure.message);
  const here: FinishedReplication[] = [];
  const known = journal.value.replications;
  const result = runExperiment(plan, poolOfOneThread(plan, queue), {
    ...environment,
    known,
    record: (done) => here.push(done),
  });
  const answer = `${JSON.stringify(experimentToJson(result))}\n${experimentToCsv(result)}`;
  return { answer, here, known, text: header + [...known, ...here].map(lineOf).join('') };
}

describe('a journal', () => {
  const whole = goOn('');

  it('gives what was kept, bit for bit', () => {
    expect(whole.here.length).toBeGreaterThan(30);
    expect(whole.here.some(({ failure }) => failure !== undefined)).toBe(true);
    expect(readJournal(whole.text, plan, fingerprint)).toEqual({
      ok: true,
      value: { replications: whole.here, damaged: 0 },
    });
    const again = goOn(whole.text);
    expect(again).toMatchObject({ answer: whole.answer, here: [], text: whole.text });
  });

  it('that was cut off anywhere loses at most the line that was cut, and the same comes of it', () => {
    const bytes = new TextEncoder().encode(whole.text);
    const allLines = whole.here.map(lineOf);
    const answers = new Map<number, string>();
    const every = casesOf(4, 1);
    const counts = new Set([...whole.here.keys()].filter((count) => count % every === 0)).add(whole.here.length);
    // At both sides of every line end, and in the middle of lines.
    const [step, lineEnd] = [casesOf(7, 1), 10];
    const isCutAt = (length: number): boolean =>
      length % step === 0 || length === bytes.length || bytes[length] === lineEnd || bytes[length - 1] === lineEnd;
    for (let length = 0; length <= bytes.length; length++) {
      if (!isCutAt(length)) continue;
      const text = new TextDecoder().decode(bytes.subarray(0, length));
      const journal = readJournal(text, plan, fingerprint);
      const lines = text.split('\n').length - 1;
      expect(journal.ok && journal.value.replications.length).toBe(Math.max(0, lines - 1));
      expect(isJournal(text)).toBe(true);
      if (!journal.ok) continue;
      const count = journal.value.replications.length;
      if (answers.has(count) || !counts.has(count)) continue;
      // What is done anew depends on the lines that are whole alone.
      const { answer, here, known, text: after } = goOn(text);
      answers.set(known.length, answer);
      expect(goOn(after)).toMatchObject({ answer, here: [] });
      // Nothing is done twice; what a point did after it had failed is not done where the failure is known.
      const kept = [...known, ...here].map(lineOf);
      expect(new Set(kept).size).toBe(kept.length);
      expect(allLines).toEqual(expect.arrayContaining(kept));
      expect(kept.length).toBeGreaterThan(allLines.length - 16);
    }
    expect(answers.size).toBe(counts.size);
    expect(new Set(answers.values())).toEqual(new Set([whole.answer]));
  });

  it('leaves out a line that was damaged, whichever byte of it, and only that', () => {
    const second = header.length + whole.text.slice(header.length).indexOf('\n') + 1;
    const end = whole.text.indexOf('\n', second);
    for (let at = second; at < end; at++) {
      const changed = whole.text[at] === '7' ? '8' : '7';
      const journal = readJournal(whole.text.slice(0, at) + changed + whole.text.slice(at + 1), plan, fingerprint);
      expect(journal).toMatchObject({ ok: true, value: { damaged: 1 } });
      if (journal.ok) expect(journal.value.replications).toEqual(whole.here.filter((_, position) => position !== 1));
    }
  });

  it('that two programs wrote at a time has each replication once', () => {
    const lines = whole.here.map(lineOf);
    const journal = readJournal(header + lines.flatMap((line) => [line, line]).join(''), plan, fingerprint);
    expect(journal).toEqual({ ok: true, value: { replications: whole.here, damaged: 0 } });
  });

  it('leaves out the lines that a run of an older text adds to it meanwhile', () => {
    const [first, ...others] = whole.here.map(lineOf);
    const older = whole.here.map((done) => journalLine({ ...done, values: done.values.map(() => 1e6) }, 'older'));
    const text = header + [...older.slice(0, 3), first, ...others.flatMap((line, at) => [older[at]!, line])].join('');
    const journal = readJournal(text, plan, fingerprint);
    expect(journal).toMatchObject({ ok: true, value: { replications: whole.here } });
    expect(goOn(text).answer).toBe(whole.answer);
  });

  it.each([
    { what: 'one of another version', text: header.replace(/ \d+ /, ' 1 '), code: 'other-experiment' },
    { what: 'another experiment', text: journalHeader('queues', '1:2:3'), code: 'other-experiment' },
    { what: 'a text of somebody else', text: 'submit,start\n1,2\n', code: 'not-a-journal' },
    { what: 'a text without an end', text: 'submit', code: 'not-a-journal' },
    { what: 'a damaged first line', text: header.replace('queues', 'cueues'), code: 'not-a-journal' },
  ])('is refused: $what', ({ text, code }) => {
    expect(readJournal(text, plan, fingerprint)).toMatchObject({ ok: false, failure: { code } });
    expect(isJournal(text)).toBe(code === 'other-experiment');
  });

  it('is of what replications depend on, and of nothing else', () => {
    const of = (changes: Parameters<typeof planOf>[0], text = 'text') =>
      fingerprintOfExperiment(planOf({ quoted: [], ...changes }), text);
    const same = of({});
    expect(of({ replications: { kind: 'seeds', from: 1, to: 3 }, compare: [] })).toBe(same);
    const others = [
      of({}, 'other text'),
      of({ vary: [{ path: 'arrivals.rate', values: [0.2, 0.5] }] }),
      of({ allocators: ['plain'], compare: [] }),
      of({ metrics: [{ name: 'waiting', unit: 'services', better: 'less' }] }),
      of({ steadyState: { delete: 0.2, batches: 30 } }),
    ];
    expect(new Set([same, ...others]).size).toBe(6);
  });
});
