/** `auto` in every order of sides. */
import './structured.test.ts';
