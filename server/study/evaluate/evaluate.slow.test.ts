/** More random placements whose routes are walked. */
import './evaluate.test.ts';
