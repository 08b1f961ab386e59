import type { Fabric } from '../../model/fabric.ts';
import { countOf } from '../../model/quantities.ts';
import { quote, type Result, succeed } from '../../model/result.ts';
import { FabricBuilder, badFabric, faultOfCount } from './builder.ts';

/** A host with the switches above it, from the leaf up, and what to call it. */
export interface LabelledHost {
  readonly name: string;
  /** The line that it stands on; asked only where something is said of it. */
  readonly line: () => number;
  /** Keys that tell switches apart, and their names. */
  readonly above: readonly { readonly key: string; readonly name: string }[];
}

interface Switch {
  readonly key: string;
  readonly name: string;
  above: Switch | undefined;
  tier: number;
}

/**
 * A tree of switches from what each host says of those above it. Fails where one switch is below two others, or below
 * itself, with the line of the host that says so. O(hosts · levels).
 */
export function labelledTree(hosts: readonly LabelledHost[], format: string, fileName: string): Result<Fabric> {
  const switches = new Map<string, Switch>();
  const names = new Set<string>();
  for (const host of hosts) {
    const fault = names.has(host.name) ? 'it is listed twice' : placeHost(host, switches);
    if (fault !== undefined) return badFabric(fileName, host.line(), `Node ${quote(host.name)}: ${fault}.`);
    names.add(host.name);
    const excess = faultOfCount('switches', switches.size);
    if (excess !== undefined) return badFabric(fileName, host.line(), excess);
  }
  if (switches.size === 0)
    return badFabric(fileName, 1, 'The nodes have no switch labels. Add labels of the network to the nodes.');
  return succeed(finish(hosts, switches, format));
}

/** What is wrong with the switches above a host, if anything. */
function placeHost({ above }: LabelledHost, switches: Map<string, Switch>): string | undefined {
  let below: Switch | undefined;
  for (const { key, name } of above) {
    const item = switches.get(key) ?? { key, name, above: undefined, tier: 0 };
    switches.set(key, item);
    if (below?.above !== undefined && below.above !== item) {
      return `its ${quote(below.name)} is below ${quote(item.name)}, but below ${quote(below.above.name)} for other nodes: the network is not a tree`;
    }
    if (below) {
      let up: Switch | undefined = item;
      while (up && up !== below) up = up.above;
      if (up === below) return `its ${quote(name)} is below itself: the network is not a tree`;
      below.above = item;
    }
    below = item;
  }
  return undefined;
}

function finish(hosts: readonly LabelledHost[], switches: ReadonlyMap<string, Switch>, format: string): Fabric {
  const builder = new FabricBuilder();
  const bearers = new Map<string, number>();
  for (const { name } of switches.values()) bearers.set(name, (bearers.get(name) ?? 0) + 1);
  const routerOf = new Map<Switch, number>();
  for (const item of switches.values()) {
    routerOf.set(item, builder.addRouter(bearers.get(item.name) === 1 ? item.name : item.key));
    let height = 1;
    for (let up = item.above; up && up.tier < height; up = up.above) up.tier = height++;
  }
  for (const [item, router] of routerOf) if (item.above) builder.addCable(router, routerOf.get(item.above)!);
  const placed = hosts.filter(({ above }) => above.length > 0);
  for (const { name, above } of placed) builder.addHost(name, routerOf.get(switches.get(above[0]!.key)!)!);
  const lost = hosts.filter(({ above }) => above.length === 0);
  if (lost.length > 0)
    builder.warn(
      `${countOf(lost.length, 'node')} without a network label, the first ${quote(lost[0]!.name)}: skipped.`,
      lost[0]!.line(),
    );
  return builder.finish(
    format,
    Array.from(switches.values(), ({ tier }) => tier),
  );
}
