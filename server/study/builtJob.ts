import type { Job } from '../model/job.ts';

/** A job with its traffic, and the text of everything that depends on. */
export interface BuiltJob {
  readonly job: Job;
  readonly key: string;
}
