import type { TableFormatEntry } from './contract.ts';
import { csv } from './csv.ts';
import { matrixMarket } from './matrixMarket.ts';

/** Formats that tables are read from; the first that recognises a file reads it, so the most particular stand first. */
export const tableFormats: readonly TableFormatEntry[] = [matrixMarket, csv];
