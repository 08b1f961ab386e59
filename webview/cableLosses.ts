/**
 * The page of what a placement costs once a cable has failed: a table of cables, the worst first. Enter on a row selects the cable in
 * the picture, a second Enter or the button writes `without …` into the machine.
 */
import {
  isToLossPage,
  type CableLossRow,
  type CableLossTable,
  type FromLossPage,
  type ShownLosses,
  type ToLossPage,
} from '../server/protocol/cableLosses.ts';
import { Frame, type PageStatus } from './page/frame.ts';
import { localised, t } from './page/words.ts';
import type { ChooserRow, ChooserShown, Sort } from './table/chooserTable.ts';
import { statusOfOldTable, TablePage } from './table/tablePage.ts';

const frame = new Frame<FromLossPage, ToLossPage, { readonly sort: Sort }>(isToLossPage);
const { post } = frame;
let shown: ShownLosses | undefined;
/** The row whose cable is selected in the picture. */
let selected: string | undefined;

const page = new TablePage({
  name: t('Link failures'),
  title: t('Without'),
  controlsName: t('Table actions'),
  progressName: t('Analysed links'),
  hints: {
    again: t('Try again: analyse all links'),
    stop: t('Stop: analyse no more links'),
    write: t('Write `without` this link into the machine'),
  },
  options: [],
  sort: frame.load()?.sort ?? { column: 'cost', isDescending: true },
  marksLeast: false,
  sorted: (sort) => {
    frame.save({ sort });
  },
  chosen: (cable, byKeyboard) => {
    post({ kind: byKeyboard && selected === cable ? 'write' : 'show', cable });
  },
  write: (cable) => {
    post({ kind: 'write', cable });
  },
  begin: beginLossRun,
  frame,
});

function beginLossRun(): void {
  page.said = undefined;
  post({ kind: 'try' });
}

function receiveLosses(message: ToLossPage): void {
  switch (message.kind) {
    case 'table': {
      const isOther = shown?.uri !== message.shown?.uri || shown?.placement !== message.shown?.placement;
      if (isOther || message.shown?.state === 'running') {
        [selected, page.said] = [undefined, undefined];
        page.chooser.leave();
      }
      shown = message.shown;
      break;
    }
    case 'selected':
      selected = message.cable;
      page.said = undefined;
      break;
    case 'said':
      page.said = message;
      break;
  }
  showLosses();
}

function showLosses(): void {
  page.show({
    ...(shown && {
      chosen: {
        ...shown,
        subject: shown.table?.subject ?? '',
        isBusy: shown.state === 'running',
        isStale: shown.stale,
      },
    }),
    whyEmpty: whyNoLosses(),
    ...(shown?.table && { table: shownLosses(shown.placement, shown.table) }),
    pressed: selected,
    status: lossTableStatus(),
  });
}

function shownLosses(placement: string, { columns, baselines, rows, notes }: CableLossTable): ChooserShown {
  const hint = t('Select the link in the diagram; press Enter again to write `without` into the machine');
  return {
    caption: t('Link failures of {0}', placement),
    columns,
    baselines: baselines.map(({ title, cells }) => ({ name: title, cells })),
    rows: rows.map(lossRow),
    hint,
    notes,
  };
}

const lossRow = ({ cable, cells }: CableLossRow): ChooserRow => ({ name: cable, cells, words: '', rank: 0 });

function whyNoLosses(): string {
  if (shown === undefined) return t('No placement selected. Choose “Link failures” above a placement.');
  if (shown.state === 'failed') return localised(shown.reason ?? '');
  return shown.state === 'stopped' ? t('Stopped.') : t('Analysing link failures …');
}

function lossTableStatus(): PageStatus {
  if (shown === undefined) return ['fresh'];
  const { said } = page;
  const retry = { text: t('Try again'), act: beginLossRun };
  // What was written has changed it.
  const old = statusOfOldTable(shown, said?.text ?? t('Out of date: the placement has changed.'), beginLossRun);
  if (old !== undefined) return old;
  if (said !== undefined) return [said.isFault ? 'failed' : 'fresh', { text: said.text }];
  if (shown.state === 'failed') return ['failed', { text: '', actions: [retry] }];
  if (shown.state === 'running') return ['working'];
  if (selected === undefined) return ['fresh'];
  const writeIt = frame.action(t('Write'), { kind: 'write', cable: selected });
  return ['fresh', { text: t('Press Enter to write `without {0}` into the machine.', selected), actions: [writeIt] }];
}

frame.listen(receiveLosses);
showLosses();
post({ kind: 'ready' });
