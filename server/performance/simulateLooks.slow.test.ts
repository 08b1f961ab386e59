/** Every long work of a simulation. */
import './simulateLooks.test.ts';
