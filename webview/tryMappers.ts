/**
 * The page of mappers that are tried on a placement: a table that fills while they run, sorted as the user likes. Enter on a row
 * shows what it would change in the picture, a second Enter writes it into the text, Escape leaves all as it was.
 */
import {
  budgets,
  isToMapperPage,
  mostSeeds,
  type Budget,
  type ComparisonRow,
  type FromMapperPage,
  type ToMapperPage,
  type TriedMappers,
  type TryMappersOptions,
} from '../server/protocol/mapperComparison.ts';
import { field, make } from './page/controls.ts';
import { Frame, type PageStatus } from './page/frame.ts';
import { localised, t } from './page/words.ts';
import type { ChooserRow, ChooserShown, Sort } from './table/chooserTable.ts';
import { statusOfOldTable, TablePage } from './table/tablePage.ts';

/** What outlives the page. */
interface SavedState extends TryMappersOptions {
  readonly sort: Sort;
}

const budgetWords: Readonly<Record<Budget, readonly [text: string, hint: string]>> = {
  quick: [t('Quick, 2 s each'), t('Quick: at most 2 s per mapper')],
  thorough: [t('Thorough, 1 min each'), t('Thorough: at most 1 min per mapper; auto searches for 10 s')],
};

const frame = new Frame<FromMapperPage, ToMapperPage, SavedState>(isToMapperPage);
const { post } = frame;
const saved = frame.load();
let table: TriedMappers | undefined;
/** The row that the picture shows. */
let previewed: string | undefined;

const seeds = make('input', { type: 'number', min: '1', max: String(mostSeeds), step: '1', id: 'seeds' });
seeds.value = String(saved?.seeds ?? 1);
seeds.title = t('Number of seeds; with several, metrics are mean and standard deviation');
const budget = make(
  'select',
  { id: 'budget' },
  ...budgets.map((one) => make('option', { value: one, title: budgetWords[one][1] }, budgetWords[one][0])),
);
budget.value = saved?.budget ?? 'quick';
const page = new TablePage({
  name: t('Try mappers'),
  title: t('Mapper'),
  controlsName: t('Options of Try Mappers'),
  progressName: t('Tried mappers'),
  hints: {
    again: t('Try again: run all mappers'),
    stop: t('Stop: keep the results so far'),
    write: t('Write the selected mapper into the text'),
  },
  options: [field(t('Budget'), budget), field(t('Seeds'), seeds)],
  sort: saved?.sort ?? { column: 'hopBytes', isDescending: false },
  marksLeast: true,
  sorted: saveTrial,
  chosen: (mapper, byKeyboard) => {
    // By keyboard the second time writes; a double-click is no second thought.
    post({ kind: byKeyboard && previewed === mapper ? 'write' : 'preview', mapper });
  },
  write: (mapper) => {
    post({ kind: 'write', mapper });
  },
  begin: beginMapperRun,
  frame,
});

function optionsNow(): TryMappersOptions {
  const count = Math.min(Math.max(1, Math.round(seeds.valueAsNumber || 1)), mostSeeds);
  seeds.value = String(count);
  return { budget: budgets.find((one) => one === budget.value) ?? 'quick', seeds: count };
}

function beginMapperRun(): void {
  page.said = undefined;
  post({ kind: 'try', ...optionsNow() });
}

function saveTrial(): void {
  frame.save({ ...optionsNow(), sort: page.chooser.sort });
}

for (const control of [seeds, budget]) {
  control.addEventListener('change', () => {
    saveTrial();
    beginMapperRun();
  });
}

function receiveMappers(message: ToMapperPage): void {
  switch (message.kind) {
    case 'table': {
      const isOther = table?.uri !== message.table?.uri || table?.placement !== message.table?.placement;
      table = message.table;
      if (isOther) {
        [previewed, page.said] = [undefined, undefined];
        page.chooser.leave();
      }
      // What is under way again is not what was said of the one before.
      if (table?.state === 'waiting') page.said = undefined;
      if (isOther && table !== undefined) [budget.value, seeds.value] = [table.budget, String(table.seeds)];
      break;
    }
    case 'previewed':
      previewed = message.mapper;
      if (message.mapper !== undefined) page.said = undefined;
      break;
    case 'said':
      page.said = message;
      break;
  }
  showMappers();
}

function showMappers(): void {
  page.show({
    ...(table && { chosen: { ...table, isBusy: isBusy(table), isStale: table.stale } }),
    whyEmpty: whyNoMappers(),
    ...(table && table.rows.length > 0 && { table: mapperTable(table) }),
    pressed: previewed,
    status: mapperTableStatus(),
  });
}

const isBusy = ({ state }: TriedMappers): boolean => state === 'running' || state === 'waiting';

function mapperTable({ placement, columns, rows, notes, stale, restored }: TriedMappers): ChooserShown {
  const hint =
    restored === true
      ? t('Results from before the window reload.')
      : stale
        ? t('Out of date: try again')
        : t('Preview in the diagram; press Enter again to write it into the text');
  return { caption: t('Tried mappers, {0}', placement), columns, rows: rows.map(mapperRow), hint, notes };
}

function whyNoMappers(): string {
  if (table === undefined) return t('No placement selected. Choose “Try mappers” above a placement.');
  if (table.state === 'failed') return localised(table.reason ?? '');
  return table.state === 'stopped' ? t('Stopped.') : t('Evaluating the placement …');
}

function mapperTableStatus(): PageStatus {
  if (table === undefined) return ['fresh'];
  const again = { text: t('Try again'), act: beginMapperRun };
  if (previewed !== undefined) {
    const text = t('Preview of `{0}` in the diagram. Enter writes it into the text, Escape cancels.', previewed);
    const writeIt = frame.action(t('Write'), { kind: 'write', mapper: previewed });
    return ['preview', { text, actions: [writeIt, frame.action(t('Leave'), { kind: 'leave' })] }];
  }
  if (page.said !== undefined) return [page.said.isFault ? 'failed' : 'fresh', { text: page.said.text }];
  if (table.state === 'failed')
    return ['failed', { text: table.rows.length > 0 ? (table.reason ?? '') : '', actions: [again] }];
  const old = statusOfOldTable(table, t('Out of date: the text has changed since the mappers ran.'), beginMapperRun);
  if (old !== undefined) return old;
  if (isBusy(table)) return ['working'];
  if (table.state === 'stopped')
    return ['fresh', { text: t('Stopped; finished mappers are shown.'), actions: [again] }];
  return ['fresh'];
}

/** Those without figures come behind the others, what may still come first. */
const ranks = { placed: 0, running: 1, waiting: 2, stopped: 3, refused: 4 } as const;

function mapperRow(row: ComparisonRow): ChooserRow {
  const { mapper: name, cells, words, state, isWritten } = row;
  const told = cells.length > 0 ? localised(words) : mapperRowWords(row);
  return {
    name,
    title: localised(name),
    cells,
    words: told,
    isWritten,
    rank: ranks[state],
    isRefused: state === 'refused',
  };
}

function mapperRowWords({ state, words }: ComparisonRow): string {
  if (state === 'running') return words === '' ? t('running …') : t('running: {0}', localised(words));
  if (state === 'waiting')
    return table?.state === 'stopped' || table?.state === 'failed' ? t('not tried') : t('waiting');
  return state === 'refused' ? t('does not apply: {0}', localised(words)) : localised(words);
}

frame.listen(receiveMappers);
showMappers();
post({ kind: 'ready' });
