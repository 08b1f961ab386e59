/** What the editor asks of figures: those of experiments and of simulations. */
import type { CancellationToken, Connection } from 'vscode-languageserver';
import { rangeOf } from '../../language/service/input.ts';
import {
  experimentFigureRequest,
  experimentsRequest,
  simulatedNotification,
  simulationFigureRequest,
  type ExperimentFigureAnswer,
  type ExperimentFigureParameters,
  type ExperimentSummary,
  type SimulatedChanged,
  type SimulationFigureAnswer,
  type SimulationFigureParameters,
} from '../../protocol/figures.ts';
import type { PlacementsParameters } from '../../protocol/messages.ts';
import { whileAsked } from '../cancelCell.ts';
import type { ReadPolicyMessage } from '../workerMessages.ts';
import type { Analyses } from './analyses.ts';
import type { ExperimentRuns } from './experimentRuns.ts';
import type { SimulationRuns } from './simulationRuns.ts';
import { refusalOf, type ComputingThreads } from './workerHandle.ts';

export interface FigureSurroundings {
  readonly analyses: Analyses;
  readonly runs: ExperimentRuns;
  readonly simulations: SimulationRuns;
  readonly figures: ComputingThreads['figures'];
  /** What may be read, by whoever reads `uri`. */
  readonly policy: (uri: string) => ReadPolicyMessage;
}

/** Answers them. */
export function answerFigureRequests(connection: Connection, surroundings: FigureSurroundings): void {
  connection.onRequest(experimentsRequest, (parameters: PlacementsParameters) => experiments(surroundings, parameters));
  connection.onRequest<ExperimentFigureAnswer, never>(
    experimentFigureRequest,
    (parameters: ExperimentFigureParameters, token: CancellationToken) =>
      experimentFigure(connection, surroundings, parameters, token),
  );
  connection.onRequest<SimulationFigureAnswer, never>(
    simulationFigureRequest,
    (parameters: SimulationFigureParameters, token: CancellationToken) =>
      simulationFigure(surroundings, parameters, token),
  );
}

/** Those of the file itself, sound or not. */
async function experiments(
  { analyses }: FigureSurroundings,
  { uri }: PlacementsParameters,
): Promise<readonly ExperimentSummary[]> {
  const analysis = await analyses.of(uri);
  if (analysis === undefined) return [];
  const { document, sources } = analysis;
  const { declarations = [] } = sources.files.get(sources.root)?.tree ?? {};
  return declarations.flatMap((declaration) =>
    declaration.kind === 'experiment' && declaration.name
      ? [{ name: declaration.name.text, range: rangeOf(document, declaration) }]
      : [],
  );
}

async function experimentFigure(
  connection: Connection,
  { analyses, figures, policy, runs }: FigureSurroundings,
  { uri, experiment, choice }: ExperimentFigureParameters,
  token: CancellationToken,
): Promise<ExperimentFigureAnswer> {
  const analysis = await analyses.of(uri);
  if (analysis === undefined) return { kind: 'nothing', reason: 'The file of this experiment is not open.' };
  const { program, experiments: declared } = analysis.checked;
  if (!declared.experiments.some(({ name }) => name === experiment)) {
    const reason = `Experiment "${experiment}" is not in the file, or it or what it names has errors: they are listed among the problems.`;
    return { kind: 'nothing', reason };
  }
  const checked = { program, experiments: declared };
  const order = { kind: 'experiment-figure', uri, experiment, choice, checked, policy: policy(uri) } as const;
  const thread = choice.kind === 'curves' ? figures.results : figures.replications;
  const told = ({ words }: { readonly words: string }): void => {
    const message: SimulatedChanged = { uri, experiment, words };
    void connection.sendNotification(simulatedNotification, message);
  };
  try {
    const answer = await whileAsked(token, ({ buffer: cancelFlag }) => thread.send({ ...order, cancelFlag }, told));
    const progress = runs.progressOf(uri, experiment);
    return { ...answer, ...(progress !== undefined && { progress }) };
  } catch (fault) {
    return { kind: 'nothing', reason: refusalOf(fault) };
  }
}

async function simulationFigure(
  { simulations }: FigureSurroundings,
  { uri, placement, choice }: SimulationFigureParameters,
  token: CancellationToken,
): Promise<SimulationFigureAnswer> {
  try {
    return await whileAsked(token, (cell) => simulations.figure(uri, placement, choice, cell));
  } catch (fault) {
    return { kind: 'nothing', reason: refusalOf(fault) };
  }
}
