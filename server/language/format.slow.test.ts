/** A comment before each token, not before one of three. */
import './format.test.ts';
