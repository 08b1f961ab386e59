/** More damaged tables. */
import './forwarding.test.ts';
