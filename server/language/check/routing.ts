import type { Choice } from '../../model/catalogue.ts';
import { axisName } from '../../model/shape.ts';
import { routings } from '../../network/catalogue.ts';
import type { TopologyEntry } from '../../network/contract.ts';
import type { ChoiceNode } from '../tree.ts';
import { checkChoice } from './choices.ts';
import type { Properties } from './properties.ts';
import { formatCount, type Scope } from './scope.ts';

const dimensionOrder = 'dimension-order';

/** The routing of a machine, checked against its topology; undefined where none is written or it is wrong. */
export function checkRouting(
  scope: Scope,
  properties: Properties,
  topology: TopologyEntry | undefined,
  topologyChoice: Choice | undefined,
  routers: number | undefined,
): Choice | undefined {
  const node = properties.choice('routing');
  if (node === undefined) return undefined;
  const { choice } = checkChoice(scope, node, 'routing', routings);
  if (choice === undefined || topology === undefined) return choice;
  if (choice.name === dimensionOrder && topology.defaultRouting !== dimensionOrder) {
    const message =
      `\`${dimensionOrder}\` needs a topology with dimensions, not \`${topology.name}\`: ` +
      `remove it, or write \`routing ${topology.defaultRouting}\`.`;
    scope.report(node.name, 'does-not-apply', message, {
      fix: {
        title: `Change to \`${topology.defaultRouting}\``,
        start: node.start,
        end: node.end,
        text: topology.defaultRouting,
      },
    });
    return undefined;
  }
  if (topologyChoice !== undefined) checkOrder(scope, node, choice, dimensionsOf(topology, topologyChoice));
  checkRoot(scope, node, choice, routers);
  return choice;
}

/** Axes of a topology with coordinates: the sides of its shape, or the number of a hypercube. */
function dimensionsOf(topology: TopologyEntry, { argument }: Choice): number | undefined {
  if (argument?.kind !== 'numbers') return undefined;
  return topology.argument?.kind === 'shape' ? argument.numbers.length : argument.numbers[0];
}

function checkOrder(scope: Scope, node: ChoiceNode, choice: Choice, dimensions: number | undefined): void {
  const order = choice.options['order'];
  if (!Array.isArray(order) || dimensions === undefined) return;
  if (order.length === dimensions && order.every((axis: number) => axis < dimensions)) return;
  const axes = Array.from({ length: Math.min(dimensions, 16) }, (_, axis) => axisName(axis));
  const message = `\`order\` names each of the ${dimensions} axes once: ${axes.join(', ')}.`;
  scope.report(node.options.find(({ name }) => name.text === 'order') ?? node, 'wrong-dimensions', message);
}

function checkRoot(scope: Scope, node: ChoiceNode, choice: Choice, routers: number | undefined): void {
  const root = choice.options['root'];
  if (typeof root !== 'number' || routers === undefined || root < routers) return;
  const option = node.options.find(({ name }) => name.text === 'root');
  const message = `There is no switch ${root} to be the root: the switches are 0 to ${formatCount(routers - 1)}.`;
  if (option !== undefined) scope.report(option.values[0] ?? option, 'out-of-range', message);
}
