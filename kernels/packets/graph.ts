/** Where packets may go next where routes are chosen in a graph of states: its next steps on shortest ways. */
import { channels, isAdaptive, rowCount, stateCount } from './options';
import { channelFrom, detailsOf, engine, optionAt, Queue, Step, wordAt } from './records';

/** Writes the steps left from each state to a router: 16 bits each. */
declare function writeDistances(router: i32, address: usize): void;

/** The row of a router; rows share places where there are fewer than routers. */
function distancesTo(router: i32): usize {
  const place = router < rowCount ? router : router % rowCount;
  const row = engine.rows + <usize>place * <usize>stateCount * 2;
  const kept = engine.rowRouters + ((<usize>place) << 2);
  if (load<i32>(kept) !== router + 1) {
    writeDistances(router, row);
    store<i32>(kept, router + 1);
  }
  return row;
}

/** Has the row of a router worked out before packets for it are on their way. */
export function keepDistances(router: i32): void {
  distancesTo(router);
}

function distanceIn(row: usize, state: i32): i32 {
  return load<u16>(row + ((<usize>state) << 1));
}

function stepAt(index: i32): Step {
  return changetype<Step>(engine.steps + ((<usize>index) << 3));
}

/** The first choice, as {@link findInGraph} writes it, with the state behind it in the details of the queue. */
export function firstInGraph(queue: Queue, state: i32, router: i32): usize {
  const details = detailsOf(queue);
  const last = isAdaptive ? details.lastLink : 0;
  const row = distancesTo(router);
  const wanted = distanceIn(row, state) - 1;
  const end = wordAt(engine.firstSteps, state + 1);
  let first = 0;
  for (let each = wordAt(engine.firstSteps, state); each < end; each++) {
    const step = stepAt(each);
    if (distanceIn(row, step.state) !== wanted) continue;
    const output = changetype<usize>(step.output);
    if (<i32>output <= last && first !== 0) continue;
    first = <i32>output;
    details.nextState = step.state;
    if (first > last) break;
  }
  return <usize>first;
}

/** The next links on shortest ways: the first one, or all, those behind the one that the queue used last at first. */
export function findInGraph(queue: Queue, state: i32, router: i32): i32 {
  const last = detailsOf(queue).lastLink;
  const row = distancesTo(router);
  const wanted = distanceIn(row, state) - 1;
  const begin = wordAt(engine.firstSteps, state);
  const end = wordAt(engine.firstSteps, state + 1);
  let count = 0;
  for (let round = 0; round < 2; round++) {
    for (let each = begin; each < end; each++) {
      const step = stepAt(each);
      if (distanceIn(row, step.state) !== wanted) continue;
      if (!isAdaptive) return addChannels(0, step.output, step.state);
      if (changetype<i32>(step.output) > last === (round === 0)) count = addChannels(count, step.output, step.state);
    }
  }
  return count;
}

/** Adds all channels of a link to the choices. */
export function addChannels(count: i32, first: Queue, state: i32): i32 {
  for (let channel = 0; channel < channels; channel++) {
    const option = optionAt(count + channel);
    option.output = changetype<usize>(channelFrom(first, channel));
    option.state = state;
  }
  return count + channels;
}
