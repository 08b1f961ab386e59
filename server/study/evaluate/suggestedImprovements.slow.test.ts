/** More random placements whose improvements are made. */
import './suggestedImprovements.test.ts';
