/**
 * Histograms beside the picture: how heavy links are, and how far bytes go. A part of one is chosen with the pointer or by keys; the
 * picture then keeps what is in it.
 */
import { formatBytes, formatNumber, formatShare } from '../../server/drawing/labels.ts';
import { formatLoad, shownLoad } from '../../server/drawing/loadScale.ts';
import type { Marks } from '../../server/drawing/marks.ts';
import type { Scene } from '../../server/drawing/scene.ts';
import { forEachCable } from '../../server/drawing/strokes.ts';
import type { KeptAnswer, KeptTarget } from '../../server/protocol/messages.ts';
import type { PictureSelection } from '../../server/protocol/selections.ts';
import { make, selection } from '../page/controls.ts';
import { counted, t } from '../page/words.ts';
import { scenePlaces } from '../picture/places.ts';

/** Neighbouring bins of a histogram, the last one included. */
interface BinRange {
  readonly first: number;
  readonly last: number;
}

/** What a histogram shows. */
interface Bins {
  /** How high each bar is. */
  readonly amounts: readonly number[];
  /** What a bin is of, for readers and beside the bars: `4–5 KiB`. */
  name(range: BinRange): string;
  /** How much is in a range, in words. */
  words(range: BinRange): string;
  /** Lines across the bars, by their place among the bins, 0 … number of bins. */
  readonly lines: readonly { readonly place: number; readonly name: string }[];
}

/** Bars of link loads. */
const loadBins = 24;
/** Of all bins, how far two lines are apart at least whose names have room beside each other, and the room for a name at the end. */
const nameRoom = 0.3;
const endRoom = 0.25;

/** On which side of their lines names stand, and which of two that are near stands in a row above: so that no line crosses the name of another. */
function namePlaces(
  lines: Bins['lines'],
  bins: number,
): readonly { readonly left: boolean; readonly above: boolean }[] {
  const [first, second] = lines;
  if (first === undefined || second === undefined || second.place - first.place >= nameRoom * bins) {
    return lines.map(({ place }) => ({ left: place > bins / 2, above: false }));
  }
  const left = second.place > (1 - endRoom) * bins;
  return [
    { left, above: !left },
    { left, above: left },
  ];
}

/** Directed links that carry something, by load, from 0 to the heaviest in equal steps. O(links). */
function binsOfLoads(scene: Scene): Bins {
  const { maximum, scale } = scene.loadLegend;
  const amounts = new Array<number>(loadBins).fill(0);
  forEachLoad(scene, (load) => {
    amounts[binOfLoad(load, maximum)]!++;
  });
  const used = amounts.reduce((sum, count) => sum + count, 0);
  const edge = (bin: number): number => (maximum * bin) / loadBins;
  const place = (load: number): number => Math.min(loadBins, (loadBins * load) / maximum);
  return {
    amounts,
    name: ({ first, last }) =>
      t('{0} to {1}', formatLoad(edge(first), scale.measure), formatLoad(edge(last + 1), scale.measure)),
    words: (range) => {
      const count = amounts.slice(range.first, range.last + 1).reduce((sum, amount) => sum + amount, 0);
      return t(
        '{0}, {1} of used links',
        counted(count, '1 link', '{0} links'),
        formatShare(used === 0 ? 0 : count / used),
      );
    },
    lines: [
      { place: place(scale.mean), name: t('mean') },
      ...(maximum >= scale.hotFrom && scale.measure === scene.loadScales[0]!.measure
        ? [{ place: place(scale.hotFrom), name: t('hot') }]
        : []),
    ],
  };
}

const binOfLoad = (load: number, maximum: number): number =>
  Math.min(loadBins - 1, Math.floor((loadBins * load) / maximum));

/** In the measure of the colours. */
function forEachLoad(scene: Scene, visit: (load: number, link: number) => void): void {
  const { links } = scene;
  forEachCable(links, (entry) => {
    if (links.forward[entry]! > 0) visit(shownLoad(scene, entry, true), links.forwardLink[entry]!);
    if (links.backward[entry]! > 0) visit(shownLoad(scene, entry, false), links.backwardLink[entry]!);
  });
}

/** The cables with a load in the range, in one direction at least, are painted alone. O(links). */
function marksOfLoads(scene: Scene, { first, last }: BinRange): Marks {
  const { links } = scene;
  const { maximum } = scene.loadLegend;
  const most = links.forwardLink.reduce(
    (largest, link, entry) => Math.max(largest, link, links.backwardLink[entry]!),
    0,
  );
  const kept = new Uint8Array(most + 1);
  forEachLoad(scene, (load, link) => {
    const bin = binOfLoad(load, maximum);
    if (bin >= first && bin <= last) kept[link] = 1;
  });
  return { links: new Map(), nodes: new Set(), kept };
}

/** The links of a range by the least and the largest load that one of them has; undefined where there are none. O(links). */
function selectionOfLoads(scene: Scene, range: BinRange): PictureSelection | undefined {
  let [least, most] = [Infinity, 0];
  forEachLoad(scene, (load) => {
    const bin = binOfLoad(load, scene.loadLegend.maximum);
    if (bin < range.first || bin > range.last) return;
    [least, most] = [Math.min(least, load), Math.max(most, load)];
  });
  const words = t('flows over links of {0}', binsOfLoads(scene).name(range));
  const isTime = scene.loadLegend.scale.measure === 'capacity';
  return least > most ? undefined : { target: { kind: 'loads', least, most, ...(isTime && { isTime }) }, words };
}

/** Bytes by the hops that they go, 0 within a node. */
function binsOfHops({ pairs, bytes }: NonNullable<Scene['hops']>): Bins {
  const all = bytes.reduce((sum, amount) => sum + amount, 0);
  const sumOf = (values: Float64Array, { first, last }: BinRange): number =>
    values.slice(first, last + 1).reduce((sum, value) => sum + value, 0);
  const mean = bytes.reduce((sum, amount, hops) => sum + hops * amount, 0) / (all || 1);
  return {
    amounts: [...bytes],
    name: ({ first, last }) =>
      first === last ? counted(first, '1 hop', '{0} hops') : t('{0} to {1}', first, counted(last, '1 hop', '{0} hops')),
    words: (range) =>
      t(
        '{0}, {1}, of {2}',
        formatBytes(sumOf(bytes, range)),
        formatShare(sumOf(bytes, range) / (all || 1)),
        counted(sumOf(pairs, range), '1 pair', '{0} pairs'),
      ),
    lines: all === 0 ? [] : [{ place: mean + 0.5, name: t('mean {0}', formatNumber(mean)) }],
  };
}

/** More routes than this would hide one another: their cables are painted alone. */
const mostRoutes = 4000;

/** What the host has found of flows that are kept: their links come out, or are painted alone. */
export function marksOfKept(scene: Scene, { links, nodes }: KeptAnswer): Marks {
  const places = scenePlaces(scene);
  const ends = new Set(scene.blocks === undefined ? nodes.flatMap((node) => places.nodeNumbered(node) ?? []) : []);
  if (links.length <= mostRoutes) return { links: new Map(links.map(({ link, share }) => [link, share])), nodes: ends };
  const kept = new Uint8Array(links.reduce((most, { link }) => Math.max(most, link), 0) + 1);
  for (const { link } of links) kept[link] = 1;
  return { links: new Map(), nodes: new Set(), kept };
}

interface Histogram {
  readonly element: HTMLElement;
  show(bins: Bins | undefined): void;
  /** Nothing is chosen any more; `chosen` is not called. */
  clear(): void;
}

/** Its bars, and below them a handle for either end of what is chosen; undefined: nothing is. */
function createHistogram(title: string, chosen: (range: BinRange | undefined) => void): Histogram {
  let bins: Bins | undefined;
  let range: BinRange | undefined;
  let isLogarithmic = false;
  const bars = make('div', { class: 'bins', 'aria-hidden': 'true' });
  const [low, high] = ['from', 'to'].map((end) =>
    make('input', { type: 'range', min: '0', step: '1', 'aria-label': `${title}, ${end}` }),
  ) as [HTMLInputElement, HTMLInputElement];
  const told = make('p', { class: 'faint', 'aria-live': 'polite' });
  const clearButton = make('button', { type: 'button', class: 'kind' }, t('All'));
  clearButton.title = t('All: show all links (Escape)');
  const heights = selection(t('Bars'), (value) => {
    isLogarithmic = value === 'logarithmic';
    paint();
  });
  heights.set(
    [
      ['linear', t('linear')],
      ['logarithmic', t('logarithmic')],
    ],
    'linear',
  );
  const options = make('div', { class: 'options' }, heights.element, clearButton);
  const element = make(
    'section',
    { class: 'histogram' },
    make('h2', {}, title),
    bars,
    make('div', { class: 'ends' }, low, high),
    told,
    options,
  );

  function paint(): void {
    if (bins === undefined) return;
    const { amounts, lines } = bins;
    const height = (amount: number): number => (isLogarithmic ? Math.log1p(amount) : amount);
    const most = amounts.reduce((largest, amount) => Math.max(largest, height(amount)), 0);
    const columns = amounts.map((amount, bin) => {
      const column = make('span', {
        class: 'bin',
        title: `${bins!.name({ first: bin, last: bin })}: ${bins!.words({ first: bin, last: bin })}`,
      });
      const bar = make('span');
      bar.style.height = `${most === 0 || amount === 0 ? 0 : Math.max(2, (100 * height(amount)) / most)}%`;
      column.append(bar);
      column.classList.toggle('out', range !== undefined && (bin < range.first || bin > range.last));
      return column;
    });
    const places = namePlaces(lines, amounts.length);
    const marks = lines.map(({ place, name }, index) => {
      const line = make('span', { class: 'line' }, make('span', {}, name));
      line.style.left = `${(100 * place) / amounts.length}%`;
      for (const [key, isSo] of Object.entries(places[index]!)) line.classList.toggle(key, isSo);
      return line;
    });
    bars.replaceChildren(...columns, ...marks);
    const isHigh = places.some(({ above }) => above);
    bars.classList.toggle('two-rows', isHigh);
    const last = amounts.length - 1;
    for (const [handle, bin] of [
      [low, range?.first ?? 0],
      [high, range?.last ?? last],
    ] as const) {
      handle.max = `${last}`;
      handle.value = `${bin}`;
      handle.setAttribute('aria-valuetext', bins.name({ first: bin, last: bin }));
    }
    const shown = range ?? { first: 0, last };
    told.textContent = `${range === undefined ? t('All') : bins.name(range)}: ${bins.words(shown)}`;
    clearButton.disabled = range === undefined;
  }

  function become(next: BinRange | undefined): void {
    const last = (bins?.amounts.length ?? 1) - 1;
    // What holds everything leaves nothing out.
    range = next !== undefined && next.first === 0 && next.last === last ? undefined : next;
    paint();
    chosen(range);
  }

  low.addEventListener('input', () => {
    become({ first: low.valueAsNumber, last: Math.max(low.valueAsNumber, high.valueAsNumber) });
  });
  high.addEventListener('input', () => {
    become({ first: Math.min(low.valueAsNumber, high.valueAsNumber), last: high.valueAsNumber });
  });
  clearButton.addEventListener('click', () => {
    become(undefined);
    low.focus();
  });
  let start: number | undefined;
  const binAt = ({ clientX }: PointerEvent): number => {
    const { left, width } = bars.getBoundingClientRect();
    const count = bins?.amounts.length ?? 1;
    return Math.min(count - 1, Math.max(0, Math.floor((count * (clientX - left)) / width)));
  };
  const drag = (event: PointerEvent): void => {
    if (start === undefined) return;
    const bin = binAt(event);
    become({ first: Math.min(start, bin), last: Math.max(start, bin) });
  };
  bars.addEventListener('pointerdown', (event) => {
    start = binAt(event);
    bars.setPointerCapture(event.pointerId);
    drag(event);
  });
  bars.addEventListener('pointermove', drag);
  bars.addEventListener('pointerup', () => {
    start = undefined;
  });

  return {
    element,
    show(newBins) {
      // Another picture has other bins; what was chosen of the same number of them stays.
      if (newBins?.amounts.length !== bins?.amounts.length) range = undefined;
      bins = newBins;
      element.hidden = bins === undefined || bins.amounts.length < 2;
      paint();
    },
    clear() {
      if (range === undefined) return;
      range = undefined;
      paint();
    },
  };
}

/** Links by load, and bytes by hops. One of them chooses at a time, and nothing else is selected then. */
interface Histograms {
  readonly elements: readonly HTMLElement[];
  /** What is chosen, for who looks at the traffic. */
  selectionIn(scene: Scene): PictureSelection | undefined;
  /** Something is chosen in one of them. */
  readonly isKeeping: boolean;
  setScene(scene: Scene): void;
  /** Has the picture keep what is chosen; false where nothing is. Of hops the host is asked first. */
  keep(scene: Scene, show: (marks: Marks) => void): boolean;
  /** The question about hops whose answer is still wanted. */
  isKept(target: Extract<KeptTarget, { kind: 'hops' }>): boolean;
  clear(): void;
}

interface HistogramActions {
  /** Something else is chosen. */
  readonly changed: () => void;
  /** What flows over so many hops. */
  readonly ask: (target: KeptTarget) => void;
}

export function createHistograms({ changed, ask }: HistogramActions): Histograms {
  let keptLoads: BinRange | undefined;
  let keptHops: BinRange | undefined;
  const loads = createHistogram(t('Links by load'), (range) => {
    [keptLoads, keptHops] = [range, undefined];
    hops.clear();
    changed();
  });
  const hops = createHistogram(t('Bytes by hops'), (range) => {
    [keptLoads, keptHops] = [undefined, range];
    loads.clear();
    changed();
  });
  return {
    elements: [loads.element, hops.element],
    get isKeeping() {
      return keptLoads !== undefined || keptHops !== undefined;
    },
    setScene(scene) {
      const hasLoads = scene.about === undefined && scene.difference === undefined && scene.loadLegend.maximum > 0;
      loads.show(hasLoads ? binsOfLoads(scene) : undefined);
      hops.show(hasLoads && scene.hops !== undefined ? binsOfHops(scene.hops) : undefined);
    },
    keep(scene, show) {
      if (keptLoads !== undefined) show(marksOfLoads(scene, keptLoads));
      else if (keptHops !== undefined) ask({ kind: 'hops', least: keptHops.first, most: keptHops.last });
      else return false;
      return true;
    },
    selectionIn(scene) {
      if (keptLoads !== undefined) return selectionOfLoads(scene, keptLoads);
      if (keptHops === undefined || scene.hops === undefined) return undefined;
      const target = { kind: 'hops', least: keptHops.first, most: keptHops.last } as const;
      return { target, words: t('flows of {0}', binsOfHops(scene.hops).name(keptHops)) };
    },
    isKept: ({ least, most }) => keptHops?.first === least && keptHops.last === most,
    clear() {
      [keptLoads, keptHops] = [undefined, undefined];
      loads.clear();
      hops.clear();
    },
  };
}
