import type { Fabric } from '../../model/fabric.ts';
import type { Result } from '../../model/result.ts';
import { type SwitchDeclaration, treeFabric } from './tree.ts';

/** A block of nodes as a file declares it. */
export interface BlockDeclaration {
  readonly name: string;
  readonly line: number;
  readonly nodes: string;
}

/** The switch that stands for all that lies between blocks. */
export const betweenBlocks = 'between-blocks';

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
