import type { LoggedJobs, StreamDescription, SyntheticJobs } from '../../model/stream.ts';

/** What a test or a bench says of a stream besides its jobs. */
type Rest = Partial<Omit<StreamDescription, 'jobs'>>;

const defaults: Omit<StreamDescription, 'jobs'> = {
  name: 'jobs',
  messages: 1,
  messageLength: { unit: 'flits', amount: 8 },
  service: { kind: 'log' },
  end: { kind: 'all' },
  warmUp: { kind: 'jobs', jobs: 0 },
};

/** All jobs of a log as they are; `jobs` says what is read otherwise. */
export const loggedStream = (jobs: Partial<LoggedJobs> = {}, rest: Rest = {}) =>
  ({
    ...defaults,
    jobs: {
      kind: 'log',
      uri: 'jobs.swf',
      processors: 'allocated',
      estimates: { kind: 'at-least-run', missing: 'run' },
      where: [],
      status: 'any',
      scale: [],
      shape: 'squarest',
      measure: [],
      ...jobs,
    },
    ...rest,
  }) satisfies StreamDescription;

/** Jobs from distributions, of which a test says how long they run and when the stream ends. */
export const drawnStream = (
  jobs: Omit<SyntheticJobs, 'kind'>,
  rest: Rest & Pick<StreamDescription, 'service' | 'end'>,
): StreamDescription => ({ ...defaults, jobs: { kind: 'distributions', ...jobs }, ...rest });
