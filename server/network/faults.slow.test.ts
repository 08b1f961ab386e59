/** More faults, and larger networks with one that are routed. */
import './faults.test.ts';
