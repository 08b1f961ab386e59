/** What may stand in declarations of what happens over time: streams of jobs, networks for messages, experiments. */
import { formParts } from '../model/experiment.ts';
import { networkRows, switchings } from '../model/networkModel.ts';
import { jobShapes, logFields, logStatuses, scaledFields } from '../model/stream.ts';
import { oneOf } from './suggestions.ts';
import { type PropertySpecification, countLimit } from './propertyForms.ts';
import { simulationProperties } from './placementSchema.ts';

const distribution = 'a distribution';
const everyFormPart = [...new Set(Object.values(formParts).flat())];

const aLog = { words: ['log'], says: '`{word}` needs a log. Write `log "FILE.swf"`, or remove it.' };
const theLog = { words: ['log'], says: '`log` already provides this. Remove `{word}`.' };

export const streamProperties: readonly PropertySpecification[] = [
  {
    word: 'arrivals',
    summary: 'Times between arrivals of jobs, in cycles. `at [..]` gives the arrival times.',
    takes: distribution,
    example: 'arrivals exponential(rate 0.0009)',
    content: { form: 'choice', source: 'distributions' },
    notWith: theLog,
  },
  {
    word: 'width',
    summary: 'Requested columns of a job.',
    takes: distribution,
    example: 'width uniform(1, 16)',
    content: { form: 'choice', source: 'distributions' },
    notWith: theLog,
  },
  {
    word: 'height',
    summary: 'Requested rows of a job.',
    takes: distribution,
    example: 'height uniform(1, 16)',
    content: { form: 'choice', source: 'distributions' },
    notWith: theLog,
  },
  {
    word: 'processors',
    summary: 'Requested processors of a job, instead of a submesh. For a log, the field with this number.',
    takes: 'a distribution, or `allocated` or `requested` of a log',
    example: 'processors weighted [2: 40%, 4: 60%]',
    content: { form: 'choice', source: 'job-sizes' },
  },
  {
    word: 'traffic',
    summary: 'Traffic of each job (default none).',
    takes: 'the name of a pattern of traffic',
    example: 'traffic one-to-all(root random)',
    content: { form: 'choice', source: 'traffic' },
  },
  {
    word: 'messages',
    summary: 'Repetitions of the traffic of each job (default 1).',
    takes: 'a whole number',
    example: 'messages 1',
    content: { form: 'integer', minimum: 1, maximum: countLimit },
  },
  {
    word: 'flits',
    summary: 'Length of a message in flits (default 8).',
    takes: 'a whole number',
    example: 'flits 8',
    content: { form: 'integer', minimum: 1, maximum: countLimit },
  },
  {
    word: 'bytes',
    summary: 'Length of a message in bytes, instead of `flits`.',
    takes: 'a size',
    example: 'bytes 64 KiB',
    content: { form: 'size' },
    notWith: { words: ['flits'], says: 'Write `flits` or `bytes`, not both. Remove one of them.' },
  },
  {
    word: 'service',
    summary: 'Service time of a job (default `from-network`; `from-log` for a log).',
    takes: '`from-network`, `from-log` or a distribution',
    example: 'service from-network',
    content: { form: 'choices', source: 'services', separator: '+' },
  },
  {
    word: 'jobs',
    summary: 'End of a run: a number of completed or arrived jobs, or a time. Required without a log.',
    takes: 'a whole number with `completed` or `arrived`, or `for` and a number of cycles, seconds, hours or days',
    example: 'jobs 1000 completed',
    content: { form: 'phrase', words: ['completed', 'arrived', 'for', 'cycles', 'seconds', 'hours', 'days'] },
  },
  {
    word: 'warm-up',
    summary: 'First jobs that are not measured: a number, a share, or the rule MSER-5 (default 0).',
    takes: 'a whole number, a share such as `20%`, or `mser-5`',
    example: 'warm-up 20%',
    content: { form: 'phrase', words: ['mser-5'] },
  },
  {
    word: 'log',
    summary: 'Jobs of a log in the Standard Workload Format, instead of distributions.',
    takes: 'a file in double quotes',
    example: 'log "KTH-SP2-1996-2.1-cln.swf.gz"',
    content: { form: 'file' },
  },
  {
    word: 'estimates',
    summary: 'For a log: run times that the scheduler sees (default `at-least-run`).',
    takes: '`at-least-run` or `run`',
    example: 'estimates at-least-run(missing run)',
    content: { form: 'choice', source: 'estimates' },
    onlyWith: aLog,
  },
  {
    word: 'where',
    summary: 'For a log: only jobs that meet this condition, or several with commas.',
    takes: 'a field, a comparison and a number',
    example: 'where processors > 0',
    content: { form: 'phrase', words: logFields },
    repeatable: true,
    onlyWith: aLog,
  },
  {
    word: 'status',
    summary: 'For a log: only jobs with this status (default `any`).',
    takes: oneOf(logStatuses),
    example: 'status completed',
    content: { form: 'word', choices: logStatuses },
    onlyWith: aLog,
  },
  {
    word: 'first',
    summary: 'For a log: number of jobs, in the order of submission.',
    takes: 'a whole number',
    example: 'first 5000',
    content: { form: 'integer', minimum: 1, maximum: countLimit },
    onlyWith: aLog,
  },
  {
    word: 'scale',
    summary: 'For a log: multiplies a field by a number. A smaller `submit` is a higher load.',
    takes: `${oneOf(scaledFields)}, and a number`,
    example: 'scale submit 0.8',
    content: { form: 'phrase', words: scaledFields },
    repeatable: true,
    onlyWith: aLog,
  },
  {
    word: 'shape',
    summary: 'For a log: requested submesh of a job (default `squarest`).',
    takes: oneOf(jobShapes),
    example: 'shape squarest',
    content: { form: 'word', choices: jobShapes },
    onlyWith: aLog,
  },
  {
    word: 'measure',
    summary: 'For a log: `where` and the measured jobs. All jobs run.',
    takes: '`where`, a field, a comparison and a number',
    example: 'measure where processors > 1',
    content: { form: 'phrase', words: ['where', ...logFields] },
    repeatable: true,
    onlyWith: aLog,
  },
];

export const networkProperties: readonly PropertySpecification[] = [
  {
    word: 'switching',
    summary: 'How messages travel.',
    takes: oneOf(switchings),
    example: 'switching wormhole',
    content: { form: 'choice', source: 'switchings' },
    required: true,
  },
  ...networkRows.map((row) => ({
    takes: row.content.form === 'word' ? oneOf(row.content.choices) : 'a value',
    ...row,
  })),
];

const ofAllNodes = '`traffic` uses all nodes, without jobs. Remove `{word}`.';
const ofTraffic = '`{word}` in an experiment needs `traffic`. Remove it.';
const ofTrafficOrStream = '`{word}` in an experiment needs `traffic`. Remove it, or write it in the stream.';
const ofJobs = {
  stream: '`{word}` needs a `job`, but this experiment runs a `stream`. Remove it.',
  traffic: '`{word}` needs a `job`, but this experiment runs `traffic`. Remove it.',
};

export const experimentProperties: readonly PropertySpecification[] = [
  {
    word: 'stream',
    summary: 'The stream of jobs.',
    takes: 'the name of a stream',
    example: 'stream thesis',
    content: { form: 'names', of: 'stream', several: false },
  },
  {
    word: 'job',
    summary: 'A job instead of a stream. Several, `job cg, ft`, run one by one and are crossed with everything else.',
    takes: 'names of jobs, with commas between them',
    example: 'job cg',
    content: { form: 'names', of: 'job', several: true },
  },
  {
    word: 'jobs',
    summary: 'Several jobs that run at the same time, placed together.',
    takes: 'names of jobs, with commas between them',
    example: 'jobs scatter, gather',
    content: { form: 'names', of: 'job', several: true },
  },
  {
    word: 'traffic',
    summary: 'Messages without jobs, instead of a stream.',
    takes: 'names of patterns of traffic, with commas between them',
    example: 'traffic uniform, transpose',
    content: { form: 'choices', source: 'open-traffic' },
  },
  {
    word: 'machine',
    summary: 'The machine. Several, `machine mesh16, torus16`, are crossed with everything else.',
    takes: 'names of machines, with commas between them',
    example: 'machine mesh16',
    content: { form: 'names', of: 'machine', several: true },
    required: true,
  },
  {
    word: 'routing',
    summary: 'Routings instead of that of the machine, crossed with everything else.',
    takes: 'names of routings, with commas between them',
    example: 'routing dimension-order, minimal',
    content: { form: 'choices', source: 'routings' },
    refusedOf: { stream: 'A stream uses the routing of its machine. Write `routing` there.' },
  },
  {
    word: 'network',
    summary: 'Network of the simulation: a declared one, or one written in place.',
    takes: 'the name of a network, or a switching with its figures',
    example: 'network wormhole(router 3, buffer 1)',
    content: { form: 'choice', source: 'networks' },
  },
  {
    word: 'schedule',
    summary: 'Schedulers, which choose the next job (default `fcfs`), crossed with everything else.',
    takes: 'names of schedulers, with commas between them',
    example: 'schedule fcfs, easy',
    content: { form: 'choices', source: 'schedulers' },
    refusedOf: { job: '`schedule` applies to streams only. Remove it.', traffic: ofAllNodes },
  },
  {
    word: 'allocate',
    summary: 'Allocators, which choose the nodes of a job, crossed with everything else.',
    takes: 'names of allocators, with commas between them',
    example: 'allocate rbs, gabl',
    content: { form: 'choices', source: 'allocators' },
    refusedOf: { traffic: ofAllNodes },
  },
  {
    word: 'map',
    summary: 'Mappers of tasks to the nodes of their job, combined with all others (default: node order).',
    takes: 'names of mappers, with commas between them',
    example: 'map rcb, row-major',
    content: { form: 'choices', source: 'mappers' },
    refusedOf: { traffic: ofAllNodes },
  },
  {
    word: 'busy',
    summary: 'Share of nodes that other jobs use, drawn for each seed (default 0%). For a job only.',
    takes: 'a share',
    example: 'busy 68%',
    content: { form: 'phrase', words: [] },
    refusedOf: {
      stream: '`busy` needs a `job`, but this experiment runs a `stream`. Remove it.',
      traffic: '`busy` needs a `job`: `traffic` uses all nodes. Remove it.',
    },
  },
  {
    word: 'vary',
    summary:
      'A varied number, by its path: `arrivals.rate` of the stream; `NAME.rate`, `NAME.bytes`, `NAME.messages`, `NAME.tasks` of a job; `network.packet`, `replay.speed`, `background.rate`; `machine.bandwidth`, `machine.latency`, `machine.cores`, `machine.seed`. Values have units: `[10 GB/s, 25 GB/s]`.',
    takes:
      'a path, and two numbers with `..` between them and `step` with a number, or numbers in brackets, `[0.1, 0.2, 0.4]`',
    example: 'vary arrivals.rate 2e-4 .. 1.1e-3 step 1e-4',
    content: { form: 'phrase', words: ['step'] },
    repeatable: true,
  },
  {
    word: 'seeds',
    summary: 'One replication for each of these seeds.',
    takes: 'whole numbers, or two with `..` between them, and more of them with commas',
    example: 'seeds 1 .. 50',
    content: { form: 'phrase', words: [] },
  },
  {
    word: 'replications',
    summary: 'A number of replications, or `until` each metric has a narrow interval (default 5% at 95%).',
    takes: 'a whole number, or `until` with two shares',
    example: 'replications until 5% at 95% (at most 2000)',
    content: { form: 'phrase', words: ['until', 'at', 'most'] },
  },
  {
    word: 'until',
    summary: 'The same as `replications until`.',
    takes: 'two shares with `at` between them',
    example: 'until 5% at 95%',
    content: { form: 'phrase', words: ['at', 'most'] },
  },
  {
    word: 'steady-state',
    summary:
      'Means of one long run without its start, with intervals from batch means. For a stream only. The default is ' +
      'then one replication.',
    takes: '`delete` with a share, or `mser-5`',
    example: 'steady-state delete(20%, batches 30)',
    content: { form: 'choice', source: 'steady-states' },
    refusedOf: {
      job: '`steady-state` needs a `stream`. Remove it.',
      traffic: '`steady-state` needs a `stream`. For `traffic`, write `warm-up` and `samples`. Remove it.',
    },
  },
  {
    word: 'repeat',
    summary: 'Runs of each replication with other random numbers (default 1).',
    takes: 'a whole number',
    example: 'repeat 5',
    content: { form: 'integer', minimum: 1, maximum: 10000 },
  },
  {
    word: 'warm-up',
    summary: 'For traffic: cycles before the first sample.',
    takes: 'a whole number',
    example: 'warm-up 10000',
    content: { form: 'integer', minimum: 0, maximum: countLimit },
    refusedOf: { stream: ofTrafficOrStream, job: ofTrafficOrStream },
  },
  {
    word: 'sample',
    summary: 'For traffic: cycles of a sample.',
    takes: 'a whole number',
    example: 'sample 1000',
    content: { form: 'integer', minimum: 1, maximum: countLimit },
    refusedOf: { stream: ofTraffic, job: ofTraffic },
  },
  {
    word: 'samples',
    summary: 'For traffic: number of samples.',
    takes: 'a whole number',
    example: 'samples 30',
    content: { form: 'integer', minimum: 1, maximum: countLimit },
    refusedOf: { stream: ofTraffic, job: ofTraffic },
  },
  ...simulationProperties.map((row) => ({ ...row, refusedOf: ofJobs })),
  {
    word: 'over-time',
    summary: 'Reports traffic and latency over time, a point per this number of arrived packets. For a job only.',
    takes: 'a whole number and `messages`',
    example: 'over-time 10000 messages',
    content: { form: 'phrase', words: ['messages'] },
    refusedOf: ofJobs,
  },
  {
    word: 'report',
    summary: 'Metrics (default `turnaround` for streams, `makespan` for jobs, `latency` for traffic).',
    takes: 'names of metrics, with commas between them',
    example: 'report turnaround, utilisation',
    content: { form: 'choices', source: 'metrics' },
  },
  {
    word: 'compare',
    summary: 'Statistical comparisons of the rows.',
    takes: 'names of comparisons, with commas between them',
    example: 'compare paired-ratio(to rbs)',
    content: { form: 'choices', source: 'comparisons' },
  },
  {
    word: 'short',
    summary:
      'Parts of a short run (`--short`). Other parts are unchanged. Without this property, general rules shorten everything.',
    takes: 'words of what is cut, each with a whole number',
    example: 'short replications 10, iterations 2',
    content: { form: 'phrase', words: everyFormPart },
  },
  {
    word: 'middle',
    summary: 'Parts of a medium run (`--middle`).',
    takes: 'words of what is cut, each with a whole number',
    example: 'middle replications 20, iterations 5',
    content: { form: 'phrase', words: everyFormPart },
  },
  {
    word: 'quoted',
    summary: 'Numbers of a paper, shown beside the results: of a row, or of the ratio of two.',
    takes: 'entries between `{` and `}`',
    example: 'quoted { turnaround rbs / gabl : 1.01 }',
    content: { form: 'quoted' },
  },
];
