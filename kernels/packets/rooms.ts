/** What room there is behind outputs, and whether somebody holds them. */
import { engine, hasBubblePlace, hasPlace, isFree, Queue, queueShift } from './records';

/** The output of an option. */
export function outputOf(option: usize): Queue {
  return changetype<Queue>(option & ~1);
}

/**
 * Bits of what an output has. They are side by side in a table of bytes: who asks for one of several outputs looks at all of them, and has to
 * wait for no record but that of the one that it gets.
 */
export function whatHas(output: Queue): u8 {
  return load<u8>(engine.hasOf0 + (changetype<usize>(output) >> queueShift));
}

export function setWhatHas(output: Queue, has: u8): void {
  store<u8>(engine.hasOf0 + (changetype<usize>(output) >> queueShift), has);
}

/** The bit of the room that an option takes. */
function placeFor(option: usize): u8 {
  return (option & 1) !== 0 ? hasBubblePlace : hasPlace;
}

/** Whether an output takes a packet, entered by the rule of the bubble or not. */
export function hasRoom(option: usize): bool {
  return (whatHas(outputOf(option)) & placeFor(option)) !== 0;
}

/** The same as a bit, and whether nobody holds it. */
export function takesPacket(option: usize): i32 {
  const has: i32 = whatHas(outputOf(option));
  const bit = <i32>(option & 1);
  return (has >> bit) & 1;
}

export function freeBit(option: usize): i32 {
  const has: i32 = whatHas(outputOf(option));
  return (has >> 2) & 1;
}

/** Whether it has room and nobody holds it. */
export function isToBeHad(option: usize): bool {
  const takes = isFree | placeFor(option);
  return (whatHas(outputOf(option)) & takes) === takes;
}
