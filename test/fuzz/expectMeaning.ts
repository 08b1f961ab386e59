import { expect } from 'vitest';
import { tryTexts } from './language.ts';

/** Expects that texts at random keep their meaning when they are formatted and mended. */
export async function expectMeaning(seed: number, texts: number): Promise<void> {
  const failures: string[] = [];
  const sum = await tryTexts(seed, texts, (failure, text) => failures.push(`${failure}\n${text}`));
  expect(failures).toEqual([]);
  expect(sum.fenced).toBe(0);
  expect(sum.formatted).toBeGreaterThan(texts / 5);
  expect(sum.fixes).toBeGreaterThan(texts / 20);
}
