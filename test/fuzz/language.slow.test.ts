import { it } from 'vitest';
import { expectMeaning } from './expectMeaning.ts';

it.each([1, 2, 3, 4])('programs at random and damaged ones keep their meaning, part %i', async (part) => {
  await expectMeaning(part * 1_000_000, 300);
});
