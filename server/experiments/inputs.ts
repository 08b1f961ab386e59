/** What an experiment is made of, and what of that its results depend on. */
import type { ExperimentDescription, FormName } from '../model/experiment.ts';
import type { Fabric, NodeShape } from '../model/fabric.ts';
import type { ForwardingDump } from '../model/forwarding.ts';
import type { JobLog } from '../model/jobLog.ts';
import { fail, succeed, type Result } from '../model/result.ts';
import type { StreamDescription } from '../model/stream.ts';
import type { MachineDescription, MachineFiles } from '../network/contract.ts';
import { fingerprintOfDump } from '../network/routings/fromTables.ts';
import { fingerprintOf } from '../numeric/fingerprint.ts';
import type { JobDescription } from '../study/program.ts';
import type { StreamExperiment } from './expectedTime.ts';
import type { JobInputs } from './simulatedReplications.ts';

/** An experiment with all that it names, and what its files hold. Plain data, so that it crosses threads. */
export interface ExperimentInputs {
  readonly experiment: ExperimentDescription;
  readonly machine: MachineDescription;
  /** Where several are crossed: all but the first. */
  readonly otherMachines?: readonly MachineDescription[];
  /** What the files of the machines and of their routings hold. */
  readonly machineContents?: MachineContents;
  readonly stream?: StreamDescription;
  readonly log?: JobLog;
  /** Where jobs are run. */
  readonly jobs?: readonly JobInputs[];
  /** Of the program, which may simulate otherwise than another one. */
  readonly version: string;
  /** A smaller run than the whole: as the experiment says, else, of a short one, a minute's worth: see `forms.ts`. */
  readonly form?: FormName;
}

/** By {@link contentKey}. */
export interface MachineContents {
  readonly fabrics: ReadonlyMap<string, Fabric>;
  readonly forwardings: ReadonlyMap<string, ForwardingDump>;
  readonly nodeShapes: ReadonlyMap<string, NodeShape>;
}

/** Of a file, and of the format that it is read in where one is named. */
export const contentKey = (uri: string, format?: string): string => `${format ?? ''} ${uri}`;

/** The same as whoever builds a machine asks for it. */
export function filesWith(contents: MachineContents | undefined): MachineFiles {
  const held = <Content>(content: Content | undefined, what: string): Result<Content> =>
    content === undefined ? fail('file-unreadable', `The ${what} was not read.`) : succeed(content);
  return {
    fabric: (uri, format) => held(contents?.fabrics.get(contentKey(uri, format)), 'fabric'),
    forwarding: (uri, format) => held(contents?.forwardings.get(contentKey(uri, format)), 'file of forwarding tables'),
    nodeShape: (uri) => held(contents?.nodeShapes.get(contentKey(uri)), 'file of the nodes'),
  };
}

/** All that replications of a stream read beside the plan, as text. Where files lie does not matter, what they hold does. O(log). */
export function dependenciesOfStream(
  { machine, machineContents, version }: ExperimentInputs,
  { experiment, stream, log }: StreamExperiment,
): string {
  const { schedule, allocate, map, network, repeat } = experiment;
  const withoutPlaces = (key: string, value: unknown): unknown =>
    key === 'uri' || key === 'nodeFile' ? undefined : value;
  const contents = log && [log.fileName, fingerprintOf(log.lines, ...log.columns)];
  const parts = [
    version,
    { schedule, allocate, map, network, repeat },
    stream,
    machine,
    ...machineFileContents(machineContents),
    contents,
  ];
  return JSON.stringify(parts, withoutPlaces);
}

/** The same of jobs and traffic: `descriptions` are the jobs as they are run. */
export function dependenciesOfSimulated(
  { machine, otherMachines, machineContents, version, jobs = [] }: ExperimentInputs,
  {
    routing,
    allocate,
    map,
    network,
    repeat,
    background,
    busy,
    replay,
    budget,
    subject,
    sampling,
    overTime,
  }: ExperimentDescription,
  descriptions: readonly JobDescription[],
): string {
  const withoutPlaces = (key: string, value: unknown): unknown =>
    key === 'uri' || key === 'nodeFile'
      ? undefined
      : value instanceof Int32Array || value instanceof Float64Array
        ? fingerprintOf(value)
        : value;
  const machines = [machine, otherMachines, ...machineFileContents(machineContents)];
  const contents = jobs.map((job) => [job.table, job.coordinates, job.trace, [...job.given.values()]]);
  const settings = {
    routing,
    allocate,
    map,
    network,
    repeat,
    background,
    busy,
    replay,
    budget,
    subject,
    sampling,
    overTime,
  };
  return JSON.stringify([version, settings, descriptions, machines, contents], withoutPlaces);
}

/** What the files of machines hold, wherever they lie. */
function machineFileContents(contents: MachineContents | undefined): readonly unknown[] {
  if (contents === undefined) return [];
  const { fabrics, forwardings, nodeShapes } = contents;
  return [[...fabrics.values()], [...forwardings.values()].map(fingerprintOfDump), [...nodeShapes.values()]];
}
