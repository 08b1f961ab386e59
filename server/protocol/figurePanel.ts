/**
 * The panels of figures, of an experiment or of a simulated placement, and their host: the messages between them, and how either
 * side reads what arrives there.
 */
import type { Figure } from '../drawing/figures/figure.ts';
import type {
  EncodedPlayback,
  ExperimentAbout,
  FigureAnswer,
  FigureChoice,
  ReplicationChoice,
  SimulationAbout,
  SimulationChoice,
} from './figures.ts';
import { readSavedFile, type SavedFile } from './savedFile.ts';
import { isRecord } from './selections.ts';

/** host → panel. */
export type ToFigurePanel<About, Drawn> =
  | {
      readonly kind: 'answer';
      readonly uri: string;
      readonly name: string;
      /** Of the map of traffic: what the name is of. */
      readonly of?: string;
      readonly answer: FigureAnswer<About, Drawn>;
    }
  /** There may be other results: the panel asks again. Why a run has failed, where one has. */
  | { readonly kind: 'changed'; readonly fault?: string }
  /** The experiment is run, or the placement simulated: how far it is. */
  | { readonly kind: 'progress'; readonly text: string }
  /** The replication is simulated that the figure is of: how far that is. */
  | { readonly kind: 'simulated'; readonly text: string }
  /** The host could not do what the panel asked for. */
  | { readonly kind: 'failed'; readonly message: string }
  /** A button in the title of the panel: the user wants to save the figure, or its table in its place and back. */
  | { readonly kind: 'save-form' | 'toggle-table' };

/** panel → host. */
export type FromFigurePanel<Choice> =
  /** The host answers with this figure. */
  | { readonly kind: 'figure'; readonly choice: Choice }
  /** What is simulated for the figure asked for last ends; the answer says so. */
  | { readonly kind: 'cancel' }
  /** The experiment is run, or the placement simulated, as by the command. */
  | { readonly kind: 'run' }
  /** The run or simulation that is under way ends. */
  | { readonly kind: 'end' }
  /** What the panel made of the figure that it shows. */
  | SavedFile;

export type ToExperimentPanel = ToFigurePanel<ExperimentAbout, Figure>;
export type ToSimulationPanel = ToFigurePanel<SimulationAbout, Figure | EncodedPlayback>;
export type FromExperimentPanel = FromFigurePanel<FigureChoice>;
export type FromSimulationPanel = FromFigurePanel<SimulationChoice>;

/** The message of the panel that `data` is, field by field; undefined where it is none. */
export function readFromFigurePanel<Choice>(
  data: unknown,
  readChoice: (choice: unknown) => Choice | undefined,
): FromFigurePanel<Choice> | undefined {
  if (!isRecord(data)) return undefined;
  switch (data['kind']) {
    case 'run':
    case 'end':
    case 'cancel':
      return { kind: data['kind'] };
    case 'figure': {
      const choice = readChoice(data['choice']);
      return choice && { kind: 'figure', choice };
    }
    default:
      return readSavedFile(data);
  }
}

export function readExperimentChoice(data: unknown): FigureChoice | undefined {
  if (!isRecord(data)) return undefined;
  const { kind, metric, time, between } = data;
  if (kind === 'curves')
    return metric === undefined ? { kind } : typeof metric === 'string' ? { kind, metric } : undefined;
  const which = readWhich(data);
  if (which === undefined) return undefined;
  switch (kind) {
    case 'timeline':
      return { kind, ...which };
    case 'moment':
      return time === undefined ? { kind, ...which } : isNumber(time) ? { kind, ...which, time } : undefined;
    case 'gantt': {
      if (between === undefined) return { kind, ...which };
      const window = readWindow(between);
      return window && { kind, ...which, between: window };
    }
    default:
      return undefined;
  }
}

export function readSimulationChoice(data: unknown): SimulationChoice | undefined {
  if (!isRecord(data)) return undefined;
  const { kind, interval, channel, scene } = data;
  if (kind === 'finish' || kind === 'latency' || kind === 'time' || kind === 'links' || kind === 'servers')
    return { kind };
  if (kind !== 'playback' || (scene !== undefined && typeof scene !== 'string')) return undefined;
  if ([interval, channel].some((number) => number !== undefined && !isIndex(number))) return undefined;
  const numbers = { ...(isIndex(interval) && { interval }), ...(isIndex(channel) && { channel }) };
  return { kind, ...numbers, ...(scene !== undefined && { scene }) };
}

function readWhich({ point, replication }: Readonly<Record<string, unknown>>): ReplicationChoice | undefined {
  if (point !== undefined && !isIndex(point)) return undefined;
  if (replication !== undefined && !isIndex(replication)) return undefined;
  return { ...(point !== undefined && { point }), ...(replication !== undefined && { replication }) };
}

function readWindow(data: unknown): { readonly from: number; readonly to: number } | undefined {
  if (!isRecord(data)) return undefined;
  const { from, to } = data;
  return isNumber(from) && isNumber(to) ? { from, to } : undefined;
}

const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

const toPanelKinds: Readonly<Record<ToFigurePanel<unknown, unknown>['kind'], true>> = {
  answer: true,
  changed: true,
  progress: true,
  simulated: true,
  failed: true,
  'save-form': true,
  'toggle-table': true,
};

/** Whether `data` is a message of the host. */
export const isToFigurePanel = (data: unknown): data is ToFigurePanel<unknown, unknown> =>
  isRecord(data) && typeof data['kind'] === 'string' && Object.hasOwn(toPanelKinds, data['kind']);
