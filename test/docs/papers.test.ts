import { describe, it } from 'vitest';
import { measuredTable } from '../../tools/paperMeasured.ts';
import { expectGeneratedBlock } from './generatedBlock.ts';

describe('the page of the papers', () => {
  it('has the numbers that the tables quote beside those that are kept', () => {
    expectGeneratedBlock('samples/papers/README.md', 'pascual tables 2 to 6', measuredTable());
  });
});
