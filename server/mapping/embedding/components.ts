import type { TaskGraph } from '../problem/taskGraph.ts';

/** Tasks that traffic connects: component c is `tasks[start[c] … start[c + 1] − 1]`. */
export interface Components {
  readonly tasks: Int32Array;
  readonly start: Int32Array;
}

/** In order of their lowest task; within one, breadth first from it. O(n + edges). */
export function componentsOf({ taskCount, rowStart, partner }: TaskGraph): Components {
  const tasks = new Int32Array(taskCount);
  const known = new Uint8Array(taskCount);
  const start: number[] = [];
  let filled = 0;
  for (let root = 0; root < taskCount; root++) {
    if (known[root] === 1) continue;
    start.push(filled);
    known[root] = 1;
    tasks[filled++] = root;
    for (let next = filled - 1; next < filled; next++) {
      const task = tasks[next]!;
      for (let edge = rowStart[task]!; edge < rowStart[task + 1]!; edge++) {
        const other = partner[edge]!;
        if (known[other] === 1) continue;
        known[other] = 1;
        tasks[filled++] = other;
      }
    }
  }
  return { tasks, start: Int32Array.from([...start, taskCount]) };
}
