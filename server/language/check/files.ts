import type { StringValue } from '../tree.ts';
import type { Properties } from './properties.ts';
import type { Scope } from './scope.ts';

/** The URI of a file named in this one; reports an empty name. */
export function fileUri(scope: Scope, value: StringValue): string | undefined {
  const uri = scope.resolve(value.text);
  if (uri === undefined) scope.report(value, 'wrong-value', 'Name a file in the double quotes, relative to this one.');
  return uri;
}

/** The URI of `coordinates "FILE"` or `trace "FILE"`. */
export function fileOf(scope: Scope, properties: Properties, word: string): string | undefined {
  const value = properties.value(word);
  if (value === undefined) return undefined;
  if (value.kind === 'string') return fileUri(scope, value);
  scope.report(value, 'wrong-value', `\`${word}\` takes a file in double quotes.`);
  return undefined;
}
