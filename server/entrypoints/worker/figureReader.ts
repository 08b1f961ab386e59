/** The thread of figures: experiments of open documents, made ready once, and drawn as often as they are looked at. */
import { stat } from 'node:fs/promises';
import { prepareExperiment } from '../../experiments/prepare.ts';
import { filesOfMachine, filesOfRouting, machinesOfExperiment } from '../../language/fileNeeds.ts';
import type { ExperimentFigureAnswer } from '../../protocol/figures.ts';
import { cancellationOf } from '../cancelCell.ts';
import { ExperimentFigures } from '../experiments/figures.ts';
import { shownResults, smallerRuns, type Fingerprints } from '../experiments/keptResults.ts';
import type { FileMemory } from '../evaluation.ts';
import { givenFiles, needsOfExperiments, readExperiment } from '../experiments/reading.ts';
import type { ExperimentNews, Order } from '../workerMessages.ts';

/** An experiment that is ready, and what it was made of. */
interface Ready {
  readonly stamp: string;
  readonly figures: ExperimentFigures;
  readonly fingerprints: Fingerprints;
}

/** Experiments that are kept ready: with the log and the last replication of each. */
const mostReady = 2;

/** Draws experiments, and keeps those that were looked at last. */
export class FigureReader {
  readonly #memory: FileMemory;
  readonly #ready = new Map<string, Ready>();

  constructor(memory: FileMemory) {
    this.#memory = memory;
  }

  async draw(order: Order<'experiment-figure'>, tell: (news: ExperimentNews) => void): Promise<ExperimentFigureAnswer> {
    const { uri, experiment, choice, cancelFlag } = order;
    const ready = await this.#readyFor(order);
    if (typeof ready === 'string') return { kind: 'nothing', reason: ready };
    const results = shownResults(uri, experiment, ready.fingerprints);
    return ready.figures.draw(choice, results, cancellationOf(cancelFlag), (share, words) => {
      tell({ share, words });
    });
  }

  /** The experiment as it is in the text and in its files; or why it cannot be run. */
  async #readyFor({
    uri,
    experiment,
    checked,
    policy,
    cancelFlag,
  }: Order<'experiment-figure'>): Promise<Ready | string> {
    const key = `${uri}#${experiment}`;
    const stamp = await experimentStamp(checked, experiment);
    const known = this.#ready.get(key);
    this.#ready.delete(key);
    if (known?.stamp === stamp) {
      this.#ready.set(key, known);
      return known;
    }
    this.#memory.need(`experiments ${uri}`, needsOfExperiments(checked));
    const cancellation = cancellationOf(cancelFlag);
    const inputs = await readExperiment(checked, experiment, policy, { cancellation, memory: this.#memory });
    if (!inputs.ok) return inputs.failure.message;
    const prepared = prepareExperiment(inputs.value, { cancellation });
    if (!prepared.ok) return prepared.failure.message;
    const figures = new ExperimentFigures(inputs.value, prepared.value);
    const fingerprints = { whole: prepared.value.fingerprint, ...smallerRuns(inputs.value).fingerprints };
    const ready = { stamp, figures, fingerprints };
    this.#ready.set(key, ready);
    for (const oldest of this.#ready.keys()) {
      if (this.#ready.size <= mostReady) break;
      this.#ready.delete(oldest);
    }
    return ready;
  }
}

/** The same for two orders only where the experiment, what it names, and the age and size of its files are the same. */
async function experimentStamp(
  { program, experiments: { experiments, streams } }: Order<'experiment-figure'>['checked'],
  name: string,
): Promise<string> {
  const experiment = experiments.find((one) => one.name === name);
  const machines = experiment === undefined ? [] : machinesOfExperiment(experiment, program.machines);
  const stream = experiment?.subject.kind === 'stream' ? streams.get(experiment.subject.name) : undefined;
  const names = experiment?.subject.kind === 'job' ? experiment.subject.names : [];
  const jobs = names.flatMap((job) => program.jobs.get(job) ?? []);
  const ofMachines = [...machines.flatMap(filesOfMachine), ...(experiment?.routing ?? []).flatMap(filesOfRouting)];
  const uris = [
    ...(stream?.jobs.kind === 'log' ? [stream.jobs.uri] : []),
    ...ofMachines.map(({ uri }) => uri),
    ...(experiment === undefined ? [] : givenFiles(experiment).map(({ uri }) => uri)),
    ...jobs.flatMap(({ source, coordinates }) => [
      ...('uri' in source ? [source.uri] : []),
      ...(coordinates === undefined ? [] : [coordinates]),
    ]),
  ];
  const ages = await Promise.all(
    uris.map(async (file) => {
      const found = await stat(new URL(file)).catch(() => undefined);
      return found === undefined ? 'missing' : `${found.mtimeMs} ${found.size}`;
    }),
  );
  return JSON.stringify([experiment, machines, stream, jobs, ages]);
}
