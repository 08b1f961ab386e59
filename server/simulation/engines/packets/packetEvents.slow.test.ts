/** Many random cases of packets, and large machines with more messages. */
import {
  largePacketMachines,
  testManyPackets,
  testPacketDeadlocks,
  testRandomPackets,
} from '../../testing/packetRuns.ts';

testRandomPackets(300);
for (const large of largePacketMachines) testManyPackets(large, 900);
testPacketDeadlocks(40);
