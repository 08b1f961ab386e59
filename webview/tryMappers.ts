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
import { protocolVersion } from '../server/protocol/messages.ts';
import { ChooserTable, type ChooserRow, type Sort } from './chooserTable.ts';
import { button, field, make, startToolkit } from './controls.ts';
import { openHost } from './host.ts';
import { createNotice, statusWords, type Notice, type Status } from './page.ts';
import { said as localised, t } from './words.ts';

/** What outlives the page: the editor throws it away when it is hidden. */
interface SavedState extends TryMappersOptions {
  readonly version: number;
  readonly sort: Sort;
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
let table: TriedMappers | undefined;
/** The row that the picture shows. */
let previewed: string | undefined;
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
  if (chooser.current !== undefined) post({ kind: 'write', mapper: chooser.current });
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
const chooser = new ChooserTable({
  title: t('Mapper'),
  sort: saved?.sort ?? { column: 'hopBytes', isDescending: false },
  marksLeast: true,
  sorted: () => {
    save();
  },
  moved: () => {
    write.toggleAttribute('disabled', table?.stale === true);
  },
  chosen: (mapper, byKeyboard) => {
    // By keyboard the second time writes; a double-click is no second thought.
    post({ kind: byKeyboard && previewed === mapper ? 'write' : 'preview', mapper });
  },
});
const frame = chooser.element;
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
  host.save({ version: protocolVersion, ...optionsNow(), sort: chooser.sort });
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
      if (isOther) {
        [previewed, said] = [undefined, undefined];
        chooser.leave();
      }
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
  const { placement, columns, rows, notes, stale } = table;
  const hint = stale
    ? t('The text has changed: try again')
    : t('Show in the picture what it would change; Enter once more writes it into the text');
  chooser.show(
    { caption: t('Mappers tried on {0}', placement), columns, rows: rows.map(rowOf), hint, notes },
    previewed,
  );
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
  write.toggleAttribute(
    'disabled',
    stale || !rows.some(({ mapper, cells }) => mapper === chooser.current && cells.length > 0),
  );
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

/** Those without figures come behind the others, what may still come first. */
const ranks = { placed: 0, running: 1, waiting: 2, stopped: 3, refused: 4 } as const;

function rowOf(row: ComparisonRow): ChooserRow {
  const { mapper: name, cells, words, state, isWritten } = row;
  const told = cells.length > 0 ? localised(words) : wordsOf(row);
  return { name, cells, words: told, isWritten, rank: ranks[state], isRefused: state === 'refused' };
}

function wordsOf({ state, words }: ComparisonRow): string {
  if (state === 'running') return words === '' ? t('running …') : t('running: {0}', localised(words));
  if (state === 'waiting')
    return table?.state === 'stopped' || table?.state === 'failed' ? t('not tried') : t('waiting');
  return state === 'refused' ? t('does not apply: {0}', localised(words)) : localised(words);
}

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') post({ kind: 'leave' });
});
host.listen(receive);
show();
post({ kind: 'ready' });
