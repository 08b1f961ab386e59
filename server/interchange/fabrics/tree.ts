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
}

type Switches = ReadonlyMap<string, TreeSwitch>;

/**
 * Builds a tree of switches, one cable from each to the one above it, in the order of the file.
 * Fails, with line and name, where it is no tree: a switch below two others or below itself, one
 * that is not declared, several at the top. A node below two switches stays with the first. O(n).
 */
export function treeFabric(
  declarations: readonly SwitchDeclaration[],
  format: string,
  fileName: string,
): Result<Fabric> {
  const switches = collect(declarations, fileName);
  if (!switches.ok) return switches;
  const budget = new NameBudget();
  const joined = join(declarations, switches.value, budget, fileName);
  if (!joined.ok) return joined;
  const root = findRoot(switches.value, fileName);
  if (!root.ok) return root;
  const builder = new FabricBuilder();
  const routerOf = new Map<TreeSwitch, number>();
  for (const item of switches.value.values()) routerOf.set(item, builder.addRouter(item.name));
  for (const [item, router] of routerOf) {
    if (item.above) builder.addCable(router, routerOf.get(item.above)!);
  }
  const nodes = addNodes(declarations, builder, budget, fileName);
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
        `Switch ${quote(name)} is declared on line ${first.line} already: join the two.`,
      );
    }
    switches.set(name, { name, line, below: [], tier: 0 });
  }
  return succeed(switches);
}

function join(
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
    return `Switch ${name} stands twice below ${quote(above.name)}: a tree has one cable there.`;
  return (
    `Switch ${name} is below ${quote(above.name)} and below ${other}: the network is not a tree. ` +
    'A tree has one switch above each: describe such a network by ibnetdiscover, or by its cables as CSV.'
  );
}

const notDeclared = (name: string, above: string): string =>
  /^all$/i.test(name)
    ? 'The word ALL stands for what slurm.conf lists, which is not read: name the switches.'
    : `Switch ${quote(name)} below ${quote(above)} is not declared: add its line, or the file was cut off.`;

/** The one switch at the top, with the tiers of all set; every switch must be below it. */
function findRoot(switches: Switches, fileName: string): Result<TreeSwitch> {
  const roots = Array.from(switches.values()).filter(({ above }) => above === undefined);
  const [root, second] = roots;
  if (second) {
    const listed = roots.slice(0, 4).map(({ name, line }) => `${quote(name)} (line ${line})`);
    const rest = roots.length > 4 ? ` and ${roots.length - 4} more` : '';
    return badFabric(
      fileName,
      second.line,
      `${countOf(roots.length, 'switch', 'switches')} have none above them: ${listed.join(', ')}${rest}. Nothing joins these parts: add a switch above them, or leave parts out.`,
    );
  }
  const order = root ? [root] : [];
  for (const item of order) for (const below of item.below) order.push(below);
  if (!root || order.length < switches.size) {
    const reached = new Set(order);
    const lost = Array.from(switches.values()).find((item) => !reached.has(item));
    return badFabric(
      fileName,
      lost?.line ?? 1,
      lost
        ? `Switch ${quote(lost.name)} is in a circle of switches, each below another: the network is not a tree.`
        : 'No switch is declared.',
    );
  }
  for (const { above, tier } of order.reverse()) if (above) above.tier = Math.max(above.tier, tier + 1);
  return succeed(root);
}

function addNodes(
  declarations: readonly SwitchDeclaration[],
  builder: FabricBuilder,
  budget: NameBudget,
  fileName: string,
): Result<undefined> {
  const lineOfNode = new Map<string, number>();
  const repeated = { nodes: 0, first: '', line: 0 };
  for (const [router, { nodes, line }] of declarations.entries()) {
    const names = expandHostlist(nodes, budget);
    if (!names.ok) return badFabric(fileName, line, names.failure);
    for (const name of names.value) {
      if (/^all$/i.test(name)) {
        return badFabric(
          fileName,
          line,
          'The word ALL stands for the nodes of slurm.conf, which is not read: name them.',
        );
      }
      if (lineOfNode.has(name)) {
        repeated.nodes++;
        repeated.first ||= name;
        repeated.line ||= line;
        continue;
      }
      lineOfNode.set(name, line);
      builder.addHost(name, router);
    }
  }
  if (repeated.nodes > 0) {
    const nodes = countOf(repeated.nodes, 'node');
    const first = `the first ${quote(repeated.first)} (line ${lineOfNode.get(repeated.first) ?? 0})`;
    builder.warn(`${nodes} stand below several switches, ${first}: each stays with the first.`, repeated.line);
  }
  return succeed(undefined);
}

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
  const message = `Blocks tell of no cables between them: one more switch, '${betweenBlocks}', joins all.`;
  return { ok: true, value: { ...fabric.value, warnings: [...fabric.value.warnings, { line, message }] } };
}
