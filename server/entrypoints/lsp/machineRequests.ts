/** What the editor asks about machines by themselves, and about files of other tools that describe one or the traffic of a job. */
import { ErrorCodes, ResponseError, type CancellationToken, type Connection } from 'vscode-languageserver';
import { locationOf } from '../../language/service/input.ts';
import {
  describeFabricRequest,
  describeTableRequest,
  type DescribeFabricAnswer,
  type DescribeFileParameters,
  type DescribeTableAnswer,
} from '../../protocol/importPreview.ts';
import {
  machineRequest,
  machinesRequest,
  protocolVersion,
  type MachineAnswer,
  type MachineParameters,
  type MachineSummary,
  type PlacementsParameters,
} from '../../protocol/messages.ts';
import { whileAsked } from '../cancelCell.ts';
import type { AnswerOf, MachineOutcome, ReadPolicyMessage } from '../workerMessages.ts';
import type { Analyses, Analysis } from './analyses.ts';
import { inputOf } from './features.ts';
import { problemOfMachine } from './publisher.ts';
import type { Studies } from './studies.ts';
import { refusalOf, type ComputingThreads, type WorkerHandle } from './workerHandle.ts';

export interface MachineSurroundings {
  readonly analyses: Analyses;
  readonly studies: Studies;
  readonly machines: ComputingThreads['machines'];
  /** Starts a thread for something that takes long and is asked for rarely. */
  readonly separateThread: () => WorkerHandle;
  /** What may be read, by whoever reads `uri`. */
  readonly policy: (uri: string) => ReadPolicyMessage;
}

/** Answers them. */
export function answerMachineRequests(connection: Connection, surroundings: MachineSurroundings): void {
  connection.onRequest<DescribeFabricAnswer, never>(
    describeFabricRequest,
    (parameters: DescribeFileParameters, token: CancellationToken) =>
      describe(surroundings, 'describe-fabric', parameters, token),
  );
  connection.onRequest<DescribeTableAnswer, never>(
    describeTableRequest,
    (parameters: DescribeFileParameters, token: CancellationToken) =>
      describe(surroundings, 'describe-table', parameters, token),
  );
  connection.onRequest(machinesRequest, (parameters: PlacementsParameters) => machines(surroundings, parameters));
  connection.onRequest<MachineAnswer, never>(
    machineRequest,
    (parameters: MachineParameters, token: CancellationToken) => machine(surroundings, parameters, token),
  );
}

/** In a thread of its own: a large file must keep nobody waiting. */
async function describe<Kind extends 'describe-fabric' | 'describe-table'>(
  { separateThread, policy }: MachineSurroundings,
  kind: Kind,
  parameters: DescribeFileParameters,
  token: CancellationToken,
): Promise<AnswerOf[Kind] | { readonly ok: false; readonly message: string }> {
  // No thread is started for what names no file.
  if (typeof (parameters as Partial<DescribeFileParameters> | undefined)?.uri !== 'string')
    throw new ResponseError(ErrorCodes.InvalidParams, 'Expected the `uri` of a file.');
  const thread = separateThread();
  try {
    const order = { kind, ...parameters, policy: policy(parameters.uri) };
    return await whileAsked(token, ({ buffer: cancelFlag }) => thread.send({ ...order, cancelFlag }));
  } catch (fault) {
    return { ok: false, message: refusalOf(fault) };
  } finally {
    await thread.stop();
  }
}

/** Sound or not. */
async function machines(
  { analyses, studies }: MachineSurroundings,
  { uri }: PlacementsParameters,
): Promise<readonly MachineSummary[]> {
  const analysis = await analyses.of(uri);
  if (analysis === undefined) return [];
  const found = analysis.checked.symbols.all('machine').flatMap(({ name, node, uri: declaredIn }): MachineSummary[] => {
    const location = locationOf(inputOf(analysis, studies), declaredIn, node.name ?? node.keyword);
    return location === undefined ? [] : [{ name, ...location }];
  });
  return found.sort((one, other) => Number(other.uri === uri) - Number(one.uri === uri));
}

async function machine(
  surroundings: MachineSurroundings,
  { uri, machine: name }: MachineParameters,
  token: CancellationToken,
): Promise<MachineAnswer> {
  const { analyses, studies } = surroundings;
  const analysis = await analyses.of(uri);
  if (analysis === undefined) return { kind: 'nothing', reason: 'The file of this machine is not open.' };
  const declared = analysis.checked.symbols.lookup('machine', name);
  const location =
    declared && locationOf(inputOf(analysis, studies), declared.uri, declared.node.name ?? declared.node.keyword);
  const where: Pick<MachineAnswer, 'declared'> = location === undefined ? {} : { declared: location };
  const withProblem = (fault: string | undefined): Pick<MachineAnswer, 'declared' | 'problem'> => {
    const problem = problemOfMachine(analysis, studies, name, fault);
    return { ...where, ...(problem && { problem }) };
  };
  try {
    const outcome = await machineOutcome(surroundings, analysis, name, token);
    if (outcome?.kind === 'scene') {
      const { scene, fault } = outcome;
      return { kind: 'scene', version: protocolVersion, scene, ...withProblem(fault) };
    }
    const reason = outcome?.kind === 'nothing' ? outcome.reason : undefined;
    const found = withProblem(reason);
    return { kind: 'nothing', reason: reason ?? found.problem?.message ?? noSuchMachine(name), ...found };
  } catch (fault) {
    return { kind: 'nothing', reason: refusalOf(fault), ...where };
  }
}

const noSuchMachine = (name: string): string =>
  `Machine "${name}" is not in the file, or it has errors: they are listed among the problems.`;

/** Undefined for a machine that is not there or has errors in its text. */
async function machineOutcome(
  { machines, policy }: MachineSurroundings,
  { uri, checked }: Analysis,
  name: string,
  token: CancellationToken,
): Promise<MachineOutcome | undefined> {
  const description = checked.program.machines.get(name);
  if (description === undefined) return undefined;
  const order = { kind: 'machine', uri, description, policy: policy(uri) } as const;
  return whileAsked(token, ({ buffer: cancelFlag }) => machines.send({ ...order, cancelFlag }));
}
