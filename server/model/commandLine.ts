/** How an exported file is used. */
export interface CommandLine {
  /** By whom: `Open MPI 5`. */
  readonly of: string;
  /** For a shell: `mpirun --rankfile {file} PROGRAM`, with `{file}` where the name of the file is to stand. */
  readonly line: string;
}

/** A command line with the name of a file in it, in quotes where a shell would take it apart; `FILE` where there is none yet. */
export function commandWith({ line }: CommandLine, file = 'FILE'): string {
  const word = shellWord(file);
  return line.replaceAll('{file}', () => word);
}

/** A word as a POSIX shell takes it: quoted where it has to be. */
export const shellWord = (word: string): string =>
  /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** A path in a pattern of Slurm for names of files, in which `%` and a letter are replaced: `--output=`. sbatch(1), filename pattern. */
export const slurmName = (path: string): string => path.replaceAll('%', '%%');
