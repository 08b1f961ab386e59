/**
 * How one reaches a thing of the picture without the pointer: by its name, in a box that goes from match to match, and by
 * keys, from node to node by direction and round the links of a node or switch.
 */
import { hostFlag, stubAtToFlag, stubFlag, type Scene } from '../../server/drawing/scene.ts';
import { pointOn } from '../../server/drawing/strokes.ts';
import { make } from '../page/controls.ts';
import { t } from '../page/words.ts';
import type { Thing } from './pick.ts';
import { scenePlaces } from './places.ts';

/** More matches than this are not gone through. */
const mostFound = 500;

/**
 * What of a scene a text means, the best matches first: `12` task 12 of each job and node 12, `heat 12` a task of one
 * job, `node 12`, `switch 3`, `2, 3` or `(2, 3)` coordinates, anything else a part of the names of hosts, switches and
 * jobs. O(nodes + routers).
 */
function findThings(scene: Scene, text: string): readonly Thing[] {
  const sought = text.trim().toLowerCase();
  if (sought === '') return [];
  const found = new Map<string, Thing>();
  const add = (thing: Thing | undefined): void => {
    if (thing === undefined || thing.kind === 'link' || found.size >= mostFound) return;
    found.set(`${thing.kind} ${thing.entry}`, thing);
  };
  for (const thing of [...byNumber(scene, sought), ...byCoordinates(scene, sought), ...thingsByName(scene, sought)])
    add(thing);
  return [...found.values()];
}

function byNumber(scene: Scene, sought: string): (Thing | undefined)[] {
  const match = /^(.*?)\s*(\d+)$/.exec(sought);
  if (match === null) return [];
  const [word = '', number] = [match[1], Number(match[2])];
  const places = scenePlaces(scene);
  const node = (): Thing | undefined =>
    scene.blocks === undefined ? thingOf('node', places.nodeNumbered(number)) : undefined;
  const router = (): Thing | undefined => thingOf('router', number < scene.routers.id.length ? number : undefined);
  const tasks = (name?: string): (Thing | undefined)[] =>
    scene.jobs.map((job, index) =>
      name === undefined || job.name.toLowerCase() === name
        ? thingOf('node', places.node({ job: index, task: number }))
        : undefined,
    );
  switch (word) {
    case '':
      return [...tasks(), node()];
    case 'node':
    case 'n':
      return [node()];
    case 'switch':
    case 'router':
      return [router()];
    case 'task':
    case 'rank':
      return tasks();
    default:
      return tasks(word);
  }
}

function byCoordinates({ nodes }: Scene, sought: string): Thing[] {
  const { coordinateCount, coordinates } = nodes;
  const numbers = sought.match(/\d+/g)?.map(Number) ?? [];
  if (coordinateCount < 2 || numbers.length !== coordinateCount || !/^[\s\d(),;]+$/.test(sought)) return [];
  const isThere = (entry: number): boolean =>
    numbers.every((number, axis) => coordinates[entry * coordinateCount + axis] === number);
  return [...nodes.id.keys()].filter(isThere).map((entry) => ({ kind: 'node', entry }));
}

/** Whole names before parts of them. */
function thingsByName({ nodes, routers, jobs }: Scene, sought: string): Thing[] {
  const named = [
    ...nodes.names.map((name, entry) => ({ name: name.toLowerCase(), thing: { kind: 'node', entry } as const })),
    ...routers.names.map((name, entry) => ({ name: name.toLowerCase(), thing: { kind: 'router', entry } as const })),
  ];
  const parts = named.filter(({ name }) => name.includes(sought));
  parts.sort((one, other) => Number(other.name === sought) - Number(one.name === sought));
  const job = jobs.findIndex(({ name }) => name.toLowerCase() === sought);
  const runs = job < 0 ? [] : [...nodes.id.keys()].filter((entry) => nodes.job[entry] === job);
  return [...parts.map(({ thing }) => thing), ...runs.map((entry) => ({ kind: 'node', entry }) as const)];
}

const thingOf = (kind: 'node' | 'router', entry: number | undefined): Thing | undefined =>
  entry === undefined ? undefined : { kind, entry };

interface FindBox {
  readonly element: HTMLElement;
  focus(): void;
  /** Matches of another scene. */
  setScene(scene: Scene | undefined): void;
}

/** `found` is told of each match that is gone to, `left` when the box is left with Escape. */
export function createFind(found: (thing: Thing) => void, left: () => void): FindBox {
  let scene: Scene | undefined;
  let things: readonly Thing[] = [];
  let at = -1;
  const title = t(
    'Task, node, host, switch or coordinates, for example 12, heat 12, node 12, (2, 3). Enter: next match. (/)',
  );
  const box = make('input', {
    type: 'search',
    placeholder: t('Find'),
    title,
    'aria-label': t('Find a task, node, host or coordinates'),
    spellcheck: 'false',
  });
  const count = make('span', { class: 'count faint', role: 'status' });
  const show = (): void => {
    count.textContent =
      box.value.trim() === '' ? '' : things.length === 0 ? t('none') : t('{0} of {1}', at + 1, things.length);
  };
  const search = (): void => {
    things = scene === undefined ? [] : findThings(scene, box.value);
    at = -1;
  };
  const go = (by: number): void => {
    if (things.length > 0) {
      at = (at + by + things.length) % things.length;
      found(things[at]!);
    }
    show();
  };
  box.addEventListener('input', () => {
    search();
    go(1);
  });
  box.addEventListener('keydown', (event) => {
    // What is typed here is no key of the picture.
    event.stopPropagation();
    if (event.key === 'Enter' && things.length > 0) go(event.shiftKey ? -1 : 1);
    if (event.key === 'Escape') left();
  });
  return {
    element: make('div', { class: 'find' }, box, count),
    focus() {
      box.focus();
      box.select();
    },
    setScene(newScene) {
      scene = newScene;
      const former = at;
      search();
      at = Math.min(former, things.length - 1);
      show();
    },
  };
}

export type Direction = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown';

const steps: Readonly<Record<Direction, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** How much more a step aside counts than one in the direction of the key. */
const asideWeight = 2.5;

/** Where a thing stands, of a link its middle; world units. */
export function thingPosition({ nodes, routers, links }: Scene, thing: Thing): readonly [x: number, y: number] {
  if (thing.kind === 'node') return [nodes.x[thing.entry]!, nodes.y[thing.entry]!];
  if (thing.kind === 'router') return [routers.x[thing.entry]!, routers.y[thing.entry]!];
  const { link } = thing;
  return pointOn(links.x1[link]!, links.y1[link]!, links.x2[link]!, links.y2[link]!, links.bend[link]!, 0.5);
}

/** The nearest node or switch in a direction; itself where there is none. Begins at the first node. O(nodes + routers). */
export function neighbourThing(scene: Scene, from: Thing | undefined, direction: Direction): Thing | undefined {
  if (from === undefined) return scene.nodes.id.length === 0 ? undefined : { kind: 'node', entry: 0 };
  const [startX, startY] = thingPosition(scene, from);
  const [dx, dy] = steps[direction];
  let best: Thing = from;
  let least = Infinity;
  for (const [kind, { x, y }] of [
    ['node', scene.nodes],
    ['router', scene.routers],
  ] as const) {
    for (let entry = 0; entry < x.length; entry++) {
      const [right, down] = [x[entry]! - startX, y[entry]! - startY];
      const [along, aside] = [right * dx + down * dy, Math.abs(right * dy - down * dx)];
      const distance = along + asideWeight * aside;
      if (along < 1e-6 || aside > along || distance >= least) continue;
      least = distance;
      best = { kind, entry };
    }
  }
  return best;
}

/**
 * The links at a node or switch in turn; of a link the next one at the same end. A node that stands for its router has
 * that one's. undefined where there are none. O(links).
 */
export function nextLink(scene: Scene, at: Thing, from: Thing | undefined, by: 1 | -1): Thing | undefined {
  const around = linksAt(scene, at);
  if (around.length === 0) return undefined;
  const now = from?.kind === 'link' ? around.indexOf(from.link) : -1;
  const next = now < 0 ? (by > 0 ? 0 : around.length - 1) : (now + by + around.length) % around.length;
  return { kind: 'link', link: around[next]!, rightSide: true };
}

function linksAt({ nodes, links }: Scene, at: Thing): readonly number[] {
  if (at.kind === 'link') return [];
  const apart = nodes.router.length > 0;
  const isNode = at.kind === 'node';
  const number = !isNode ? at.entry : apart ? nodes.id[at.entry]! : Math.floor(nodes.id[at.entry]! / nodes.perRouter);
  return [...links.from.keys()].filter((link) => {
    const flags = links.flags[link]!;
    const isHost = (flags & hostFlag) !== 0;
    if (isNode && apart) return isHost && links.from[link] === number;
    const [fromHere, toHere] = [!isHost && links.from[link] === number, links.to[link] === number];
    // Of a cable in two parts the one that is here.
    if ((flags & stubFlag) !== 0) return (flags & stubAtToFlag) === 0 ? fromHere : toHere;
    return fromHere || toHere;
  });
}
