/** Longer queues, and more experiments whose intervals are counted. */
import './replicate.test.ts';
