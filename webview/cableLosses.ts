/**
 * The page of what a placement costs once a cable has failed: a table of cables, the worst first. Enter on a row selects the cable in
 * the picture, a second Enter or the button writes `without …` into the machine.
 */
import {
  isToLossPage,
  type CableLossRow,
  type FromLossPage,
  type ShownLosses,
  type ToLossPage,
} from '../server/protocol/cableLosses.ts';
import { protocolVersion } from '../server/protocol/messages.ts';
import { ChooserTable, type ChooserRow, type Sort } from './chooserTable.ts';
import { button, make, startToolkit } from './controls.ts';
import { openHost } from './host.ts';
import { createNotice, statusWords, type Notice, type Status } from './page.ts';
import { said as localised, t } from './words.ts';

/** What outlives the page: the editor throws it away when it is hidden. */
interface SavedState {
  readonly version: number;
  readonly sort: Sort;
}

startToolkit();
const host = openHost<FromLossPage, ToLossPage, SavedState>(isToLossPage);
const { post } = host;
let shown: ShownLosses | undefined;
/** The row whose cable is selected in the picture. */
let selected: string | undefined;
let said: Extract<ToLossPage, { kind: 'said' }> | undefined;

const title = make('h1', {}, t('Cable losses'));
const subject = make('span', { class: 'machine faint' });
const status = make('span', { class: 'status', role: 'status', 'aria-live': 'polite' });
const again = button(t('Try again'), t('Try again: every cable from the beginning'), () => {
  begin();
});
const stop = button(t('Stop'), t('Stop: no further cable is taken out'), () => {
  post({ kind: 'stop' });
});
const write = button(t('Write'), t('Write `without` the cable of the chosen row into the machine'), () => {
  if (chooser.current !== undefined) post({ kind: 'write', cable: chooser.current });
});
const copy = button(t('Copy'), t('Copy the table as CSV'), () => {
  post({ kind: 'copy' });
});
const saveCsv = button(t('Save'), t('Save the table as CSV'), () => {
  post({ kind: 'save' });
});
const controls = make(
  'div',
  { class: 'controls options tried-controls', role: 'group', 'aria-label': t('What is done with the table') },
  ...[again, stop, write, copy, saveCsv],
);
const progress = make('progress', { max: '1', value: '0', 'aria-label': t('Cables tried'), class: 'tried-progress' });
const reason = make('p', { class: 'reason' });
const chooser = new ChooserTable({
  title: t('Without'),
  sort: host.load()?.sort ?? { column: 'cost', isDescending: true },
  marksLeast: false,
  sorted: (sort) => {
    host.save({ version: protocolVersion, sort });
  },
  moved: showControls,
  chosen: (cable, byKeyboard) => {
    post({ kind: byKeyboard && selected === cable ? 'write' : 'show', cable });
  },
});
const frame = chooser.element;
const notice = createNotice();
document
  .getElementById('placewright')!
  .replaceChildren(
    make('header', {}, make('div', { class: 'headline' }, title, subject, status), controls),
    make('div', { class: 'body' }, progress, reason, frame, notice.element),
  );

function begin(): void {
  said = undefined;
  post({ kind: 'try' });
}

function receive(message: ToLossPage): void {
  switch (message.kind) {
    case 'table': {
      const isOther = shown?.uri !== message.shown?.uri || shown?.placement !== message.shown?.placement;
      if (isOther || message.shown?.state === 'running') {
        [selected, said] = [undefined, undefined];
        chooser.leave();
      }
      shown = message.shown;
      break;
    }
    case 'selected':
      selected = message.cable;
      said = undefined;
      break;
    case 'said':
      said = message;
      break;
  }
  show();
}

function show(): void {
  title.textContent = shown?.placement ?? t('Cable losses');
  subject.textContent = localised(shown?.table?.subject ?? '');
  subject.title = subject.textContent;
  const [value, told] = standing();
  status.dataset['status'] = value;
  status.textContent = statusWords[value];
  notice.show(told);
  const table = shown?.table;
  reason.hidden = table !== undefined;
  reason.textContent = whyEmpty();
  frame.hidden = table === undefined;
  showControls();
  if (shown === undefined || table === undefined) return;
  const hint = t('Select the cable in the picture; Enter once more writes `without` it into the machine');
  const caption = t('What {0} costs without one cable', shown.placement);
  chooser.show({ caption, columns: table.columns, rows: table.rows.map(rowOf), hint, notes: table.notes }, selected);
}

const rowOf = ({ cable, cells }: CableLossRow): ChooserRow => ({ name: cable, cells, words: '', rank: 0 });

function showControls(): void {
  const isBusy = shown?.state === 'running';
  const rows = shown?.table?.rows ?? [];
  progress.hidden = !isBusy;
  progress.value = shown?.share ?? 0;
  stop.toggleAttribute('disabled', !isBusy);
  again.toggleAttribute('disabled', shown === undefined || isBusy);
  for (const one of [copy, saveCsv]) one.toggleAttribute('disabled', rows.length === 0);
  const isChosen = rows.some(({ cable }) => cable === chooser.current);
  write.toggleAttribute('disabled', shown?.stale === true || !isChosen);
}

function whyEmpty(): string {
  if (shown === undefined)
    return t('No placement is chosen. “Cable losses” above a placement says which cable it can spare least.');
  if (shown.state === 'failed') return localised(shown.reason ?? '');
  return shown.state === 'stopped' ? t('It was stopped.') : t('Every cable is taken out in turn …');
}

function standing(): readonly [Status, Notice?] {
  if (shown === undefined) return ['fresh'];
  const retry = { text: t('Try again'), act: begin };
  // What was written has changed it.
  if (shown.stale) return ['stale', { text: said?.text ?? t('The placement has changed since.'), actions: [retry] }];
  if (said !== undefined) return [said.isFault ? 'failed' : 'fresh', { text: said.text }];
  if (shown.state === 'failed') return ['failed', { text: '', actions: [retry] }];
  if (shown.state === 'running') return ['working'];
  if (selected === undefined) return ['fresh'];
  const cable = selected;
  const writeIt = { text: t('Write it'), act: () => { post({ kind: 'write', cable }); } }; // prettier-ignore
  return ['fresh', { text: t('Enter writes `without {0}` into the machine.', cable), actions: [writeIt] }];
}

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') post({ kind: 'leave' });
});
host.listen(receive);
show();
post({ kind: 'ready' });
