/** The pictures in the documentation for which an experiment is run as a whole, or a mapping searched for. */
import { expect, it } from 'vitest';
import { commandLine } from '../cli/commandLine.ts';
import { curves, expectDrawnToday, manyRates, searched } from './drawnToday.ts';

const placewright = commandLine();

it(`${curves} is what is drawn today, light and dark`, async () => {
  const copy = manyRates(placewright.scratch());
  expect((await placewright.run(['experiment', copy, 'allocators'])).code).toBe(0);
  await expectDrawnToday(placewright, curves, ['draw', copy, 'allocators', '--metric', 'turnaround', '-o', '-']);
});

it.each(searched)('%s is what is drawn today, light and dark', async (file, words) => {
  await expectDrawnToday(placewright, file, words);
});
