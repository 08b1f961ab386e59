import type { Scene, SceneNodes } from './scene.ts';

/** What fits into a node's square: `12`, `0–3`, or `5 …` where the tasks are not consecutive; '' where there are none. */
export function nodeLabel(nodes: SceneNodes, entry: number): string {
  const start = nodes.taskStart[entry]!;
  const end = nodes.taskStart[entry + 1]!;
  if (start === end) return '';
  const first = nodes.task[start]!;
  const last = nodes.task[end - 1]!;
  if (end - start === 1) return `${first}`;
  const isRun = last - first === end - start - 1 && nodes.taskJob[start] === nodes.taskJob[end - 1];
  return isRun ? `${first}–${last}` : `${first} …`;
}

/** `(3, 5)`; '' for a machine without coordinates. */
export function coordinateLabel(nodes: SceneNodes, entry: number): string {
  const { coordinates, coordinateCount } = nodes;
  if (coordinateCount === 0) return '';
  return `(${coordinates.slice(entry * coordinateCount, (entry + 1) * coordinateCount).join(', ')})`;
}

/** Tasks of one node, job by job, ready to print: `heat: 0–3, 9`. */
export function taskLines(scene: Scene, entry: number): readonly string[] {
  const { taskStart, task, taskJob } = scene.nodes;
  const lines: string[] = [];
  let place = taskStart[entry]!;
  const end = taskStart[entry + 1]!;
  while (place < end) {
    const job = taskJob[place]!;
    const tasks: number[] = [];
    for (; place < end && taskJob[place] === job; place++) tasks.push(task[place]!);
    lines.push(`${scene.jobs[job]?.name ?? `job ${job}`}: ${formatRanges(tasks)}`);
  }
  return lines;
}

/** `0–3, 9`, of ascending numbers. */
export function formatRanges(ascending: readonly number[]): string {
  const parts: string[] = [];
  for (let start = 0; start < ascending.length;) {
    let end = start;
    while (end + 1 < ascending.length && ascending[end + 1] === ascending[end]! + 1) end++;
    parts.push(start === end ? `${ascending[start]!}` : `${ascending[start]!}–${ascending[end]!}`);
    start = end + 1;
  }
  return parts.join(', ');
}
