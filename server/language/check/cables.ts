import type { Cable, TopologyEntry } from '../../network/contract.ts';
import { replace } from '../codes.ts';
import type { NumberValue, PropertyNode } from '../tree.ts';
import { integerWithin } from './numbers.ts';
import { formatCount, type Scope } from './scope.ts';

/** The cables of `link 0 -- 2, 4, 9`: ends within the switches, none from a switch to itself. O(cables). */
export function checkCables(
  scope: Scope,
  links: readonly PropertyNode[],
  topology: TopologyEntry | undefined,
  switches: number | undefined,
): readonly Cable[] {
  if (topology !== undefined && !topology.takesCables) {
    const message = `\`link\` does not fit \`topology ${topology.name}\`, which has its own links: remove it, or use \`topology switches\`.`;
    for (const link of links) scope.report(link.word, 'does-not-apply', message, { fix: replace(link, '') });
    return [];
  }
  return links.flatMap((link) => cablesOf(scope, link, switches));
}

function cablesOf(scope: Scope, { content }: PropertyNode, switches: number | undefined): Cable[] {
  if (content.kind !== 'link' || content.from === undefined) return [];
  const from = switchNumber(scope, content.from, switches);
  const cables: Cable[] = [];
  for (const end of content.to) {
    const to = switchNumber(scope, end, switches);
    if (from === undefined || to === undefined) continue;
    if (from === to) {
      scope.report(end, 'self-cable', `A cable joins two different switches: ${from} stands on both sides.`);
    } else cables.push({ from, to });
  }
  return cables;
}

function switchNumber(scope: Scope, node: NumberValue, switches: number | undefined): number | undefined {
  const bounds = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
  const value = integerWithin(scope, node, 'The number of a switch', bounds);
  if (value === undefined || switches === undefined || value < switches) return value;
  const message = `There is no switch ${node.text}: the switches are 0 to ${formatCount(switches - 1)}.`;
  scope.report(node, 'out-of-range', message, { otherFixes: [replace(node, String(switches - 1))] });
  return undefined;
}
