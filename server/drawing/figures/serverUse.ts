/**
 * The servers of a simulated cluster: a row for each of the busiest, how long it worked beside what the queueing model had predicted, and how
 * long messages waited there.
 */
import { largestOf } from '../../model/lists.ts';
import { countOf, formatSeconds, formatShare } from '../../model/quantities.ts';
import { serverWords } from '../../study/explain/words.ts';
import { simulatedServers, type SimulatedServer } from '../../performance/serverUse.ts';
import { axisBelow, makeAxis, type Axis } from './axes.ts';
import {
  curveColors,
  headHeight,
  figureHead,
  line,
  loadPaint,
  notesAt,
  pageMargin,
  pageWidth,
  pixel,
  smallSize,
  text,
  textWidth,
  wrapped,
  type Cell,
  type Figure,
  type Paint,
  type Shape,
} from './figure.ts';
import { predictionWords, type SimulationFigure } from './simulation.ts';

/** Servers that are drawn. */
const drawnServers = 40;
const rowHeight = 14;
/** Of the columns of numbers at the right. */
const numberWidth = 74;

/** O(pairs + servers · log servers). */
export function drawServers({ report, result, about }: SimulationFigure): Figure {
  const servers = simulatedServers(report, result);
  const drawn = servers.slice(0, drawnServers);
  const left =
    pageMargin + Math.max(40, largestOf(drawn.map((server) => textWidth(serverWords(server), smallSize)))) + 8;
  const right = pageWidth - pageMargin - 3 * numberWidth;
  const top = headHeight + 14;
  const bottom = top + rowHeight * Math.max(1, drawn.length);
  const high = Math.max(100, largestOf(drawn.map(({ predicted = 0 }) => 100 * Math.min(2, predicted))));
  const x = makeAxis({ name: 'Utilisation', unit: '%', low: 0, high, from: left, to: right, spacing: 60 });
  const title = `${report.name}: server utilisation`;
  const words = serverUseWords(servers);
  const notes = notesAt(wrapped(words, pageWidth - 2 * pageMargin, smallSize), bottom + 62);
  return {
    title,
    subtitle: about,
    description: `${title}, ${about}. ${words}`,
    width: pageWidth,
    height: bottom + 62 + notes.length * 16 + pageMargin,
    shapes: [
      ...figureHead(title, about),
      ...serverBars(drawn, x, top),
      ...predictionStrokes(drawn, x, top),
      ...serverRowLabels(drawn, { left, right, top }),
      ...axisBelow(x, { left, right, bottom }),
      ...notes,
    ],
    table: {
      head: [
        'server',
        'node',
        'socket',
        'core',
        'messages',
        'busy',
        'predicted',
        'error',
        'waited',
        'waited by a message',
      ],
      rows: servers.map(({ server, node, socket, core, visits, utilisation, predicted, waited }): readonly Cell[] => [
        ...[server, node, socket ?? null, core ?? null, visits, utilisation],
        ...[predicted ?? null, predicted === undefined || utilisation === 0 ? null : predicted / utilisation - 1],
        ...[waited.seconds, waited.seconds / visits],
      ]),
      units: ['', '', '', '', '', 'of the time', 'of the time', '', 's', 's'],
    },
    marks: {
      boxes: drawn.flatMap((_, row) => [pageMargin, top + row * rowHeight, pageWidth - 2 * pageMargin, rowHeight]),
      rows: [...drawn.keys()],
    },
  };
}

/** Bars of one colour are one shape. */
function serverBars(drawn: readonly SimulatedServer[], x: Axis, top: number): Shape[] {
  const boxes = new Map<Paint, number[]>();
  drawn.forEach(({ utilisation }, row) => {
    const paint = loadPaint(utilisation);
    const own = boxes.get(paint) ?? [];
    boxes.set(paint, own);
    own.push(pixel(x.at(0)), pixel(top + row * rowHeight + 2), pixel(x.at(100 * utilisation) - x.at(0)), rowHeight - 4);
  });
  return [...boxes].map(([fill, own]): Shape => ({ kind: 'boxes', boxes: own, fill }));
}

/** A stroke across the row of each. */
const predictionStrokes = (drawn: readonly SimulatedServer[], x: Axis, top: number): Shape[] =>
  drawn.flatMap(({ predicted }, row): Shape[] => {
    if (predicted === undefined) return [];
    const [at, y] = [x.at(100 * Math.min(2, predicted)), top + row * rowHeight];
    return [line([at, y + 1, at, y + rowHeight - 1], curveColors[1], 2)];
  });

function serverRowLabels(
  drawn: readonly SimulatedServer[],
  { left, right, top }: { readonly left: number; readonly right: number; readonly top: number },
): Shape[] {
  const at = (column: number): number => right + column * numberWidth;
  const heads = ['busy', 'predicted', 'waits'].map((head, column) =>
    text(head, at(column + 1), top - 5, { size: smallSize, anchor: 'end', color: 'faint' }),
  );
  const rows = drawn.flatMap((server, row): Shape[] => {
    const { utilisation, predicted, waited, visits } = server;
    const y = top + row * rowHeight + rowHeight - 3;
    const numbers = [
      formatShare(utilisation),
      predicted === undefined ? '' : formatShare(predicted),
      formatSeconds(waited.seconds / visits),
    ];
    return [
      text(serverWords(server), left - 6, y, { size: 10, anchor: 'end' }),
      ...numbers.map((number, column) => text(number, at(column + 1), y, { size: 10, anchor: 'end' })),
    ];
  });
  return [...heads, ...rows];
}

function serverUseWords(servers: readonly SimulatedServer[]): string {
  const [first] = servers;
  if (first === undefined) return 'No server is used.';
  const busiest = `Highest utilisation of ${countOf(servers.length, 'server')}: ${serverWords(first)}, ${formatShare(first.utilisation)} of the time.`;
  const more = servers.length > drawnServers ? ` Shown: ${drawnServers} links with the highest utilisation.` : '';
  const uses = servers.map(({ utilisation: busy, predicted }) => ({ busy, predicted }));
  return `${busiest}${predictionWords('The queueing model predicts', uses, 'at the given message rates')}${more}`;
}
