import { coordinateLabel, taskLines } from '../server/drawing/labels.ts';
import { formatBytes } from '../server/drawing/quantities.ts';
import { hotFlag, type Scene } from '../server/drawing/scene.ts';
import { forEachCable } from '../server/drawing/strokes.ts';
import { shareText, type Target } from './describeThing.ts';

/** What the picture shows, as rows of text: its twin for readers who cannot see it. */
export interface TableContent {
  readonly caption: string;
  readonly columns: readonly { readonly title: string; readonly numeric: boolean }[];
  readonly rowCount: number;
  /** Texts of one row, parallel to `columns`. */
  cells(row: number): readonly string[];
  /** What a click on the row reveals. */
  target(row: number): Target;
}

const text = (title: string): TableContent['columns'][number] => ({ title, numeric: false });
const numeric = (title: string): TableContent['columns'][number] => ({ title, numeric: true });

/** All nodes by number. */
export function nodeRows(scene: Scene): TableContent {
  const { nodes } = scene;
  const entries = Array.from(nodes.id.keys()).sort((first, second) => nodes.id[first]! - nodes.id[second]!);
  return {
    caption: `Nodes of ${scene.machine}`,
    columns: [numeric('Node'), text('Coordinates'), text('Job'), text('Tasks')],
    rowCount: entries.length,
    cells(row) {
      const entry = entries[row]!;
      const lines = taskLines(scene, entry);
      const job = nodes.job[entry]!;
      const jobName = job < 0 ? 'none' : scene.jobs[job]!.name;
      // One job: its name stands in the column before.
      const [only = ''] = lines;
      const tasks = lines.length > 1 ? lines.join('; ') : only.slice(only.indexOf(': ') + 2);
      return [`${nodes.id[entry]!}`, coordinateLabel(nodes, entry), jobName, lines.length === 0 ? '' : tasks];
    },
    target: (row) => ({ kind: 'node', node: nodes.id[entries[row]!]! }),
  };
}

/** All cables, the busiest first. */
export function linkRows(scene: Scene): TableContent {
  const { links, loadLegend } = scene;
  const heavier = (link: number): number => Math.max(links.forward[link]!, links.backward[link]!);
  const cables: number[] = [];
  forEachCable(links, (link) => cables.push(link));
  cables.sort((first, second) => heavier(second) - heavier(first) || first - second);
  return {
    caption: `Links of ${scene.machine}, the busiest first`,
    columns: [
      numeric('From'),
      numeric('To'),
      numeric('Load there'),
      numeric('Load back'),
      numeric('Share of maximum'),
      text('Hot'),
    ],
    rowCount: cables.length,
    cells(row) {
      const link = cables[row]!;
      return [
        `${links.from[link]!}`,
        `${links.to[link]!}`,
        formatBytes(links.forward[link]!),
        formatBytes(links.backward[link]!),
        shareText(heavier(link), loadLegend.maximum),
        (links.flags[link]! & hotFlag) === 0 ? '' : 'hot',
      ];
    },
    target(row) {
      const link = cables[row]!;
      const [from, to] = [links.from[link]!, links.to[link]!];
      const forward = links.forward[link]! >= links.backward[link]!;
      return forward ? { kind: 'link', from, to } : { kind: 'link', from: to, to: from };
    },
  };
}
