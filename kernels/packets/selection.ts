/**
 * How the first packet of a queue selects one of the channels that its routing allows, and which of those that ask for one channel gets it:
 * the rules that `packetEvents.ts` states.
 */
import { isFirstCome, isFirstFree, isRandom, seed } from './options';
import { detailsOf, engine, indexOf, optionAt, Queue } from './records';
import { hasRoom, outputOf } from './rooms';

/** As many options have a bit; with more of them a packet does not sleep while it has one with room. */
export const mostBits = 30;

/** Whether the first packet of a queue gets an output, and not that of a rival. */
export function isBefore(queue: Queue, rival: Queue, output: Queue): bool {
  const port = queue.port;
  const rivalPort = rival.port;
  if (isFirstCome) {
    // Both waits are far shorter than 2^31 cycles.
    const later = queue.firstSince - rival.firstSince;
    return later < 0 || (later === 0 && port < rivalPort);
  }
  // Ports behind the last winner come first, then those from the beginning on: their numbers are the larger ones.
  const last = output.lastWinner;
  return <u32>(port - last - 1) < <u32>(rivalPort - last - 1);
}

/**
 * Index of the option that the first packet of a queue asks for; their count stands for the escape channel, −1 for none. `withRoom` are
 * bits of the options that have room.
 */
export function choose(queue: Queue, tick: i32, count: i32, withRoom: i32): i32 {
  if (!isFirstFree) return isRandom ? chooseRandom(queue, tick, count) : chooseLeastFilled(count);
  const elapsed = tick - queue.askedAt - 1;
  if (elapsed > 0) skipAsking(queue, detailsOf(queue).mask, count, elapsed);
  const first = <i32>queue.bet;
  let open = openFrom(first, count, withRoom);
  if (open < count) {
    queue.bet = <u16>(open + 1);
    return open;
  }
  queue.bet = 0;
  if (engine.escape !== 0) return count;
  open = openFrom(0, first, withRoom);
  if (open === first) return -1;
  queue.bet = <u16>(open + 1);
  return open;
}

/** The first option with room from one on, else the end, behind which there is none. */
function openFrom(begin: i32, end: i32, withRoom: i32): i32 {
  if (end <= mostBits) {
    const left = withRoom & (-1 << begin);
    return left === 0 ? end : ctz(left);
  }
  let each = begin;
  while (each < end && !isOpen(each, withRoom)) each++;
  return each;
}

function isOpen(each: i32, withRoom: i32): bool {
  return each < mostBits ? ((withRoom >> each) & 1) !== 0 : hasRoom(optionAt(each).output);
}

/** What it would have turned to in the cycles that it slept through, while the options with room were those of its mask. */
function skipAsking(queue: Queue, options: i32, count: i32, elapsed: i32): void {
  const period = popcnt(options) + engine.escape;
  if (period === 0) return;
  let turn = <i32>queue.bet;
  for (let left = elapsed % period; left > 0; left--) {
    let next = turn;
    while (next < count && ((options >> next) & 1) === 0) next++;
    if (next === count && engine.escape === 0) next = ctz(options);
    turn = next === count ? 0 : next + 1;
  }
  queue.bet = <u16>turn;
}

function chooseRandom(queue: Queue, tick: i32, count: i32): i32 {
  let withRoom = 0;
  for (let each = 0; each < count; each++) if (hasRoom(optionAt(each).output)) withRoom++;
  if (withRoom === 0) return engine.escape !== 0 ? count : -1;
  let left = <i32>((<u64>mixed(seed, indexOf(queue), tick) * <u64>withRoom) >> 32);
  for (let each = 0; each < count; each++) {
    if (hasRoom(optionAt(each).output) && left-- === 0) return each;
  }
  return -1;
}

/** The one with most room, the first of equals. */
function chooseLeastFilled(count: i32): i32 {
  let best = -1;
  let most = 0;
  for (let each = 0; each < count; each++) {
    const option = optionAt(each).output;
    const places = outputOf(option).room;
    if (places <= most || !hasRoom(option)) continue;
    best = each;
    most = places;
  }
  return best === -1 && engine.escape !== 0 ? count : best;
}

/** Coins of the packet that a node makes as its `serial`th: one for each axis of a grid. */
export function tiesOf(node: i32, serial: i32): i32 {
  return <i32>(mixed(~seed, node, serial) >>> 2);
}

/** 32 random bits that depend on the arguments alone. */
function mixed(from: i32, one: i32, other: i32): u32 {
  let bits = (<u32>from) ^ (<u32>(one + 1) * 0x9e3779b1) ^ (<u32>(other & 0x7fffffff) * 0x85ebca77);
  bits = (bits ^ (bits >>> 16)) * 0x7feb352d;
  bits = (bits ^ (bits >>> 15)) * 0x846ca68b;
  return bits ^ (bits >>> 16);
}
