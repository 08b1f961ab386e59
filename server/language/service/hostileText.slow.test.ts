/** More names that would be pictures. */
import './hostileText.test.ts';
