import type { Fabric } from '../../model/fabric.ts';
import { type Result, succeed } from '../../model/result.ts';
import type { MachineFormatEntry } from '../contract.ts';
import { NameBudget, expandHostlist } from '../../model/hostlist.ts';
import { fabricLimits, badFabric, withWarnings, largestYaml } from './builder.ts';
import { type SwitchDeclaration, treeFabric } from './tree.ts';
import { type KnownMembers, passedOver } from '../jsonText.ts';
import type { YamlItem } from './yamlItems.ts';

const name = 'topograph';

export const topograph: MachineFormatEntry = {
  name,
  summary: 'cluster model of NVIDIA topograph',
  source: 'NVIDIA/topograph, tests/models',
  details: 'A tree: `switches` with the switches below them, `blocks` with the nodes of a switch. Labels are not read.',
  options: [],
  recognizes: (text) => /^switches[ \t]*:/m.test(text) && /^blocks[ \t]*:/m.test(text),
  largestText: largestYaml,
  read: readTopograph,
};

/** Declarations by name; a switch may be met as one with switches below it and as one with nodes. */
class Declarations {
  /** Lists as the file writes them, joined once at the end: a switch may be met on every line. */
  private readonly declared = new Map<string, { line: number; switches: string[]; nodes: string[] }>();

  add(name: string, line: number, switches: string, nodes: string): void {
    const known = this.declared.get(name) ?? { line, switches: [], nodes: [] };
    this.declared.set(name, known);
    if (switches !== '') known.switches.push(switches);
    if (nodes !== '') known.nodes.push(nodes);
  }

  /** Declares those that only the switch above them names, as racks without nodes. */
  addUndeclared(fileName: string): Result<SwitchDeclaration[]> {
    // Only as many names are made as there may be switches: each becomes a declaration.
    const budget = new NameBudget(fabricLimits.switches);
    for (const { line, switches } of Array.from(this.declared.values())) {
      const names = expandHostlist(switches.join(','), budget);
      if (!names.ok) return badFabric(fileName, line, names.failure);
      for (const name of names.value) if (!this.declared.has(name)) this.add(name, line, '', '');
    }
    const declarations = Array.from(this.declared, ([name, { line, switches, nodes }]) => ({
      name,
      line,
      switches: switches.join(','),
      nodes: nodes.join(','),
    }));
    return succeed(declarations);
  }
}

const hostlistAt = (item: YamlItem, key: string): string => item.get(key)?.hostlist() ?? '';

/** Parameters of a simulated provider. They say nothing of the network. */
const known: KnownMembers = {
  switches: { '*': passedOver('switches', 'nodes', 'labels', 'metadata', 'annotations') },
  blocks: passedOver('switch', 'nodes', 'annotations', 'labels', 'nvlink', 'type'),
};

/** A mapping of switches with the switches below them, and a list of switches with their nodes. O(text). */
async function readTopograph(text: string, fileName: string): Promise<Result<Fabric>> {
  const { readYaml, unknownInYaml } = await import('./yamlItems.ts');
  const document = readYaml(text, fileName);
  if (!document.ok) return document;
  const declarations = new Declarations();
  const switches = document.value.get('switches');
  if (!switches?.isMapping) {
    return badFabric(fileName, switches?.line ?? 1, 'Expected a mapping by switch name under `switches`.');
  }
  for (const [own, item] of switches.entries()) {
    declarations.add(own, item.line, hostlistAt(item, 'switches'), hostlistAt(item, 'nodes'));
  }
  for (const item of document.value.get('blocks')?.items() ?? []) {
    const own = item.get('switch')?.text() ?? '';
    if (own === '') return badFabric(fileName, item.line, 'The block has no `switch`. Add the switch of its nodes.');
    declarations.add(own, item.line, '', hostlistAt(item, 'nodes'));
  }
  const all = declarations.addUndeclared(fileName);
  if (!all.ok) return all;
  return withWarnings(treeFabric(all.value, name, fileName), unknownInYaml(document.value, known));
}
