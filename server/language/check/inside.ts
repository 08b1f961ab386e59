import { nodeSources } from '../nodeSources.ts';
import { propertyOf } from '../properties.ts';
import { checkChoice } from './choices.ts';
import { expectationOf } from './expectations.ts';
import { integerValue } from './numbers.ts';
import { reportConflict, type Properties } from './properties.ts';
import type { Scope } from './scope.ts';

/** The inside of a compute node as declared; counts are 1 where nothing says so. */
export interface Inside {
  readonly sockets: number;
  readonly cores: number;
  /** URI of `node from "FILE"`, which holds both counts. */
  readonly nodeFile?: string;
}

/** `sockets`, `cores` or `node from "FILE"`; undefined where something of it is wrong. */
export function checkInside(scope: Scope, properties: Properties): Inside | undefined {
  const sockets = countProperty(scope, properties, 'sockets') ?? 1;
  const cores = countProperty(scope, properties, 'cores') ?? 1;
  if (properties.get('node') === undefined) {
    return sockets === 'wrong' || cores === 'wrong' ? undefined : { sockets, cores };
  }
  for (const word of ['sockets', 'cores']) {
    const property = properties.get(word);
    const message = `The file of \`node\` says how many ${word} there are: remove one of the two.`;
    if (property !== undefined) reportConflict(scope, property, message);
  }
  const node = properties.choice('node');
  const argument = node && checkChoice(scope, node, 'description of a node', nodeSources).choice?.argument;
  return argument?.kind === 'file' ? { sockets: 1, cores: 1, nodeFile: argument.uri } : undefined;
}

/** The number of a count property; undefined where it is not written. */
export function countProperty(
  scope: Scope,
  properties: Properties,
  word: 'hosts' | 'sockets' | 'cores',
): number | 'wrong' | undefined {
  if (properties.get(word) === undefined) return undefined;
  const value = properties.value(word);
  const form = propertyOf('machine', word)?.content;
  if (value === undefined || form?.form !== 'integer') return 'wrong';
  return integerValue(scope, value, expectationOf('machine', word), form) ?? 'wrong';
}
