/** Smaller runs of an experiment than the whole: as it says itself, or, of a short one, cut by rule to about a minute on two threads. */
import type { ExperimentDescription, FormName, RunForm, Varied } from '../model/experiment.ts';
import { countOf } from '../model/quantities.ts';
import { fail, quote, succeed, type Result } from '../model/result.ts';
import type { ReplayDescription } from '../model/simulation.ts';
import type { JobDescription } from '../study/program.ts';
import { secondsOfReplication, type JobSample, type StreamExperiment } from './expectedTime.ts';
import type { ExperimentInputs } from './inputs.ts';
import { firstReplications, mostOf, type ExperimentPlan } from './plan.ts';
import { usualSampling } from './trafficReplications.ts';

/**
 * What the experiment says of the form that is asked for; undefined where the whole is, or where a short run is cut by rule. Fails
 * where a middle one is asked for and not written.
 */
export function writtenForm({ experiment: { name, forms }, form }: ExperimentInputs): Result<RunForm | undefined> {
  const written = form && forms?.[form];
  if (form === 'middle' && written === undefined) {
    return fail(
      'bad-experiment',
      `Experiment ${quote(name)} has no \`middle\` variant. Write \`middle replications 20\`, or run another variant.`,
    );
  }
  return succeed(written);
}

const hasTimes = (replay: ReplayDescription | undefined): replay is Exclude<ReplayDescription, { kind: 'causal' }> =>
  replay !== undefined && replay.kind !== 'causal';

/**
 * A short run of a job or traffic by rule: time is affine in the iterations of a skeleton. Of messages with times the first alone are
 * sent, so that iterations stay as they are.
 */
export function shortRuns({ experiment: { repeat, replay, vary }, jobs = [] }: ExperimentInputs): RunForm {
  const [iterations] = hasTimes(replay) ? [] : jobs.map(({ description }) => iterationsOf(description));
  return {
    replications: hasTimes(replay) ? 2 : 10,
    repeat: Math.min(repeat, 2),
    ...(iterations !== undefined && { iterations: Math.max(1, Math.round(iterations / 5)) }),
    ...(hasTimes(replay) && { packets: Math.min(replay.first ?? Infinity, 200_000) }),
    ...(vary.some(({ path }) => path.startsWith('machine.')) && { machines: 3 }),
  };
}

/** What is written of a smaller run, of what jobs and traffic have. */
export const cutRuns = (
  experiment: ExperimentDescription,
  { replications, repeat, samples, packets, machines }: RunForm,
): ExperimentDescription => ({
  ...experiment,
  ...(replications !== undefined && { replications: firstReplications(experiment.replications, replications) }),
  ...(repeat !== undefined && { repeat }),
  ...(samples !== undefined && { sampling: { ...usualSampling, ...experiment.sampling, samples } }),
  ...(packets !== undefined && hasTimes(experiment.replay) && { replay: { ...experiment.replay, first: packets } }),
  ...(machines !== undefined && { vary: experiment.vary.map((varied) => fewerMachines(varied, machines)) }),
});

const fewerMachines = ({ path, values }: Varied, machines: number): Varied => ({
  path,
  values: path.startsWith('machine.') ? values.slice(0, machines) : values,
});

/** Iterations of a skeleton, where they are written. */
function iterationsOf({ source }: JobDescription): number | undefined {
  const iterations = source.kind === 'skeleton' ? source.choice.options['iterations'] : undefined;
  return typeof iterations === 'number' ? iterations : undefined;
}

/** A job of fewer iterations and messages. */
export function cutJob(job: JobDescription, { iterations, messages }: RunForm): JobDescription {
  const { source } = job;
  const cut = { ...job, ...(messages !== undefined && { messages }) };
  if (source.kind !== 'skeleton' || iterations === undefined) return cut;
  const options = { ...source.choice.options, iterations };
  return { ...cut, source: { ...source, choice: { ...source.choice, options } } };
}

/** `A short run`, `A middle run`. */
const runHeading = (form: FormName, { points, replications }: ExperimentPlan): string =>
  `A ${form} run: ${countOf(mostOf(replications), 'replication')} of ${countOf(points.length, 'point')}`;

/** What is cut of a job or traffic, in a sentence. */
export function formWords(
  form: FormName,
  plan: ExperimentPlan,
  jobs: readonly JobDescription[],
  { messages, packets }: RunForm,
): string {
  const [iterations] = jobs.map(iterationsOf);
  return [
    runHeading(form, plan),
    ...(iterations === undefined ? [] : [countOf(iterations, 'iteration')]),
    ...(messages === undefined ? [] : [`${countOf(messages, 'message')} of each pair`]),
    ...(packets === undefined ? [] : [`the first ${countOf(packets, 'packet')}`]),
  ]
    .join(', ')
    .concat('.');
}

/** Of a short run: seconds on one thread, replications, jobs of a log, and jobs where even the fewest replications take longer. */
const short = { seconds: 120, most: 20, fewest: 4, loggedJobs: 5000, jobs: 300 };

/**
 * A short variant, for a first look and for continuous integration: of what is varied the values that quoted numbers name, where
 * they name some; at most 20 replications, fewer (at least 4) where they would take above a minute on two
 * threads, and then 300 jobs each; the first 5000 jobs of a log. Depends on the declaration alone.
 */
export function shortVariant({ experiment, stream, log }: StreamExperiment, sample: JobSample): StreamExperiment {
  const vary = experiment.vary.map(({ path, values }) => {
    const quoted = experiment.quoted.flatMap(({ at }) =>
      at.filter((one) => one.path === path).map(({ value }) => value),
    );
    const kept = values.filter((value) => quoted.includes(value));
    return { path, values: kept.length === 0 ? values : kept };
  });
  const { jobs } = stream;
  const first = jobs.kind === 'log' ? Math.min(jobs.first ?? Infinity, short.loggedJobs) : Infinity;
  const cut = jobs.kind === 'log' ? { ...stream, jobs: { ...jobs, first } } : stream;
  const lists = [experiment.schedule, experiment.allocate, experiment.map];
  const points = [...vary.map(({ values }) => values), ...lists].reduce(
    (product, { length }) => product * Math.max(1, length),
    1,
  );
  const each =
    points * secondsOfReplication({ experiment, stream: cut, log }, { ...sample, jobs: Math.min(sample.jobs, first) });
  const count = Math.min(short.most, Math.max(short.fewest, Math.floor(short.seconds / each)));
  const isLong = each * count > short.seconds && (stream.end.kind === 'completed' || stream.end.kind === 'arrived');
  const end =
    isLong && 'jobs' in stream.end ? { ...stream.end, jobs: Math.min(stream.end.jobs, short.jobs) } : stream.end;
  return {
    experiment: { ...experiment, vary, replications: firstReplications(experiment.replications, count) },
    stream: { ...cut, end },
    log,
  };
}

/** What is written of a smaller run. */
export function cutTo({ experiment, stream, log }: StreamExperiment, form: RunForm): StreamExperiment {
  const { jobs, end } = stream;
  const count = form.jobs ?? Infinity;
  const cut = {
    ...stream,
    ...(jobs.kind === 'log' &&
      form.jobs !== undefined && { jobs: { ...jobs, first: Math.min(jobs.first ?? Infinity, count) } }),
    ...('jobs' in end && { end: { ...end, jobs: Math.min(end.jobs, count) } }),
  };
  return { experiment: cutRuns(experiment, form), stream: cut, log };
}

/** What is cut of a stream, in a sentence; none of the whole. */
export function notesOfForm({ form }: ExperimentInputs, plan: ExperimentPlan, { stream }: StreamExperiment): string[] {
  if (form === undefined) return [];
  const { end, jobs } = stream;
  const length =
    jobs.kind === 'log' && jobs.first !== undefined
      ? `the first ${jobs.first} jobs`
      : 'jobs' in end
        ? `${end.jobs} jobs each`
        : 'all jobs';
  return [`${runHeading(form, plan)}, ${length}.`];
}
