import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readJobLog } from '../server/interchange/swf.ts';
import { neverCancelled } from '../server/model/cancellation.ts';
import { defaultOptions, findEntry } from '../server/model/catalogue.ts';
import type { JobLog } from '../server/model/jobLog.ts';
import { schedulers } from '../server/scheduling/catalogue.ts';
import { finders } from '../server/allocation/catalogue.ts';
import { buildMachine } from '../server/network/machine.ts';
import { streamNetwork } from '../server/simulation/engines.ts';
import { replicate } from '../server/scheduling/replicate.ts';
import {
  countingMachine,
  plainEasy,
  type PlainJob,
  simulatePlainly,
} from '../server/scheduling/testing/plainSimulator.ts';
import { drawnStream, loggedStream } from '../server/scheduling/testing/streams.ts';
import { sharedFolder } from '../test/corpus/shared.ts';
import { median, timesOf, type Figure } from './measure.ts';

const logName = 'KTH-SP2-1996-2.1-cln.swf.gz';
const nodeCount = 100;
/** Budget of the house for EASY on this log. */
const budget = 500;
/** Goal for jobs that send one message each through the wormhole network, a second. */
const randomJobsASecond = 200_000;
/** The plain simulator takes time that grows with the square of what waits: so many jobs are enough to compare. */
const plainJobs = 2000;

/** Random pairs on a 16 x 16 mesh, as in Alsardia 2017, figure 4.5, at the highest load: twenty replications of 1,000 jobs. */
function randomPattern(name: string): Figure {
  const machine = buildMachine({
    name: 'bench',
    topology: { name: 'mesh', argument: { kind: 'numbers', numbers: [16, 16] }, options: {} },
    cables: [],
    socketsPerNode: 1,
    coresPerSocket: 1,
    figures: {},
  });
  const entry = findEntry(finders, name);
  if (!machine.ok || entry === undefined) throw new Error(`No allocator ${name}.`);
  const side = { name: 'uniform', options: { from: 1, to: 16 } };
  const thesis = drawnStream(
    {
      arrivals: { name: 'exponential', options: { rate: 0.1 } },
      size: { kind: 'sides', width: side, height: side },
    },
    {
      traffic: { name: 'random', options: {} },
      service: { kind: 'network' },
      end: { kind: 'completed', jobs: 1000 },
    },
  );
  const replications = 20;
  const work = (): void => {
    for (let seed = 0; seed < replications; seed++) {
      const network = streamNetwork({ switching: 'wormhole' }, machine.value);
      if (!network.ok) throw new Error(network.failure.message);
      const result = replicate({
        stream: thesis,
        seed,
        nodeCount: 256,
        schedule: { name: 'fcfs', options: {} },
        allocator: {
          contiguous: entry.contiguous,
          finder: (random) => entry.finder(machine.value, defaultOptions(entry), random),
        },
        network: network.value,
        cancellation: neverCancelled,
      });
      if (!result.ok) throw new Error(result.failure.message);
    }
  };
  const milliseconds = leastProcessorTime(15, work);
  const speed = Math.round((replications * 1000) / (milliseconds / 1000)).toLocaleString('en-US');
  return {
    what: `random pairs on 16 x 16 with ${name}, ${speed} jobs/s`,
    milliseconds,
    against: `goal of ${randomJobsASecond.toLocaleString('en-US')} jobs/s`,
    againstMilliseconds: (replications * 1000 * 1000) / randomJobsASecond,
  };
}

/** Of some rounds the quickest, in milliseconds of the processor: what else runs on the machine only slows it down. */
function leastProcessorTime(rounds: number, work: () => void): number {
  const timeOf = (): number => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  return Math.min(...Array.from({ length: rounds }, timeOf));
}

/**
 * Job logs: how fast one is read, and how fast each scheduler goes through it on a machine that counts processors. Then jobs that
 * send messages through a network.
 */
export function streams(): Figure[] {
  const content = gunzipSync(readFileSync(join(sharedFolder(), 'data', 'swf', logName)));
  const log = readLog(content);
  const schedule = (name: string, first?: number) => {
    const entry = schedulers.find((one) => one.name === name);
    const values = { ...(entry === undefined ? {} : defaultOptions(entry)), size: 8, limit: 8 };
    const choice = { name, options: values };
    const result = replicate({
      stream: loggedStream({ uri: logName, ...(first === undefined ? {} : { first }) }),
      log,
      seed: 1,
      nodeCount,
      schedule: choice,
      cancellation: neverCancelled,
    });
    if (!result.ok) throw new Error(result.failure.message);
    return result.value.run;
  };
  const { jobs } = schedule('easy', plainJobs);
  const plain: PlainJob[] = Array.from({ length: jobs.count }, (_, job) => ({
    submit: jobs.submit[job] ?? 0,
    run: jobs.run[job] ?? 0,
    estimate: jobs.estimate[job] ?? 0,
    processors: jobs.processors[job] ?? 0,
    width: 0,
    height: 0,
  }));
  const figures = schedulers.map(({ name }): Figure => {
    const milliseconds = median(timesOf(name === 'conservative' ? 3 : 7, () => schedule(name)));
    const speed = Math.round(log.jobCount / (milliseconds / 1000)).toLocaleString('en-US');
    return {
      what: `${name}: the whole log, ${speed} jobs/s`,
      milliseconds,
      against: 'budget of easy',
      againstMilliseconds: budget,
    };
  });
  return [
    {
      what: `${logName} (${log.jobCount} jobs): reading`,
      milliseconds: median(timesOf(15, () => readLog(content))),
      against: 'splitting its text into numbers',
      againstMilliseconds: median(timesOf(5, () => readPlainly(content.toString('latin1')))),
    },
    ...figures,
    ...['paging', 'rbs', 'first-fit'].map(randomPattern),
    {
      what: `easy: its first ${plainJobs} jobs`,
      milliseconds: median(timesOf(7, () => schedule('easy', plainJobs))),
      against: 'plain simulator',
      againstMilliseconds: median(
        timesOf(1, () =>
          simulatePlainly(
            plain,
            countingMachine(nodeCount),
            plainEasy(() => 0),
          ),
        ),
      ),
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
