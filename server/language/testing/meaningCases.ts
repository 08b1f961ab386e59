import type { ProblemCode } from '../codes.ts';

/** Good declarations that the cases lean on; after the case, so that offsets stay small. */
export const surroundings = `
machine small { topology torus 4 x 4 }
machine wide { topology mesh 8 cores 2 }
job heat { grid 4 x 4 stencil five-point }
job line { tasks 8 pattern linear }
job free { tasks 4 pattern ring }
table pair { 0 -> 1 : 40 }
table counts { unit messages 0 -> 1 : 2 }
table nine { 8 -> 0 : 1 }
stencil east { dimensions 1 offset (1) }
placement base { job line machine small }
`;

/** Texts with ⟦…⟧ round what the checker underlines; then `code: part of the message` in order. */
export const meaningCases: readonly (readonly [marked: string, ...problems: `${ProblemCode}: ${string}`[]])[] = [
  // names
  ['job heat2 { tasks 4 pattern ring } job ⟦heat2⟧ { tasks 4 pattern ring }', 'duplicate-declaration: on line 1'],
  ['stencil ⟦five-point⟧ { dimensions 1 offset (1) }', 'duplicate-declaration: built-in'],
  ['machine x { topology ⟦tours⟧ 4 x 4 }', 'unknown-name: Did you mean `torus`?'],
  ['machine x { topology torus 4 routing ⟦dimension⟧ }', 'unknown-name: routing'],
  ['job x { grid 4 x 4 stencil ⟦five-points⟧ }', 'unknown-name: Did you mean `five-point`?'],
  ['job x { tasks 4 pattern ⟦everywhere⟧ }', 'unknown-name: `all-to-all`'],
  ['job x { tasks 4 table ⟦pairs⟧ }', 'unknown-name: Did you mean `pair`?'],
  ['placement x { job ⟦heatt⟧ machine ⟦smal⟧ }', 'unknown-name: `heat`', 'unknown-name: `small`'],
  ['placement x { job heat machine small map ⟦rbc⟧ allocate ⟦bandd⟧ }', 'unknown-name: `rcb`', 'unknown-name: `band`'],
  ['placement x { job line machine small allocate same-as ⟦bas⟧ }', 'unknown-name: `base`'],
  // properties
  ['machine x { topology torus 4 hosts 2 ⟦hosts⟧ 3 }', 'duplicate-property: twice'],
  ['machine ⟦x⟧ { hosts 2 }', 'missing-property: `topology`'],
  ['job ⟦x⟧ { pattern ring }', 'missing-property: `tasks` or `grid`'],
  ['job ⟦x⟧ { tasks 4 }', 'missing-property: `stencil`, `pattern`, `table` or `trace`'],
  ['stencil ⟦x⟧ { dimensions 1 }', 'missing-property: `offset`'],
  ['table ⟦x⟧ { unit messages }', 'missing-property: no entries'],
  ['placement ⟦x⟧ { job heat }', 'missing-property: `machine`'],
  ['placement ⟦x⟧ { machine small }', 'missing-property: `job`'],
  ['job x { tasks 4 ⟦grid⟧ 2 x 2 pattern ring }', 'conflicting-properties: `tasks` or a `grid`'],
  ['job x { grid 4 x 4 stencil five-point ⟦pattern⟧ ring }', 'conflicting-properties: one source'],
  ['placement x { job free ⟦jobs⟧ line machine small }', 'conflicting-properties: not both'],
  ['table x from "f.mtx" { ⟦0 -> 1 : 2⟧ }', 'conflicting-properties: a file'],
  ['placement x { job free, ⟦line⟧ machine small }', 'wrong-value: `jobs`'],
  // numbers
  ['machine x { topology torus 4 hosts ⟦0⟧ }', 'out-of-range: at least 1'],
  ['machine x { topology torus 4 hosts ⟦1.5⟧ }', 'wrong-value: whole number'],
  ['machine x { topology torus 4 hosts ⟦two⟧ }', 'wrong-value: a whole number'],
  ['machine x { topology torus 4 hosts 2 ⟦KiB⟧ }', 'wrong-unit: without a unit'],
  ['machine x { topology torus 4 x ⟦0⟧ }', 'out-of-range: A side'],
  ['machine x { topology torus 4 x ⟦-4⟧ x ⟦2.5⟧ }', 'out-of-range: A side', 'wrong-value: whole'],
  ['job x { tasks ⟦5000000⟧ pattern ring }', 'too-large: 4,194,304'],
  ['job x { tasks ⟦1e400⟧ pattern ring }', 'too-large: 4,194,304'],
  ['job x { grid ⟦4000 x 4000⟧ stencil five-point }', 'too-large: 16,000,000'],
  [
    'job x { grid ⟦2 x 2 x 2 x 2 x 2 x 2 x 2 x 2 x 2 x 2 x 2 x 2 x 2 x 2 x 2 x 2 x 2⟧ pattern ring }',
    'too-large: 17 sides',
  ],
  ['job x { tasks 4 pattern ring messages ⟦-1⟧ }', 'out-of-range: at least 0'],
  [
    'table x { 0 -> 1 : ⟦1e30⟧ 1 -> 0 : ⟦-1⟧ 2 -> ⟦0.5⟧ : 1 }',
    'too-large: 9,007,199,254,740,992',
    'out-of-range: An amount',
    'wrong-value: task',
  ],
  ['table x { ⟦-1⟧ -> 0 : 1 ⟦1e9⟧ -> 0 : 1 }', 'out-of-range: task', 'too-large: 4,194,303'],
  ['placement x { job heat machine small seed ⟦1.5⟧ }', 'wrong-value: whole'],
  // units
  ['job x { tasks 4 pattern ring bytes 64 ⟦K⟧ }', 'unknown-unit: `KiB` (1,024 bytes) or `kB` (1,000 bytes)'],
  ['job x { tasks 4 pattern ring bytes 64 ⟦Kb⟧ }', 'unknown-unit: `kB`'],
  ['job x { tasks 4 pattern ring bytes 64⟦mb⟧ }', 'unknown-unit: `MB` (1,000,000 bytes) or `MiB`'],
  ['job x { tasks 4 pattern ring bytes 64 ⟦M⟧ }', 'unknown-unit: `MiB`'],
  ['job x { tasks 4 pattern ring bytes 64 ⟦kilobytes⟧ }', 'unknown-unit: use `B`'],
  ['job x { tasks 4 pattern ring bytes 64 ⟦ms⟧ }', 'wrong-unit: no unit of sizes'],
  ['job x { tasks 4 pattern ring bytes ⟦0⟧ }', 'out-of-range: more than 0'],
  ['job x { tasks 4 pattern ring bytes ⟦1e30⟧ }', 'too-large: 2^53'],
  ['job x { tasks 4 pattern ring bytes ⟦2 x 2⟧ }', 'wrong-value: a size'],
  ['job x { tasks 4 pattern ring rate ⟦100⟧ }', 'wrong-unit: `100/s`'],
  ['job x { tasks 4 pattern ring rate 100 ⟦Hz⟧ }', 'unknown-unit: `/s`'],
  ['machine x { topology torus 4 bandwidth 10 ⟦GB⟧ }', 'wrong-unit: `GB/s`'],
  ['machine x { topology torus 4 bandwidth 10 ⟦gb/s⟧ }', 'unknown-unit: `GB/s`'],
  ['machine x { topology torus 4 latency 10 ⟦usec⟧ }', 'unknown-unit: `us`'],
  ['machine x { topology torus 4 latency ⟦10⟧ }', 'wrong-unit: `10 us`'],
  ['table x { unit ⟦packet⟧ 0 -> 1 : 1 }', 'wrong-value: Did you mean `packets`?'],
  // choices
  ['machine x { topology ⟦torus⟧ }', 'missing-argument: `torus 4 x 4`'],
  ['machine x { topology hypercube ⟦[3]⟧ }', 'wrong-value: hypercube'],
  ['machine x { topology torus 4 routing up-down(⟦rot⟧ 6) }', 'unknown-option: `root`'],
  ['machine x { topology torus 4 x 4 routing dimension-order(⟦order x⟧) }', 'wrong-dimensions: x, y'],
  ['machine x { topology torus 4 x 4 routing dimension-order(order x, ⟦x⟧) }', 'duplicate-number: each axis once'],
  ['machine x { topology torus 4 x 4 routing dimension-order(order y, ⟦w⟧) }', 'wrong-value: axes in order'],
  ['machine x { topology torus 4 x 4 routing dimension-order(⟦order⟧) }', 'missing-value: all axes'],
  ['machine x { topology switches 4 routing ⟦dimension-order⟧ }', 'does-not-apply: `routing up-down`'],
  ['machine x { topology switches 4 link 0 -- 1 routing up-down(root ⟦6⟧) }', 'out-of-range: 0 to 3'],
  ['placement x { job heat machine small map random-search(seeds 3, ⟦seeds 4⟧) }', 'duplicate-option: twice'],
  ['placement x { job heat machine small map random-search(seeds ⟦many⟧) }', 'wrong-value: whole number'],
  ['placement x { job heat machine small map random-search(criterion ⟦hop-byte⟧) }', 'wrong-value: `hop-bytes`'],
  ['placement x { job heat machine small map random-search(seeds 1 ⟦"a"⟧) }', 'unexpected-text: one value'],
  ['placement x { job heat machine small map rcb ⟦[0]⟧ }', 'unexpected-argument: nothing after its name'],
  ['job x { tasks 4 table pair⟦(a 3)⟧ }', 'unexpected-argument: name of a table'],
  ['placement x { job line machine small allocate nodes ⟦5⟧ }', 'wrong-value: nodes'],
  ['placement x { job line machine small allocate nodes [0..⟦16⟧] }', 'out-of-range: `small` has nodes 0 to 15'],
  ['placement x { job line machine small allocate nodes [0..⟦1000000000⟧] }', 'out-of-range: nodes 0 to 15'],
  ['placement x { job line machine small allocate nodes [0..7, ⟦3⟧] }', 'duplicate-number: 3 stands twice'],
  ['placement x { job line machine small allocate nodes [⟦7..0⟧] }', 'wrong-value: `0..7`'],
  ['placement x { job free machine small map given [0, 1, 2, ⟦2⟧] }', 'duplicate-number: 2 stands twice'],
  ['placement x { job free machine small map given [0, 1, 2, ⟦16⟧] }', 'out-of-range: slots 0 to 15'],
  ['placement x { job free machine small map given ⟦[0..2]⟧ }', 'given-length: 3 slots for 4 tasks'],
  ['placement x { job free machine small map given ⟦""⟧ }', 'wrong-value: file'],
  // what belongs together
  ['machine x { topology torus 4 ⟦link⟧ 0 -- 1 }', 'does-not-apply: its own links'],
  ['machine x { topology cluster 4 ⟦hosts⟧ 2 }', 'does-not-apply: cluster'],
  ['machine x { topology switches 4 link 0 -- ⟦4⟧, ⟦0⟧ }', 'out-of-range: 0 to 3', 'self-cable: 0'],
  ['machine x { topology ⟦torus 1000 x 1000 x 1000⟧ }', 'machine-too-large: 4,194,304'],
  ['machine x { topology ⟦hypercube 30⟧ }', 'machine-too-large: 1,073,741,824 nodes'],
  ['machine x { topology ⟦switches 1000000000⟧ }', 'machine-too-large: 1,000,000,000 nodes'],
  ['machine x { topology ⟦torus 4⟧ hosts 2000000 cores 4 }', 'machine-too-large: 32,000,000 cores'],
  ['machine x { topology ⟦hypercube 21⟧ }', 'machine-too-large: links'],
  ['stencil x { dimensions 2 ⟦offset (1, 0, 0)⟧ }', 'wrong-dimensions: 3 of the 2'],
  ['stencil x { dimensions 2 ⟦offset (0, 0)⟧ }', 'no-effect: itself'],
  ['stencil x { dimensions 1 offset (1) weight ⟦-1⟧ }', 'out-of-range: `weight`'],
  ['job x { grid 4 x 4 stencil ⟦east⟧ }', 'wrong-dimensions: the grid has 2'],
  ['job x { ⟦tasks⟧ 4 stencil east }', 'missing-property: `grid`'],
  ['job x { tasks 8 table ⟦nine⟧ }', 'task-out-of-range: task 8'],
  ['job x { tasks 8 table pair ⟦bytes⟧ 64 }', 'no-effect: counts bytes'],
  ['job x { tasks 8 pattern ring ⟦periodic⟧ }', 'no-effect: without a `grid`'],
  ['job x { tasks 17 pattern ring } placement y { job ⟦x⟧ machine small }', 'does-not-fit: 17 tasks'],
  ['placement x { jobs ⟦heat, line⟧ machine small }', 'does-not-fit: 24 tasks'],
  ['placement x { job line machine small allocate nodes ⟦[0..6]⟧ }', 'does-not-fit: 7 nodes of 1 core'],
  ['placement x { job line machine small allocate random(count ⟦7⟧) }', 'does-not-fit: draw more'],
  ['placement x { job line machine small allocate random(count ⟦17⟧) }', 'does-not-fit: has 16 nodes'],
  ['placement x { job line machine wide allocate same-as ⟦base⟧ }', 'does-not-apply: runs on `small`'],
  ['placement x { job line machine small allocate same-as ⟦x⟧ }', 'same-as-cycle: its own'],
  [
    'placement x { job line machine small allocate same-as ⟦y⟧ }\nplacement y { job line machine small allocate same-as ⟦x⟧ }',
    'same-as-cycle: x → y → x',
    'same-as-cycle: y → x → y',
  ],
  // imports
  ['import ⟦"gone.place"⟧', 'missing-import: there is no file'],
  ['import ⟦""⟧', 'missing-import: relative'],
  ['import ⟦"main.place"⟧', 'import-cycle: main.place → main.place'],
];

/** Good texts: nothing may be reported. */
export const goodCases: readonly string[] = [
  'job x { tasks 8 table counts bytes 64 }',
  'job x { tasks 2 table pair messages 10 rate 100/s }',
  'job x { tasks 8 trace "run.otf2" coordinates "where.txt" }',
  'job x { grid 8 stencil east periodic }',
  'job grid { grid 2 x 2 stencil five-point } placement machine { job grid machine small map rcb }',
  'machine x { topology switches 3 link 0 -- 1, 2 link 0 -- 1 hosts 4 routing up-down(root 2) }',
  'machine x { topology fat-tree(k 4, n 3) } machine y { topology dragonfly(p 2, a 4, h 2, g 9) }',
  'machine x { topology from "fabric.txt" as ibnetdiscover }',
  'machine x { topology cluster 16 sockets 4 cores 4 memory 4 GB/s interface 1 GB/s switch 100 ns }',
  'machine x { topology torus 4 x 4 x 4 routing dimension-order(order z, y, x) bandwidth 10 GB/s latency 1.5 µs }',
  'machine x { topology hypercube 4 routing dimension-order(order axis-4, z, y, x) }',
  'placement x { jobs free, free machine small allocate nodes [0..3, 8..11] map given [0..3, 8..11] }',
  'placement x { job line machine small allocate same-as base }',
  'placement x { job line machine wide allocate random(count 4) seed -3 }',
  'placement x { job line machine small map given "mapping.txt" }',
];
