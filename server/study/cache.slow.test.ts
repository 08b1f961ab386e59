/** Studies that are cancelled at every look, and saved more often. */
import './cache.test.ts';
