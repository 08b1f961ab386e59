import type { Choice } from '../../model/catalogue.ts';
import { linkLimit, slotLimit } from '../../model/machine.ts';
import type { TopologyEntry, TopologyRequest, TopologySize } from '../../network/contract.ts';
import { problemCodes, replace, type ProblemCode } from '../codes.ts';
import type { Span } from '../tree.ts';
import type { Properties } from './properties.ts';
import { countOf, formatCount, type Scope } from './scope.ts';

/** A topology of up to this many directed links is built while typing, to see whether it can be. */
const typingLinkLimit = 2 ** 16;

/** What a topology would be made of. Its file is not read here. */
export const requestOf = (
  { argument, options }: Choice,
  hosts: number | undefined,
  cables: TopologyRequest['cables'],
): TopologyRequest => ({ argument, options, cables, hosts, fabric: undefined });

/** How large the topology would be; undefined where only its file says so. */
export function measuredSize(entry: TopologyEntry, request: TopologyRequest): TopologySize | undefined {
  return request.argument?.kind === 'file' ? undefined : entry.measure?.(request);
}

/** `hosts` where the topology counts its nodes itself. */
export function checkHosts(scope: Scope, properties: Properties, { name, takesHosts }: TopologyEntry): void {
  const hosts = properties.get('hosts');
  if (takesHosts || hosts === undefined) return;
  const message = `\`hosts\` does not fit \`topology ${name}\`, which says itself how many compute nodes there are: remove it.`;
  scope.report(hosts.word, 'does-not-apply', message, { fix: replace(hosts, '') });
}

/** Compares the machine with the limits of the model before anything of that size is made. Whether it fits. */
export function checkSize(
  scope: Scope,
  span: Span,
  measured: TopologySize | undefined,
  coresPerNode: number | undefined,
): boolean {
  const nodes = measured?.nodes ?? 0;
  const slots = nodes * (coresPerNode ?? 1);
  const links = measured?.links ?? 0;
  if (slots > slotLimit) {
    const message =
      `This machine has ${countOf(nodes, 'node')} with ${countOf(slots, 'core')}; ` +
      `at most ${formatCount(slotLimit)} cores are possible: make it smaller.`;
    scope.report(span, 'machine-too-large', message);
  } else if (links > linkLimit) {
    const message = `This machine has ${formatCount(links)} directed links; at most ${formatCount(linkLimit)} are possible: make it smaller.`;
    scope.report(span, 'machine-too-large', message);
  } else return true;
  return false;
}

/**
 * Tries to build what has options or cables that may not go together: a network in two parts, a
 * fat tree with `k` and without `n`. A large one is left to the study. O(links), up to the limit.
 */
export function checkStructure(
  scope: Scope,
  span: Span,
  entry: TopologyEntry,
  request: TopologyRequest,
  measured: TopologySize | undefined,
): void {
  const mayFail = entry.takesCables || entry.options.length > 0;
  // What has no size cannot be built, and says so at once.
  const isSmall = measured === undefined || measured.links <= typingLinkLimit;
  if (!mayFail || !isSmall) return;
  const built = entry.build?.(request);
  if (built === undefined || built.ok) return;
  const { code, message } = built.failure;
  scope.report(span, code in problemCodes ? (code as ProblemCode) : 'wrong-value', message);
}
