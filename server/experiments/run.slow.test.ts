/** Experiments that go on after more numbers of replications. */
import './run.test.ts';
