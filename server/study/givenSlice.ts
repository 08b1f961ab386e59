import { itemAt } from '../numeric/elements.ts';
import type { MappingContext } from '../mapping/contract.ts';
import type { ArgumentValue } from '../model/catalogue.ts';
import type { GivenCoordinates, GivenHosts, GivenJob, GivenPart, GivenResults, GivenSource } from '../model/given.ts';
import type { Job } from '../model/job.ts';
import { fail, succeed, type Result } from '../model/result.ts';
import type { StudyFiles } from './program.ts';

/** One job of a placement, for files that tell of several. */
export interface GivenFor {
  /** Name of the placement. */
  readonly placement: string;
  readonly jobs: readonly Job[];
  readonly position: number;
}

/**
 * A list of slots or hosts for several jobs goes on from one job to the next: each job sees its own part.
 * The last one sees all that is left, so that a list of the wrong length is noticed.
 */
export function givenSlice(
  argument: ArgumentValue | undefined,
  files: StudyFiles,
  wanted: GivenFor,
): Pick<MappingContext, 'argument' | 'givenFile'> {
  const [first, end] = taskRange(wanted);
  return {
    argument: argument?.kind === 'numbers' ? { ...argument, numbers: argument.numbers.slice(first, end) } : argument,
    givenFile: (source) => {
      const file = givenTo(files, wanted, source);
      if (!file.ok) return file;
      switch (file.value.kind) {
        case 'slots':
          return succeed({ kind: 'slots', slots: file.value.slots.subarray(first, end) });
        case 'hosts':
          return succeed(sliceRanks(file.value, first, end));
        case 'nodes':
          return succeed({ ...file.value, numbers: file.value.numbers.subarray(first, end) });
        case 'coordinates':
          return succeed(sliceCoordinates(file.value, first, end));
        case 'job':
          return file;
      }
    },
  };
}

/** What a file says of a job; of lists, which go on from job to job, the whole. */
export function givenTo(files: StudyFiles, wanted: GivenFor, source: GivenSource): Result<GivenPart> {
  const file = files.given(source);
  if (!file.ok) return file;
  return file.value.kind === 'results' ? jobOf(file.value, wanted) : succeed(file.value);
}

/** The tasks of the job among those of all jobs: from, and to where it is not the last. */
function taskRange({ jobs, position }: GivenFor): readonly [number, number | undefined] {
  const first = jobs.slice(0, position).reduce((sum, { taskCount }) => sum + taskCount, 0);
  return [first, position === jobs.length - 1 ? undefined : first + itemAt(jobs, position).taskCount];
}

function sliceCoordinates(given: GivenCoordinates, first: number, end: number | undefined): GivenCoordinates {
  const width = given.axes + 1;
  const values = given.values.subarray(first * width, end === undefined ? undefined : end * width);
  return { ...given, values, lineOfRank: given.lineOfRank.subarray(first, end) };
}

const sliceRanks = (given: GivenHosts, first: number, end: number | undefined): GivenHosts => ({
  ...given,
  hostOfRank: given.hostOfRank.subarray(first, end),
  socketOfRank: given.socketOfRank.subarray(first, end),
  coreOfRank: given.coreOfRank.subarray(first, end),
  firstCoreOfRank: given.firstCoreOfRank.subarray(first, end),
  lastCoreOfRank: given.lastCoreOfRank.subarray(first, end),
  lineOfRank: given.lineOfRank.subarray(first, end),
});

/** The job of the same name in the placement of the same name; the only one where there is one. */
function jobOf({ placements }: GivenResults, { placement, jobs, position }: GivenFor): Result<GivenJob> {
  const named =
    placements.find(({ name }) => name === placement) ?? (placements.length === 1 ? placements[0] : undefined);
  if (named === undefined) {
    const known = placements.map(({ name }) => `\`${name}\``).join(', ');
    return fail(
      'given-no-placement',
      `The file has placements ${known}, but not \`${placement}\`. Rename this placement.`,
    );
  }
  const wanted = itemAt(jobs, position).name;
  const found =
    named.jobs.find(({ name }) => name === wanted) ??
    (jobs.length === 1 && named.jobs.length === 1 ? named.jobs[0] : undefined);
  if (found !== undefined) return succeed(found);
  const known = named.jobs.map(({ name }) => `\`${name}\``).join(', ');
  return fail('given-no-job', `Placement \`${named.name}\` in the file has ${known}, but not job \`${wanted}\`.`);
}
