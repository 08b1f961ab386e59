/**
 * Collective operations as sends and receives: what one rank of a group does, by the algorithm of that name. Every
 * algorithm runs on any number of ranks. A rank writes its own part alone, so that a trace can be read rank by rank.
 */
import type { CatalogueEntry, OptionSpecification, OptionValues } from '../../model/catalogue.ts';

export const collectiveOperations = [
  'broadcast',
  'reduce',
  'all-reduce',
  'gather',
  'scatter',
  'all-gather',
  'reduce-scatter',
  'all-to-all',
  'scan',
  'barrier',
] as const;
export type CollectiveOperation = (typeof collectiveOperations)[number];

/** Where the messages of a rank go, in order. */
export interface MessageSink {
  send(to: number, bytes: number): void;
  receive(from: number, bytes: number): void;
}

/** What one rank of a group takes part in. */
export interface CollectiveCall {
  readonly rank: number;
  readonly size: number;
  /** Of a broadcast, reduce, gather and scatter. */
  readonly root: number;
  /** Bytes of the vector that is broadcast or reduced. */
  readonly whole: number;
  /** Bytes that a rank gives to or gets from a gather, scatter, all-gather or reduce-scatter. */
  readonly part: (rank: number) => number;
  /** Bytes of each part, where all have as many: sums of parts are then products. */
  readonly evenPart?: number | undefined;
  /** Bytes of an all-to-all. */
  readonly between: (from: number, to: number) => number;
}

/** A call in which everybody has the same number of bytes. */
export const evenCall = (rank: number, size: number, bytes: number, root = 0): CollectiveCall => ({
  rank,
  size,
  root,
  whole: bytes,
  part: () => bytes,
  evenPart: bytes,
  between: () => bytes,
});

/** An algorithm; the name is unique among those of its operation. */
export interface CollectiveEntry extends CatalogueEntry {
  readonly operation: CollectiveOperation;
  readonly write: (call: CollectiveCall, sink: MessageSink) => void;
  /** What `write` sends, the bytes to a partner in one sum: of algorithms that send to one partner as often as there are ranks. */
  readonly sent?: (call: CollectiveCall, send: MessageSink['send']) => void;
}

type Write = CollectiveEntry['write'];

const collectiveEntry = (
  operation: CollectiveOperation,
  name: string,
  summary: string,
  source: string,
  write: Write,
  sent?: CollectiveEntry['sent'],
): CollectiveEntry => ({ operation, name, summary, source, options: [], write, ...(sent && { sent }) });

const mpich = 'Thakur, Rabenseifner and Gropp 2005';

/** Everybody's number counted from the root. */
const relativeTo = ({ rank, size, root }: CollectiveCall): number => (rank - root + size) % size;
const fromRoot = ({ size, root }: CollectiveCall, relative: number): number => (relative + root) % size;

const binomialBroadcast: Write = (call, sink) => {
  const own = relativeTo(call);
  let distance = 1;
  while (distance < call.size && (own & distance) === 0) distance *= 2;
  if (distance < call.size) sink.receive(fromRoot(call, own - distance), call.whole);
  for (distance /= 2; distance >= 1; distance /= 2) {
    if (own + distance < call.size) sink.send(fromRoot(call, own + distance), call.whole);
  }
};

const flatBroadcast: Write = (call, sink) => {
  if (call.rank !== call.root) sink.receive(call.root, call.whole);
  else for (let other = 1; other < call.size; other++) sink.send(fromRoot(call, other), call.whole);
};

const chainBroadcast: Write = (call, sink) => {
  const own = relativeTo(call);
  if (own > 0) sink.receive(fromRoot(call, own - 1), call.whole);
  if (own + 1 < call.size) sink.send(fromRoot(call, own + 1), call.whole);
};

/** From the leaves of a binomial tree to the root; `bytes` of what a rank and so many after it have together. */
const upBinomialTree =
  (bytes: (call: CollectiveCall, relative: number, count: number) => number): Write =>
  (call, sink) => {
    const own = relativeTo(call);
    for (let distance = 1; distance < call.size; distance *= 2) {
      if ((own & distance) !== 0) {
        sink.send(fromRoot(call, own - distance), bytes(call, own, distance));
        return;
      }
      const child = own + distance;
      if (child < call.size) sink.receive(fromRoot(call, child), bytes(call, child, distance));
    }
  };

/** The parts of a rank and of those after it, as many as there are. */
const partsFrom = (call: CollectiveCall, relative: number, count: number): number => {
  const end = Math.min(relative + count, call.size);
  if (call.evenPart !== undefined) return (end - relative) * call.evenPart;
  let bytes = 0;
  for (let at = relative; at < end; at++) bytes += call.part(fromRoot(call, at));
  return bytes;
};

const binomialReduce = upBinomialTree(({ whole }) => whole);
const binomialGather = upBinomialTree(partsFrom);

const binomialScatter: Write = (call, sink) => {
  const own = relativeTo(call);
  let distance = 1;
  while (distance < call.size && (own & distance) === 0) distance *= 2;
  if (distance < call.size) sink.receive(fromRoot(call, own - distance), partsFrom(call, own, distance));
  for (distance /= 2; distance >= 1; distance /= 2) {
    const child = own + distance;
    if (child < call.size) sink.send(fromRoot(call, child), partsFrom(call, child, distance));
  }
};

/** Everybody straight to the root. */
const flatTo =
  (bytes: (call: CollectiveCall, rank: number) => number): Write =>
  (call, sink) => {
    if (call.rank !== call.root) sink.send(call.root, bytes(call, call.rank));
    else
      for (let other = 1; other < call.size; other++)
        sink.receive(fromRoot(call, other), bytes(call, fromRoot(call, other)));
  };

const flatScatter: Write = (call, sink) => {
  if (call.rank !== call.root) sink.receive(call.root, call.part(call.rank));
  else
    for (let other = 1; other < call.size; other++) sink.send(fromRoot(call, other), call.part(fromRoot(call, other)));
};

/**
 * What the ranks of the largest power of two do among themselves; those beyond it hand theirs to a neighbour and get the
 * result back. `own` is a rank's number among the `power`, `rankOf` the rank of such a number.
 */
const onPowerOfTwo =
  (
    exchange: (own: number, power: number, rankOf: (own: number) => number, whole: number, sink: MessageSink) => void,
  ): Write =>
  ({ rank, size, whole }, sink) => {
    const power = 2 ** Math.floor(Math.log2(size));
    const rest = size - power;
    const isPaired = rank < 2 * rest;
    if (isPaired && rank % 2 === 0) {
      sink.send(rank + 1, whole);
      sink.receive(rank + 1, whole);
      return;
    }
    if (isPaired) sink.receive(rank - 1, whole);
    const rankOf = (own: number): number => (own < rest ? 2 * own + 1 : own + rest);
    exchange(isPaired ? (rank - 1) / 2 : rank - rest, power, rankOf, whole, sink);
    if (isPaired) sink.send(rank - 1, whole);
  };

/** Exchanges with ranks at distances 1, 2, 4 …, all of the vector each time. */
const recursiveDoubling = onPowerOfTwo((own, power, rankOf, whole, sink) => {
  for (let distance = 1; distance < power; distance *= 2) {
    sink.send(rankOf(own ^ distance), whole);
    sink.receive(rankOf(own ^ distance), whole);
  }
});

/**
 * Of a rank at a distance of a power of two: the first of so many pieces that it has in the end, those of its partner. Both
 * are halves of one block.
 */
const halfOf = (own: number, distance: number): number => own - (own % distance);

/** What ranks of a power of two exchange halves of: bytes of so many pieces from one on, and how they are numbered outside. */
interface Halving {
  readonly power: number;
  readonly bytes: (first: number, count: number) => number;
  readonly rankOf: (own: number) => number;
}

/** Sends its partner at a distance one half of their block, and receives the other one. */
function exchangeHalves(
  { given, taken }: Readonly<Record<'given' | 'taken', number>>,
  partner: number,
  distance: number,
  { bytes }: Halving,
  sink: MessageSink,
): void {
  sink.send(partner, bytes(halfOf(given, distance), distance));
  sink.receive(partner, bytes(halfOf(taken, distance), distance));
}

/** Sends its partner the half of their block that is the partner’s: distances n/2, n/4 … 1. */
function halveVector(own: number, halving: Halving, sink: MessageSink): void {
  for (let distance = halving.power / 2; distance >= 1; distance /= 2) {
    const other = own ^ distance;
    exchangeHalves({ given: other, taken: own }, halving.rankOf(other), distance, halving, sink);
  }
}

/** Sends its partner the half of their block that it has by then: distances 1, 2 … n/2. */
function double(own: number, halving: Halving, sink: MessageSink): void {
  for (let distance = 1; distance < halving.power; distance *= 2) {
    const other = own ^ distance;
    exchangeHalves({ given: own, taken: other }, halving.rankOf(other), distance, halving, sink);
  }
}

/** Rabenseifner’s: a reduce-scatter by halving, an all-gather by doubling. */
const recursiveHalving = onPowerOfTwo((own, power, rankOf, whole, sink) => {
  const [each, larger] = [Math.floor(whole / power), whole % power];
  const before = (piece: number): number => piece * each + Math.min(piece, larger);
  const bytes = (first: number, count: number): number => before(first + count) - before(first);
  halveVector(own, { power, bytes, rankOf }, sink);
  double(own, { power, bytes, rankOf }, sink);
});

const isPowerOfTwo = (size: number): boolean => (size & (size - 1)) === 0;
const itself = (rank: number): number => rank;

/** In so many steps, what begins at a rank goes on to the next one in the ring. */
function goRound(
  { rank, size }: CollectiveCall,
  shift: number,
  bytes: (piece: number) => number,
  sink: MessageSink,
): void {
  const [next, previous] = [(rank + 1) % size, (rank - 1 + size) % size];
  for (let step = 0; step < size - 1; step++) {
    sink.send(next, bytes((((rank + shift - step) % size) + size) % size));
    sink.receive(previous, bytes((((rank + shift - step - 1) % size) + size) % size));
  }
}

/** Bytes of a piece of a vector that is cut into as many as there are ranks. */
const pieceOf = ({ whole, size }: CollectiveCall, index: number): number =>
  Math.floor(whole / size) + (index % size < whole % size ? 1 : 0);

const ringAllReduce: Write = (call, sink) => {
  const piece = (index: number): number => pieceOf(call, index);
  goRound(call, 0, piece, sink);
  goRound(call, 1, piece, sink);
};

/** Twice all of the vector but the piece that the round ends before. */
const sentByRingAllReduce: CollectiveEntry['sent'] = (call, send) => {
  const { rank, size, whole } = call;
  if (size > 1) send((rank + 1) % size, 2 * whole - pieceOf(call, rank + 1) - pieceOf(call, rank + 2));
};

/** All parts but one, the same `shift` behind the rank as {@link goRound} begins with. */
const sentRound =
  (shift: number): CollectiveEntry['sent'] =>
  (call, send) => {
    const { rank, size, part } = call;
    if (size > 1)
      send((rank + 1) % size, partsFrom({ ...call, root: 0 }, 0, size) - part((rank + shift + 1 + size) % size));
  };

const ringAllGather: Write = (call, sink) => {
  goRound(call, 0, call.part, sink);
};

const ringReduceScatter: Write = (call, sink) => {
  goRound(call, -1, call.part, sink);
};

/** What the ranks that follow have, twice as much in every step. */
const bruckAllGather: Write = (call, sink) => {
  const { rank, size } = call;
  const parts = (first: number, count: number): number => {
    if (call.evenPart !== undefined) return count * call.evenPart;
    let bytes = 0;
    for (let at = 0; at < count; at++) bytes += call.part((first + at) % size);
    return bytes;
  };
  for (let distance = 1; distance < size; distance *= 2) {
    const count = Math.min(distance, size - distance);
    sink.send((rank - distance + size) % size, parts(rank, count));
    sink.receive((rank + distance) % size, parts(rank + distance, count));
  }
};

const pairwiseReduceScatter: Write = ({ rank, size, part }, sink) => {
  for (let step = 1; step < size; step++) {
    sink.send((rank + step) % size, part((rank + step) % size));
    sink.receive((rank - step + size) % size, part(rank));
  }
};

const halvingReduceScatter: Write = (call, sink) => {
  const { rank, size } = call;
  const bytes = (first: number, count: number): number => partsFrom({ ...call, root: 0 }, first, count);
  if (isPowerOfTwo(size)) halveVector(rank, { power: size, bytes, rankOf: itself }, sink);
  else pairwiseReduceScatter(call, sink);
};

const doublingAllGather: Write = (call, sink) => {
  const { rank, size } = call;
  const bytes = (first: number, count: number): number => partsFrom({ ...call, root: 0 }, first, count);
  if (isPowerOfTwo(size)) double(rank, { power: size, bytes, rankOf: itself }, sink);
  else bruckAllGather(call, sink);
};

/** Messages of no bytes are not sent. */
const sendTo = ({ rank, between }: CollectiveCall, to: number, sink: MessageSink): void => {
  if (between(rank, to) > 0) sink.send(to, between(rank, to));
};
const receiveFrom = ({ rank, between }: CollectiveCall, from: number, sink: MessageSink): void => {
  if (between(from, rank) > 0) sink.receive(from, between(from, rank));
};

const almostSimultaneous: Write = (call, sink) => {
  const { rank, size } = call;
  for (let step = 1; step < size; step++) sendTo(call, (rank + step) % size, sink);
  for (let step = 1; step < size; step++) receiveFrom(call, (rank - step + size) % size, sink);
};

const ringAllToAll: Write = (call, sink) => {
  const { rank, size } = call;
  for (let step = 1; step < size; step++) {
    sendTo(call, (rank + step) % size, sink);
    receiveFrom(call, (rank - step + size) % size, sink);
  }
};

const pairwiseAllToAll: Write = (call, sink) => {
  const { rank, size } = call;
  if (!isPowerOfTwo(size)) {
    ringAllToAll(call, sink);
    return;
  }
  for (let step = 1; step < size; step++) {
    sendTo(call, rank ^ step, sink);
    receiveFrom(call, rank ^ step, sink);
  }
};

const chainScan: Write = ({ rank, size, whole }, sink) => {
  if (rank > 0) sink.receive(rank - 1, whole);
  if (rank + 1 < size) sink.send(rank + 1, whole);
};

const dissemination: Write = ({ rank, size }, sink) => {
  for (let distance = 1; distance < size; distance *= 2) {
    sink.send((rank + distance) % size, 0);
    sink.receive((rank - distance + size) % size, 0);
  }
};

/** To task 0 and back. */
const treeAndBack =
  (up: Write, down: Write): Write =>
  (call, sink) => {
    up({ ...call, root: 0 }, sink);
    down({ ...call, root: 0 }, sink);
  };

/** Every algorithm there is; the first of an operation is the default of traces. */
export const collectives: readonly CollectiveEntry[] = [
  collectiveEntry('broadcast', 'binomial', 'down a binomial tree: ⌈log₂ n⌉ steps', mpich, binomialBroadcast),
  collectiveEntry('broadcast', 'flat', 'linear: the root sends to each rank in turn', 'Placewright', flatBroadcast),
  collectiveEntry('broadcast', 'chain', 'from each rank to the next', 'Placewright', chainBroadcast),
  collectiveEntry('reduce', 'binomial', 'up a binomial tree', mpich, binomialReduce),
  collectiveEntry(
    'reduce',
    'flat',
    'linear: each rank sends to the root',
    'Placewright',
    flatTo(({ whole }) => whole),
  ),
  collectiveEntry('all-reduce', 'recursive-doubling', 'exchanges at distances 1, 2, 4 …', mpich, recursiveDoubling),
  collectiveEntry('all-reduce', 'ring', 'ring, twice: pieces of the vector', mpich, ringAllReduce, sentByRingAllReduce),
  collectiveEntry(
    'all-reduce',
    'binomial',
    'up a binomial tree to rank 0 and down again',
    'Pascual et al. 2010, IS',
    treeAndBack(binomialReduce, binomialBroadcast),
  ),
  collectiveEntry(
    'all-reduce',
    'recursive-halving',
    'halving and doubling: reduce-scatter, then allgather',
    mpich,
    recursiveHalving,
  ),
  collectiveEntry('gather', 'binomial', 'binomial tree towards the root, growing messages', mpich, binomialGather),
  collectiveEntry(
    'gather',
    'flat',
    'linear: each rank sends to the root',
    'Placewright',
    flatTo((call, rank) => call.part(rank)),
  ),
  collectiveEntry('scatter', 'binomial', 'binomial tree from the root, shrinking messages', mpich, binomialScatter),
  collectiveEntry('scatter', 'flat', 'linear: the root sends to each rank in turn', 'Placewright', flatScatter),
  collectiveEntry('all-gather', 'ring', 'ring, one part per step', mpich, ringAllGather, sentRound(0)),
  collectiveEntry(
    'all-gather',
    'bruck',
    'from ranks at distances 1, 2, 4 …, size doubles per step',
    'Bruck et al. 1997',
    bruckAllGather,
  ),
  collectiveEntry(
    'all-gather',
    'recursive-doubling',
    'exchanges at distances 1, 2, 4 …, size doubles per step; `bruck` if n is not a power of two',
    mpich,
    doublingAllGather,
  ),
  collectiveEntry('reduce-scatter', 'pairwise', 'each part directly to its target rank', mpich, pairwiseReduceScatter),
  collectiveEntry('reduce-scatter', 'ring', 'ring, one part per step', mpich, ringReduceScatter, sentRound(-1)),
  collectiveEntry(
    'reduce-scatter',
    'recursive-halving',
    'halves at distances n/2, n/4 … 1; `pairwise` if n is not a power of two',
    mpich,
    halvingReduceScatter,
  ),
  collectiveEntry(
    'all-to-all',
    'almost-simultaneous',
    'nonblocking sends to rank + 1, rank + 2 …, then receives',
    'Pascual et al. 2010, section IV',
    almostSimultaneous,
  ),
  collectiveEntry(
    'all-to-all',
    'pairwise',
    'one partner per step (exclusive or); ring if n is not a power of two',
    mpich,
    pairwiseAllToAll,
  ),
  collectiveEntry('all-to-all', 'ring', 'in step s to rank + s and from rank − s', mpich, ringAllToAll),
  collectiveEntry('scan', 'chain', 'from each rank to the next', 'Placewright', chainScan),
  collectiveEntry(
    'barrier',
    'dissemination',
    'empty messages to ranks at distances 1, 2, 4 …',
    'Hensgen, Finkel and Manber 1988',
    dissemination,
  ),
  collectiveEntry(
    'barrier',
    'binomial',
    'empty messages up a binomial tree and down again',
    'Placewright',
    treeAndBack(
      (call, sink) => {
        binomialReduce({ ...call, whole: 0 }, sink);
      },
      (call, sink) => {
        binomialBroadcast({ ...call, whole: 0 }, sink);
      },
    ),
  ),
];

const algorithmsOf = (operation: CollectiveOperation): readonly CollectiveEntry[] =>
  collectives.filter((candidate) => candidate.operation === operation);

/** The option that chooses the algorithm of an operation; the first one unless another is the `usual`. */
export function collectiveOption(
  operation: CollectiveOperation,
  usual?: string,
  name: string = operation,
): OptionSpecification {
  const choices = algorithmsOf(operation).map((algorithm) => algorithm.name);
  return {
    name,
    summary: `algorithm of ${operation}s`,
    kind: 'choice',
    choices,
    default: usual ?? choices[0] ?? '',
  };
}

/** The algorithm of an operation that the options name; the first one where they do not. */
export function chosenCollective(operation: CollectiveOperation, options: OptionValues): CollectiveEntry {
  const algorithms = algorithmsOf(operation);
  const chosen = algorithms.find(({ name }) => name === options[operation]) ?? algorithms[0];
  if (chosen === undefined) throw new Error(`${operation} has no such algorithm.`);
  return chosen;
}
