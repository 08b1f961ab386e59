import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { compiledKernel, kernelFile } from '../../tools/kernels.ts';
import { root } from '../../tools/run.ts';

it('the kernel that runs is what its sources say', async () => {
  const path = resolve(root, kernelFile);
  const text = await compiledKernel();
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(path, text);
  const says = 'run UPDATE_DOCS=1 npx vitest run --project unit test/docs test/architecture';
  expect(readFileSync(path, 'utf8') === text, `${kernelFile}: ${says}`).toBe(true);
});
