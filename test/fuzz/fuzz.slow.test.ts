import { testMutatedTexts } from './mutatedTexts.ts';

/** `PLACEWRIGHT_MUTATED_TEXTS=2500` tries twenty times as many. */
const textsPerPart = Number(process.env['PLACEWRIGHT_MUTATED_TEXTS'] ?? '125');

testMutatedTexts([1, 2, 3, 4, 5, 6, 7, 8], textsPerPart);
