/** What builders of topologies read from arguments and options, and how they number the nodes of routers. */
import { largestOf } from '../../model/lists.ts';
import type { ArgumentValue, OptionValues } from '../../model/catalogue.ts';
import { expandHostlist } from '../../model/hostlist.ts';
import { slotLimit } from '../../model/machine.ts';
import { fail, quote, succeed, type Result } from '../../model/result.ts';
import type { Shape } from '../../model/shape.ts';
import type { HostingRouters, TopologyRequest } from '../contract.ts';

/** The sides that stand after `torus` or `mesh`; empty where the argument is no shape (the builder then refuses it). */
export function shapeOfArgument(argument: ArgumentValue | undefined): Shape {
  return argument?.kind === 'numbers' ? Array.from(argument.numbers) : [];
}

/** The integer that stands after `hypercube`; 0 where the argument is none (the builder then refuses it). */
export function integerOfArgument(argument: ArgumentValue | undefined): number {
  const [value = 0] = shapeOfArgument(argument);
  return Number.isInteger(value) && value > 0 ? value : 0;
}

/** The value of a whole-number option: `k 4`. */
export function integerOption(options: OptionValues, name: string): number | undefined {
  const value = options[name];
  return typeof value === 'number' ? value : undefined;
}

/** The value of a shape option: `levels 4 x 4 x 2`. */
export function shapeOption(options: OptionValues, name: string): Shape | undefined {
  const value = options[name];
  return typeof value === 'object' && !('amount' in value || 'items' in value) ? value : undefined;
}

/** The items of a list of routers: `roots [0..3, "spine-7"]`. */
export function routersOption(options: OptionValues, name: string): readonly (number | string)[] | undefined {
  const value = options[name];
  return typeof value === 'object' && 'items' in value ? value.items : undefined;
}

/** Router of each node where every router has `hosts` of them: node = router · hosts + host. O(nodes). */
export function evenlyAttached(routers: number, hosts: number): Int32Array {
  const routerOfNode = new Int32Array(routers * hosts);
  for (let router = 0; router < routers; router++) routerOfNode.fill(router, router * hosts, (router + 1) * hosts);
  return routerOfNode;
}

/** What tells which routers there are. */
interface Routers {
  readonly count: number;
  /** As a file calls them. */
  readonly names?: readonly string[];
  readonly tiers?: ArrayLike<number> | undefined;
}

/**
 * Router of each node where some routers have `hosts` of them, or all: those that `on` names, ascending. Fails with
 * `no-leaves`, `out-of-range`, `bad-hostlist` or `no-such-switch`. O(routers + nodes).
 */
export function attachedNodes(
  { hosts = 1, hostsOn }: Pick<TopologyRequest, 'hosts' | 'hostsOn'>,
  routers: Routers,
): Result<Int32Array> {
  if (hostsOn === undefined) return succeed(evenlyAttached(routers.count, hosts));
  const hosting = hostingRouters(hostsOn, routers);
  if (!hosting.ok) return hosting;
  const routerOfNode = new Int32Array(hosting.value.length * hosts);
  hosting.value.forEach((router, place) => routerOfNode.fill(router, place * hosts, (place + 1) * hosts));
  return succeed(routerOfNode);
}

/** How many nodes {@link attachedNodes} would hang on routers; undefined where it refuses. O(routers). */
export function countAttached(
  { hosts = 1, hostsOn }: Pick<TopologyRequest, 'hosts' | 'hostsOn'>,
  routers: Routers,
): number | undefined {
  if (hostsOn === undefined) return routers.count * hosts;
  const hosting = hostingRouters(hostsOn, routers);
  return hosting.ok ? hosting.value.length * hosts : undefined;
}

/** More switches than this cannot be: what stands behind in a list is not looked through. */
const mostRouters = slotLimit;

/** Ascending. O(routers that are named). */
function hostingRouters(on: HostingRouters, { count, names, tiers }: Routers): Result<Int32Array> {
  if (on === 'leaves') {
    if (tiers === undefined) return fail('no-leaves', leavesMessage(names));
    const leaves = Array.from(tiers, (tier, router) => (tier === 0 ? router : -1));
    return succeed(Int32Array.from(leaves.filter((router) => router >= 0)));
  }
  const numberOf = new Map(names?.map((name, router) => [name, router]));
  const last = largestOf(on.map((one) => (typeof one === 'object' ? one.last : typeof one === 'number' ? one : 0)));
  if (last >= count) return fail('out-of-range', `Unknown switch ${last}; ${knownNumbers(count)}.`);
  const isHosting = new Uint8Array(Math.max(last + 1, numberOf.size));
  for (const reference of on.slice(0, mostRouters)) {
    if (typeof reference !== 'string') {
      const [from, to] = typeof reference === 'number' ? [reference, reference] : [reference.first, reference.last];
      isHosting.fill(1, from, to + 1);
      continue;
    }
    const expanded = expandHostlist(reference);
    if (!expanded.ok) return fail('bad-hostlist', expanded.failure);
    for (const name of expanded.value) {
      const router = numberOf.get(name);
      if (router === undefined) return fail('no-such-switch', noSuchSwitch(name, names));
      isHosting[router] = 1;
    }
  }
  const routers = new Int32Array(isHosting.reduce((sum, is) => sum + is, 0));
  let found = 0;
  for (let router = 0; router < isHosting.length; router++) if (isHosting[router] === 1) routers[found++] = router;
  return succeed(routers);
}

const knownNumbers = (count: number): string =>
  count === 1 ? 'the only one is 0' : `the switches are 0 to ${count - 1}`;

function leavesMessage(names: readonly string[] | undefined): string {
  if (names === undefined) {
    return 'These switches have no leaves. Write the numbers of those with hosts, as in `on 0..15`.';
  }
  const example = names[0] ?? 'leaf[0-15]';
  return `The file does not mark leaves. Name the switches with hosts, as in \`on "${example}"\`.`;
}

const noSuchSwitch = (name: string, names: readonly string[] | undefined): string =>
  `Unknown switch ${quote(name)} for hosts. ` +
  (names === undefined
    ? 'Switches of this machine have numbers only.'
    : `Switches are ${quote(names[0] ?? '')} to ${quote(names.at(-1) ?? '')}.`);

/** Nodes on the router that has most; 0 where there are none. O(nodes). */
export function mostHostsOnOneRouter(routerOfNode: Int32Array): number {
  let most = 0;
  let run = 0;
  for (let node = 0; node < routerOfNode.length; node++) {
    run = node > 0 && routerOfNode[node] === routerOfNode[node - 1] ? run + 1 : 1;
    if (run > most) most = run;
  }
  return most;
}
