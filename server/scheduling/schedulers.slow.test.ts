/** More random jobs for every scheduler. */
import './schedulers.test.ts';
