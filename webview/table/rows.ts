/** What the tables beside the picture hold, as text: nodes, switches and links. `table.ts` makes elements of it. */
import {
  coordinateLabel,
  formatBytes,
  formatNumber,
  formatSeconds,
  sceneLinkEnds,
  rankLabel,
  routerLabel,
  taskLines,
} from '../../server/drawing/labels.ts';
import { areAlike, busySeconds, loadShare, shownLoad } from '../../server/drawing/loadScale.ts';
import { hotFlag, type MachineAbout, type Scene, type SceneBlocks } from '../../server/drawing/scene.ts';
import { forEachCable } from '../../server/drawing/strokes.ts';
import { t } from '../page/words.ts';
import { capacityShare, textTarget, type Target, sharesOf } from '../picture/describeThing.ts';
import type { Thing } from '../picture/pick.ts';

/** A column of a table. */
export interface Column {
  readonly title: string;
  readonly numeric: boolean;
  /** Its name in a file, where that is another one. */
  readonly csv?: string;
}

/** What a table holds, as rows of text: of a picture its twin for readers who cannot see it. `Selected` is what a row stands for in the picture. */
export interface TableContent<Selected = Thing> {
  readonly caption: string;
  /** In the place of rows where there are none. */
  readonly nothing?: string;
  readonly columns: readonly Column[];
  readonly rowCount: number;
  /** Texts of one row, parallel to `columns`. */
  cells(row: number): readonly string[];
  /** The number behind a cell, to sort by and to write to a file; absent: what stands in it. */
  value?(row: number, column: number): number | undefined;
  /** What the button in its first cell reveals; undefined where nothing in the text stands for it. */
  target?(row: number): Target | undefined;
  /** What the button at its end selects; undefined where there is nothing to explain. */
  selects(row: number): Selected | undefined;
}

const textColumn = (title: string): Column => ({ title, numeric: false });
/** `csv`: the heading in files, where that of the page is shorter. */
const numberColumn = (title: string, csv = title): Column => ({ title, csv, numeric: true });

/** All nodes by number; their names and switches where they have any. */
export function nodeRows(scene: Scene): TableContent {
  const { nodes, about, blocks } = scene;
  if (blocks !== undefined) return blockRows(scene, blocks);
  const entries = Array.from(nodes.id.keys()).sort((first, second) => nodes.id[first]! - nodes.id[second]!);
  const named = nodes.names.length > 0;
  const onSwitches = nodes.router.length > 0;
  const place = onSwitches ? textColumn('Switch') : textColumn('Coordinates');
  return {
    caption: t('Nodes of {0}', scene.machine),
    columns: [
      numberColumn('Node'),
      ...(named ? [textColumn('Name')] : []),
      place,
      ...(about === undefined ? [textColumn('Job'), textColumn('Tasks')] : onSwitches ? [] : [numberColumn('Links')]),
    ],
    rowCount: entries.length,
    cells(row) {
      const entry = entries[row]!;
      if (about !== undefined) {
        const own = [`${nodes.id[entry]!}`, ...(named ? [nodes.names[entry]!] : [])];
        if (onSwitches) return [...own, routerLabel(scene, nodes.router[entry]!)];
        const router = Math.floor(nodes.id[entry]! / Math.max(1, nodes.perRouter));
        return [...own, coordinateLabel(nodes, entry), `${about.degreeOf[router] ?? 0}`];
      }
      const lines = taskLines(scene, entry);
      const job = nodes.job[entry]!;
      const jobName = job < 0 ? t('none') : scene.jobs[job]!.name;
      // One job: its name stands in the column before.
      const [only = ''] = lines;
      const tasks = lines.length > 1 ? lines.join('; ') : only.slice(only.indexOf(': ') + 2);
      const where = onSwitches ? routerLabel(scene, nodes.router[entry]!) : coordinateLabel(nodes, entry);
      const name = named ? [nodes.names[entry]!] : [];
      return [`${nodes.id[entry]!}`, ...name, where, jobName, lines.length === 0 ? '' : tasks];
    },
    target: (row) => (about === undefined ? { kind: 'node', node: nodes.id[entries[row]!]! } : undefined),
    selects: (row) =>
      nodes.job[entries[row]!]! < 0 && about === undefined ? undefined : { kind: 'node', entry: entries[row]! },
  };
}

/** All blocks by number, with what they sum up. */
function blockRows({ nodes, jobs, machine, about, difference }: Scene, blocks: SceneBlocks): TableContent {
  const before = difference?.blocks?.tasks;
  const placed = about === undefined;
  const columns: readonly BlockColumn[] = [
    ...(blocks.switches === undefined ? [] : [blockColumn(numberColumn('Switches'), blocks.switches)]),
    blockColumn(numberColumn('Nodes'), blocks.nodes),
    ...(placed
      ? [
          blockColumn(numberColumn('In use'), blocks.used),
          blockColumn(numberColumn('Tasks'), blocks.tasks),
          ...(before === undefined ? [] : [blockColumn(numberColumn('Before'), before)]),
          blockColumn(numberColumn('Sends'), nodes.sent),
          blockColumn(numberColumn('Receives'), nodes.received),
          blockColumn(numberColumn('Mean link load inside'), blocks.meanLoad),
          blockColumn(numberColumn('Maximum link load inside'), blocks.largestLoad),
        ]
      : []),
  ];
  return {
    caption: t('Blocks of {0}', machine),
    columns: [numberColumn('Block'), textColumn('Name'), ...(placed ? [textColumn('Job')] : []), ...columns],
    rowCount: nodes.id.length,
    cells(row) {
      const job = nodes.job[row]!;
      return [
        `${nodes.id[row]!}`,
        nodes.names[row]!,
        ...(placed ? [job < 0 ? t('none') : jobs[job]!.name] : []),
        ...columns.map(({ values }) => (values instanceof Float64Array ? formatBytes : formatNumber)(values[row]!)),
      ];
    },
    value: (row, column) => columns[column - (placed ? 3 : 2)]?.values[row],
    selects: () => undefined,
  };
}

/** A column with its numbers by block; those with fractions are bytes. */
interface BlockColumn extends Column {
  readonly values: Int32Array | Float64Array;
}

const blockColumn = (column: Column, values: BlockColumn['values']): BlockColumn => ({ ...column, values });

/** All switches by number, with the nodes on them by job. */
export function routerRows(scene: Scene): TableContent {
  const { routers, about } = scene;
  const hasPorts = (about?.sparePorts.length ?? 0) > 0;
  const named = routers.names.length > 0;
  const ranked = routers.rankWord !== '';
  return {
    caption: t('Switches of {0}', scene.machine),
    columns: [
      numberColumn('Switch'),
      ...(named ? [textColumn('Name')] : []),
      ...(ranked ? [textColumn('Place')] : []),
      numberColumn('Nodes'),
      ...(about === undefined
        ? [textColumn('Jobs')]
        : [numberColumn('Links'), ...(hasPorts ? [numberColumn('Spare ports')] : [])]),
    ],
    rowCount: routers.id.length,
    cells(row) {
      const shares = sharesOf(scene)[row]!;
      const count = shares.reduce((sum, { nodes }) => sum + nodes, 0);
      const jobs = shares.map(
        ({ job, nodes }) => `${job < 0 ? t('free') : scene.jobs[job]!.name}: ${formatNumber(nodes)}`,
      );
      return [
        `${routers.id[row]!}`,
        ...(named ? [routers.names[row]!] : []),
        ...(ranked ? [rankLabel(scene, row)] : []),
        formatNumber(count),
        ...(about === undefined ? [jobs.join('; ')] : machineCells(about, routers.id[row]!, hasPorts)),
      ];
    },
    target: () => undefined,
    selects: () => undefined,
  };
}

/** Cables and spare ports of a switch of a machine by itself. */
function machineCells({ degreeOf, sparePorts }: MachineAbout, router: number, hasPorts: boolean): readonly string[] {
  const spare = sparePorts[router] ?? -1;
  return [formatNumber(degreeOf[router] ?? 0), ...(hasPorts ? [spare < 0 ? '' : formatNumber(spare)] : [])];
}

/** Of a machine by itself: all cables with their kinds. */
function cableRows(scene: Scene, { linkClasses, classOf }: MachineAbout): TableContent {
  const cables: number[] = [];
  forEachCable(scene.links, (link) => cables.push(link));
  const end = scene.routers.id.length > 0 ? textColumn : numberColumn;
  return {
    caption: t('Links of {0}', scene.machine),
    columns: [end('From'), end('To'), textColumn('Kind'), textColumn('Per direction')],
    rowCount: cables.length,
    cells(row) {
      const { name, words } = linkClasses[classOf[scene.links.forwardLink[cables[row]!]!]!]!;
      return [...sceneLinkEnds(scene, cables[row]!), name, words];
    },
    target: () => undefined,
    selects: (row) => ({ kind: 'link', link: cables[row]!, rightSide: true }),
  };
}

/** All cables, the busiest first; host links among them. */
export function linkRows(scene: Scene): TableContent {
  if (scene.about !== undefined) return cableRows(scene, scene.about);
  const { links } = scene;
  const isAlike = areAlike(scene);
  const busier = (link: number): number => Math.max(shownLoad(scene, link, true), shownLoad(scene, link, false));
  const seconds = (link: number): readonly [number, number] => [
    busySeconds(scene, link, true) ?? 0,
    busySeconds(scene, link, false) ?? 0,
  ];
  const cables: number[] = [];
  forEachCable(links, (link) => cables.push(link));
  cables.sort((first, second) => busier(second) - busier(first) || first - second);
  const thing = (row: number): Thing => ({ kind: 'link', link: cables[row]!, rightSide: true });
  const end = scene.routers.id.length > 0 ? textColumn : numberColumn;
  return {
    caption: t('Directed links of {0}, by utilisation', scene.machine),
    columns: [
      end('From'),
      end('To'),
      numberColumn('Load →', 'Load there'),
      numberColumn('Load ←', 'Load back'),
      ...(isAlike ? [] : [numberColumn('Time →', 'Busy there'), numberColumn('Time ←', 'Busy back')]),
      isAlike ? numberColumn('Share of maximum') : numberColumn('Utilisation'),
      textColumn('Hot'),
    ],
    rowCount: cables.length,
    cells(row) {
      const link = cables[row]!;
      const busy = seconds(link);
      return [
        ...sceneLinkEnds(scene, link),
        formatBytes(links.forward[link]!),
        formatBytes(links.backward[link]!),
        ...(isAlike ? [] : busy.map(formatSeconds)),
        isAlike ? loadShare(scene, busier(link)) : capacityShare(scene, Math.max(...busy)),
        (links.flags[link]! & hotFlag) === 0 ? '' : t('hot'),
      ];
    },
    value(row, column) {
      const link = cables[row]!;
      const busy = seconds(link);
      const amounts = isAlike ? [busier(link)] : [...busy, Math.max(...busy)];
      return [undefined, undefined, links.forward[link]!, links.backward[link]!, ...amounts][column];
    },
    target: (row) => textTarget(scene, thing(row), false),
    selects: thing,
  };
}
