/**
 * The panel with the map of who sends how much to whom: by task, node, switch or job, block by block where it is large. A rectangle of
 * it has the picture of the placement keep its flows, and what is selected in the picture is marked in the map.
 */
import type { Figure } from '../server/drawing/figures/figure.ts';
import { formatBytes, formatNumber } from '../server/drawing/labels.ts';
import type { PictureSelection, Span, TrafficBlock, TrafficBrush } from '../server/protocol/selections.ts';
import type {
  FromTrafficPanel,
  ToTrafficPanel,
  TrafficAbout,
  TrafficQuestion,
} from '../server/protocol/trafficPanel.ts';
import { FigurePage } from './figure/figurePage.ts';
import { button, make, selection } from './page/controls.ts';
import type { PageStatus } from './page/frame.ts';
import { counted, t } from './page/words.ts';

/** What is shown, and how one came there. */
interface MapChoice extends TrafficQuestion {
  /** Blocks that one has zoomed into, the outermost first; all of it where that is empty. */
  readonly zooms: readonly TrafficBlock[];
  /** What the picture keeps, in rows and columns of the whole. */
  readonly brush?: TrafficBlock;
}

type Own = Extract<FromTrafficPanel, { kind: 'brush' | 'reveal-problem' }>;

/** What is selected in the picture. */
let selected: PictureSelection | undefined;
/** The picture has been told of what an earlier page had chosen. */
let isRestored = false;

const orders = selection(t('Order'), (order) => {
  choose({ order: order as MapChoice['order'], zooms: [] });
});
const amounts = selection(t('Amount'), (amount) => {
  choose({ amount: amount as MapChoice['amount'] });
});
const scales = selection(t('Scale'), (scale) => {
  choose({ scale: scale as MapChoice['scale'] });
});
const zoomInButton = button('+', t('+ Zoom into the block (Enter)'), zoomIn);
const zoomOutButton = button('−', t('− Zoom out (Backspace)'), zoomOut);
const keepButton = button(t('Show only these'), t('Show only these flows in the diagram (Space)'), keepCell);
const allButton = button(t('All flows'), t('All flows in the diagram (Escape)'), () => {
  brush(undefined);
});
const where = make('p', { class: 'where faint', 'aria-live': 'polite' });

const page: FigurePage<MapChoice, TrafficAbout, Figure, Own> = new FigurePage<MapChoice, TrafficAbout, Figure, Own>({
  word: t('Traffic'),
  kinds: [
    ['task', t('Tasks'), t('Tasks: one row and column per task')],
    ['node', t('Nodes'), t('Nodes: one row and column per node with tasks')],
    ['switch', t('Switches'), t('Switches: one row and column per switch with tasks')],
    ['job', t('Jobs'), t('Jobs: one row and column per job')],
  ],
  first: { kind: 'task', order: 'job', amount: 'bytes', scale: 'linear', zooms: [] },
  choiceOf: (kind, { amount, scale, order }) => ({ kind, amount, scale, order, zooms: [] }),
  questionOf,
  figureOf: (figure) => figure,
  isInVain: () => true,
  controls: [
    orders.element,
    amounts.element,
    scales.element,
    zoomInButton,
    zoomOutButton,
    keepButton,
    allButton,
    where,
  ],
  showControls: showTrafficControls,
  running: t('Evaluating'),
  onFault: [],
  simulating: () => ({ text: t('Summing the traffic …'), busy: true }),
  status: trafficStatus,
  nameOfFigure: () => `traffic-${page.choice.kind}`,
  chosen: (before) => {
    const { kind, order } = page.choice;
    // Rows and columns are others.
    if (before.kind === kind && before.order === order) return;
    grid?.forget();
    setBrush(undefined);
    if (before.brush !== undefined) tellBrush(false);
  },
  answered: showAnswer,
  grid: {
    chosen: (cells) => {
      brush(cells && wholeBlock(cells));
    },
    zoomIn,
    zoomOut,
    moved: () => {
      page.showControls();
    },
  },
  isOffered: (kind) => page.about === undefined || page.about.units.includes(kind),
});
const { grid } = page.view;

new ResizeObserver(() => {
  const { clientWidth } = page.view.element;
  const wanted = mapWidth(clientWidth);
  // While there is no map it is not seen.
  if (clientWidth === 0 || wanted === width) return;
  width = wanted;
  if (page.about !== undefined) page.ask();
}).observe(page.view.element);
let width = mapWidth(window.innerWidth);

window.addEventListener('message', ({ data }: MessageEvent<ToTrafficPanel | undefined>) => {
  if (data?.kind === 'selected') {
    selected = data.selected;
    page.ask();
  } else if (data?.kind === 'brush-cleared') {
    setBrush(undefined);
    grid?.forget();
    showBrush();
    page.showControls();
  }
});
page.start();

/** Pixels of a map for a page that is so wide: narrow ones have fewer names, in the same size. */
function mapWidth(pixels: number): number {
  return [270, 360, 480, 600].find((each) => pixels < each + 100) ?? 720;
}

function questionOf({ kind, order, amount, scale, zooms }: MapChoice): MapChoice {
  const block = zooms.at(-1);
  return {
    kind,
    order,
    amount,
    scale,
    width,
    zooms: [],
    ...(block && { block }),
    ...(selected && { marked: selected.target }),
  };
}

function choose(changed: Partial<MapChoice>): void {
  page.choose({ ...page.choice, ...changed });
}

/** What is chosen in the map, else the cell that one is at; nothing where it can be told no finer. */
function zoomBlock(): TrafficBlock | undefined {
  const { at, chosen } = grid?.cursor ?? {};
  const { perCell = [1, 1] } = page.about ?? {};
  const isSeveral =
    chosen !== undefined && (chosen.rows.first < chosen.rows.last || chosen.columns.first < chosen.columns.last);
  if (isSeveral && (at === undefined || isCellWithin(chosen, at.row, at.column)) && !isAll(chosen))
    return wholeBlock(chosen);
  if (at === undefined || (perCell[0] === 1 && perCell[1] === 1)) return undefined;
  return wholeBlock({ rows: { first: at.row, last: at.row }, columns: { first: at.column, last: at.column } });
}

const isCellWithin = ({ rows, columns }: TrafficBlock, row: number, column: number): boolean =>
  row >= rows.first && row <= rows.last && column >= columns.first && column <= columns.last;

function isAll({ rows, columns }: TrafficBlock): boolean {
  const shown = page.view.figure?.grid;
  return (
    rows.first === 0 &&
    columns.first === 0 &&
    rows.last + 1 === shown?.rows.length &&
    columns.last + 1 === shown.columns.length
  );
}

function zoomIn(): void {
  const block = zoomBlock();
  if (block !== undefined) choose({ zooms: [...page.choice.zooms, block] });
}

function zoomOut(): void {
  if (page.choice.zooms.length > 0) choose({ zooms: page.choice.zooms.slice(0, -1) });
}

function keepCell(): void {
  const { at, chosen } = grid?.cursor ?? {};
  const cells =
    at &&
    (chosen && isCellWithin(chosen, at.row, at.column)
      ? chosen
      : { rows: { first: at.row, last: at.row }, columns: { first: at.column, last: at.column } });
  if (cells !== undefined) brush(wholeBlock(cells));
}

/** Cells of the map as rows and columns of the whole. */
function wholeBlock({ rows, columns }: TrafficBlock): TrafficBlock {
  const { block, perCell } = page.about!;
  return { rows: spanOfCells(rows, block.rows, perCell[0]), columns: spanOfCells(columns, block.columns, perCell[1]) };
}

const spanOfCells = ({ first, last }: Span, shown: Span, perCell: number): Span => ({
  first: shown.first + first * perCell,
  last: Math.min(shown.last, shown.first + (last + 1) * perCell - 1),
});

/** What of a block the map shows, in cells. */
function visibleCells({ rows, columns }: TrafficBlock): TrafficBlock | undefined {
  const { block, perCell } = page.about ?? {};
  if (block === undefined || perCell === undefined) return undefined;
  const [own, other] = [cellSpan(rows, block.rows, perCell[0]), cellSpan(columns, block.columns, perCell[1])];
  return own && other && { rows: own, columns: other };
}

function cellSpan({ first, last }: Span, shown: Span, perCell: number): Span | undefined {
  if (last < shown.first || first > shown.last) return undefined;
  const cell = (unit: number): number =>
    Math.floor((Math.min(Math.max(unit, shown.first), shown.last) - shown.first) / perCell);
  return { first: cell(first), last: cell(last) };
}

/** The picture keeps the flows of a block alone; all where there is none. */
function brush(block: TrafficBlock | undefined): void {
  const isSame = JSON.stringify(block) === JSON.stringify(page.choice.brush);
  setBrush(block);
  showBrush();
  page.showControls();
  if (!isSame) tellBrush(false);
}

function tellBrush(restored: boolean): void {
  const { kind: by, order, brush: block } = page.choice;
  const kept: TrafficBrush | undefined = block && { by, order, block };
  page.post({
    kind: 'brush',
    ...(kept && { brush: kept }),
    words: kept ? t('flows {0}', brushWords(kept.block)) : '',
    isRestored: restored,
  });
}

function setBrush(block: TrafficBlock | undefined): void {
  const { kind, order, amount, scale, zooms } = page.choice;
  page.choice = { kind, order, amount, scale, zooms, ...(block && { brush: block }) };
  page.remember();
}

function showBrush(): void {
  const { brush: block } = page.choice;
  if (grid?.isChoosing !== true) grid?.cursor.choose(block && visibleCells(block));
  grid?.mark(page.about?.marked ?? []);
}

/** Units in words: one, several neighbours, and so many. */
const unitWords = {
  task: {
    one: (name: string) => t('task {0}', name),
    several: (first: string, last: string) => t('tasks {0} to {1}', first, last),
    all: (count: number) => counted(count, '1 task', '{0} tasks'),
  },
  node: {
    one: (name: string) => t('node {0}', name),
    several: (first: string, last: string) => t('nodes {0} to {1}', first, last),
    all: (count: number) => counted(count, '1 node', '{0} nodes'),
  },
  switch: {
    one: (name: string) => t('switch {0}', name),
    several: (first: string, last: string) => t('switches {0} to {1}', first, last),
    all: (count: number) => counted(count, '1 switch', '{0} switches'),
  },
  job: {
    one: (name: string) => t('job {0}', name),
    several: (first: string, last: string) => t('jobs {0} to {1}', first, last),
    all: (count: number) => counted(count, '1 job', '{0} jobs'),
  },
} as const;

/** `from tasks 0 to 6 to tasks 14 to 20`. */
function brushWords(block: TrafficBlock): string {
  const { one, several } = unitWords[page.choice.kind];
  const name = ({ first, last }: Span, names: readonly string[] | undefined, cells: Span | undefined): string => {
    // Of a cell that is several the name has both ends.
    const begin = names?.[cells?.first ?? -1]?.split(/ to /)[0] ?? `${first}`;
    const end = names?.[cells?.last ?? -1]?.split(/ to /).at(-1) ?? `${last}`;
    return first === last ? one(begin) : several(begin, end);
  };
  const shown = page.view.figure?.grid;
  const cells = visibleCells(block);
  return t(
    'from {0} to {1}',
    name(block.rows, shown?.rows, cells?.rows),
    name(block.columns, shown?.columns, cells?.columns),
  );
}

function showAnswer(about: TrafficAbout | undefined): void {
  if (about === undefined) return;
  showBrush();
  page.showControls();
  if (isRestored) return;
  isRestored = true;
  if (page.choice.brush !== undefined) tellBrush(true);
}

function showTrafficControls(): boolean {
  const { about, choice } = page;
  if (about === undefined || page.view.figure === undefined) return false;
  orders.set(
    [
      ['job', t('by job')],
      ['node', t('by node')],
      ['task', t('by number')],
    ],
    choice.order,
  );
  amounts.set(
    about.hasMessages
      ? [
          ['bytes', t('bytes')],
          ['messages', t('messages')],
        ]
      : [['bytes', t('bytes')]],
    about.hasMessages ? choice.amount : 'bytes',
  );
  scales.set(
    [
      ['linear', t('linear')],
      ['logarithmic', t('logarithmic')],
    ],
    choice.scale,
  );
  orders.element.hidden = choice.kind !== 'task' || !about.isOrdered;
  amounts.element.hidden = !about.hasMessages;
  zoomInButton.toggleAttribute('disabled', zoomBlock() === undefined);
  zoomOutButton.toggleAttribute('disabled', choice.zooms.length === 0);
  const isPlaced = about.isOrdered;
  for (const each of [keepButton, allButton]) each.hidden = !isPlaced;
  keepButton.toggleAttribute('disabled', grid?.cursor.at === undefined);
  allButton.toggleAttribute('disabled', choice.brush === undefined);
  const words = [...placeWords(about), ...keptWords(isPlaced), ...markedWords(about)].join(' ');
  if (where.textContent !== words) where.textContent = words;
  return true;
}

/** Which part it is, and of how many a cell is. */
function placeWords({ count, block, perCell: [rowsOfCell, columnsOfCell] }: TrafficAbout): readonly string[] {
  const [rows, columns] = [block.rows.last - block.rows.first + 1, block.columns.last - block.columns.first + 1];
  const all = unitWords[page.choice.kind].all(count);
  const isPart = rows < count || columns < count;
  const isCoarse = rowsOfCell > 1 || columnsOfCell > 1;
  return [
    ...(isPart ? [t('Shown: {0} × {1} of {2}.', formatNumber(rows), formatNumber(columns), all)] : []),
    ...(isCoarse
      ? [
          t(
            'Each cell is {0} × {1} of {2}. Press Enter or double-click to zoom in.',
            formatNumber(rowsOfCell),
            formatNumber(columnsOfCell),
            all,
          ),
        ]
      : []),
  ];
}

/** What is chosen, and how much that is. */
function keptWords(isPlaced: boolean): readonly string[] {
  const { figure } = page.view;
  const { brush: block } = page.choice;
  if (block === undefined || figure?.grid === undefined) return [];
  const cells = visibleCells(block);
  const words = brushWords(block);
  if (cells === undefined) return [t('Selected, outside the visible part: {0}.', words)];
  let [bytes, pairs] = [0, 0];
  const { cells: places, columns } = figure.grid;
  places.forEach((cell, row) => {
    if (!isCellWithin(cells, Math.floor(cell / columns.length), cell % columns.length)) return;
    bytes += Number(figure.table.rows[row]?.[2]);
    pairs += Number(figure.table.rows[row]?.[3]);
  });
  const amount =
    pairs === 0 ? t('nothing') : t('{0} of {1}', formatBytes(bytes), counted(pairs, '1 pair', '{0} pairs'));
  return [isPlaced ? t('Flows in the diagram, {0}: {1}.', words, amount) : t('Chosen: {0}: {1}.', words, amount)];
}

function markedWords({ marked }: TrafficAbout): readonly string[] {
  if (marked === undefined || selected === undefined) return [];
  const { words } = selected;
  return [
    marked.length === 0
      ? t('No cell for {0}.', words)
      : t('Outlined: {0} with {1}.', counted(marked.length, '1 cell', '{0} cells'), words),
  ];
}

/** Whether the map is of the text as it is. */
function trafficStatus(): PageStatus {
  const { about } = page;
  if (about?.stale !== true) return ['fresh'];
  const toProblem = page.action(t('Go to the problem'), { kind: 'reveal-problem' });
  const { problem } = about;
  if (problem !== undefined)
    return ['stale', { text: problem.message, actions: problem.location === undefined ? [] : [toProblem] }];
  return ['stale', { text: t('Out of date. Save the file to update the heat map.') }];
}
