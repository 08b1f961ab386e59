import { testDamagedFiles } from './damagedFiles.ts';

/** `PLACEWRIGHT_DAMAGED_FILES=100000` gives each reader as many. */
testDamagedFiles(Number(process.env['PLACEWRIGHT_DAMAGED_FILES'] ?? '1500'));
