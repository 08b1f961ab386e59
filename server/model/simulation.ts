import type { Choice } from './catalogue.ts';
import type { NetworkModel } from './networkModel.ts';

/** How the messages of a placement are simulated, as the checker gives it: `simulate` and what goes with it. */
export interface SimulationDescription {
  readonly network: NetworkModel;
  readonly replay: ReplayDescription;
  /** Messages of the nodes round the jobs: an entry of the catalogue of backgrounds. */
  readonly background?: Choice;
  /** A simulation that needs more than this ends there, and says so; without it there is no limit. */
  readonly budget?: SimulationBudget;
}

/**
 * `causal`: every task does its operations in order, and waits where it receives. `open`: messages are sent at the times
 * that their trace or their rate gives, divided by `speed`, whatever was received.
 */
export type ReplayDescription = { readonly kind: 'causal' } | { readonly kind: 'open'; readonly speed: number };

/** Cycles of the network, which is the same on every machine, or seconds of computing. */
export interface SimulationBudget {
  readonly unit: 'cycles' | 'seconds';
  readonly amount: number;
}

export const causal: ReplayDescription = { kind: 'causal' };

/** What of an experiment without a stream can be varied: written figures of its network, and how often messages come. */
export interface VariedSettings {
  readonly network?: NetworkModel;
  readonly replay?: ReplayDescription;
  readonly background?: Choice;
}

/** Figures of a network that are plain numbers. */
const networkFigures = ['packet', 'buffer', 'queue', 'channels'] as const;

/** Numbers that can be varied where a job is run, as paths with what they are: those that were written. */
export function variedSettings({ network, replay, background }: VariedSettings): ReadonlyMap<string, number> {
  const paths = new Map<string, number>();
  for (const figure of networkFigures) {
    const value = network?.[figure];
    if (value !== undefined) paths.set(`network.${figure}`, value);
  }
  if (replay?.kind === 'open') paths.set('replay.speed', replay.speed);
  const rate = background?.options['rate'];
  if (typeof rate === 'number') paths.set('background.rate', rate);
  return paths;
}

/** The same with another value at a path of {@link variedSettings}; any other path changes nothing. */
export function settingsAt<Settings extends VariedSettings>(settings: Settings, path: string, value: number): Settings {
  const { network, background } = settings;
  const figure = networkFigures.find((name) => path === `network.${name}`);
  if (figure !== undefined && network !== undefined) return { ...settings, network: { ...network, [figure]: value } };
  if (path === 'replay.speed') return { ...settings, replay: { kind: 'open', speed: value } };
  if (path === 'background.rate' && background !== undefined) {
    return { ...settings, background: { ...background, options: { ...background.options, rate: value } } };
  }
  return settings;
}
