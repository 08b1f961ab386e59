import type { AnnouncedEntry } from '../../model/catalogue.ts';

/** Allocators that the language knows and this version cannot evaluate: those of Alsardia's thesis. */
const announce = (name: string, summary: string, source: string): AnnouncedEntry => ({
  name,
  summary,
  source,
  options: [],
  announced: true,
});

export const announcedAllocators: readonly AnnouncedEntry[] = [
  announce(
    'best-fit',
    'the free submesh with the most busy or border neighbours (BF)',
    'Zhu 1992; Alsardia 2017, section 2.1.1',
  ),
  announce(
    'frame-sliding',
    'a frame of the shape of the job moved in strides of its own sides (FS)',
    'Chuang and Tzeng 1994; Alsardia 2017, section 2.1.1',
  ),
  announce(
    'buddy-2d',
    'two-dimensional buddy system on square meshes with power-of-two sides (2DBS)',
    'Li and Cheng 1991; Alsardia 2017, section 2.1.1',
  ),
  {
    ...announce(
      'paging',
      'free pages of 2^i x 2^i nodes in the order of an index',
      'Lo et al. 1997; Alsardia 2017, section 2.1.2',
    ),
    options: [
      {
        name: 'size',
        summary: 'i, for pages of 2^i x 2^i nodes',
        kind: 'integer',
        minimum: 0,
        maximum: 11,
        default: 0,
      },
      {
        name: 'index',
        summary: 'order in which pages are taken',
        kind: 'choice',
        choices: ['row-major', 'shuffled-row-major', 'snake', 'shuffled-snake'],
        default: 'row-major',
      },
    ],
  },
  announce(
    'mbs',
    'multiple buddy strategy: square blocks of power-of-two sides',
    'Lo et al. 1997; Alsardia 2017, section 2.1.2',
  ),
  announce(
    'ess',
    'expanding square strategy: the tightest cluster that grows round a free node',
    'Moghaddam and Naghibzadeh 2006; Alsardia 2017, section 2.1.2',
  ),
  announce(
    'gabl',
    'greedy available busy list: the largest free submeshes that still fit',
    'Bani-Mohammad et al. 2007; Alsardia 2017, section 2.1.2',
  ),
  announce('rbs', 'row based strategy: neighbouring rows with enough free nodes', 'Alsardia 2017, section 3.3'),
];
