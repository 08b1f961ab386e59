/**
 * What a machine's declaration says of its links: of all of them, of each axis, of groups in parentheses, and of single
 * cables behind `link`. Figures that would change nothing are told of.
 */
import type { GroupFigures, LinkGroup, LinkSpeed, MachineFigures } from '../../model/machine.ts';
import { groupName } from '../../model/machine.ts';
import { findEntry } from '../../model/catalogue.ts';
import { countOf } from '../../model/quantities.ts';
import { routings } from '../../network/catalogue.ts';
import { axisName, axisNamed } from '../../model/shape.ts';
import type { TopologyEntry } from '../../network/contract.ts';
import { replace, replaceByMeant } from '../codes.ts';
import { dimensionLimit } from '../propertyForms.ts';
import { nearest, oneOf } from '../suggestions.ts';
import type { OptionNode, PropertyNode, Span, Value } from '../tree.ts';
import { integerWithin } from './numbers.ts';
import type { Properties } from './properties.ts';
import { quantityValue } from './quantities.ts';
import { allOf, expectationOf, takesMessage, type Scope } from './scope.ts';

/** The topology that figures are of, as far as it is known, with the number of its axes where it has some. */
interface Subject {
  readonly entry: TopologyEntry | undefined;
  readonly axes: number | undefined;
}

type Figure = 'bandwidth' | 'latency' | 'cables';
const figureWords: readonly Figure[] = ['bandwidth', 'latency', 'cables'];

const axisNames = Array.from({ length: dimensionLimit }, (_, axis) => axisName(axis));
/** Cables side by side: more are a slip. */
const mostCables = 1024;
const mostTiers = 64;

/** Bandwidth, latency and cables of links; those that are wrong are reported and left out. */
export function linkFiguresOf(properties: Properties, subject: Subject): Pick<MachineFigures, Figure | 'groups'> {
  const general: Partial<Record<Figure, number>> = {};
  const groups = new Map<string, GroupFigures>();
  for (const word of figureWords) {
    const property = properties.get(word);
    if (property === undefined) continue;
    const read = figuresOfProperty(properties.scope, property, word, subject);
    if (read.general !== undefined) general[word] = read.general;
    for (const { group, value } of read.groups) {
      const name = groupName(group);
      groups.set(name, { ...groups.get(name), group, [word]: value });
    }
  }
  const found = { ...general, ...(groups.size === 0 ? {} : { groups: [...groups.values()] }) };
  reportHosts(properties, found);
  reportIdleCables(properties, found, subject);
  return found;
}

interface GroupValue {
  readonly group: LinkGroup;
  readonly value: number;
}

interface PropertyFigures {
  /** Of all links. */
  readonly general: number | undefined;
  readonly groups: readonly GroupValue[];
}

/** `10 GB/s`, `5.7 GB/s, 2.85 GB/s` by axis, or `(hosts 16 GB/s, local 5.25 GB/s)`, also behind the first of these. */
function figuresOfProperty(scope: Scope, property: PropertyNode, word: Figure, subject: Subject): PropertyFigures {
  const { content } = property;
  if (content.kind !== 'value') return { general: undefined, groups: [] };
  const written = content.value === undefined ? [] : [content.value, ...(content.further ?? [])];
  const values = allOf(written.map((value) => linkFigureValue(scope, value, word))) ?? [];
  const named = namedGroups(scope, content.groups ?? [], word, subject);
  const [first] = values;
  if (values.length <= 1) return { general: first, groups: named };
  const span = { start: written[0]!.start, end: written.at(-1)!.end };
  if (!fitsAxes(scope, span, values, word, subject)) return { general: undefined, groups: named };
  if (values.every((value) => value === first)) return { general: first, groups: named };
  const ofAxes = values.map((value, axis): GroupValue => ({ group: { kind: 'axis', axis }, value }));
  return { general: undefined, groups: [...ofAxes, ...named] };
}

function linkFigureValue(scope: Scope, value: Value, word: Figure): number | undefined {
  const expected = expectationOf('machine', word);
  if (word !== 'cables') return quantityValue(scope, value, word === 'bandwidth' ? 'rate' : 'time', expected);
  if (value.kind === 'number') return integerWithin(scope, value, expected.name, { minimum: 1, maximum: mostCables });
  scope.report(value, 'wrong-value', takesMessage(expected));
  return undefined;
}

/** Reports where there is not a value for each axis. */
function fitsAxes(
  scope: Scope,
  span: Span,
  values: readonly number[],
  word: Figure,
  { entry, axes }: Subject,
): boolean {
  if (entry === undefined || axes === undefined) {
    if (entry === undefined) return false;
    const message = `A \`${entry.name}\` has no axes that could each have a ${word} of their own. Write one for all links.`;
    scope.report(span, 'does-not-apply', message);
    return false;
  }
  if (values.length === axes) return true;
  const noun = word === 'bandwidth' ? countOf(values.length, 'rate') : countOf(values.length, 'value');
  const message = `\`${word}\` has ${noun}, and the machine ${countOf(axes, 'axis', 'axes')}: write one for each, or one for all.`;
  scope.report(span, 'wrong-dimensions', message);
  return false;
}

/** What stands in the parentheses, each group once. */
function namedGroups(scope: Scope, options: readonly OptionNode[], word: Figure, subject: Subject): GroupValue[] {
  const known = new Set<string>();
  return options.flatMap((option): GroupValue[] => {
    const group = linkGroup(scope, option, word, subject);
    if (group === undefined) return [];
    const name = groupName(group);
    if (known.has(name)) {
      scope.report(option.name, 'duplicate-option', `\`${name}\` is written twice. Remove one of them.`);
      return [];
    }
    known.add(name);
    const values = group.kind === 'tier' ? option.values.slice(1) : option.values;
    const [value, surplus] = values;
    if (value === undefined) {
      const { example = '' } = expectationOf('machine', word);
      scope.report(
        option,
        'missing-value',
        `\`${name}\` lacks its ${word}: write it behind the name, as in \`${example}\`.`,
      );
      return [];
    }
    if (surplus !== undefined) {
      scope.report(surplus, 'unexpected-text', `\`${name}\` takes one ${word}: remove this.`, {
        fix: replace(surplus, ''),
      });
      return [];
    }
    const found = linkFigureValue(scope, value, word);
    return found === undefined ? [] : [{ group, value: found }];
  });
}

/** The groups of links that a topology may have, as they are written. */
function groupWords({ entry, axes }: Subject, word: Figure): readonly string[] {
  const kinds = entry?.linkGroups ?? [];
  return [
    ...(word === 'cables' ? [] : ['hosts']),
    ...(axes === undefined ? [] : axisNames.slice(0, axes)),
    ...kinds.filter((kind) => kind !== 'axis' && kind !== 'hosts'),
  ];
}

/** The group that an option names; reports one that the topology cannot have. */
function linkGroup(scope: Scope, { name, values }: OptionNode, word: Figure, subject: Subject): LinkGroup | undefined {
  const words = groupWords(subject, word);
  const axis = axisNamed(name.text);
  const written = axis === undefined ? name.text : axisName(axis);
  if (subject.entry !== undefined && !words.includes(written)) {
    const meant = nearest(name.text, words);
    const message =
      words.length === 0
        ? `A \`${subject.entry.name}\` has no links that could have a \`${word}\` of their own: write one for all.`
        : `A \`${subject.entry.name}\` has no links \`${name.text}\`: write ${oneOf(words)}.`;
    scope.report(name, 'unknown-option', message, { fix: replaceByMeant(name, meant) });
    return undefined;
  }
  if (axis !== undefined) return { kind: 'axis', axis };
  switch (name.text) {
    case 'hosts':
    case 'local':
    case 'global':
      return { kind: name.text };
    case 'tier': {
      const [number] = values;
      if (number?.kind !== 'number') {
        scope.report(name, 'missing-number', `Expected a tier. Write \`tier 0\` for the links above the leaves.`);
        return undefined;
      }
      const tier = integerWithin(scope, number, 'The number of a tier', { minimum: 0, maximum: mostTiers });
      return tier === undefined ? undefined : { kind: 'tier', tier };
    }
    default:
      return undefined;
  }
}

/** The links of nodes get one bandwidth: `interface` or `bandwidth(hosts …)`. */
function reportHosts(properties: Properties, { groups = [] }: Pick<MachineFigures, 'groups'>): void {
  const port = properties.get('interface');
  const ofHosts = groups.find(({ group }) => group.kind === 'hosts')?.bandwidth;
  if (port !== undefined && ofHosts !== undefined) {
    properties.reportConflict(
      port,
      '`interface` and `bandwidth(hosts …)` both set the bandwidth of node links. Remove one.',
    );
  }
}

/** Cables side by side multiply a bandwidth: where there is none they change nothing. */
function reportIdleCables(
  properties: Properties,
  { bandwidth, groups = [], cables }: Pick<MachineFigures, Figure | 'groups'>,
  { entry }: Subject,
): void {
  const property = properties.get('cables');
  if (property === undefined || bandwidth !== undefined || entry?.name === 'from') return;
  // A route that takes one of several cables loads it alone, whatever it carries.
  const routing = properties.choice('routing')?.name.text;
  if (routing !== undefined && findEntry(routings, routing)?.choosesCables === true) return;
  const counts = groups.filter((one) => one.cables !== undefined);
  // What is said of local links holds for rows and columns of groups as well.
  const ofLocal = groups.find(({ group }) => group.kind === 'local' && entry?.axes !== undefined)?.bandwidth;
  const isIdle =
    counts.some((one) => one.bandwidth === undefined && (one.group.kind !== 'axis' || ofLocal === undefined)) ||
    (cables !== undefined && groups.length === counts.length);
  if (!isIdle) return;
  const message = 'Parallel links need a bandwidth. Add `bandwidth` to the machine.';
  properties.scope.report(property.word, 'no-effect', message, { severity: 'warning' });
}

/** What stands behind `link 0 -- 1`: `bandwidth 5 GB/s latency 1 us`. */
export function speedOfCables(scope: Scope, figures: readonly OptionNode[]): LinkSpeed {
  const speed: { bandwidth?: number; latency?: number } = {};
  for (const { name, values } of figures) {
    const word = name.text === 'latency' ? 'latency' : 'bandwidth';
    if (speed[word] !== undefined) {
      scope.report(name, 'duplicate-option', `\`${word}\` is written twice for this link. Remove one of them.`);
      continue;
    }
    const [value] = values;
    const found = value && linkFigureValue(scope, value, word);
    if (found !== undefined) speed[word] = found;
  }
  return speed;
}
