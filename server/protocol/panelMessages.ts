/**
 * Reads what arrives over a webview's postMessage: anything may stand there, so either side passes over
 * what is not one of the other's messages.
 */
import type { ExplainTarget, FromPanel, OriginParameters, TaskOfJob, ToPanel } from './messages.ts';

type Target = OriginParameters['target'];

/** The message of the panel that `data` is, field by field; undefined where it is none. */
export function readFromPanel(data: unknown): FromPanel | undefined {
  if (!isRecord(data)) return undefined;
  switch (data['kind']) {
    case 'ready':
    case 'reveal-problem':
    case 'finish':
    case 'cancel':
    case 'run':
    case 'save-svg':
      return { kind: data['kind'] };
    case 'reveal': {
      const target = readOriginTarget(data['target']);
      return target && { kind: 'reveal', target };
    }
    case 'explain': {
      const target = readExplainTarget(data['target']);
      return target && { kind: 'explain', target };
    }
    case 'save-png': {
      const content = data['data'];
      return typeof content === 'string' && isBase64.test(content) ? { kind: 'save-png', data: content } : undefined;
    }
    default:
      return undefined;
  }
}

const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/;

function readOriginTarget(data: unknown): Target | undefined {
  if (!isRecord(data)) return undefined;
  const { kind, node, from, to } = data;
  if (kind === 'placement') return { kind };
  if (kind === 'node' && isCount(node)) return { kind, node };
  return kind === 'link' && isCount(from) && isCount(to) ? { kind, from, to } : undefined;
}

function readExplainTarget(data: unknown): ExplainTarget | undefined {
  if (!isRecord(data)) return undefined;
  const { kind, link } = data;
  if (kind === 'link') return isCount(link) ? { kind, link } : undefined;
  const [from, to] = [readTask(data['from']), readTask(data['to'])];
  return kind === 'tasks' && from !== undefined && to !== undefined ? { kind, from, to } : undefined;
}

function readTask(data: unknown): TaskOfJob | undefined {
  if (!isRecord(data)) return undefined;
  const { job, task } = data;
  return isCount(job) && isCount(task) ? { job, task } : undefined;
}

const isRecord = (data: unknown): data is Readonly<Record<string, unknown>> =>
  typeof data === 'object' && data !== null && !Array.isArray(data);

/** Numbers of nodes, links, jobs and tasks. */
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const toPanelKinds: Readonly<Record<ToPanel['kind'], true>> = {
  scene: true,
  nothing: true,
  standing: true,
  working: true,
  failed: true,
  explained: true,
  capture: true,
};

/**
 * Whether `data` is a message of the host. Other scripts of the editor post messages too; ours say of
 * which kind they are.
 */
export const isToPanel = (data: unknown): data is ToPanel =>
  isRecord(data) && typeof data['kind'] === 'string' && Object.hasOwn(toPanelKinds, data['kind']);
