import { basename } from 'node:path';
import type { CancellationToken, Connection } from 'vscode-languageserver/node';
import { exportFormats } from '../../interchange/catalogue.ts';
import { locationOf } from '../../language/service/ranges.ts';
import {
  describeFabricRequest,
  explainRequest,
  exportRequest,
  formatsRequest,
  originRequest,
  pictureRequest,
  placementsRequest,
  protocolVersion,
  sceneRequest,
  type DescribeFabricAnswer,
  type DescribeFabricParameters,
  type ExplainAnswer,
  type ExplainParameters,
  type ExportAnswer,
  type ExportParameters,
  type FormatSummary,
  type OriginAnswer,
  type OriginParameters,
  type PictureAnswer,
  type PlacementsParameters,
  type PlacementSummary,
  type SceneAnswer,
  type SceneParameters,
} from '../../protocol/messages.ts';
import { idle } from '../../study/status.ts';
import type { Analyses } from './analyses.ts';
import { Explanations } from './explanations.ts';
import { inputOf } from './inputs.ts';
import { originOf } from './origin.ts';
import type { Publisher } from './publisher.ts';
import type { Studies } from './studies.ts';
import type { ReadPolicyMessage } from '../workerMessages.ts';
import { WorkerFault, type WorkerHandle } from './workerHandle.ts';

export interface RequestSurroundings {
  readonly analyses: Analyses;
  readonly studies: Studies;
  readonly publisher: Publisher;
  readonly worker: WorkerHandle;
  /** What may be read. */
  readonly policy: () => ReadPolicyMessage;
}

/** Answers what the editor asks beyond LSP; the parameters and answers are in `protocol/messages.ts`. */
export function answerRequests(connection: Connection, surroundings: RequestSurroundings): void {
  connection.onRequest(placementsRequest, (parameters: PlacementsParameters) => placements(surroundings, parameters));
  connection.onRequest(sceneRequest, (parameters: SceneParameters) => scene(surroundings, parameters));
  connection.onRequest(exportRequest, (parameters: ExportParameters) => exported(surroundings, parameters));
  connection.onRequest(pictureRequest, (parameters: SceneParameters) => picture(surroundings, parameters));
  connection.onRequest(originRequest, (parameters: OriginParameters) => origin(surroundings, parameters));
  connection.onRequest(formatsRequest, formats);
  connection.onRequest(describeFabricRequest, (parameters: DescribeFabricParameters) =>
    describeFabric(surroundings, parameters),
  );
  const explanations = new Explanations(surroundings.worker);
  connection.onRequest(explainRequest, (parameters: ExplainParameters, token: CancellationToken) =>
    explain(explanations, parameters, token),
  );
}

async function placements(
  { analyses, publisher }: RequestSurroundings,
  { uri }: PlacementsParameters,
): Promise<readonly PlacementSummary[]> {
  const analysis = await analyses.of(uri);
  return analysis === undefined ? [] : publisher.placementsOf(analysis);
}

async function scene(surroundings: RequestSurroundings, parameters: SceneParameters): Promise<SceneAnswer> {
  const { uri, placement } = parameters;
  const nothing = (reason: string): SceneAnswer => ({ kind: 'nothing', reason, status: idle });
  try {
    const answer = await surroundings.worker.send({ kind: 'scene', uri, placement });
    if (answer.kind === 'nothing') return { ...answer, status: idle };
    const stale = await isStale(surroundings, parameters);
    return { kind: 'scene', version: protocolVersion, stale, scene: answer.scene, status: idle };
  } catch (fault) {
    return nothing(sentenceOf(fault));
  }
}

async function exported(surroundings: RequestSurroundings, parameters: ExportParameters): Promise<ExportAnswer> {
  const { uri, placement, format } = parameters;
  try {
    const answer = await surroundings.worker.send({ kind: 'export', uri, placement, format });
    if (!answer.ok) return answer;
    const suggestedName = `${basename(decodeURIComponent(uri), '.place')}.${answer.suggestedName}`;
    const stale = await isStale(surroundings, parameters);
    const warnings = stale ? [staleWarning(placement), ...answer.warnings] : answer.warnings;
    return { ...answer, suggestedName, warnings };
  } catch (fault) {
    return { ok: false, message: sentenceOf(fault) };
  }
}

async function picture({ worker }: RequestSurroundings, { uri, placement }: SceneParameters): Promise<PictureAnswer> {
  try {
    return await worker.send({ kind: 'picture', uri, placement });
  } catch (fault) {
    return { ok: false, message: sentenceOf(fault) };
  }
}

async function origin(
  { analyses, studies }: RequestSurroundings,
  { uri, placement, target }: OriginParameters,
): Promise<OriginAnswer> {
  const analysis = await analyses.of(uri);
  if (analysis === undefined) return null;
  const found = originOf(analysis, studies.stateOf(uri).summary, placement, target);
  if (found === undefined) return null;
  return locationOf(inputOf(analysis, studies), found.uri, found.span) ?? null;
}

async function explain(
  explanations: Explanations,
  parameters: ExplainParameters,
  token: CancellationToken,
): Promise<ExplainAnswer> {
  try {
    return await explanations.explain(parameters, token);
  } catch (fault) {
    return { kind: 'nothing', reason: sentenceOf(fault) };
  }
}

async function describeFabric(
  { worker, policy }: RequestSurroundings,
  parameters: DescribeFabricParameters,
): Promise<DescribeFabricAnswer> {
  try {
    return await worker.send({ kind: 'describe-fabric', ...parameters, policy: policy() });
  } catch (fault) {
    return { ok: false, message: sentenceOf(fault) };
  }
}

const formats = (): readonly FormatSummary[] =>
  exportFormats.map(({ name, summary, extension }) => ({ name, summary, extension }));

async function isStale(
  { analyses, publisher }: RequestSurroundings,
  { uri, placement }: SceneParameters,
): Promise<boolean> {
  const analysis = await analyses.of(uri);
  if (analysis === undefined) return false;
  return publisher.placementsOf(analysis).find(({ name }) => name === placement)?.state !== 'fresh';
}

const staleWarning = (placement: string): string =>
  `The text changed since placement "${placement}" was worked out; this is the older answer. Save the file and export again for the new one.`;

/** Only a lost worker is expected here; anything else is ours to see in the log. */
function sentenceOf(fault: unknown): string {
  if (fault instanceof WorkerFault)
    return `The computing thread stopped: ${fault.message}. Save the file to start it again.`;
  throw fault;
}
