import type { Scene } from '../server/drawing/scene.ts';
import type { LinkShare, TaskOfJob } from '../server/protocol/messages.ts';
import { placesOf } from './places.ts';
import type { Selection } from './selection.ts';

/** What the picture brings out, everything else stepping back. */
export interface Marks {
  /** By directed link, how much of what was asked about goes there: 0 … 1. */
  readonly links: ReadonlyMap<number, number>;
  /** Entries of nodes at which the flows begin and end. */
  readonly nodes: ReadonlySet<number>;
}

/** Of what is selected; of a link's flows all, or only the one of that number. undefined: nothing is. */
export function marksOf(scene: Scene, selection: Selection, only?: number): Marks | undefined {
  if (selection.kind === 'none') return undefined;
  if (selection.kind === 'node') {
    return { links: new Map(), nodes: new Set([placesOf(scene).nodeNumbered(selection.node) ?? 0]) };
  }
  const { target, answer } = selection;
  const ends = target.kind === 'tasks' ? [target.from, target.to] : [];
  if (answer?.kind === 'routes') return marks(scene, [{ weight: 1, route: answer.route }], ends);
  const asked = target.kind === 'link' ? [{ weight: 1, route: [{ link: target.link, share: 1 }] }] : [];
  if (answer?.kind !== 'flows') return marks(scene, asked, ends);
  const flows = only === undefined ? answer.flows : answer.flows.slice(only, only + 1);
  const weights = flows.map(({ share, route }) => ({ weight: only === undefined ? share : 1, route }));
  return marks(
    scene,
    [...asked, ...weights],
    flows.flatMap(({ from, to }) => [from, to]),
  );
}

function marks(
  scene: Scene,
  routes: readonly { readonly weight: number; readonly route: readonly LinkShare[] }[],
  ends: readonly TaskOfJob[],
): Marks {
  const links = new Map<number, number>();
  for (const { weight, route } of routes) {
    for (const { link, share } of route) links.set(link, Math.min(1, (links.get(link) ?? 0) + weight * share));
  }
  const places = placesOf(scene);
  return { links, nodes: new Set(ends.flatMap((task) => places.node(task) ?? [])) };
}
