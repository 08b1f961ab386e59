/** Threads of hybrid programs (MPI and OpenMP): what a launch line says so that each rank runs one thread on each of its cores. */
import type { Launch } from './launch.ts';

type WithReport = Pick<Launch, 'report'>;

const coresPerTasks = ({ report }: WithReport): readonly number[] => [
  ...new Set(report.jobs.map(({ needs }) => needs?.coresPerTask ?? 1)),
];

/** Cores of every rank; undefined where each has one, or where jobs differ. */
export function coresOfEveryRank(launch: WithReport): number | undefined {
  const [only = 1, ...others] = coresPerTasks(launch);
  return others.length > 0 || only === 1 ? undefined : only;
}

/** Variables of OpenMP 5.2, section 21: a thread on each core of the rank, next to one another. Nothing where ranks have one core. */
function threadVariables(launch: WithReport): readonly (readonly [name: string, value: string])[] {
  const cores = coresOfEveryRank(launch);
  if (cores === undefined) return [];
  return [
    ['OMP_NUM_THREADS', String(cores)],
    ['OMP_PLACES', 'cores'],
    ['OMP_PROC_BIND', 'close'],
  ];
}

/** The variables as a launch line has them: by default `NAME=value`, in front of the launcher. */
export const threadWords = (
  launch: WithReport,
  word: (name: string, value: string) => string = (name, value) => `${name}=${value}`,
): readonly string[] => threadVariables(launch).map(([name, value]) => word(name, value));

/** Of Open MPI, which hands on what `-x` names. */
export const openMpiThreads = (launch: WithReport): readonly string[] =>
  threadWords(launch, (name, value) => `-x ${name}=${value}`);

/** Of MPICH and Intel MPI. */
export const hydraThreads = (launch: WithReport): readonly string[] =>
  threadWords(launch, (name, value) => `-genv ${name} ${value}`);

/** One launch line sets one number of threads. */
export const doubtOfThreads = (launch: WithReport): readonly string[] =>
  coresPerTasks(launch).length > 1
    ? ['The jobs have different `cores-per-task`, but a launch line has one OMP_NUM_THREADS. Set it for each job.']
    : [];
