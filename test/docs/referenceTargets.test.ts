/** Every entry that hovers and codes of diagnostics link to is in the reference. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { problemCodes, studyCodes } from '../../server/language/codes.ts';
import { catalogueFor, declarations } from '../../server/language/schema.ts';
import {
  referenceOfEntry,
  referenceOfProperty,
  type ReferenceTarget,
} from '../../server/language/service/reference.ts';
import { root } from '../../tools/run.ts';

function isThere({ page, anchor }: ReferenceTarget): boolean {
  const path = resolve(root, `docs/reference/${page}.md`);
  return existsSync(path) && readFileSync(path, 'utf8').includes(`<a id="${anchor ?? ''}"></a>`);
}

const missing = (targets: readonly ReferenceTarget[]): readonly ReferenceTarget[] =>
  targets.filter((target) => !isThere(target));

it('has the entry of each code', () => {
  const codes = Object.keys({ ...problemCodes, ...studyCodes });
  expect(codes.length).toBeGreaterThan(100);
  expect(missing(codes.map((anchor) => ({ page: 'diagnostics', anchor })))).toEqual([]);
});

it('has the entry of each property and of each name that may follow it', () => {
  const targets = declarations.flatMap(({ kind, properties }) =>
    properties.flatMap(({ word }) => [
      referenceOfProperty(kind, word)!,
      ...catalogueFor(word).flatMap(({ name }) => referenceOfEntry(kind, word, name) ?? []),
    ]),
  );
  expect(targets.length).toBeGreaterThan(300);
  expect(targets).toContainEqual({ page: 'topologies', anchor: 'topology-torus' });
  expect(targets).toContainEqual({ page: 'metrics', anchor: 'metric-maximumHops' });
  expect(missing(targets)).toEqual([]);
});
