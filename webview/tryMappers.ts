/**
 * The page of mappers that are tried on a placement: a table that fills while they run, sorted as the user likes. Enter on a row
 * shows what it would change in the picture, a second Enter writes it into the text, Escape leaves all as it was.
 */
import {
  budgets,
  isToMapperPage,
  mostSeeds,
  type Budget,
  type ComparisonCell,
  type ComparisonRow,
  type FromMapperPage,
  type ToMapperPage,
  type TriedMappers,
  type TryMappersOptions,
} from '../server/protocol/mapperComparison.ts';
import { protocolVersion } from '../server/protocol/messages.ts';
import { button, field, make, startToolkit } from './controls.ts';
import { openHost } from './host.ts';
import { createNotice, statusWords, type Notice, type Status } from './page.ts';
import { said as localised, t } from './words.ts';

/** What outlives the page: the editor throws it away when it is hidden. */
interface SavedState extends TryMappersOptions {
  readonly version: number;
  readonly sort: Sort;
}

/** `mapper`: by name. */
interface Sort {
  readonly column: string;
  readonly isDescending: boolean;
}

const budgetWords: Readonly<Record<Budget, readonly [text: string, hint: string]>> = {
  quick: [t('Quick, 2 s each'), t('Quick: a mapper is stopped after two seconds')],
  thorough: [
    t('Thorough, 1 min each'),
    t('Thorough: a mapper is stopped after a minute, and auto searches for ten seconds'),
  ],
};

startToolkit();
const host = openHost<FromMapperPage, ToMapperPage, SavedState>(isToMapperPage);
const { post } = host;
const saved = host.load();
let sort: Sort = saved?.sort ?? { column: 'hopBytes', isDescending: false };
let table: TriedMappers | undefined;
/** The row that the picture shows. */
let previewed: string | undefined;
/** The row that has the keyboard, by its mapper: it keeps it wherever it is sorted to. */
let current: string | undefined;
let said: Extract<ToMapperPage, { kind: 'said' }> | undefined;

const title = make('h1', {}, t('Try mappers'));
const subject = make('span', { class: 'machine faint' });
const status = make('span', { class: 'status', role: 'status', 'aria-live': 'polite' });
const seeds = make('input', { type: 'number', min: '1', max: String(mostSeeds), step: '1', id: 'seeds' });
seeds.value = String(saved?.seeds ?? 1);
seeds.title = t('How many seeds: of several, figures are the mean and the standard deviation');
const budget = make(
  'select',
  { id: 'budget' },
  ...budgets.map((one) => make('option', { value: one, title: budgetWords[one][1] }, budgetWords[one][0])),
);
budget.value = saved?.budget ?? 'quick';
const tryAgain = button(t('Try again'), t('Try again: all mappers from the beginning'), () => {
  begin();
});
const stop = button(t('Stop'), t('Stop: what is there stays'), () => {
  post({ kind: 'stop' });
});
const write = button(t('Write'), t('Write the mapper of the chosen row into the text'), () => {
  if (current !== undefined) post({ kind: 'write', mapper: current });
});
const copy = button(t('Copy'), t('Copy the table as CSV'), () => {
  post({ kind: 'copy' });
});
const saveCsv = button(t('Save'), t('Save the table as CSV'), () => {
  post({ kind: 'save' });
});
const controls = make(
  'div',
  { class: 'controls options tried-controls', role: 'group', 'aria-label': t('How mappers are tried') },
  field(t('Budget'), budget),
  field(t('Seeds'), seeds),
  ...[tryAgain, stop, write, copy, saveCsv],
);
const progress = make('progress', { max: '1', value: '0', 'aria-label': t('Mappers tried'), class: 'tried-progress' });
const reason = make('p', { class: 'reason' });
const frame = make('div', { class: 'tables tried', tabindex: '-1' });
const notes = make('p', { class: 'faint tried-notes' });
const notice = createNotice();
const body = make('div', { class: 'body' }, progress, reason, frame, notice.element);
document
  .getElementById('placewright')!
  .replaceChildren(make('header', {}, make('div', { class: 'headline' }, title, subject, status), controls), body);

function optionsNow(): TryMappersOptions {
  const count = Math.min(Math.max(1, Math.round(seeds.valueAsNumber || 1)), mostSeeds);
  seeds.value = String(count);
  return { budget: budgets.find((one) => one === budget.value) ?? 'quick', seeds: count };
}

function begin(): void {
  said = undefined;
  post({ kind: 'try', ...optionsNow() });
}

function save(): void {
  host.save({ version: protocolVersion, ...optionsNow(), sort });
}

for (const control of [seeds, budget]) {
  control.addEventListener('change', () => {
    save();
    begin();
  });
}

function receive(message: ToMapperPage): void {
  switch (message.kind) {
    case 'table': {
      const isOther = table?.uri !== message.table?.uri || table?.placement !== message.table?.placement;
      table = message.table;
      if (isOther) [previewed, current, said] = [undefined, undefined, undefined];
      // What is under way again is not what was said of the one before.
      if (table?.state === 'waiting') said = undefined;
      if (isOther && table !== undefined) [budget.value, seeds.value] = [table.budget, String(table.seeds)];
      break;
    }
    case 'previewed':
      previewed = message.mapper;
      if (message.mapper !== undefined) said = undefined;
      break;
    case 'said':
      said = message;
      break;
  }
  show();
}

function show(): void {
  title.textContent = table?.placement ?? t('Try mappers');
  subject.textContent = localised(table?.subject ?? '');
  subject.title = subject.textContent;
  const [value, told] = standing();
  status.dataset['status'] = value;
  status.textContent = statusWords[value];
  notice.show(told);
  reason.hidden = table !== undefined && table.rows.length > 0;
  reason.textContent = whyEmpty();
  frame.hidden = !reason.hidden;
  showControls();
  if (table === undefined || frame.hidden) return;
  notes.textContent = table.notes.map(localised).join(' ');
  showRows(table);
}

function showControls(): void {
  const { state, share, rows, stale } = table ?? nothing;
  const isBusy = state === 'running' || state === 'waiting';
  progress.hidden = !isBusy;
  progress.value = share;
  stop.toggleAttribute('disabled', !isBusy);
  tryAgain.toggleAttribute('disabled', table === undefined || isBusy);
  for (const one of [copy, saveCsv])
    one.toggleAttribute(
      'disabled',
      rows.every(({ cells }) => cells.length === 0),
    );
  write.toggleAttribute('disabled', stale || !rows.some(({ mapper, cells }) => mapper === current && cells.length > 0));
}

/** Where no placement is chosen. */
const nothing = { state: 'complete', share: 0, rows: [], stale: false } as const;

function whyEmpty(): string {
  if (table === undefined)
    return t('No placement is chosen. “Try mappers” above a placement places it with every mapper.');
  if (table.state === 'failed') return localised(table.reason ?? '');
  return t('The placement itself is being worked out.');
}

function standing(): readonly [Status, Notice?] {
  if (table === undefined) return ['fresh'];
  const again = { text: t('Try again'), act: begin };
  if (previewed !== undefined) {
    const mapper = previewed;
    return [
      'preview',
      {
        text: t(
          'The picture shows what `{0}` would change. Enter writes it into the text, Escape leaves all as it was.',
          mapper,
        ),
        actions: [
          { text: t('Write it'), act: () => { post({ kind: 'write', mapper }); } }, // prettier-ignore
          { text: t('Leave'), act: () => { post({ kind: 'leave' }); } }, // prettier-ignore
        ],
      },
    ];
  }
  if (said !== undefined) return [said.isFault ? 'failed' : 'fresh', { text: said.text }];
  if (table.state === 'failed')
    return ['failed', { text: table.rows.length > 0 ? (table.reason ?? '') : '', actions: [again] }];
  if (table.stale) return ['stale', { text: t('The text has changed since these were tried.'), actions: [again] }];
  if (table.state === 'running' || table.state === 'waiting') return ['working'];
  if (table.state === 'stopped')
    return ['fresh', { text: t('Stopped: what was done by then is shown.'), actions: [again] }];
  return ['fresh'];
}

/** Those that have figures first, sorted by them; others as they come. */
function sorted({ rows, columns }: TriedMappers): readonly ComparisonRow[] {
  const index = columns.findIndex(({ key }) => key === sort.column);
  const sign = sort.isDescending ? -1 : 1;
  if (index < 0) return rows.toSorted((one, other) => sign * one.mapper.localeCompare(other.mapper, 'en'));
  const valueOf = ({ cells }: ComparisonRow): number | undefined => cells[index]?.value;
  const rank = { placed: 0, running: 1, waiting: 2, stopped: 3, refused: 4 } as const;
  const placeOf = (row: ComparisonRow): number => (valueOf(row) === undefined ? rank[row.state] : -1);
  return rows.toSorted(
    (one, other) => placeOf(one) - placeOf(other) || sign * ((valueOf(one) ?? 0) - (valueOf(other) ?? 0)),
  );
}

function showRows(shown: TriedMappers): void {
  const rows = sorted(shown);
  const hadFocus = frame.contains(document.activeElement) && document.activeElement?.closest('tbody') !== null;
  const sortButton = document.activeElement?.closest('thead')?.contains(document.activeElement) === true ? (document.activeElement as HTMLElement).dataset['column'] : undefined; // prettier-ignore
  const first = rows.find(({ cells }) => cells.length > 0);
  const focusable = rows.some(({ mapper, cells }) => mapper === current && cells.length > 0) ? current : first?.mapper;
  const best = bestOf(shown);
  const headings = [
    { key: 'mapper', title: t('Mapper'), hint: t('By name') },
    ...shown.columns.map((column) => ({ ...column, title: localised(column.title), hint: localised(column.hint) })),
  ];
  const caption = make('caption', { class: 'unseen' }, t('Mappers tried on {0}', shown.placement));
  const head = make('thead', {}, make('tr', {}, ...headings.map(heading)));
  const lines = rows.map((row) => line(row, shown, focusable, best));
  const scroll = [frame.scrollLeft, frame.scrollTop] as const;
  frame.replaceChildren(make('table', {}, caption, head, make('tbody', {}, ...lines)), notes);
  [frame.scrollLeft, frame.scrollTop] = scroll;
  if (hadFocus) frame.querySelector<HTMLElement>('tbody button[tabindex="0"]')?.focus({ preventScroll: true });
  if (sortButton !== undefined) frame.querySelector<HTMLElement>(`thead button[data-column="${sortButton}"]`)?.focus();
}

/** The least of each column. */
function bestOf({ columns, rows }: TriedMappers): ReadonlyMap<string, number> {
  return new Map(
    columns.map(({ key }, index) => [key, Math.min(...rows.flatMap(({ cells }) => cells[index]?.value ?? []))]),
  );
}

function heading({
  key,
  title: text,
  hint,
}: {
  readonly key: string;
  readonly title: string;
  readonly hint: string;
}): HTMLElement {
  // prettier-ignore
  const isSorted = sort.column === key;
  const arrow = isSorted ? (sort.isDescending ? ' ▾' : ' ▴') : '';
  const sorter = make('button', { type: 'button', title: t('{0} Click to sort.', hint), 'data-column': key }, `${text}${arrow}`); // prettier-ignore
  sorter.setAttribute('aria-label', t('{0}: sort', text));
  sorter.addEventListener('click', () => {
    sort = { column: key, isDescending: isSorted && !sort.isDescending };
    save();
    show();
  });
  const order = isSorted ? { 'aria-sort': sort.isDescending ? 'descending' : 'ascending' } : {};
  return make('th', { scope: 'col', class: key === 'mapper' ? '' : 'numeric', ...order }, sorter);
}

function line(
  row: ComparisonRow,
  { columns, stale }: TriedMappers,
  focusable: string | undefined,
  best: ReadonlyMap<string, number>,
): HTMLElement {
  // prettier-ignore
  const { mapper, isWritten, cells, words, state } = row;
  const isShown = previewed === mapper;
  const name = make('th', { scope: 'row' });
  if (cells.length > 0) {
    const chooser = make('button', { type: 'button', 'aria-pressed': String(isShown) }, mapper);
    chooser.tabIndex = mapper === focusable ? 0 : -1;
    chooser.title = stale ? t('The text has changed: try again') : t('Show in the picture what it would change; Enter once more writes it into the text'); // prettier-ignore
    chooser.dataset['mapper'] = mapper;
    chooser.addEventListener('focus', () => {
      if (current === mapper) return;
      current = mapper;
      write.toggleAttribute('disabled', stale);
    });
    chooser.addEventListener('click', (event) => {
      current = mapper;
      // By keyboard the second time writes; a double-click is no second thought.
      if (event.detail === 0 && previewed === mapper) post({ kind: 'write', mapper });
      else post({ kind: 'preview', mapper });
    });
    name.append(chooser);
  } else name.append(mapper);
  const told = cells.length > 0 && words !== '' ? [make('div', { class: 'faint' }, localised(words))] : [];
  name.append(...told);
  const classes = [isWritten ? 'written' : '', isShown ? 'shown' : '', cells.length === 0 ? 'empty' : ''];
  const figures =
    cells.length === 0
      ? [
          make(
            'td',
            { colspan: String(columns.length), class: state === 'refused' ? 'faint why' : 'faint' },
            wordsOf(row),
          ),
        ]
      : cells.map((cell, index) => figure(cell, best.get(columns[index]!.key)));
  return make('tr', { class: classes.filter((one) => one !== '').join(' ') }, name, ...figures);
}

function wordsOf({ state, words }: ComparisonRow): string {
  if (state === 'running') return words === '' ? t('running …') : t('running: {0}', localised(words));
  if (state === 'waiting')
    return table?.state === 'stopped' || table?.state === 'failed' ? t('not tried') : t('waiting');
  return state === 'refused' ? t('does not apply: {0}', localised(words)) : localised(words);
}

function figure(cell: ComparisonCell | null, best: number | undefined): HTMLElement {
  if (cell === null) return make('td', { class: 'numeric faint' }, '–');
  const { text, detail, change, isBetter, value } = cell;
  const behind = change === undefined ? [] : [make('span', { class: isBetter === true ? 'change better' : 'change faint' }, change)]; // prettier-ignore
  const more = detail === undefined ? [] : [make('span', { class: 'faint' }, detail)];
  const main = value === best ? make('strong', {}, text) : make('span', {}, text);
  return make('td', { class: 'numeric' }, make('div', { class: 'figure-line' }, main, ...more, ...behind));
}

/** Rows by arrow keys; the one in sight has the focus. */
function moveFocus(event: KeyboardEvent): void {
  const all = [...frame.querySelectorAll<HTMLElement>('tbody button')];
  const now = all.findIndex((one) => one === document.activeElement);
  if (now < 0) return;
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: now + 1,
    ArrowUp: now - 1,
    Home: 0,
    End: all.length - 1,
  };
  const wanted = steps[event.key];
  const next = wanted === undefined ? undefined : all[wanted];
  if (next === undefined) return;
  event.preventDefault();
  for (const one of all) one.tabIndex = one === next ? 0 : -1;
  next.focus();
}

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') post({ kind: 'leave' });
  // Who holds the key down has not looked at the picture yet.
  else if (event.key === 'Enter' && event.repeat) event.preventDefault();
  else moveFocus(event);
});
host.listen(receive);
show();
post({ kind: 'ready' });
