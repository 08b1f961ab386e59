/** What the files hold that an experiment names, its machines, job logs and traffic: what it is made ready of. */
import { contentKey, type ExperimentInputs, type MachineContents } from '../../experiments/inputs.ts';
import { prepareExperiment } from '../../experiments/prepare.ts';
import type { JobInputs } from '../../experiments/simulatedReplications.ts';
import type { CheckedProgram } from '../../language/check.ts';
import {
  filesNeeded,
  filesOfExperiments,
  filesOfMachine,
  filesOfRouting,
  machinesOfExperiment,
  tableNeed,
  type FileNeed,
  givenNeed,
} from '../../language/fileNeeds.ts';
import { keyOfSource, type GivenSource } from '../../model/given.ts';
import type { ExperimentStanding } from '../../language/service/input.ts';
import { neverCancelled, shouldFinish, type Cancellation } from '../../model/cancellation.ts';
import type { Choice } from '../../model/catalogue.ts';
import type { ExperimentDescription, FormName } from '../../model/experiment.ts';
import type { Fabric, NodeShape } from '../../model/fabric.ts';
import type { ForwardingDump } from '../../model/forwarding.ts';
import { cancelled, cancelledCode, fail, quote, succeed, type Failure, type Result } from '../../model/result.ts';
import type { MachineDescription } from '../../network/contract.ts';
import type { JobDescription } from '../../study/program.ts';
import { type FileMemory, readStudyFiles, type ProgramFiles } from '../evaluation.ts';
import type { ReadPolicy } from '../platform.ts';
import { version } from '../programs.ts';

interface ReadingOptions {
  /** The whole where it is left out. */
  readonly form?: FormName | undefined;
  readonly cancellation?: Cancellation;
  /** What the files held when they were read before; none where it is left out. */
  readonly memory?: FileMemory | undefined;
}

/** Reads files; fails with `cancelled`. A file that cannot be read is a failure of its own. */
type ReadFiles = (needs: readonly FileNeed[]) => Promise<Result<ProgramFiles>>;

const readerWith =
  (policy: ReadPolicy, memory: FileMemory | undefined, cancellation: Cancellation): ReadFiles =>
  async (needs) => {
    const files = await readStudyFiles(needs, policy, memory, cancellation);
    return cancellation.isCancelled() ? cancelled() : succeed(files);
  };

/** Reads the files that an experiment needs. Fails as they do, and with `cancelled`. */
export async function readExperiment(
  { program, experiments: { experiments, streams } }: Pick<CheckedProgram, 'program' | 'experiments'>,
  name: string,
  policy: ReadPolicy,
  { form, cancellation = neverCancelled, memory }: ReadingOptions,
): Promise<Result<ExperimentInputs>> {
  const experiment = experiments.find((one) => one.name === name);
  const machines = experiment === undefined ? [] : machinesOfExperiment(experiment, program.machines);
  const [machine, ...otherMachines] = machines;
  if (experiment === undefined || machine === undefined) {
    return fail('bad-experiment', `Experiment ${quote(name)} or its inputs have errors. Fix them first.`);
  }
  const stream = experiment.subject.kind === 'stream' ? streams.get(experiment.subject.name) : undefined;
  const read = readerWith(policy, memory, cancellation);
  const contents = await readMachineContents(machines, experiment.routing, read);
  if (!contents.ok) return contents;
  const common = {
    experiment,
    machine,
    otherMachines,
    machineContents: contents.value,
    version,
    ...(form && { form }),
  };
  if (experiment.subject.kind === 'job') {
    const jobs = await inputsOfJobs(experiment.subject.names, program, experiment, read);
    return jobs.ok ? succeed({ ...common, jobs: jobs.value }) : jobs;
  }
  if (stream?.jobs.kind !== 'log') return succeed({ ...common, ...(stream && { stream }) });
  const files = await read([{ uri: stream.jobs.uri, kind: 'log' }]);
  const log = files.ok ? files.value.log(stream.jobs.uri) : files;
  return log.ok ? succeed({ ...common, stream, log: log.value }) : log;
}

/** Why experiments cannot be run, and what may come of them: they are planned, and nothing is run. Fewer where cancelled. */
export async function plannedExperiments(
  checked: Pick<CheckedProgram, 'program' | 'experiments'>,
  policy: ReadPolicy,
  { cancellation, memory }: { readonly cancellation: Cancellation; readonly memory: FileMemory },
): Promise<ReadonlyMap<string, ExperimentStanding>> {
  const found = new Map<string, ExperimentStanding>();
  for (const { name } of checked.experiments.experiments) {
    if (shouldFinish(cancellation)) break;
    const inputs = await readExperiment(checked, name, policy, { cancellation, memory });
    const prepared = inputs.ok ? prepareExperiment(inputs.value, { cancellation }) : inputs;
    if (!prepared.ok && prepared.failure.code === cancelledCode) break;
    const known = prepared.ok ? { remarks: prepared.value.remarks } : { problem: prepared.failure };
    found.set(name, { isStale: false, isComplete: false, ...known });
  }
  return found;
}

/** All files that the experiments of a program may need. */
export const needsOfExperiments = ({
  program: { machines, jobs },
  experiments,
}: Pick<CheckedProgram, 'program' | 'experiments'>): readonly FileNeed[] => [
  ...filesNeeded(machines.values(), jobs.values(), []),
  ...filesOfExperiments(experiments),
];

/** Files of allocators and mappers: `map given "FILE"`. */
export const givenFiles = ({ allocate, map }: ExperimentDescription): readonly GivenSource[] =>
  [...allocate, ...map].flatMap(({ argument }) => (argument?.kind === 'file' ? [argument] : []));

/** In the order of the names; fails as the first does that cannot be read. */
async function inputsOfJobs(
  names: readonly string[],
  program: CheckedProgram['program'],
  experiment: ExperimentDescription,
  read: ReadFiles,
): Promise<Result<readonly JobInputs[]>> {
  const jobs: JobInputs[] = [];
  for (const name of names) {
    const job = await jobInputs(program.jobs.get(name), experiment, read);
    if (!job.ok) return job;
    jobs.push(job.value);
  }
  return succeed(jobs);
}

/** What the files hold that a job names, and its allocators and mappers. Files that cannot be read are failures of their own. */
async function jobInputs(
  description: JobDescription | undefined,
  experiment: ExperimentDescription,
  read: ReadFiles,
): Promise<Result<JobInputs>> {
  if (description === undefined) return fail('bad-experiment', 'The job of the experiment has errors. Fix them first.');
  const { source, coordinates } = description;
  const given = givenFiles(experiment);
  const needs: FileNeed[] = given.map(givenNeed);
  if (source.kind === 'table-file') needs.push(tableNeed(source));
  if (source.kind === 'trace')
    needs.push({ uri: source.uri, kind: 'trace', format: source.format, options: source.options });
  if (coordinates !== undefined) needs.push({ uri: coordinates, kind: 'coordinates' });
  const found = await read(needs);
  if (!found.ok) return found;
  const files = found.value;
  return succeed({
    description,
    given: new Map(given.map((source) => [keyOfSource(source), files.given(source)])),
    ...(source.kind === 'table-file' && { table: files.table(source.uri, source.format) }),
    ...(source.kind === 'trace' && { trace: files.trace(source.uri, source.format, source.options) }),
    ...(coordinates !== undefined && { coordinates: files.coordinates(coordinates) }),
  });
}

/** What the files of machines and routings hold. Fails as the first does that cannot be read, and with `cancelled`. */
async function readMachineContents(
  machines: readonly MachineDescription[],
  routings: readonly Choice[] = [],
  read: ReadFiles,
): Promise<Result<MachineContents>> {
  const needs = [...machines.flatMap(filesOfMachine), ...routings.flatMap(filesOfRouting)];
  const found = await read(needs);
  if (!found.ok) return found;
  const files = found.value;
  const [fabrics, forwardings, nodeShapes] = [
    new Map<string, Fabric>(),
    new Map<string, ForwardingDump>(),
    new Map<string, NodeShape>(),
  ];
  const keep = <Content>(contents: Map<string, Content>, key: string, one: Result<Content>): Failure | undefined => {
    if (!one.ok) return one.failure;
    contents.set(key, one.value);
    return undefined;
  };
  for (const need of needs) {
    const { uri } = need;
    const format = 'format' in need ? need.format : undefined;
    const key = contentKey(uri, format);
    const failure =
      need.kind === 'fabric'
        ? keep(fabrics, key, files.fabric(uri, format))
        : need.kind === 'forwarding'
          ? keep(forwardings, key, files.forwarding(uri, format))
          : keep(nodeShapes, key, files.nodeShape(uri));
    if (failure !== undefined) return { ok: false, failure };
  }
  return succeed({ fabrics, forwardings, nodeShapes });
}
