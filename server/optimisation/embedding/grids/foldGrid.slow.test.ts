/** Large grids, which are folded in seconds. */
import './foldGrid.test.ts';
