/** More seeds of every allocator with every scheduler. */
import './allocators.test.ts';
