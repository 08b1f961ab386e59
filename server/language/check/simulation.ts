import { largestOf } from '../../model/lists.ts';
import { findEntry } from '../../model/catalogue.ts';
import type { Delay, NetworkModel } from '../../model/networkModel.ts';
import {
  causal,
  type FixedReplay,
  type ReplayDescription,
  type SimulationBudget,
  type SimulationDescription,
} from '../../model/simulation.ts';
import type { MachineDescription } from '../../network/contract.ts';
import { bandwidthOfPorts, declaredBandwidths } from '../../network/contract.ts';
import { countOf, formatNumber } from '../../model/quantities.ts';
import { switchingEntries } from '../experimentWords.ts';
import type { ChoiceNode, DeclarationNode, Span } from '../tree.ts';
import { checkChoice, reportUnknown } from './choices.ts';
import { fittingOptions, networkInPlace } from './network.ts';
import { soundParts, optionInParentheses, type Properties, type Written } from './properties.ts';
import type { Scope } from './scope.ts';

/** How placements and jobs of experiments are simulated: the network that they name, and what stands beside it. */

export type DeclaredNetworks = ReadonlyMap<DeclarationNode, NetworkModel | undefined>;

/** The network that a property names: a declared one, or one that stands in place. */
export function networkNamed(
  properties: Properties,
  word: 'network' | 'simulate',
  networks: DeclaredNetworks,
): Written<NetworkModel> {
  if (properties.get(word) === undefined) return undefined;
  const node = properties.choice(word);
  if (node === undefined) return 'wrong';
  const { scope } = properties;
  const declared = scope.symbols.lookup('network', node.name.text);
  if (declared === undefined) return networkWritten(scope, node);
  if (node.parentheses !== undefined) {
    const message = `\`${node.name.text}\` is declared and takes no parameters here. Change its declaration, or remove this.`;
    scope.report(node.parentheses, 'unexpected-argument', message);
    return 'wrong';
  }
  return networks.get(declared.node) ?? 'wrong';
}

function networkWritten(scope: Scope, node: ChoiceNode): NetworkModel | 'wrong' {
  const entry = findEntry(switchingEntries, node.name.text);
  if (entry === undefined) {
    const names = [...scope.symbols.names('network'), ...switchingEntries.map(({ name }) => name)];
    reportUnknown(scope, node.name, 'network', names);
    return 'wrong';
  }
  const options = fittingOptions(scope, node);
  const { choice } = checkChoice(scope, { ...node, options }, 'network', switchingEntries);
  return (options.length === node.options.length && choice && networkInPlace(choice)) || 'wrong';
}

/** Reports a network that the machine cannot have; whether it can, as far as both are known. */
export function checkNetworkFits(
  scope: Scope,
  span: Span,
  network: NetworkModel,
  machine: MachineDescription | undefined,
): boolean {
  if (machine === undefined) return true;
  const { name, topology } = machine;
  const bandwidths = declaredBandwidths(machine);
  if (network.switching === 'queueing' && topology.name !== 'cluster') {
    const message = `\`queueing\` simulates the servers of a cluster, but machine \`${name}\` is a \`${topology.name}\`. Use another switching.`;
    scope.report(span, 'does-not-apply', message);
    return false;
  }
  const isInSeconds = (delay: Delay | undefined): boolean => delay?.unit === 'seconds';
  const port = bandwidthOfPorts(machine);
  if (network.switching !== 'flow' && port !== undefined && port < largestOf(bandwidths)) {
    const message = `With \`${network.switching}\` nodes of machine \`${name}\` send at link speed. Use \`switching flow\` for a slower \`interface\`, or remove \`interface\`.`;
    scope.report(span, 'does-not-apply', message);
    return false;
  }
  if ((isInSeconds(network.router) || isInSeconds(network.link)) && bandwidths.size === 0) {
    const message = `Delays in seconds need a link bandwidth. Give machine \`${name}\` a \`bandwidth\`, or write cycles.`;
    scope.report(span, 'missing-property', message);
    return false;
  }
  return true;
}

export function replayOf(properties: Properties): Written<ReplayDescription> {
  const choice = properties.chosen('replay');
  if (choice === undefined || choice === 'wrong') return choice;
  const first = choice.options['first'];
  const ofFirst = typeof first === 'number' ? { first } : {};
  const { speed = 1, variation = 1 } = choice.options;
  const ofRate = variation === 1 ? {} : { variation: Number(variation) };
  if (choice.name === 'open') return { kind: 'open', speed: Number(speed), ...ofRate, ...ofFirst };
  if (choice.name !== 'saturation') return causal;
  const { delivered = 0.95, mappings } = choice.options;
  return {
    kind: 'saturation',
    delivered: Number(delivered),
    ...(mappings === 'any' && { mappings }),
    ...ofFirst,
  };
}

/** A placement has one mapping: what would saturate all of several is of an experiment. */
function fixedReplayOf(properties: Properties): Written<FixedReplay> {
  const replay = replayOf(properties);
  if (replay === undefined || replay === 'wrong' || replay.kind !== 'saturation') return replay;
  const message =
    '`saturation` is available only in an `experiment`. Write `open` with a speed here, or simulate the job in an experiment.';
  const word = properties.choice('replay')?.name;
  if (word !== undefined) properties.scope.report(word, 'does-not-apply', message);
  return 'wrong';
}

/** `10000000 cycles`, `30 s`. */
export function budgetOf(properties: Properties): Written<SimulationBudget> {
  const budget = properties.reads('budget', (reader) => reader.cyclesOrTime('unit of a budget'));
  const property = properties.get('budget');
  if (property === undefined || typeof budget !== 'object' || budget.amount > 0) return budget;
  const message = '`budget` must be above 0. Write for example `budget 10000000 cycles`.';
  properties.scope.report(property, 'out-of-range', message);
  return 'wrong';
}

/** How a placement is simulated; undefined where it is not, or where something is wrong with it. */
export function checkSimulation(
  properties: Properties,
  networks: DeclaredNetworks,
  machine: MachineDescription | undefined,
): SimulationDescription | undefined {
  const parts = soundParts({
    network: networkNamed(properties, 'simulate', networks),
    replay: fixedReplayOf(properties) ?? causal,
    background: properties.chosen('background'),
    budget: budgetOf(properties),
  });
  const network = parts?.network;
  const node = properties.choice('simulate');
  if (parts === undefined || network === undefined || node === undefined) return undefined;
  const fits = checkNetworkFits(properties.scope, node, network, machine);
  return fits && checkBackground(properties, network) ? { ...parts, network } : undefined;
}

/**
 * Servers have no packets of others between them. Whether the background can be. Nodes that send more than one link carries are told and
 * not refused: papers go there on purpose.
 */
export function checkBackground(properties: Properties, network: NetworkModel): boolean {
  const { switching, packet = 8 } = network;
  const background = properties.get('background');
  if (background === undefined) return true;
  if (switching === 'queueing') {
    const message = '`background` does not apply to `switching queueing`. Remove it, or use another switching.';
    properties.refuse(background, message);
    return false;
  }
  const node = properties.choice('background');
  const option = node && optionInParentheses(node, 'rate');
  const [rate] = option?.values ?? [];
  if (option !== undefined && rate?.kind === 'number' && rate.value <= 1 && rate.value * packet > 1) {
    const message =
      `${formatNumber(rate.value)} packets of ${countOf(packet, 'flit')} are ${formatNumber(rate.value * packet)} flits per node and cycle, but the maximum is 1. ` +
      `Above a rate of ${formatNumber(1 / packet)} nodes are saturated.`;
    properties.scope.report(option, 'beyond-saturation', message, { severity: 'information' });
  }
  return true;
}
