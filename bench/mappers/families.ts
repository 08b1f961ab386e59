/**
 * Families of task graphs that no number was chosen by: their tasks are numbered at random, their links have 1 to 9
 * bytes. `mesh` is a part of a mesh of finite elements, all others are drawn.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { seededRandom, shuffle, type RandomSource } from '../../server/model/random.ts';
import type { Traffic } from '../../server/model/traffic.ts';
import { trafficOf } from '../../server/optimisation/testing/problems.ts';
import { sharedFolder } from './cases.ts';

export type Link = readonly [number, number];

/** Links of so many tasks; what goes over each is drawn later. */
export type Family = (taskCount: number, random: RandomSource) => Link[];

export const families: Readonly<Record<string, Family>> = {
  'grid with holes': (taskCount, random) => {
    const side = Math.ceil(Math.sqrt(taskCount / 0.8));
    const points = Int32Array.from({ length: side * side }, (_, point) => point);
    shuffle(points, random);
    const taskAt = new Map(Array.from(points.subarray(0, taskCount).sort(), (point, task) => [point, task]));
    return [...taskAt].flatMap(([point, task]) =>
      [point % side === side - 1 ? -1 : point + 1, point + side].flatMap((next): Link[] => {
        const other = taskAt.get(next);
        return other === undefined ? [] : [[task, other]];
      }),
    );
  },
  // A grid each of whose squares has one of its two diagonals.
  triangulation: (taskCount, random) => {
    const side = Math.ceil(Math.sqrt(taskCount));
    return Array.from({ length: taskCount }, (_, task): Link[] => {
      const isLast = task % side === side - 1;
      const diagonal: Link = random.integer(2) === 0 ? [task, task + side + 1] : [task + 1, task + side];
      return isLast ? [[task, task + side]] : [[task, task + 1], [task, task + side], diagonal];
    })
      .flat()
      .filter(([, other]) => other < taskCount);
  },
  'random regular': (taskCount, random) =>
    Array.from({ length: 3 }, () => {
      const order = Int32Array.from({ length: taskCount }, (_, task) => task);
      shuffle(order, random);
      return Array.from(order, (task, rank): Link => [task, order[(rank + 1) % taskCount]!]);
    }).flat(),
  // Random Kronecker graphs: Chakrabarti, Zhan and Faloutsos 2004 (R-MAT), with their usual shares.
  Kronecker: (taskCount, random) =>
    Array.from({ length: 4 * taskCount }, (): Link => {
      let [from, to] = [0, 0];
      for (let bit = 1; bit < taskCount; bit *= 2) {
        const draw = random.fraction();
        from = 2 * from + (draw < 0.76 ? 0 : 1);
        to = 2 * to + (draw < 0.57 || (draw >= 0.76 && draw < 0.95) ? 0 : 1);
      }
      return [from % taskCount, to % taskCount];
    }),
  tree: (taskCount, random) =>
    Array.from({ length: taskCount - 1 }, (_, task): Link => [task + 1, random.integer(task + 1)]),
  banded: (taskCount, random) =>
    Array.from({ length: 4 * taskCount }, (): Link => {
      const from = random.integer(taskCount);
      return [from, Math.min(taskCount - 1, from + 1 + random.integer(12))];
    }),
  'block-diagonal': (taskCount, random) =>
    Array.from({ length: 5 * taskCount }, (_, index): Link => {
      const from = random.integer(taskCount);
      const first = from - (from % 20);
      const other = index % 10 === 0 ? random.integer(taskCount) : first + random.integer(20);
      return [from, Math.min(taskCount - 1, other)];
    }),
  mesh: (taskCount, random) => {
    const rows = meshRows();
    const taskOf = new Map([[random.integer(rows.length), 0]]);
    for (const vertex of taskOf.keys())
      for (const next of rows[vertex]!) if (taskOf.size < taskCount && !taskOf.has(next)) taskOf.set(next, taskOf.size);
    return [...taskOf].flatMap(([vertex, task]) =>
      rows[vertex]!.flatMap((next): Link[] => {
        const other = taskOf.get(next);
        return other === undefined || other < task ? [] : [[task, other]];
      }),
    );
  },
};

/** Neighbours of each vertex of Scotch's `bump`: three lines of head, then the degree and the neighbours. */
function meshRows(): number[][] {
  const text = gunzipSync(readFileSync(join(sharedFolder(), 'data/comm/scotch-grf/bump.grf.gz'))).toString('utf8');
  return text
    .trim()
    .split('\n')
    .slice(3)
    .map((line) => line.trim().split(/\s+/).slice(1).map(Number));
}

/** So many tasks of a family, numbered at random, each link with 1 to 9 bytes. */
export function familyTraffic(family: Family, taskCount: number, seed: number): Traffic {
  const random = seededRandom(seed);
  const names = Int32Array.from({ length: taskCount }, (_, task) => task);
  shuffle(names, random);
  const links = family(taskCount, random).filter(([from, to]) => from !== to);
  return trafficOf(
    taskCount,
    links.map(([from, to]) => [names[from]!, names[to]!, 1 + random.integer(9)]),
  );
}
