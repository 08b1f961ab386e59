import type { OptionSpecification } from '../../model/catalogue.ts';
import { fail, succeed, type Result } from '../../model/result.ts';
import type { PatternRequest } from '../contract.ts';

/** The option of patterns with one task in the middle. */
export const rootOption: OptionSpecification = {
  name: 'root',
  summary: 'the task in the middle',
  kind: 'integer',
  minimum: 0,
  maximum: 2 ** 22 - 1,
  default: 0,
};

/** The task that `root` names, 0 by default. Fails with `no-such-task` beyond the last task. */
export function rootOf(request: PatternRequest): Result<number> {
  const root = request.options['root'] ?? 0;
  if (typeof root === 'number' && Number.isInteger(root) && root >= 0 && root < request.taskCount) return succeed(root);
  return fail('no-such-task', `\`root\` must be one of the tasks 0 to ${request.taskCount - 1}.`);
}
