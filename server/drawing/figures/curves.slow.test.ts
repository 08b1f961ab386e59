/** More curves of random values. */
import './curves.test.ts';
