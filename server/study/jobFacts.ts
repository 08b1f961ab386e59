import { inexactSums } from '../traffic/build.ts';
import { buildJob } from './jobs.ts';
import { pairsOf } from './memory.ts';
import type { BuiltJob } from './builtJob.ts';
import type { JobFacts } from './report.ts';
import type { Run } from './run.ts';

/** A job that no placement evaluates is built for its facts alone, up to this many pairs, and let go again. */
const describedPairLimit = 2 ** 22;

/**
 * Facts for hovers of every job whose traffic stands; fewer where the run is cancelled, and none of a large
 * one that is not among those `placed`. A total that cannot be summed exactly is reported here.
 */
export function jobFacts(run: Run, placed: ReadonlySet<string>): readonly JobFacts[] {
  const { cache, cancellation } = run.context;
  const facts: JobFacts[] = [];
  for (const description of run.program.jobs.values()) {
    if (cancellation.isCancelled()) return facts;
    const seed = seedFor(run, description.name);
    const isPlaced = placed.has(description.name);
    if (!isPlaced && pairsOf(description, run.files) > describedPairLimit) continue;
    const built = buildJob(run, description, seed, isPlaced);
    if (!built.ok) continue;
    const { key } = built.value;
    const known = cache.jobFacts.get(key) ?? factsOf(built.value);
    cache.jobFacts.set(key, known);
    facts.push(known);
    const warning = inexactSums(known.bytes);
    if (warning) {
      run.problems.add({ ...warning, severity: 'warning', subject: { kind: 'job', name: description.name } });
    }
  }
  return facts;
}

/** Random traffic is described as the first placement of the job sees it. */
const seedFor = (run: Run, job: string): number =>
  run.program.placements.find(({ jobs }) => jobs.includes(job))?.seed ?? 1;

function factsOf({ job }: BuiltJob): JobFacts {
  const { rowStart, bytes } = job.traffic;
  let total = 0;
  for (const amount of bytes) total += amount;
  let maximumDegree = 0;
  for (let task = 0; task < job.taskCount; task++) {
    maximumDegree = Math.max(maximumDegree, rowStart[task + 1]! - rowStart[task]!);
  }
  return {
    name: job.name,
    tasks: job.taskCount,
    pairs: bytes.length,
    bytes: total,
    meanDegree: job.taskCount > 0 ? bytes.length / job.taskCount : 0,
    maximumDegree,
  };
}
