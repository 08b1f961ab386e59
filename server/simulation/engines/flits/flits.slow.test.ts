/** Many random cases of worms on every machine. */
import { testRandomWorms } from '../../testing/flitRuns.ts';

testRandomWorms(20);
