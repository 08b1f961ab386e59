import { topologies } from '../catalogue.ts';
import { testTopologyContract } from '../testing/topologyContract.ts';

for (const entry of topologies) testTopologyContract(entry);
