import { quote, type Result, fail, succeed } from '../../model/result.ts';
import { expandHostNames, isHostName } from '../../model/hostlist.ts';
import type { Machine } from '../../model/machine.ts';
import { countOf } from '../../model/quantities.ts';
import type { PlacementReport } from '../../model/report.ts';
import { hasHostNames, hostNames, placeholderNames } from '../../network/names.ts';
import { nodeOfSlot } from '../../model/slots.ts';

/**
 * The host names of `--names PATTERN`: `nid%05d` with the number of the node, of all nodes of the machine; else a hostlist as Slurm
 * writes it. Fails with `bad-hosts`.
 */
export function namesOfPattern(pattern: string, { nodeCount }: Pick<Machine, 'nodeCount'>): Result<readonly string[]> {
  const names = expandHostNames(pattern, nodeCount);
  return names.ok ? names : fail('bad-hosts', names.failure);
}

/** The host names of a placement's nodes, and where they come from. */
interface ChosenHosts {
  /** By NodeId; nodes that the placement does not use may be without. */
  readonly names: readonly (string | undefined)[];
  readonly origin: 'given' | 'fabric' | 'placeholders';
  /** Why the names of the machine's fabric are not used, as a sentence. */
  readonly doubt?: string;
  /** Of names of the fabric, sentences. */
  readonly warnings?: readonly string[];
}

/** `H-b8e92403009ca838`, `0x0002c90300a1b2c3`: how files call adapters whose hosts never set a name. */
const hardwareName = /^(?:[a-z]-|0x)?(?=.*\d)[0-9a-f]{12,16}$/i;

/** No system knows a host by the number of its adapter. */
function doubtOfNumbers(names: readonly string[]): readonly string[] {
  const numbered = names.filter((name) => hardwareName.test(name));
  const [first] = numbered;
  if (first === undefined) return [];
  return [
    `${countOf(numbered.length, 'host')} ${numbered.length === 1 ? 'is' : 'are'} named by a NIC GUID, the first ${first}. Launchers need host names.`,
  ];
}

/**
 * Host names of the placement's nodes: those given; else those of the fabric the machine was read from, where
 * they can be host names and tell the nodes of the placement apart; else placeholders. Fails with `bad-hosts` where
 * the names given are not one for each allocated node, or for each node of the machine.
 */
export function chooseHosts(report: PlacementReport, given: readonly string[] | undefined): Result<ChosenHosts> {
  const { machine } = report;
  const names = hostNames(machine);
  if (given !== undefined) {
    const assigned = assignHosts(report, given);
    if (!assigned.ok) return assigned;
    const fault = faultOfHosts(assigned.value, report);
    return fault === undefined ? succeed({ names: assigned.value, origin: 'given' }) : fail('bad-hosts', fault);
  }
  if (!hasHostNames(machine)) return succeed({ names, origin: 'placeholders' });
  const unusable = names.find((name) => !isHostName(name));
  const doubt =
    unusable === undefined
      ? faultOfHosts(names, report)
      : `The fabric contains the unusable host name ${quote(unusable)}.`;
  if (doubt === undefined) return succeed({ names, origin: 'fabric', warnings: doubtOfNumbers(names) });
  return succeed({ names: placeholderNames(machine), origin: 'placeholders', doubt });
}

/**
 * Gives each node its name. Names of the machine's own hosts stand for those hosts, in any order; others are one for
 * each node of the machine by NodeId, or one for each allocated node in the order of the allocation.
 */
function assignHosts(
  { machine, jobs }: PlacementReport,
  given: readonly string[],
): Result<readonly (string | undefined)[]> {
  const allocated = Array.from(new Set(jobs.flatMap(({ allocation }) => Array.from(allocation))));
  const own = hasHostNames(machine) ? hostNames(machine) : [];
  const known = new Set(own);
  if (own.length > 0 && given.every((name) => known.has(name))) {
    const listed = new Set(given);
    const missing = allocated.map((node) => own[node]!).filter((name) => !listed.has(name));
    if (missing.length > 0) {
      return fail(
        'bad-hosts',
        `Host names are missing for ${countOf(missing.length, 'host')} of the placement: ${firstFew(missing)}.`,
      );
    }
    const wanted = new Set(allocated.map((node) => own[node]!));
    const surplus = given.filter((name) => !wanted.has(name));
    if (surplus.length > 0 && given.length !== own.length) {
      return fail(
        'bad-hosts',
        `The placement does not use ${countOf(surplus.length, 'host')} of the given names: ${firstFew(surplus)}.`,
      );
    }
    return succeed(own);
  }
  if (given.length === machine.nodeCount) return succeed(given);
  const advice = `Give one for each of the ${allocated.length} allocated nodes in order, or one for each of the ${machine.nodeCount} nodes of the machine`;
  if (given.length < allocated.length) {
    const without = allocated.slice(given.length).map((node) => `node ${node}`);
    return fail('bad-hosts', `Found ${given.length} host names, missing for ${firstFew(without)}. ${advice}.`);
  }
  if (given.length > allocated.length) {
    const surplus = given.slice(allocated.length);
    return fail(
      'bad-hosts',
      `Found ${given.length} host names, ${surplus.length} too many (${firstFew(surplus)}). ${advice}.`,
    );
  }
  const names: (string | undefined)[] = [];
  for (const [at, node] of allocated.entries()) names[node] = given[at]!;
  return succeed(names);
}

const firstFew = (names: readonly string[]): string => names.slice(0, 4).join(', ') + (names.length > 4 ? ', …' : '');

/** Why host names do not serve a placement, as a sentence; undefined where they do. */
function faultOfHosts(hosts: readonly (string | undefined)[], { machine, jobs }: PlacementReport): string | undefined {
  const nodeOfHost = new Map<string, number>();
  for (const { mapping } of jobs) {
    for (const slot of mapping) {
      const node = nodeOfSlot(machine, slot);
      const host = hosts[node];
      if (host === undefined) return `The placement uses node ${node}, which has no host name.`;
      const other = nodeOfHost.get(host) ?? node;
      if (other !== node)
        return `Nodes ${other} and ${node} have the same host name ${host}. Give each node its own host.`;
      nodeOfHost.set(host, node);
    }
  }
  return undefined;
}

/** Why hosts have no room for the ranks that a placement puts there, as a sentence; undefined where they have or nobody says. O(ranks). */
export function faultOfRoom(
  { nodeOfRank }: { readonly nodeOfRank: Int32Array },
  hosts: readonly (string | undefined)[],
  slotsOfHosts: ReadonlyMap<string, number> | undefined,
): string | undefined {
  if (slotsOfHosts === undefined) return undefined;
  const ranks = new Map<string, number>();
  for (const node of nodeOfRank) {
    const host = hosts[node] ?? '';
    ranks.set(host, (ranks.get(host) ?? 0) + 1);
  }
  const small = Array.from(ranks).filter(([host, count]) => count > (slotsOfHosts.get(host) ?? Infinity));
  const [first] = small;
  if (first === undefined) return undefined;
  const [host, count] = first;
  const others = small.length === 1 ? '' : ` ${countOf(small.length, 'host')} are too small.`;
  return `Host ${host} has ${countOf(slotsOfHosts.get(host) ?? 0, 'slot')}, but the placement needs ${countOf(count, 'rank')} there. Correct \`sockets\` and \`cores\`, or use other hosts.${others}`;
}
