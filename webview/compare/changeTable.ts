/** What changes from one placement to another as tables: links with both loads, tasks with both nodes, and the figures of several placements. */
import { changeBetween, linkChanges, placeName } from '../../server/drawing/difference.ts';
import { formatBytes, formatSeconds } from '../../server/drawing/labels.ts';
import { areAlike } from '../../server/drawing/loadScale.ts';
import type { Scene, SceneDifference } from '../../server/drawing/scene.ts';
import { make } from '../page/controls.ts';
import { localised, t } from '../page/words.ts';
import type { Column, TableContent } from '../table/rows.ts';

interface ChangeRow {
  /** Parallel to the columns: what is shown. */
  readonly cells: readonly string[];
  /** What it is sorted by and written as in CSV. */
  readonly values: readonly (string | number)[];
  /** What the row's button shows in the picture. */
  readonly show: ChangedThing;
}

/** Directed link by its LinkId, or entries of the nodes that a task left and came to. */
export type ChangedThing =
  | { readonly kind: 'link'; readonly link: number }
  | { readonly kind: 'task'; readonly from: number; readonly to: number };

type ChangeTable = TableContent<ChangedThing>;

const csvTextColumn = (title: string, csv: string): Column => ({ title, csv, numeric: false });
const csvNumberColumn = (title: string, csv: string): Column => ({ title, csv, numeric: true });

const changeTable = (
  head: Pick<ChangeTable, 'caption' | 'nothing' | 'columns'>,
  rows: readonly ChangeRow[],
): ChangeTable => ({
  ...head,
  rowCount: rows.length,
  cells: (row) => rows[row]!.cells,
  value: (row, column) => {
    const value = rows[row]!.values[column];
    return typeof value === 'number' ? value : undefined;
  },
  selects: (row) => rows[row]!.show,
});

/** Directed links whose load has changed, the largest change first. */
export function changedLinks(scene: Scene, difference: SceneDifference): ChangeTable {
  const { forwardLink, backwardLink } = scene.links;
  const isAlike = areAlike(scene);
  const head = {
    caption: t('Changed links, {0} to {1}, largest change first', difference.before, scene.placement),
    nothing: t('Link loads are equal.'),
    columns: [
      csvTextColumn('From', 'from'),
      csvTextColumn('To', 'to'),
      csvNumberColumn('Before', 'bytes before'),
      csvNumberColumn('After', 'bytes after'),
      csvNumberColumn('Change', 'change in bytes'),
      csvNumberColumn('In per cent', 'change in per cent'),
      ...(isAlike
        ? []
        : [
            csvNumberColumn('Link time before', 'seconds busy before'),
            csvNumberColumn('Link time after', 'seconds busy after'),
          ]),
    ],
  };
  const rows = linkChanges(scene, difference).map(({ link, isForward, from, to, before, after, busy }): ChangeRow => {
    const change = after - before;
    const sign = change < 0 ? '−' : '+';
    const share = before === 0 ? Infinity : (100 * change) / before;
    const percent = before === 0 ? t('new') : after === 0 ? '−100 %' : localised(changeBetween(before, after));
    return {
      cells: [
        from,
        to,
        formatBytes(before),
        formatBytes(after),
        `${sign}${formatBytes(Math.abs(change))}`,
        percent,
        ...(busy === undefined ? [] : [formatSeconds(busy.before), formatSeconds(busy.after)]),
      ],
      values: [from, to, before, after, change, share, ...(busy === undefined ? [] : [busy.before, busy.after])],
      show: { kind: 'link', link: (isForward ? forwardLink : backwardLink)[link]! },
    };
  });
  return changeTable(head, rows);
}

/** Tasks that run on another node, by job and number. */
export function movedTasks(scene: Scene, { before, moves }: SceneDifference): ChangeTable {
  const rows = Array.from(moves.task, (task, move): ChangeRow => {
    const job = scene.jobs[moves.job[move]!]!.name;
    const [from, to] = [moves.from[move]!, moves.to[move]!];
    const ends = [placeName(scene, from), placeName(scene, to)];
    return {
      cells: [job, `${task}`, ...ends],
      values: [job, task, ...ends],
      show: { kind: 'task', from, to },
    };
  });
  const head = {
    caption: t('Moved tasks, {0} to {1}', scene.placement, before),
    nothing: t('All tasks run on the same nodes as before.'),
    columns: [
      csvTextColumn('Job', 'job'),
      csvNumberColumn('Task', 'task'),
      csvTextColumn('From node', 'from node'),
      csvTextColumn('To node', 'to node'),
    ],
  };
  return changeTable(head, rows);
}

/** All figures of placements that are compared, with their change against the first. */
export function figureTable(scenes: readonly Scene[]): HTMLElement {
  const [first] = scenes;
  const names = first?.figures.map(([name]) => name) ?? [];
  const head = make(
    'tr',
    {},
    make('th', { scope: 'col' }, t('Metrics')),
    ...scenes.map(({ placement }) => make('th', { scope: 'col', class: 'numeric' }, placement)),
  );
  const rows = names.map((name) => {
    const cells = scenes.map((scene) => {
      const figure = sceneFigure(scene, name);
      if (figure === undefined) return '';
      const change =
        scene === first || first === undefined ? '' : changeBetween(sceneFigure(first, name)!.value, figure.value);
      return change === '' ? localised(figure.words) : `${localised(figure.words)} (${localised(change)})`;
    });
    return make(
      'tr',
      {},
      make('th', { scope: 'row' }, localised(name)),
      ...cells.map((cell) => make('td', { class: 'numeric' }, cell)),
    );
  });
  const caption = make('caption', {}, t('Metrics, change from {0}', first?.placement ?? ''));
  return make(
    'section',
    { class: 'paged' },
    make('table', {}, caption, make('thead', {}, head), make('tbody', {}, ...rows)),
  );
}

/** A figure of a scene by its name. */
export function sceneFigure(
  { figures, figureValues }: Scene,
  name: string,
): { readonly words: string; readonly value: number } | undefined {
  const index = figures.findIndex(([other]) => other === name);
  return index < 0 ? undefined : { words: figures[index]![1], value: figureValues[index]! };
}
