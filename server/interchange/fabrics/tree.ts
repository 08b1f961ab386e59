import type { Fabric } from '../../model/fabric.ts';
import { NameBudget, expandHostlist } from '../../model/hostlist.ts';
import { countOf } from '../../model/quantities.ts';
import { quote, type Result, succeed } from '../../model/result.ts';
import { FabricBuilder, badFabric } from './builder.ts';

/** A switch as a file declares it: hostlists of the switches below it and of its nodes. */
export interface SwitchDeclaration {
  readonly name: string;
  readonly line: number;
  readonly switches: string;
  readonly nodes: string;
}

/** A switch in its place. */
interface TreeSwitch {
  readonly name: string;
  readonly line: number;
  readonly below: TreeSwitch[];
  above?: TreeSwitch;
  /** 0 at switches that have none below. */
  tier: number;
  /** Switches of the tree below this one and itself. */
  size: number;
  /** Its number in preorder, by which those below it follow it. */
  start: number;
}

type Switches = ReadonlyMap<string, TreeSwitch>;

/**
 * Builds a tree of switches, or a forest of several, one cable from each switch to the one above it, in the order of
 * the file. Fails, with line and name, where it is neither: a switch below two others or below itself, one that is not
 * declared. A node belongs to the deepest switch that lists it, because `scontrol` prints the nodes of a switch with
 * those of all switches above it; of two that are equally deep, to the first. O(names).
 */
export function treeFabric(
  declarations: readonly SwitchDeclaration[],
  format: string,
  fileName: string,
): Result<Fabric> {
  const switches = collect(declarations, fileName);
  if (!switches.ok) return switches;
  const budget = new NameBudget();
  const joined = joinSwitches(declarations, switches.value, budget, fileName);
  if (!joined.ok) return joined;
  const builder = new FabricBuilder();
  const rooted = setTiers(switches.value, fileName);
  if (!rooted.ok) return rooted;
  const routerOf = new Map<TreeSwitch, number>();
  for (const item of switches.value.values()) routerOf.set(item, builder.addRouter(item.name));
  for (const [item, router] of routerOf) {
    if (item.above) builder.addCable(router, routerOf.get(item.above)!);
  }
  const nodes = addNodes(declarations, switches.value, builder, budget, fileName);
  if (!nodes.ok) return nodes;
  return succeed(
    builder.finish(
      format,
      Array.from(switches.value.values(), ({ tier }) => tier),
    ),
  );
}

function collect(declarations: readonly SwitchDeclaration[], fileName: string): Result<Switches> {
  const switches = new Map<string, TreeSwitch>();
  for (const { name, line } of declarations) {
    const first = switches.get(name);
    if (first) {
      return badFabric(
        fileName,
        line,
        `Switch ${quote(name)} is already declared on line ${first.line}. Merge the two.`,
      );
    }
    switches.set(name, { name, line, below: [], tier: 0, size: 1, start: 0 });
  }
  return succeed(switches);
}

function joinSwitches(
  declarations: readonly SwitchDeclaration[],
  switches: Switches,
  budget: NameBudget,
  fileName: string,
): Result<undefined> {
  for (const declaration of declarations) {
    const above = switches.get(declaration.name)!;
    const names = expandHostlist(declaration.switches, budget);
    if (!names.ok) return badFabric(fileName, declaration.line, names.failure);
    for (const name of names.value) {
      const below = switches.get(name);
      const fault = below ? faultOfPlace(below, above) : notDeclared(name, above.name);
      if (fault !== undefined) return badFabric(fileName, declaration.line, fault);
      above.below.push(below!);
      below!.above = above;
    }
  }
  return succeed(undefined);
}

function faultOfPlace(below: TreeSwitch, above: TreeSwitch): string | undefined {
  const name = quote(below.name);
  if (below === above) return `Switch ${name} is below itself: the network is not a tree.`;
  if (!below.above) return undefined;
  const other = `${quote(below.above.name)} (line ${below.above.line})`;
  if (below.above === above)
    return `Switch ${name} is listed twice below ${quote(above.name)}. A tree has one link there.`;
  return `Switch ${name} is below ${quote(above.name)} and below ${other}: the network is not a tree. Use ibnetdiscover output, or list its links as CSV.`;
}

const notDeclared = (name: string, above: string): string =>
  /^all$/i.test(name)
    ? 'ALL refers to slurm.conf, which is not read. Name the switches.'
    : `Switch ${quote(name)} below ${quote(above)} is not declared. Add its line; the file may be truncated.`;

/**
 * The tiers of all switches, from the roots down; every switch must be below one of them. Several roots are
 * a forest, which Slurm allows: no job spans two of its trees, and a machine takes one. O(switches).
 */
function setTiers(switches: Switches, fileName: string): Result<undefined> {
  const roots = Array.from(switches.values()).filter(({ above }) => above === undefined);
  const order = roots.slice();
  for (const item of order) for (const below of item.below) order.push(below);
  if (order.length < switches.size || roots.length === 0) {
    const reached = new Set(order);
    const lost = Array.from(switches.values()).find((item) => !reached.has(item));
    return badFabric(
      fileName,
      lost?.line ?? 1,
      lost
        ? `Switch ${quote(lost.name)} is in a cycle of switches: the network is not a tree.`
        : 'The file declares no switch.',
    );
  }
  for (const { above, tier, size } of order.toReversed()) {
    if (!above) continue;
    above.tier = Math.max(above.tier, tier + 1);
    above.size += size;
  }
  let next = 0;
  for (const root of roots) {
    root.start = next;
    next += root.size;
  }
  for (const { start, below } of order) {
    let first = start + 1;
    for (const item of below) {
      item.start = first;
      first += item.size;
    }
  }
  return succeed(undefined);
}

/** Where a node was listed so far. */
interface Listed {
  readonly item: TreeSwitch;
  readonly router: number;
}

function addNodes(
  declarations: readonly SwitchDeclaration[],
  switches: Switches,
  builder: FabricBuilder,
  budget: NameBudget,
  fileName: string,
): Result<undefined> {
  const places = new Map<string, Listed>();
  const repeated = { nodes: 0, first: '', line: 0, before: 0 };
  for (const [router, { name: own, nodes, line }] of declarations.entries()) {
    const names = expandHostlist(nodes, budget);
    if (!names.ok) return badFabric(fileName, line, names.failure);
    const item = switches.get(own)!;
    for (const name of names.value) {
      if (/^all$/i.test(name)) {
        return badFabric(fileName, line, 'ALL refers to slurm.conf, which is not read. Name the nodes.');
      }
      const known = places.get(name);
      if (known === undefined || isSwitchBelow(item, known.item)) {
        places.set(name, { item, router });
      } else if (known.item !== item && !isSwitchBelow(known.item, item)) {
        repeated.nodes++;
        repeated.first ||= name;
        repeated.line ||= line;
        repeated.before ||= known.item.line;
      }
    }
  }
  for (const [name, { router }] of places) builder.addHost(name, router);
  if (repeated.nodes > 0) {
    const nodes = countOf(repeated.nodes, 'node');
    const first = `the first ${quote(repeated.first)} (line ${repeated.before})`;
    builder.warn(`${nodes} below several switches, ${first}: each stays with the first.`, repeated.line);
  }
  return succeed(undefined);
}

const isSwitchBelow = (item: TreeSwitch, other: TreeSwitch): boolean =>
  item.start > other.start && item.start < other.start + other.size;

/** A block of nodes as a file declares it. */
export interface BlockDeclaration {
  readonly name: string;
  readonly line: number;
  readonly nodes: string;
}

/** The switch that stands for all that lies between blocks. */
const betweenBlocks = 'between-blocks';

/**
 * Blocks as a network: each is a switch with its nodes, and one more switch joins them, because
 * Slurm tells of no cables between them. A lone block is one switch. Higher sizes of BlockSizes are
 * rules of allocation, not switches.
 */
export function blockFabric(blocks: readonly BlockDeclaration[], format: string, fileName: string): Result<Fabric> {
  const leaves: SwitchDeclaration[] = blocks.map((block) => ({ ...block, switches: '' }));
  if (leaves.length < 2) return treeFabric(leaves, format, fileName);
  const [line, switches] = [leaves[0]!.line, leaves.map(({ name }) => name).join(',')];
  const fabric = treeFabric([...leaves, { name: betweenBlocks, line, switches, nodes: '' }], format, fileName);
  if (!fabric.ok) return fabric;
  const message = `Blocks have no links between them. One more switch, '${betweenBlocks}', connects all.`;
  return { ok: true, value: { ...fabric.value, warnings: [...fabric.value.warnings, { line, message }] } };
}
