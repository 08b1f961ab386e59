import { expect } from 'vitest';

/**
 * How many cases a test tries: few in the quick suite, all of them in the slow one.
 *
 * A file `X.slow.test.ts` that imports `X.test.ts` runs the tests of that file with all their cases.
 */
export const casesOf = (few: number, all: number): number => (isSlowSuite() ? all : few);

/** Whether the tests of a file `X.slow.test.ts` are being collected or run. */
export const isSlowSuite = (): boolean => expect.getState().testPath?.endsWith('.slow.test.ts') === true;
