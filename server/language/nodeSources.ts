import type { CatalogueEntry } from '../model/catalogue.ts';

/** What may follow `node`: where the inside of a compute node is described. */
export const nodeSources: readonly CatalogueEntry[] = [
  {
    name: 'from',
    summary: 'sockets and cores of a node, read from the XML of hwloc',
    source: 'hwloc, `lstopo --of xml`',
    details: 'Takes the place of `sockets` and `cores`: every compute node of the machine is one of these.',
    argument: { kind: 'file', summary: 'the XML file that hwloc wrote', required: true },
    skeleton: 'from "${1:node.xml}"',
    options: [],
  },
];
