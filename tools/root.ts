import { resolve } from 'node:path';

/** The repository's top directory. */
export const root = resolve(import.meta.dirname, '..');
