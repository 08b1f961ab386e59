/** `without`: which cables, switches and nodes of a machine do not work. */
import { appendAll } from '../../model/lists.ts';
import { countHostlist } from '../../model/hostlist.ts';
import type { FaultDescription, NumberRange, RouterReference } from '../../network/contract.ts';
import { integerWithin, numberOfOne } from './numbers.ts';
import type { PhraseReader } from './phrase.ts';
import type { Properties } from './properties.ts';
import type { Scope } from './scope.ts';

/** What can be taken out one by one or in ranges. */
type Kind = 'switch' | 'node';

/** How many there are, where the declaration says it. */
type Known = Readonly<Record<Kind, number | undefined>>;

/** At most so many, whatever a file holds. */
const mostOfAKind = 2 ** 22;

/**
 * What all properties `without` of a machine take out; undefined where there is none. What is wrong is reported and
 * left out. O(what they name).
 */
export function declaredFaults(properties: Properties, known: Known): FaultDescription | undefined {
  const { scope } = properties;
  const written = properties.all('without');
  if (written.length === 0) return undefined;
  const cables: FaultDescription['cables'][number][] = [];
  const routers: (RouterReference | NumberRange)[] = [];
  const nodes: (RouterReference | NumberRange)[] = [];
  for (const property of written) {
    const reader = properties.phrase(property);
    if (reader === undefined) continue;
    if (reader.accept('switch')) appendAll(routers, readReferences(scope, reader, 'switch', known));
    else if (reader.accept('node')) appendAll(nodes, readReferences(scope, reader, 'node', known));
    else appendAll(cables, readFaultCables(scope, reader, known));
    reader.finish();
  }
  return { cables, routers, nodes };
}

/** `3 -- 4, 5`, `"leaf-1" -- "spine-2"`, `3 -- 4 cable 2`. */
function readFaultCables(scope: Scope, reader: PhraseReader, known: Known): FaultDescription['cables'][number][] {
  const from = reference(scope, reader, 'switch', known);
  reader.expect('--');
  const ends = readReferences(scope, reader, 'switch', known).flatMap(expandRange);
  const cable = reader.accept('cable') ? readCableNumber(scope, reader) : undefined;
  return from === undefined ? [] : ends.map((to) => ({ from, to, ...(cable !== undefined && { cable }) }));
}

/** Which of parallel cables, from 1. */
function readCableNumber(scope: Scope, reader: PhraseReader): number | undefined {
  const node = reader.plain();
  return node && integerWithin(scope, node, 'The number of a cable', { minimum: 1, maximum: mostOfAKind });
}

/** `12, 20..24, "nid[01-04]"`; names may be hostlists where `kind` is `node`. */
export function readReferences(
  scope: Scope,
  reader: PhraseReader,
  kind: Kind,
  known: Known,
): (RouterReference | NumberRange)[] {
  const found: (RouterReference | NumberRange)[] = [];
  do {
    const first = reference(scope, reader, kind, known);
    if (first === undefined) break;
    const last = typeof first === 'number' && reader.accept('..') ? numbered(scope, reader, kind, known) : first;
    if (typeof first === 'string' || typeof last !== 'number' || first === last) found.push(first);
    else found.push({ first: Math.min(first, last), last: Math.max(first, last) });
  } while (reader.accept(','));
  return found;
}

/** Each of a range by itself. */
function expandRange(found: RouterReference | NumberRange): readonly RouterReference[] {
  if (typeof found !== 'object') return [found];
  return Array.from({ length: found.last - found.first + 1 }, (_, index) => found.first + index);
}

function reference(scope: Scope, reader: PhraseReader, kind: Kind, known: Known): RouterReference | undefined {
  const name = reader.quoted();
  if (name === undefined) return numbered(scope, reader, kind, known);
  const count = kind === 'switch' ? undefined : countHostlist(name.text);
  if (count?.ok === false) scope.report(name, 'wrong-value', count.failure);
  else if (name.text.trim() === '') scope.report(name, 'wrong-value', `Name a ${kind} in the double quotes.`);
  return name.text;
}

/** The number of a switch or node that there is. */
function numbered(scope: Scope, reader: PhraseReader, kind: Kind, known: Known): number | undefined {
  const node = reader.plain();
  if (node === undefined) return undefined;
  return numberOfOne(scope, node, kind, { count: known[kind], most: mostOfAKind - 1 })?.value;
}
