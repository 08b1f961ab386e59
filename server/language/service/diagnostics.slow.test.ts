/** More texts that are mended. */
import './diagnostics.test.ts';
