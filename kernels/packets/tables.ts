/**
 * The tables of a network: where they lie in the memory, which is 0 at first, and what is written into them from outside before the first
 * cycle. What is behind them goes to packets and messages; numbers below 0 stand for none.
 */
import {
  axes,
  capacity,
  channels,
  isGrid,
  isUneven,
  linkCount,
  linkQueues,
  mostOptions,
  nodeCount,
  portWords,
  queueCount,
  rowCount,
  slotCount,
  stateCount,
  stationCount,
  stepCount,
  stepWords,
} from './options';
import {
  arrivals,
  Axis,
  axisAt,
  channelFrom,
  detailsOf,
  detailsShift,
  ends,
  engine,
  Entry,
  isFree,
  Line,
  Link,
  linkAt,
  Message,
  noQueue,
  Option,
  Queue,
  queueAt,
  QueueDetails,
  queuesAt,
  queueShift,
  setWord,
  Station,
  stationAt,
  Step,
  stepAt,
} from './records';
import { Ends, LinkTimes } from './paces';
import { setWhatHas } from './rooms';
import { note } from './sleepers';

/** Gives every table its place. Returns how many bytes they take, from the beginning of the memory on. */
export function layOut(): usize {
  engine.now = -1;
  engine.top = queuesAt;
  engine.stationBytes = <i32>offsetof<Station>() + 3 * 4 * axes;
  place(queueCount, offsetof<Queue>());
  engine.linkBytes = <usize>linkQueues * offsetof<Queue>();
  engine.detailsOf0 = place(queueCount, offsetof<QueueDetails>()) - ((queuesAt >> queueShift) << detailsShift);
  engine.hasOf0 = place(queueCount, 1) - (queuesAt >> queueShift);
  engine.links = place(linkCount + nodeCount, offsetof<Link>());
  engine.stations = place(stationCount, engine.stationBytes);
  engine.nodes = place(nodeCount, 64);
  engine.axisTable = place(axes, 64);
  engine.axisOfBit = place(64, 1);
  engine.nodePositions = place(isGrid ? nodeCount * axes : 0, 4);
  engine.firstSteps = place(stateCount + 1, 4);
  engine.steps = place(stepCount, offsetof<Step>());
  engine.distances = place(stateCount, 2);
  engine.rows = place(rowCount * stateCount * stepWords, 4);
  engine.rowRouters = place(rowCount, 4);
  engine.portQueues = place(queueCount, 4);
  engine.options = place(mostOptions, offsetof<Option>());
  engine.manySleepers = place(portWords > 1 ? 2 * queueCount * portWords : 0, 4);
  engine.asking = place(queueCount, 4);
  engine.offers = place(queueCount, 4);
  engine.comers = place(queueCount, 16);
  engine.makers = place(nodeCount, 4);
  engine.touched = place(linkCount + nodeCount, 4);
  engine.sent = place(nodeCount, 4);
  engine.arrived = place(queueCount, 4);
  engine.told = place(nodeCount + queueCount, 4);
  engine.slots = place(slotCount, 4);
  engine.filledSlots = place(slotCount >> 5, 4);
  engine.nextInSlot = place(queueCount + nodeCount + (isUneven ? queueCount : 0), 4);
  engine.linkTimes = place(isUneven ? linkCount : 0, offsetof<LinkTimes>());
  engine.queueEnds = place(isUneven ? queueCount : 0, offsetof<Ends>());
  placeLine(ends);
  placeLine(arrivals);
  return engine.top;
}

/** Room for so many entries, from a line of the cache on. */
function place(count: i32, bytes: i32): usize {
  const address = engine.top;
  engine.top = (address + <usize>count * <usize>bytes + 63) & ~63;
  return address;
}

/** Each queue is in a line once at most. */
function placeLine(line: Line): void {
  const entries = 1 << (32 - clz(queueCount));
  line.entries = place(entries, offsetof<Entry>());
  line.mask = entries - 1;
}

/** The memory is so long. */
export function extendTo(bytes: usize): void {
  engine.limit = bytes;
}

/** The `index`th queue: at which station and port, the channel that leads to it and the station before, and its own queue in a ring. */
export function placeQueue(index: i32, link: i32, station: i32, port: i32, before: i32, own: i32): void {
  const queue = queueAt(index);
  const details = detailsOf(queue);
  const isOfLink = index < linkQueues;
  queue.link = linkAt(link);
  queue.channel = isOfLink ? <u8>(index - link * channels) : 0;
  queue.station = stationAt(station);
  queue.port = port;
  queue.direction = isOfLink ? 0 : -1;
  queue.inStart = -2;
  queue.room = capacity;
  queue.lastWinner = -1;
  setWhatHas(queue, isFree);
  details.before = stationAt(before);
  details.own = own < 0 ? noQueue : queueAt(own);
  if (own >= 0) detailsOf(queueAt(own)).after = queue;
  if (queue.channel === 0) queue.link.first = queue;
}

/** A station: its ports stand from `firstPort` on in the list of queues by port. Links to and from a router where it is a node on such. */
export function placeStation(index: i32, firstPort: i32, router: i32, uplink: i32, downlink: i32): void {
  const station = stationAt(index);
  station.queues = engine.portQueues + ((<usize>firstPort) << 2);
  station.router = router;
  station.uplink = uplink < 0 ? noQueue : queueAt(uplink * channels);
  station.downlink = downlink < 0 ? noQueue : queueAt(downlink * channels);
}

export function placePort(place: i32, queue: i32): void {
  setWord(engine.portQueues, place, changetype<i32>(queueAt(queue)));
}

/** An axis of a grid, in the order of the routing: the bits of a way from `shift` on are of it, the last one for the direction. */
export function placeAxis(index: i32, side: i32, isRing: bool, shift: i32, bits: i32): void {
  const axis = axisAt(index);
  axis.side = side;
  axis.isRing = isRing;
  axis.shift = shift;
  axis.oneStep = (<i64>1) << shift;
  axis.back = (<i64>1) << (shift + bits - 1);
  axis.steps = axis.back - axis.oneStep;
  engine.allSteps |= axis.steps;
  for (let bit = shift; bit < shift + bits; bit++) store<u8>(engine.axisOfBit + <usize>bit, <u8>index);
}

export function placePosition(node: i32, axis: i32, position: i32): void {
  setWord(engine.nodePositions, node * axes + axis, position);
}

/** Where a router of a grid stands along an axis, and the links that leave it along that one, onwards and back. */
export function placeRouter(index: i32, axis: i32, position: i32, onwards: i32, back: i32): void {
  const outputs = changetype<usize>(stationAt(index)) + offsetof<Station>();
  if (onwards >= 0) placeDirection(outputs, 2 * axis, onwards);
  if (back >= 0) placeDirection(outputs, 2 * axis + 1, back);
  setWord(outputs, 2 * axes + axis, position);
}

function placeDirection(outputs: usize, direction: i32, link: i32): void {
  const first = linkAt(link).first;
  setWord(outputs, direction, changetype<i32>(first));
  for (let channel = 0; channel < channels; channel++) channelFrom(first, channel).direction = <i16>direction;
}

/** The steps of a state stand from `first` on. */
export function placeState(index: i32, first: i32): void {
  setWord(engine.firstSteps, index, first);
}

export function placeStep(index: i32, link: i32, to: i32): void {
  const step = stepAt(index);
  step.output = linkAt(link).first;
  step.state = to;
}

/** Whether a step was written. */
export function hasStep(index: i32): bool {
  return stepAt(index).output !== noQueue;
}

/** Room for so many more steps, of routes that are not known before: the first of them, or −1 where there is no memory for it. */
export function addSteps(count: i32): i32 {
  const bytes = (<usize>count * offsetof<Step>() + 63) & ~63;
  if (engine.top + bytes > engine.limit) return -1;
  const first = <i32>((engine.top - engine.steps) / offsetof<Step>());
  engine.top += bytes;
  return first;
}

/** Everything is in its place: notes what outputs have. */
export function finish(): void {
  for (let index = 0; index < queueCount; index++) {
    const queue = queueAt(index);
    note(queue, detailsOf(queue));
  }
}
