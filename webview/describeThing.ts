import { coordinateLabel, taskLines } from '../server/drawing/labels.ts';
import { formatBytes, formatNumber } from '../server/drawing/quantities.ts';
import { hotFlag, stubFlag, type Scene } from '../server/drawing/scene.ts';
import type { FromPanel } from '../server/protocol/messages.ts';
import type { Thing } from './pick.ts';

/** What the panel asks the host to reveal. */
export type Target = Extract<FromPanel, { kind: 'reveal' }>['target'];

/** A headline and lines for the tooltip. */
export interface ThingText {
  readonly headline: string;
  readonly lines: readonly string[];
}

/** Long lists of tasks are cut in a tooltip; the table has them all. */
const longestLine = 60;

export function describeThing(scene: Scene, thing: Thing): ThingText {
  return thing.kind === 'node' ? describeNode(scene, thing.entry) : describeLink(scene, thing.link);
}

function describeNode(scene: Scene, entry: number): ThingText {
  const headline = `Node ${scene.nodes.id[entry]!} ${coordinateLabel(scene.nodes, entry)}`.trim();
  const tasks = taskLines(scene, entry).map((line) =>
    line.length > longestLine ? `${line.slice(0, longestLine - 1)}…` : line,
  );
  return { headline, lines: tasks.length === 0 ? ['runs no task'] : tasks };
}

function describeLink(scene: Scene, link: number): ThingText {
  const { links } = scene;
  const [from, to] = [links.from[link]!, links.to[link]!];
  const flags = links.flags[link]!;
  const lines = [
    `${from} → ${to}: ${loadText(scene, links.forward[link]!)}`,
    `${to} → ${from}: ${loadText(scene, links.backward[link]!)}`,
  ];
  if ((flags & hotFlag) !== 0) lines.push('hot');
  const stub = (flags & stubFlag) !== 0 ? ' (drawn in two parts)' : '';
  return { headline: `Link ${from} – ${to}${stub}`, lines };
}

function loadText({ loadLegend }: Scene, load: number): string {
  if (load === 0) return 'nothing';
  return `${formatBytes(load)}, ${shareText(load, loadLegend.maximum)} of the maximum`;
}

/** `42 %`, `0.3 %`. */
export function shareText(load: number, maximum: number): string {
  if (maximum === 0) return '0 %';
  const percent = (100 * load) / maximum;
  return `${formatNumber(percent >= 10 ? Math.round(percent) : Number(percent.toPrecision(1)))} %`;
}

/**
 * What a click on a thing reveals. Of a link: the direction whose lane was clicked, else, where
 * lanes do not show, the busier one.
 */
export function targetOf(scene: Scene, thing: Thing, lanesShow: boolean): Target {
  if (thing.kind === 'node') return { kind: 'node', node: scene.nodes.id[thing.entry]! };
  const { links } = scene;
  const [from, to] = [links.from[thing.link]!, links.to[thing.link]!];
  const forwardIsBusier = links.forward[thing.link]! >= links.backward[thing.link]!;
  const forward = lanesShow ? thing.rightSide : forwardIsBusier;
  return forward ? { kind: 'link', from, to } : { kind: 'link', from: to, to: from };
}
