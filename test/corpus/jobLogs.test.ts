import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readJobLog } from '../../server/interchange/swf.ts';
import { neverCancelled } from '../../server/model/cancellation.ts';
import { type JobLog, swfFields } from '../../server/model/jobLog.ts';
import { replicate } from '../../server/scheduling/replicate.ts';
import { loggedStream } from '../../server/scheduling/testing/streams.ts';
import { sharedFolder } from './shared.ts';

const folder = join(sharedFolder(), 'data', 'swf');
const names = readdirSync(folder).filter((name) => /\.swf(\.gz)?$/.test(name));

const contentOf = (name: string): Buffer => {
  const bytes = readFileSync(join(folder, name));
  return name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
};

/** The lines that are jobs, read as a script would. */
function readPlainly(text: string): number[][] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trim().startsWith(';'))
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter((fields) => fields.length === swfFields.length);
}

/** Logs of other tools with fields of their own: none of their lines is of the format. */
const ofOtherTools: Readonly<Record<string, RegExp>> = {
  'alea-jaros1.swf': /\(line 1, 2, .*it has 20 fields instead of 18\)/,
  'alea-wagap-2013.swf.gz': /\(line 1, 2, .*it has 21 fields instead of 18\)/,
};

describe('the logs of real machines', () => {
  it('are there', () => {
    expect(names.length).toBeGreaterThan(12);
    expect(Object.keys(ofOtherTools).filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each(names.filter((name) => !(name in ofOtherTools)))('%s: every number of every job', (name) => {
    const content = contentOf(name);
    const result = readJobLog(content, name);
    if (!result.ok) throw new Error(result.failure.message);
    const plain = readPlainly(content.toString('latin1'));
    const log: JobLog = result.value;
    expect(log.jobCount).toBe(plain.length);
    expect(plain.length).toBeGreaterThan(20);
    for (const [field, column] of log.columns.entries()) {
      const different = plain.findIndex((fields, job) => fields[field] !== column[job]);
      expect(different, `${swfFields[field]} of job ${different}`).toBe(-1);
    }
  });

  it.each(Object.entries(ofOtherTools))('%s: told to be of another format', (name, message) => {
    const result = readJobLog(contentOf(name), name);
    expect(!result.ok && result.failure.message).toMatch(message);
  });
});

describe('streams of logs', () => {
  it.each([
    { name: 'KTH-SP2-1996-2.1-cln.swf.gz', side: 10, jobs: 28_475, measured: 18_590, serial: 0.329 },
    { name: 'SDSC-Par-1996-3.1-cln.swf.gz', side: 20, jobs: 32_135, measured: 29_172, serial: undefined },
  ])('$name: as many jobs as Bunde et al. measured', ({ name, side, jobs, measured, serial }) => {
    const log = readJobLog(contentOf(name), name);
    if (!log.ok) throw new Error(log.failure.message);
    const result = replicate({
      stream: loggedStream({ uri: name, measure: [{ field: 'processors', comparison: '>', value: 1 }] }),
      log: log.value,
      seed: 1,
      nodeCount: side * side,
      schedule: { name: 'easy', options: { order: 'fifo' } },
      cancellation: neverCancelled,
    });
    if (!result.ok) throw new Error(result.failure.message);
    const { run, metrics } = result.value;
    const { measured: counts, height, processors } = run.jobs;
    const all = [...Array(run.jobs.count).keys()];
    expect(run.completed).toHaveLength(jobs);
    expect(all.filter((job) => counts[job] === 1 && height[job]! <= side)).toHaveLength(measured);
    if (serial !== undefined) expect(all.filter((job) => processors[job] === 1).length / jobs).toBeCloseTo(serial, 3);
    expect(metrics.utilisation).toBeGreaterThan(0.3);
    expect(metrics.utilisation).toBeLessThan(1);
  });
});
