/** Every engine on every network of up to 25 nodes. */
import { everyNetwork, testEveryNetwork } from './testing/everyNetwork.ts';

testEveryNetwork(everyNetwork(25));
