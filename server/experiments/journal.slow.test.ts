/** A journal that goes on after each of its lines. */
import './journal.test.ts';
