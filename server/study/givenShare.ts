import type { MappingContext } from '../mapping/contract.ts';
import type { ArgumentValue } from '../model/catalogue.ts';
import type { Job } from '../model/job.ts';
import type { StudyFiles } from './program.ts';

/**
 * A list of slots for several jobs goes on from one job to the next: each job sees its own part.
 * The last one sees all that is left, so that a list of the wrong length is noticed.
 */
export function givenShare(
  argument: ArgumentValue | undefined,
  files: StudyFiles,
  jobs: readonly Job[],
  position: number,
): Pick<MappingContext, 'argument' | 'givenFile'> {
  const first = jobs.slice(0, position).reduce((sum, { taskCount }) => sum + taskCount, 0);
  const end = position === jobs.length - 1 ? undefined : first + jobs[position]!.taskCount;
  return {
    argument: argument?.kind === 'numbers' ? { ...argument, numbers: argument.numbers.slice(first, end) } : argument,
    givenFile: (uri) => {
      const numbers = files.integers(uri);
      return numbers.ok ? { ok: true, value: numbers.value.subarray(first, end) } : numbers;
    },
  };
}
