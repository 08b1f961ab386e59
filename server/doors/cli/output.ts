import writeFileAtomic from 'write-file-atomic';
import { type Terminal, UsageError } from './terminal.ts';

/**
 * Writes a whole text to a file, or to standard output for `-`. Another program never sees half
 * of it: the file is written beside its name and renamed. A place that cannot be written is wrong usage.
 */
export async function writeOutput(target: string, text: string, terminal: Terminal): Promise<void> {
  if (target === '-') {
    terminal.out(text);
    return;
  }
  try {
    await writeFileAtomic(target, text);
  } catch (error) {
    throw new UsageError(`Cannot write ${target}: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
