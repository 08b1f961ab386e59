import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readJobLog } from '../server/interchange/swf.ts';
import type { JobLog } from '../server/model/jobLog.ts';
import { sharedFolder } from '../test/corpus/shared.ts';
import { median, timesOf, type Figure } from './measure.ts';

const logName = 'KTH-SP2-1996-2.1-cln.swf.gz';

/** Job logs: how fast one is read. */
export function streams(): Figure[] {
  const content = gunzipSync(readFileSync(join(sharedFolder(), 'data', 'swf', logName)));
  return [
    {
      what: `${logName} (${readLog(content).jobCount} jobs): reading`,
      milliseconds: median(timesOf(15, () => readLog(content))),
      against: 'splitting its text into numbers',
      againstMilliseconds: median(timesOf(5, () => readPlainly(content.toString('latin1')))),
    },
  ];
}

function readLog(content: Uint8Array): JobLog {
  const result = readJobLog(content, logName);
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

const readPlainly = (text: string): number[][] =>
  text
    .split('\n')
    .filter((line) => !line.startsWith(';'))
    .map((line) => line.trim().split(/\s+/).map(Number));
