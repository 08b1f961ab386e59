import { readSquare } from '../csv.ts';
import type { TableFormatEntry } from '../contract.ts';
import { wholeFile } from '../wholeFile.ts';

export const treematch: TableFormatEntry = {
  name: 'treematch',
  summary: 'a square matrix of TreeMatch (`.mat`), with blanks between and behind amounts',
  source: 'Jeannot & Mercier 2010, TreeMatch; Open MPI 4.1, profile2mat.pl',
  details:
    'Row and column are tasks, counted from 0. What `profile2mat.pl` writes is symmetric: of what two ranks send each other half, rounded, in either direction; so its sums differ from those of the profile, which is read as it is (`pml-monitoring`).',
  options: [],
  // TreeMatch writes a blank behind each amount.
  recognizes: (bytes) => /^(?:\d+(?:\.\d+)? ){2,}\r?(?:\n|$)/.test(new TextDecoder().decode(bytes)),
  read: wholeFile((bytes, fileName, cancellation) => readSquare(bytes, fileName, cancellation, ' ')),
};
