/** The picture in the documentation for which an experiment is run as a whole. */
import { expect, it } from 'vitest';
import { commandLine } from '../cli/commandLine.ts';
import { curves, expectDrawnToday, manyRates } from './drawnToday.ts';

const placewright = commandLine();

it(`${curves} is what is drawn today, light and dark`, async () => {
  const copy = manyRates(placewright.scratch());
  expect((await placewright.run(['experiment', copy, 'allocators'])).code).toBe(0);
  await expectDrawnToday(placewright, curves, ['draw', copy, 'allocators', '--metric', 'turnaround', '-o', '-']);
});
