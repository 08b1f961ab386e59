/** What builders of topologies read from arguments and options, and how they number the nodes of routers. */
import type { ArgumentValue, OptionValues } from '../../model/catalogue.ts';
import type { Shape } from '../../model/shape.ts';

/** The sides that stand after `torus` or `mesh`; empty where the argument is no shape (the builder then refuses it). */
export function shapeOfArgument(argument: ArgumentValue | undefined): Shape {
  return argument?.kind === 'numbers' ? argument.numbers : [];
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
