/**
 * Where packets may go next on a grid. The way that is left of a packet is a word with a field for each axis, in the order of the routing:
 * so many steps, and a bit where they lead back. From it follow the choices of the first packet of a queue.
 */
import { axes, channels, escapeChannels, hasBubble, isAdaptive } from './options';
import { Axis, axisAt, channelFrom, engine, optionAt, Queue, Station } from './records';

/** What is left of a way behind an output. */
export function wayBehind(way: i64, output: Queue): i64 {
  return way - axisAt(output.direction >> 1).oneStep;
}

/** The way between two nodes. `ties` has a bit for each axis: which way the packet takes half-way round a ring, 1 for back. */
export function wayOf(from: i32, to: i32, ties: i32): i64 {
  let way: i64 = 0;
  for (let each = 0; each < axes; each++) {
    const axis = axisAt(each);
    let onwards = positionOf(to, each) - positionOf(from, each);
    let isBack = onwards < 0;
    let steps = isBack ? -onwards : onwards;
    if (steps === 0) continue;
    if (axis.isRing) {
      if (isBack) onwards += axis.side;
      const twice = 2 * onwards;
      isBack = twice === axis.side ? ((ties >> each) & 1) !== 0 : twice > axis.side;
      steps = isBack ? axis.side - onwards : onwards;
    }
    way |= ((<i64>steps) << axis.shift) | (isBack ? axis.back : 0);
  }
  return way;
}

function positionOf(node: i32, axis: i32): i32 {
  return load<i32>(engine.nodePositions + ((<usize>(node * axes + axis)) << 2));
}

/** The axis that dimension order takes: the first of its order that has steps left. */
function orderedAxis(way: i64): i32 {
  return load<u8>(engine.axisOfBit + <usize>ctz(way & engine.allSteps));
}

function directionOf(axis: i32, way: i64): i32 {
  return 2 * axis + ((way & axisAt(axis).back) !== 0 ? 1 : 0);
}

/** The first channel of the link that leaves a station in a direction. */
function outputAlong(station: Station, direction: i32): Queue {
  return load<Queue>(changetype<usize>(station) + ((<usize>direction) << 2), offsetof<Station>());
}

/** The first choice, as {@link findAlongWay} writes it. The way has not ended. */
export function firstAlongWay(queue: Queue, way: i64): usize {
  if (!isAdaptive) return orderedOption(queue, way, orderedAxis(way));
  let axis = queue.direction < 0 ? 0 : queue.direction >> 1;
  while ((way & axisAt(axis).steps) === 0) axis = axis + 1 === axes ? 0 : axis + 1;
  const direction = directionOf(axis, way);
  return changetype<usize>(channelFrom(outputAlong(queue.station, direction), firstChannel(queue, direction)));
}

/** A packet that goes straight on keeps its channel. */
function firstChannel(queue: Queue, direction: i32): i32 {
  const channel = <i32>queue.channel;
  return queue.direction === direction && channel >= escapeChannels ? channel : escapeChannels;
}

/**
 * Dimension order. With a bubble a packet keeps its channel in a ring and enters any of the next one. Without, where there are two or
 * more: those below the middle while the cable that closes the ring lies ahead, the others behind it (Dally and Seitz 1987).
 */
function orderedOption(queue: Queue, way: i64, axis: i32): usize {
  const direction = directionOf(axis, way);
  const first = outputAlong(queue.station, direction);
  if (!axisAt(axis).isRing) return changetype<usize>(first);
  if (!hasBubble)
    return changetype<usize>(channelFrom(first, closesAhead(queue.station, axis, way) ? 0 : channels >> 1));
  return queue.direction === direction
    ? changetype<usize>(channelFrom(first, queue.channel))
    : changetype<usize>(first) | 1;
}

/** Whether a packet has the cable from the last position of a ring to the first before it, or takes it now. */
function closesAhead(station: Station, axis: i32, way: i64): bool {
  const back = axisAt(axis).back;
  const side = axisAt(axis).side;
  const shift = axisAt(axis).shift;
  const steps = axisAt(axis).steps;
  const left = <i32>((way & steps) >> shift);
  const position = load<i32>(changetype<usize>(station) + ((<usize>(2 * axes + axis)) << 2), offsetof<Station>());
  return (way & back) !== 0 ? position < left : position + left >= side;
}

/** Writes all choices, and behind them the escape channel where there is one; how many there are without it. */
export function findAlongWay(queue: Queue, way: i64): i32 {
  return isAdaptive ? findAdaptive(queue, way) : findOrdered(queue, way);
}

function findOrdered(queue: Queue, way: i64): i32 {
  const axis = orderedAxis(way);
  const first = orderedOption(queue, way, axis);
  optionAt(0).output = first;
  let count = channels;
  if (axisAt(axis).isRing) {
    if (hasBubble && (first & 1) === 0) count = 1;
    else if (!hasBubble && channels > 1)
      count = closesAhead(queue.station, axis, way) ? channels >> 1 : channels - (channels >> 1);
  }
  for (let each = 1; each < count; each++) optionAt(each).output = first + <usize>each * offsetof<Queue>();
  return count;
}

/** Axes with steps left, from that of arrival on, the channel of arrival first where it goes straight on; last the escape channel. */
function findAdaptive(queue: Queue, way: i64): i32 {
  let count = 0;
  let axis = queue.direction < 0 ? 0 : queue.direction >> 1;
  const each = channels - escapeChannels;
  for (let turn = 0; turn < axes; turn++) {
    // Written for every axis, and kept where it has steps left: that would be foreseen badly.
    const direction = directionOf(axis, way);
    const output = outputAlong(queue.station, direction);
    let channel = firstChannel(queue, direction);
    for (let place = count; place < count + each; place++) {
      optionAt(place).output = changetype<usize>(channelFrom(output, channel));
      channel = channel + 1 === channels ? escapeChannels : channel + 1;
    }
    count += (way & axisAt(axis).steps) !== 0 ? each : 0;
    axis = axis + 1 === axes ? 0 : axis + 1;
  }
  if (escapeChannels === 0) return count;
  optionAt(count).output = escapeAlong(queue, way);
  engine.escape = 1;
  return count;
}

function escapeAlong(queue: Queue, way: i64): usize {
  const axis = orderedAxis(way);
  const direction = directionOf(axis, way);
  const first = outputAlong(queue.station, direction);
  if (!axisAt(axis).isRing) return changetype<usize>(first);
  if (escapeChannels === 2) return changetype<usize>(channelFrom(first, closesAhead(queue.station, axis, way) ? 0 : 1));
  const isStraight = queue.direction === direction && queue.channel === 0;
  return !hasBubble || isStraight ? changetype<usize>(first) : changetype<usize>(first) | 1;
}
