import { it } from 'vitest';
import { expectWholeAfterEdits } from './editedTexts.ts';

it.each([2, 3, 4])('a text read in pieces is the whole after every edit, part %i', async (part) => {
  await expectWholeAfterEdits(part);
});
