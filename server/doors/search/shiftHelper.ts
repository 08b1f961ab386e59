import type { MessagePort } from 'node:worker_threads';
import { doStint, type StintMaterials } from '../../mapping/auto/stints.ts';
import { firstDoneCell, nextCell, runCell, stopCell, type StintAnswer, type StintMessage } from './shiftMessages.ts';

/** The helper's side of searches: keeps the materials of open shifts and does the stints that nobody has taken. */
export class ShiftHelper {
  readonly #answers: MessagePort;
  readonly #materials = new Map<number, StintMaterials>();

  constructor(answers: MessagePort) {
    this.#answers = answers;
  }

  take(message: StintMessage): void {
    switch (message.kind) {
      case 'open':
        this.#materials.set(message.shift, message.materials);
        return;
      case 'close':
        this.#materials.delete(message.shift);
        return;
      case 'run':
        this.#run(message);
    }
  }

  #run({ shift, stints, cells }: Extract<StintMessage, { kind: 'run' }>): void {
    const materials = this.#materials.get(shift);
    if (materials === undefined) return;
    const stop = { isCancelled: () => Atomics.load(cells, stopCell) !== 0 };
    for (;;) {
      const position = Atomics.add(cells, nextCell, 1);
      const stint = stints[position];
      if (stint === undefined || stop.isCancelled()) return;
      const outcome = doStint(materials, stint, stop);
      const answer: StintAnswer = { run: cells[runCell]!, position, outcome };
      this.#answers.postMessage(answer);
      Atomics.store(cells, firstDoneCell + position, 1);
    }
  }
}
