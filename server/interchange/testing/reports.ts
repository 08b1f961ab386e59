import { neverCancelled } from '../../model/cancellation.ts';
import type { NodeShape } from '../../model/fabric.ts';
import type { TaskNeeds } from '../../model/placement.ts';
import type { PlacementReport } from '../../model/report.ts';
import { fail, succeed } from '../../model/result.ts';
import type { JobDescription, Program } from '../../study/program.ts';
import { defaultStudySettings } from '../../study/report.ts';
import { createStudyCache, runStudy } from '../../study/study.ts';

export interface Wanted {
  readonly shape: readonly number[];
  readonly sockets?: number;
  readonly cores?: number;
  /** Tasks run on them, where there are some. */
  readonly gpus?: number;
  /** Nobody says how many cores there are. */
  readonly coresUnstated?: true;
  /** What a file says of a node, instead of sockets, cores and GPUs. */
  readonly node?: NodeShape;
  /** What tasks of all jobs need. */
  readonly needs?: TaskNeeds;
  /** Of single jobs. */
  readonly ownNeeds?: readonly TaskNeeds[];
  /** The slots of each job's tasks, in job order. */
  readonly mappings: readonly (readonly number[])[];
}

/** A placement report of rings on a torus, each job exactly where the test wants it. */
export function reportOf({
  shape,
  sockets = 1,
  cores = 1,
  gpus,
  node,
  coresUnstated,
  needs,
  ownNeeds,
  mappings,
}: Wanted): PlacementReport {
  const options = {};
  const machine = {
    name: 'm',
    topology: { name: 'torus', argument: { kind: 'numbers' as const, numbers: shape }, options },
    cables: [],
    socketsPerNode: sockets,
    coresPerSocket: cores,
    ...(gpus !== undefined && { gpus: { count: gpus, links: [] } }),
    ...(node !== undefined && { nodeFile: 'node' }),
    ...(coresUnstated && { coresUnstated }),
    figures: {},
  };
  const jobs = new Map(mappings.map((mapping, at) => [`job${at}`, ringOf(`job${at}`, mapping.length)]));
  const program: Program = {
    machines: new Map([['m', machine]]),
    jobs,
    placements: [
      {
        name: 'p',
        machine: 'm',
        jobs: [...jobs.keys()],
        allocate: { name: 'all', options },
        map: { name: 'given', argument: { kind: 'numbers', numbers: mappings.flat() }, options },
        ...(needs && { needs }),
        ...(ownNeeds && { own: ownNeeds.map((own) => ({ needs: own })) }),
        seed: 1,
      },
    ],
  };
  const none = () => fail('none', 'no file');
  const files = {
    table: none,
    given: none,
    coordinates: none,
    trace: none,
    fabric: none,
    forwarding: none,
    nodeShape: () => (node === undefined ? none() : succeed(node)),
  };
  const context = { cancellation: neverCancelled, progress: () => undefined, now: () => 0, cache: createStudyCache() };
  const study = runStudy(program, files, defaultStudySettings, context);
  const [report] = study.placements;
  if (report === undefined) throw new Error(study.problems.map(({ message }) => message).join('\n'));
  return report;
}

const ringOf = (name: string, taskCount: number): JobDescription => ({
  name,
  taskCount,
  periodic: false,
  source: { kind: 'pattern', choice: { name: 'ring', options: {} } },
  bytes: 1024,
  messages: undefined,
  rate: undefined,
});
