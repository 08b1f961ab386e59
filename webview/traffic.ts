/**
 * The panel with the map of who sends how much to whom: by task, node, switch or job, block by block where it is large. A rectangle of
 * it has the picture of the placement keep its flows, and what is selected in the picture is marked in the map.
 */
import { countOf, formatBytes, formatNumber } from '../server/drawing/labels.ts';
import type { Figure } from '../server/drawing/figures/figure.ts';
import type { PictureSelection, Span, TrafficBlock, TrafficBrush } from '../server/protocol/selections.ts';
import type {
  FromTrafficPanel,
  ToTrafficPanel,
  TrafficAbout,
  TrafficQuestion,
} from '../server/protocol/trafficPanel.ts';
import { button, make, selection } from './controls.ts';
import { FigurePage, type Standing } from './figurePage.ts';
import type { NoticeAction } from './page.ts';

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

const orders = selection('Order', (order) => {
  choose({ order: order as MapChoice['order'], zooms: [] });
});
const amounts = selection('Amount', (amount) => {
  choose({ amount: amount as MapChoice['amount'] });
});
const scales = selection('Scale', (scale) => {
  choose({ scale: scale as MapChoice['scale'] });
});
const zoomInButton = button('+', '+ Zoom into the block (Enter)', zoomIn);
const zoomOutButton = button('−', '− Zoom out (Backspace)', zoomOut);
const keepButton = button('Keep in the picture', 'Keep in the picture the flows of this cell alone (Space)', keepCell);
const allButton = button('All flows', 'All flows in the picture again (Escape)', () => {
  brush(undefined);
});
const where = make('p', { class: 'where faint', 'aria-live': 'polite' });

const page: FigurePage<MapChoice, TrafficAbout, Figure, Own> = new FigurePage<MapChoice, TrafficAbout, Figure, Own>({
  word: 'Traffic',
  kinds: [
    ['task', 'Tasks', 'Tasks: a row and a column for each task'],
    ['node', 'Nodes', 'Nodes: a row and a column for each node that runs tasks'],
    ['switch', 'Switches', 'Switches: a row and a column for each switch with nodes that run tasks'],
    ['job', 'Jobs', 'Jobs: a row and a column for each job'],
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
  showControls,
  running: 'Working out',
  onFault: [],
  simulating: () => ({ text: 'Adding up the traffic …', busy: true }),
  standing,
  nameOfFigure: () => `traffic-${page.choice.kind}`,
  chosen: (before) => {
    const { kind, order } = page.choice;
    // Rows and columns are others.
    if (before.kind === kind && before.order === order) return;
    grid?.forget();
    setBrush(undefined);
    if (before.brush !== undefined) tellBrush(false);
  },
  answered,
  grid: {
    chosen: (cells) => {
      brush(cells && blockOf(cells));
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
  const wanted = widthOf(clientWidth);
  // While there is no map it is not seen.
  if (clientWidth === 0 || wanted === width) return;
  width = wanted;
  if (page.about !== undefined) page.ask();
}).observe(page.view.element);
let width = widthOf(window.innerWidth);

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
function widthOf(pixels: number): number {
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
  const isSeveral = chosen !== undefined && (chosen.rows.first < chosen.rows.last || chosen.columns.first < chosen.columns.last); // prettier-ignore
  if (isSeveral && (at === undefined || isWithin(chosen, at.row, at.column)) && !isAll(chosen)) return blockOf(chosen);
  if (at === undefined || (perCell[0] === 1 && perCell[1] === 1)) return undefined;
  return blockOf({ rows: { first: at.row, last: at.row }, columns: { first: at.column, last: at.column } });
}

const isWithin = ({ rows, columns }: TrafficBlock, row: number, column: number): boolean =>
  row >= rows.first && row <= rows.last && column >= columns.first && column <= columns.last;

function isAll({ rows, columns }: TrafficBlock): boolean {
  const shown = page.view.figure?.grid;
  return rows.first === 0 && columns.first === 0 && rows.last + 1 === shown?.rows.length && columns.last + 1 === shown.columns.length; // prettier-ignore
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
  const cells = at && (chosen && isWithin(chosen, at.row, at.column) ? chosen : { rows: { first: at.row, last: at.row }, columns: { first: at.column, last: at.column } }); // prettier-ignore
  if (cells !== undefined) brush(blockOf(cells));
}

/** Cells of the map as rows and columns of the whole. */
function blockOf({ rows, columns }: TrafficBlock): TrafficBlock {
  const { block, perCell } = page.about!;
  return { rows: unitsOf(rows, block.rows, perCell[0]), columns: unitsOf(columns, block.columns, perCell[1]) };
}

const unitsOf = ({ first, last }: Span, shown: Span, perCell: number): Span => ({
  first: shown.first + first * perCell,
  last: Math.min(shown.last, shown.first + (last + 1) * perCell - 1),
});

/** What of a block the map shows, in cells. */
function cellsOf({ rows, columns }: TrafficBlock): TrafficBlock | undefined {
  const { block, perCell } = page.about ?? {};
  if (block === undefined || perCell === undefined) return undefined;
  const [own, other] = [cellSpan(rows, block.rows, perCell[0]), cellSpan(columns, block.columns, perCell[1])];
  return own && other && { rows: own, columns: other };
}

function cellSpan({ first, last }: Span, shown: Span, perCell: number): Span | undefined {
  if (last < shown.first || first > shown.last) return undefined;
  const cell = (unit: number): number => Math.floor((Math.min(Math.max(unit, shown.first), shown.last) - shown.first) / perCell); // prettier-ignore
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
  page.post({ kind: 'brush', ...(kept && { brush: kept }), words: kept ? `flows ${brushWords(kept.block)}` : '', isRestored: restored }); // prettier-ignore
}

function setBrush(block: TrafficBlock | undefined): void {
  const { kind, order, amount, scale, zooms } = page.choice;
  page.choice = { kind, order, amount, scale, zooms, ...(block && { brush: block }) };
  page.remember();
}

function showBrush(): void {
  const { brush: block } = page.choice;
  if (grid?.isChoosing !== true) grid?.cursor.choose(block && cellsOf(block));
  grid?.mark(page.about?.marked ?? []);
}

/** `from tasks 0 to 6 to tasks 14 to 20`. */
function brushWords(block: TrafficBlock): string {
  const several = page.choice.kind === 'switch' ? 'switches' : `${page.choice.kind}s`;
  const name = ({ first, last }: Span, names: readonly string[] | undefined, cells: Span | undefined): string => {
    // Of a cell that is several the name has both ends.
    const [begin, end] = [
      names?.[cells?.first ?? -1]?.split(' to ')[0],
      names?.[cells?.last ?? -1]?.split(' to ').at(-1),
    ];
    const isWhole = begin !== undefined && end !== undefined;
    const ends = isWhole ? [begin, end] : [`${first}`, `${last}`];
    return first === last ? `${page.choice.kind} ${ends[0]}` : `${several} ${ends[0]} to ${ends[1]}`;
  };
  const shown = page.view.figure?.grid;
  const cells = cellsOf(block);
  return `from ${name(block.rows, shown?.rows, cells?.rows)} to ${name(block.columns, shown?.columns, cells?.columns)}`;
}

function answered(about: TrafficAbout | undefined): void {
  if (about === undefined) return;
  showBrush();
  page.showControls();
  if (isRestored) return;
  isRestored = true;
  if (page.choice.brush !== undefined) tellBrush(true);
}

function showControls(): boolean {
  const { about, choice } = page;
  if (about === undefined || page.view.figure === undefined) return false;
  orders.set([['job', 'job by job'], ['node', 'by their nodes'], ['task', 'by number']], choice.order); // prettier-ignore
  amounts.set(about.hasMessages ? [['bytes', 'bytes'], ['messages', 'messages']] : [['bytes', 'bytes']], about.hasMessages ? choice.amount : 'bytes'); // prettier-ignore
  scales.set([['linear', 'linear'], ['logarithmic', 'logarithmic']], choice.scale); // prettier-ignore
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
function placeWords({ count, block, perCell }: TrafficAbout): readonly string[] {
  const { kind } = page.choice;
  const [rows, columns] = [block.rows.last - block.rows.first + 1, block.columns.last - block.columns.first + 1];
  const several = kind === 'switch' ? 'switches' : `${kind}s`;
  const part = rows === count && columns === count ? [] : [`Shown: ${formatNumber(rows)} × ${formatNumber(columns)} of ${formatNumber(count)} ${several}.`]; // prettier-ignore
  const isCoarse = perCell[0] > 1 || perCell[1] > 1;
  return [...part, ...(isCoarse ? [`A cell is ${formatNumber(perCell[0])} × ${formatNumber(perCell[1])} ${several}: Enter or a double click zooms in.`] : [])]; // prettier-ignore
}

/** What is chosen, and how much that is. */
function keptWords(isPlaced: boolean): readonly string[] {
  const { figure } = page.view;
  const { brush: block } = page.choice;
  const cells = block && cellsOf(block);
  if (block === undefined || figure?.grid === undefined) return [];
  let [bytes, pairs] = [0, 0];
  const { cells: places, columns } = figure.grid;
  places.forEach((cell, row) => {
    if (cells === undefined || !isWithin(cells, Math.floor(cell / columns.length), cell % columns.length)) return;
    bytes += Number(figure.table.rows[row]?.[2]);
    pairs += Number(figure.table.rows[row]?.[3]);
  });
  const amount = pairs === 0 ? 'nothing' : `${formatBytes(bytes)} of ${countOf(pairs, 'pair')}`;
  const outside = cells === undefined ? ' (outside of what is shown)' : `: ${amount}`;
  return [`${isPlaced ? 'The picture keeps' : 'Chosen:'} ${brushWords(block)}${outside}.`];
}

function markedWords({ marked }: TrafficAbout): readonly string[] {
  if (marked === undefined || selected === undefined) return [];
  return [`Outlined: ${marked.length === 0 ? 'no cell has' : countOf(marked.length, 'cell') + (marked.length === 1 ? ' has' : ' have')} ${selected.words}.`]; // prettier-ignore
}

/** Whether the map is of the text as it is. */
function standing(): Standing {
  const { about } = page;
  if (about?.stale !== true) return ['fresh'];
  const toProblem: NoticeAction = {
    text: 'Go to the problem',
    act: () => {
      page.post({ kind: 'reveal-problem' });
    },
  };
  const { problem } = about;
  if (problem !== undefined) return ['stale', { text: problem.message, actions: problem.location === undefined ? [] : [toProblem] }]; // prettier-ignore
  return ['stale', { text: 'The text has changed since this was worked out. Save the file for the new map.' }];
}
