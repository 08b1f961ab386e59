import type { Choice } from './catalogue.ts';
import type { NetworkModel } from './networkModel.ts';

/** How the messages of a placement are simulated, as the checker gives it: `simulate` and what goes with it. */
export interface SimulationDescription {
  readonly network: NetworkModel;
  readonly replay: FixedReplay;
  /** Messages of the nodes round the jobs: an entry of the catalogue of backgrounds. */
  readonly background?: Choice;
  /** A simulation that needs more than this ends there, and says so; without it there is no limit. */
  readonly budget?: SimulationBudget;
}

/**
 * `causal`: every task does its operations in order, and waits where it receives. `open`: messages are sent at the times
 * that their trace or their rate gives, divided by `speed`, whatever was received.
 */
export type FixedReplay = { readonly kind: 'causal' } | OpenReplay;

export interface OpenReplay {
  readonly kind: 'open';
  readonly speed: number;
  /** Coefficient of variation of the times between the messages of a rate; 1, a Poisson stream, where absent. */
  readonly variation?: number;
  /** Packets that are sent, the first of them by their times; all of them where it is left out. */
  readonly first?: number;
}

/**
 * As `open`, at the least speed at which the network delivers less than this share of what is sent while it is sent, with each
 * mapping of the experiment, or with one of them: see `study/saturation.ts`.
 */
export interface SaturatedReplay extends Omit<OpenReplay, 'kind' | 'speed'> {
  readonly kind: 'saturation';
  readonly delivered: number;
  /** `all` where it is left out. */
  readonly mappings?: 'any';
}

export type ReplayDescription = FixedReplay | SaturatedReplay;

/** Cycles of the network, which is the same on every machine, or seconds of computing. */
export interface SimulationBudget {
  readonly unit: 'cycles' | 'seconds';
  readonly amount: number;
}

export const causal: FixedReplay = { kind: 'causal' };

/** What of an experiment without a stream can be varied: written figures of its network, and how often messages come. */
export interface VariedSettings {
  readonly network?: NetworkModel;
  readonly replay?: ReplayDescription;
  readonly background?: Choice;
  readonly jobs?: readonly VariedJob[];
}

/** A job, as far as its written figures can be varied. */
export interface VariedJob {
  readonly name: string;
  readonly rate: number | undefined;
  readonly bytes: number | undefined;
  readonly messages: number | undefined;
}

/** Figures of a network that are plain numbers, and of jobs. */
export const networkFigures = ['packet', 'buffer', 'queue', 'channels'] as const;
export const jobFigures = ['rate', 'bytes', 'messages'] as const;

const unitsOfVaried: Readonly<Record<string, string>> = {
  rate: 'flits/node/cycle',
  'background.rate': 'packets/node/cycle',
  'network.packet': 'flits',
  'network.buffer': 'flits',
  'network.queue': 'packets',
};

/** What a number is counted in that is varied; empty where it has no unit, or another one in each experiment. */
export const unitOfVaried = (path: string): string => unitsOfVaried[path] ?? '';

/** Numbers of a replay, by the words of its options. */
function replayNumbers(replay: ReplayDescription | undefined): Readonly<Record<string, number>> {
  if (replay === undefined || replay.kind === 'causal') return {};
  if (replay.kind === 'saturation') return { delivered: replay.delivered };
  return { speed: replay.speed, variation: replay.variation ?? 1 };
}

/** Numbers that can be varied where a job is run, as paths with what they are: those that were written. */
export function variedSettings({
  network,
  replay,
  background,
  jobs = [],
}: VariedSettings): ReadonlyMap<string, number> {
  const paths = new Map<string, number>();
  for (const job of jobs) {
    for (const figure of jobFigures) {
      const value = job[figure];
      if (value !== undefined) paths.set(`${job.name}.${figure}`, value);
    }
  }
  for (const figure of networkFigures) {
    const value = network?.[figure];
    if (value !== undefined) paths.set(`network.${figure}`, value);
  }
  if (network?.serviceVariation !== undefined) paths.set('network.variation', network.serviceVariation);
  for (const [name, value] of Object.entries(replayNumbers(replay))) paths.set(`replay.${name}`, value);
  const rate = background?.options['rate'];
  if (typeof rate === 'number') paths.set('background.rate', rate);
  return paths;
}

/** The same with another value at a path of {@link variedSettings}; any other path changes nothing. */
export function settingsAt<Settings extends VariedSettings>(settings: Settings, path: string, value: number): Settings {
  const { network, background, replay, jobs } = settings;
  const figure = networkFigures.find((name) => path === `network.${name}`);
  if (figure !== undefined && network !== undefined) return { ...settings, network: { ...network, [figure]: value } };
  if (path === 'network.variation' && network !== undefined)
    return { ...settings, network: { ...network, serviceVariation: value } };
  const ofReplay = Object.keys(replayNumbers(replay)).find((name) => path === `replay.${name}`);
  if (ofReplay !== undefined) return { ...settings, replay: { ...replay, [ofReplay]: value } };
  if (path === 'background.rate' && background !== undefined) {
    return { ...settings, background: { ...background, options: { ...background.options, rate: value } } };
  }
  const named = jobFigures.find((name) => jobs?.some((job) => path === `${job.name}.${name}`));
  if (named === undefined || jobs === undefined) return settings;
  return {
    ...settings,
    jobs: jobs.map((job) => (path === `${job.name}.${named}` ? { ...job, [named]: value } : job)),
  };
}
