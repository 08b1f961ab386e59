/** Longer streams, whose channels are estimated. */
import './prepare.test.ts';
