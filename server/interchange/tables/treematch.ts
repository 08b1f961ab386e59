import { readSquare } from '../csv.ts';
import type { TableFormatEntry } from '../contract.ts';
import { wholeFile } from '../wholeFile.ts';

export const treematch: TableFormatEntry = {
  name: 'treematch',
  summary: 'a square matrix of TreeMatch (`.mat`), with blanks between and after amounts',
  source: 'Jeannot & Mercier 2010, TreeMatch; Open MPI 4.1, profile2mat.pl',
  details:
    'Rows and columns are tasks, counted from 0. `profile2mat.pl` writes a symmetric matrix: half of the traffic between two ranks, rounded, in each direction. Its sums differ from the profile; read the profile itself with `pml-monitoring`.',
  options: [],
  // TreeMatch writes a blank behind each amount.
  recognizes: (bytes) => /^(?:\d+(?:\.\d+)? ){2,}\r?(?:\n|$)/.test(new TextDecoder().decode(bytes)),
  read: wholeFile((bytes, fileName, cancellation) => readSquare(bytes, fileName, cancellation, ' ')),
};
