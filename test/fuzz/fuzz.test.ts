import { testMutatedTexts } from './mutatedTexts.ts';

testMutatedTexts([1], 40);
