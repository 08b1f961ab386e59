/**
 * Two examples of each command, for its help and for the pages of the command line. They run as they are in the top folder
 * of the repository or of the package, where `samples/` is.
 */
export const examples: Readonly<Record<string, readonly [string, string]>> = {
  check: ['check samples/broken.place samples/quickstart.place', 'check --run samples/quickstart.place'],
  run: ['run samples/quickstart.place', 'run samples/cg/nas-cg.place by-chance --json'],
  compare: [
    'compare samples/autonet.place in-order --mappers rcb,random',
    'compare samples/cg/nas-cg.place by-chance --mappers grasp --csv',
  ],
  failures: ['failures samples/broken.place before --top 3', 'failures samples/fabrics/cloud.place packed --csv'],
  experiment: [
    'experiment samples/jobs-over-time.place --short',
    'experiment samples/jobs-over-time.place --short --resume --csv -',
  ],
  sweep: [
    'sweep samples/autonet.place by-chance --over map=random,grasp',
    'sweep samples/quickstart.place --over heat.bytes=1024,4096 --print',
  ],
  simulate: [
    'simulate samples/traces/halo.place benchmark',
    'simulate samples/traces/halo.place benchmark -o playback.svg',
  ],
  export: [
    'export samples/rankfile.place by-default --format rankfile',
    'export samples/cg/nas-cg.place in-order --format csv -o cg.csv',
  ],
  draw: [
    'draw samples/quickstart.place first-try --width 84mm -o map.pdf',
    'draw samples/rankfile.place by-default --figure traffic -o cg.svg',
  ],
  import: [
    'import samples/fabrics/leaf-spine.ibnetdiscover -o fabric.place',
    'import samples/cg/cg.W.64.mtx --table --preview',
  ],
  trace: ['trace samples/traces/broadcast.goal', 'trace samples/traces/halo.workload -o halo.csv'],
  distances: [
    'distances samples/autonet.place autonet --model equivalent',
    'distances samples/quickstart.place small --csv',
  ],
  describe: ['describe samples/supercomputers.place', 'describe samples/rankfile.place cluster --json'],
  list: ['list mappers', 'list formats'],
  lsp: ['lsp', 'lsp --stdio'],
};

/** The end of the help of a command. */
export const helpExamples = (lines: readonly string[]): string =>
  ['\nExamples:', ...lines.map((line) => `  placewright ${line}`)].join('\n');
