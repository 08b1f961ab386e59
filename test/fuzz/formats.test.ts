import { testDamagedFiles } from './damagedFiles.ts';

testDamagedFiles(200);
