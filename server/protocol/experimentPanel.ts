/** The panel of an experiment and its host: the messages between them, and how either side reads what arrives there. */
import type { ExperimentFigureAnswer, FigureChoice, ReplicationChoice } from './messages.ts';
import { isRecord } from './panel.ts';

/** host → panel. */
export type ToExperimentPanel =
  | {
      readonly kind: 'answer';
      readonly uri: string;
      readonly experiment: string;
      readonly answer: ExperimentFigureAnswer;
    }
  /** There may be other results: the panel asks again. */
  | { readonly kind: 'changed' }
  /** The experiment is run: how far it is. */
  | { readonly kind: 'progress'; readonly text: string }
  /** The replication is simulated that the figure is of: how far that is. */
  | { readonly kind: 'simulated'; readonly text: string }
  /** The host could not do what the panel asked for. */
  | { readonly kind: 'failed'; readonly message: string };

/** panel → host. */
export type FromExperimentPanel =
  /** The host answers with this figure. */
  | { readonly kind: 'figure'; readonly choice: FigureChoice }
  /** What is simulated for the figure asked for last ends; the answer says so. */
  | { readonly kind: 'cancel' }
  /** The experiment is run, as by the command. */
  | { readonly kind: 'run' }
  /** What the panel made of the figure that it shows: text, or base64 of a PNG. */
  | { readonly kind: 'save'; readonly extension: FigureExtension; readonly data: string; readonly name: string };

const figureExtensions = ['svg', 'csv', 'png'] as const;
export type FigureExtension = (typeof figureExtensions)[number];

/** The message of the panel that `data` is, field by field; undefined where it is none. */
export function readFromExperimentPanel(data: unknown): FromExperimentPanel | undefined {
  if (!isRecord(data)) return undefined;
  switch (data['kind']) {
    case 'run':
    case 'cancel':
      return { kind: data['kind'] };
    case 'figure': {
      const choice = readChoice(data['choice']);
      return choice && { kind: 'figure', choice };
    }
    case 'save': {
      const extension = figureExtensions.find((one) => one === data['extension']);
      const { data: content, name } = data;
      if (extension === undefined || typeof content !== 'string' || typeof name !== 'string') return undefined;
      return isFigureName.test(name) ? { kind: 'save', extension, data: content, name } : undefined;
    }
    default:
      return undefined;
  }
}

/** What a suggested file name may hold of a figure: `turnaround`, `gantt-3-1`. */
const isFigureName = /^[A-Za-z0-9-]{1,80}$/;

function readChoice(data: unknown): FigureChoice | undefined {
  if (!isRecord(data)) return undefined;
  const { kind, metric, time, between } = data;
  if (kind === 'curves') return metric === undefined ? { kind } : typeof metric === 'string' ? { kind, metric } : undefined; // prettier-ignore
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

const toPanelKinds: Readonly<Record<ToExperimentPanel['kind'], true>> = {
  answer: true,
  changed: true,
  progress: true,
  simulated: true,
  failed: true,
};

/** Whether `data` is a message of the host. */
export const isToExperimentPanel = (data: unknown): data is ToExperimentPanel =>
  isRecord(data) && typeof data['kind'] === 'string' && Object.hasOwn(toPanelKinds, data['kind']);
