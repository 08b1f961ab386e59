/** Routings by detours on topologies that have larger networks than the quick tests try. */
import { routings, topologies } from './catalogue.ts';
import { detoured, detourRouters, exampleNetworks } from './testing/exampleNetworks.ts';
import { testRoutingContract, valueOf } from './testing/routingContract.ts';

for (const topology of topologies) {
  const examples = exampleNetworks(topology.name).map(({ request }) => valueOf(topology.build(request)));
  if (examples.every(({ routerCount }) => routerCount <= detourRouters)) continue;
  for (const routing of routings) {
    if (detoured.includes(routing.name) && routing.build(examples[0]!, {}).ok) testRoutingContract(topology, routing);
  }
}
