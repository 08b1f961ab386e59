/**
 * Where packets may go next off grids. Routes without a choice are chains of steps. Others are chosen in a graph of states: its next steps on
 * shortest ways. For each router that packets go to there is a row of the steps of all states that come nearer to it, as bits: a hop reads one
 * word, not the distances of all neighbours.
 */
import { channels, isAdaptive, isFixed, rowCount, stateCount, stepWords } from './options';
import { channelFrom, detailsOf, engine, optionAt, Queue, QueueDetails, stepAt, wordAt } from './records';
import { freeBit, takesPacket } from './rooms';

/** Writes the steps left from each state to a router: 16 bits each. */
declare function writeDistances(router: i32, address: usize): void;

/** Rows share places where there are fewer than routers. */
function placeOf(router: i32): i32 {
  return router < rowCount ? router : router % rowCount;
}

function rowAt(place: i32): usize {
  return engine.rows + <usize>place * <usize>(stateCount * stepWords) * 4;
}

/** The row of a router. */
function rowOf(router: i32): usize {
  const place = placeOf(router);
  const row = rowAt(place);
  const kept = engine.rowRouters + ((<usize>place) << 2);
  if (load<i32>(kept) !== router + 1) {
    writeDistances(router, engine.distances);
    markSteps(row);
    store<i32>(kept, router + 1);
  }
  return row;
}

/** Marks the steps of each state to one with fewer steps left. O(steps). */
function markSteps(row: usize): void {
  let words = row;
  for (let state = 0; state < stateCount; state++) {
    const wanted = distanceOf(state) - 1;
    const end = wordAt(engine.firstSteps, state + 1);
    let each = wordAt(engine.firstSteps, state);
    for (let word = 0; word < stepWords; word++) {
      const last = min(end, each + 32);
      let bits = 0;
      for (let bit = 1; each < last; each++, bit <<= 1) if (distanceOf(stepAt(each).state) === wanted) bits |= bit;
      store<i32>(words, bits);
      words += 4;
    }
  }
}

/** Has the row of a router worked out before packets for it are on their way. */
export function keepSteps(router: i32): void {
  rowOf(router);
}

function distanceOf(state: i32): i32 {
  return load<u16>(engine.distances + ((<usize>state) << 1));
}

/** Words of the steps of a state, in a row. */
function stepsFrom(row: usize, state: i32): usize {
  return row + ((<usize>(state * stepWords)) << 2);
}

/** Reads what {@link firstInGraph} will, for its sake. */
export function fetchSteps(queue: Queue, state: i32, router: i32): i32 {
  if (isFixed) return changetype<i32>(stepAt(state).output);
  const steps = stepsFrom(rowAt(placeOf(router)), state);
  return (
    wordAt(steps, 0) + changetype<i32>(stepAt(wordAt(engine.firstSteps, state) + detailsOf(queue).lastStep).output)
  );
}

/** The first step from one on that is marked, −1 where there is none. */
function markedFrom(steps: usize, from: i32): i32 {
  let word = from >> 5;
  if (word >= stepWords) return -1;
  let bits = wordAt(steps, word) & (-1 << (from & 31));
  while (bits === 0) {
    if (++word === stepWords) return -1;
    bits = wordAt(steps, word);
  }
  return (word << 5) + ctz(bits);
}

/** The first step of a state behind the link that a queue used last; steps are in the order of their links. */
function stepBehind(details: QueueDetails, state: i32): i32 {
  const begin = wordAt(engine.firstSteps, state);
  const count = wordAt(engine.firstSteps, state + 1) - begin;
  const last = details.lastLink;
  if (last === 0) return 0;
  const hint = details.lastStep;
  if (hint < count && changetype<i32>(stepAt(begin + hint).output) === last) return hint + 1;
  let each = 0;
  while (each < count && changetype<i32>(stepAt(begin + each).output) <= last) each++;
  return each;
}

/** The first choice, as {@link findInGraph} writes it, with what it leads to in the details of the queue. */
export function firstInGraph(queue: Queue, state: i32, router: i32): usize {
  const details = detailsOf(queue);
  if (isFixed) {
    details.nextState = stepAt(state).state;
    details.nextStep = 0;
    return changetype<usize>(stepAt(state).output);
  }
  const steps = stepsFrom(rowOf(router), state);
  let each = isAdaptive ? markedFrom(steps, stepBehind(details, state)) : -1;
  if (each < 0) each = markedFrom(steps, 0);
  const step = stepAt(wordAt(engine.firstSteps, state) + each);
  details.nextState = step.state;
  details.nextStep = each;
  return changetype<usize>(step.output);
}

/** The next links on shortest ways: the first one, or all, those behind the one that the queue used last at first. */
export function findInGraph(queue: Queue, state: i32, router: i32): i32 {
  if (isFixed) return addChannels(0, stepAt(state).output, stepAt(state).state, 0);
  const steps = stepsFrom(rowOf(router), state);
  const begin = wordAt(engine.firstSteps, state);
  if (!isAdaptive) return addStep(0, begin, markedFrom(steps, 0));
  const behind = stepBehind(detailsOf(queue), state);
  let count = 0;
  for (let each = markedFrom(steps, behind); each >= 0; each = markedFrom(steps, each + 1)) {
    count = addStep(count, begin, each);
  }
  for (let each = markedFrom(steps, 0); each >= 0 && each < behind; each = markedFrom(steps, each + 1)) {
    count = addStep(count, begin, each);
  }
  return count;
}

function addStep(count: i32, begin: i32, each: i32): i32 {
  const step = stepAt(begin + each);
  return addChannels(count, step.output, step.state, each);
}

/** What is known after a look at some options: no choice, or one that can be had, or one that another packet holds while others are to be had. */
export const enum Look {
  nothing = 0,
  isFree = 1,
  isHeld = 2,
}

/**
 * The option that a queue turns to, written as the first one, where few of them have to be looked at to know it, and whether it or another
 * one is to be had. A queue has up to all links of its router to choose from.
 */
export function lookInGraph(queue: Queue, state: i32, router: i32): Look {
  const steps = stepsFrom(rowOf(router), state);
  const begin = wordAt(engine.firstSteps, state);
  const behind = stepBehind(detailsOf(queue), state);
  const bet = <i32>queue.bet;
  const option = optionAt(0);
  let found = Look.nothing;
  let chosen = 0;
  let anyFree = 0;
  let isRound = false;
  let each = markedFrom(steps, behind);
  for (let index = 0; ; index += channels) {
    if (each < 0 && !isRound) {
      isRound = true;
      each = markedFrom(steps, 0);
    }
    if (each < 0 || (isRound && each >= behind)) break;
    const step = stepAt(begin + each);
    for (let channel = 0; channel < channels; channel++) {
      const output = changetype<usize>(channelFrom(step.output, channel));
      if (takesPacket(output) === 0) continue;
      const free = freeBit(output);
      anyFree |= free;
      if (found !== Look.nothing || index + channel < bet) continue;
      found = free !== 0 ? Look.isFree : Look.isHeld;
      chosen = index + channel;
      option.output = output;
      option.state = step.state;
      option.step = each;
    }
    if (found !== Look.nothing && anyFree !== 0) {
      queue.bet = <u16>(chosen + 1);
      return found;
    }
    each = markedFrom(steps, each + 1);
  }
  return Look.nothing;
}

/** Adds all channels of a link to the choices. */
export function addChannels(count: i32, first: Queue, state: i32, step: i32): i32 {
  for (let channel = 0; channel < channels; channel++) {
    const option = optionAt(count + channel);
    option.output = changetype<usize>(channelFrom(first, channel));
    option.state = state;
    option.step = step;
  }
  return count + channels;
}
