/** Workloads of as many operations as there may be. */
import { expect, it } from 'vitest';
import { mostOperations, WorkloadBuilder } from './workload.ts';

it('a workload that is written ends with a failure instead of all memory', () => {
  const builder = new WorkloadBuilder(1);
  builder.list(0);
  builder.repeat(2);
  for (let at = 0; at <= mostOperations; at++) builder.send(0, 0, 0);
  builder.end();
  const result = builder.finished();
  expect(result.ok ? undefined : result.failure.code).toBe('workload-too-large');
});
