/** UGAL on larger networks too. */
import './ugal.test.ts';
