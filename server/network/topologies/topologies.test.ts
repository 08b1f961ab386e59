import { topologies } from '../catalogue.ts';
import { describeTopologyContract } from '../testing/topologyContract.ts';

for (const entry of topologies) describeTopologyContract(entry);
