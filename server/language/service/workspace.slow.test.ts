/** More names of every program, renamed to anything. */
import './workspace.test.ts';
