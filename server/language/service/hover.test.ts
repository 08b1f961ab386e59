import { MarkupContent } from 'vscode-languageserver-types';
import { describe, expect, it } from 'vitest';
import { mappers } from '../../mapping/catalogue.ts';
import type { SearchRecord } from '../../model/searchRecord.ts';
import type { MachineFacts } from '../../study/report.ts';
import { exampleSearch } from '../../study/testing/searches.ts';
import { completion } from './completion.ts';
import { hover } from './hover.ts';
import { fileAt } from './hover/values.ts';
import { atCursor, textIn, type World } from './testing/input.ts';
import { hostLink, hotLink, summaryWith } from './testing/summaries.ts';
import { smallText } from './testing/texts.ts';

async function hoverAt(marked: string, world: World = {}): Promise<{ word: string; text: string } | undefined> {
  const input = await atCursor(marked, world);
  const found = hover(input);
  if (found?.range === undefined || !MarkupContent.is(found.contents)) return undefined;
  return { word: textIn(input, found.range), text: found.contents.value };
}

/** `smallText` with the cursor in the given piece of it. */
const inSmallText = (before: string, after: string) => {
  if (!smallText.includes(before + after)) throw new Error(`${before}${after} is not in the text`);
  return smallText.replace(before + after, `${before}|${after}`);
};

/** An experiment with quoted numbers, and what else it says. */
const quoting = (quoted: string, rest = '') =>
  `machine t { topology torus 4 x 4 } job j { tasks 4 pattern ring } experiment e { job j machine t network cut-through map random ${rest} quoted { ${quoted} } }`;

describe('hover shows', () => {
  const summary = summaryWith({ notes: ['auto chose rcb: 1 hop-bytes'], hotLinkCount: 3 });
  it.each<[what: string, marked: string, word: string, parts: readonly string[]]>([
    ['a metric that is quoted', quoting('make|span random : 5'), 'makespan', ['time when the last job ends']],
    ['a row that is quoted', quoting('makespan ran|dom : 5'), 'random', ['map random', '*Source:']],
    [
      'what is added to a quoted number',
      quoting('makespan random : 5, devi|ation 3'),
      'deviation',
      ['standard deviation of all runs'],
    ],
    ['a part of a smaller run', quoting('', 'short replications 3, iter|ations 2'), 'iterations', ['of the skeleton']],
    [
      'the format of a trace',
      'job j { tasks 4 trace "a.txt" as go|al(computing ignored) }',
      'goal',
      ['as goal', 'GOAL schedules'],
    ],
    ['the format of a table', 'table t from "a.prof" as pml-moni|toring', 'pml-monitoring', ['Open MPI']],
    [
      'the format of a network',
      'machine m { topology from "a.txt" as ibnet|discover }',
      'ibnetdiscover',
      ['as ibnetdiscover', 'InfiniBand'],
    ],
    ['a keyword', inSmallText('mach', 'ine small'), 'machine', ['The routers, links, nodes']],
    ['a property', inSmallText('band', 'width'), 'bandwidth', ['bandwidth 10 GB/s', 'Bytes per second']],
    ['a topology', inSmallText('tor', 'us 4'), 'torus', ['topology torus 4 x 4', '*Source:']],
    [
      'a way to train',
      'job j { tasks 2 training zero|-1(micro-batch 2) }',
      'zero-1',
      ['training zero-1', 'Rajbhandari'],
    ],
    [
      'a collective operation',
      'job j { tasks 2 collective all-re|duce }',
      'all-reduce',
      ['collective all-reduce', '*Source:'],
    ],
    [
      'a job that is a training step',
      `job m|oe { tasks 4 parallelism data 4, expert 2 layers 4 hidden 8 sequence 4 batch 4 }`,
      'moe',
      ['training step, replicated, data 4, expert 2'],
    ],
    [
      'all that a training step sends',
      `job gpt { tasks 16 parall|elism tensor 2, context 2, pipeline 2, data 2 layers 4 hidden 8 sequence 8 batch 4 }`,
      'parallelism',
      [
        '16 tasks, 2 micro batches one after the other',
        '| `tensor` | 8 groups of 2 | all-reduce (ring): activations and their gradients | 64 B | 16 | 1 KiB |',
        '| `context` | 8 groups of 2 | to the next one, round the group: keys and values, forward | 64 B | 4 | 256 B |',
        '| `pipeline` | 8 groups of 2 | between neighbours, both ways: activations on, gradients back | 64 B | 2 | 128 B |',
        '| `data` | 4 groups of 4 | all-reduce (ring): gradients of the stage | 1.5 KiB | 1 | 2.25 KiB |',
      ],
    ],
    [
      'a degree of parallelism',
      `job gpt { tasks 16 parallelism tensor 2, cont|ext 2, pipeline 2, data 2 layers 4 hidden 8 sequence 8 batch 4 }`,
      'context',
      [
        'parallelism context 2',
        '8 groups of 2: tasks 0, 2; then 1, 3',
        '*2·b·s·h/(c·q·t)* numbers | Liu, Zaharia and Abbeel 2023, section 3 |',
        '*q* `query-group`',
      ],
    ],
    [
      'a degree of parallelism that nothing is split by',
      `job gpt { tasks 2 parallelism tensor 2, pipe|line 1 layers 4 hidden 8 sequence 8 batch 4 }`,
      'pipeline',
      ['parallelism pipeline 1', 'Groups of one task send nothing'],
    ],
    [
      'a degree of parallelism of a job with mistakes',
      `job gpt { tasks 3 parallelism ten|sor 2 layers 4 hidden 8 sequence 8 batch 4 }`,
      'tensor',
      ['parallelism tensor …', 'Number of tasks that share the matrices of each layer'],
    ],
    ['a stencil', inSmallText('five-', 'point'), 'five-point', ['4 partners', '(-1, 0)']],
    ['a mapper', inSmallText('row-', 'major'), 'row-major', ['map row-major', 'Time: O(n']],
    ['a size', inSmallText('64 K', 'iB'), '64 KiB', ['65,536', 'bytes']],
    ['a rate', inSmallText('1', ' GB/s'), '1 GB/s', ['1,000,000,000', 'per second']],
    [
      'the word that is an option’s value',
      'job j { tasks 4 pattern random(count 5) } placement p { map auto(criterion equi|valent) }',
      'equivalent',
      ['auto(criterion …)', 'Values:'],
    ],
    [
      'the number that is an option’s value',
      'placement p { map random-search(patience 5|0) }',
      '50',
      ['random-search(patience …)', 'Values:'],
    ],
    [
      'the quantity that is an option’s value',
      'stream s { arrivals exponential(mean 20) service hyperexponential(means [1, 2], shares [40|%, 60%]) }',
      '[40%, 60%]',
      ['hyperexponential(shares …)'],
    ],
    [
      'a value without the name of its option',
      'stream s { width uniform(1, 1|6) }',
      '16',
      ['uniform(to …)', 'Values:'],
    ],
    ['a shape of routers', inSmallText('torus 4', ' x 4'), '4 x 4', ['4 × 4 = **16** routers', '16 nodes', '16 cores']],
    ['a shape of tasks', inSmallText('grid    4', ' x 4'), '4 x 4', ['4 × 4 = **16** tasks']],
    ['a count', 'job heat { tasks 12|8 pattern ring }', '128', ['**128** tasks']],
    [
      'a count of nodes',
      'machine small { topology cluster 1|6 }',
      '16',
      ['`small`: 16 routers, **16 nodes**, **16 cores** in all'],
    ],
    ['messages', 'job j { tasks 4 pattern ring bytes 2 KiB messages 1|0 }', '10', ['10 messages of 2 KiB', '**20 KiB']],
    [
      'an offset with its weight',
      'stencil s { dimensions 2 offset (1, 0) wei|ght 0.5 }',
      'offset (1, 0) weight 0.5',
      ['the task at (1, 0) from it', '**0.5** times'],
    ],
    [
      'an entry that is out of range',
      'table t { 0 -> 1 : 1e4|00 1 -> 0 : 120 }',
      '0 -> 1 : 1e400',
      ['Task **0** sends to task **1**.'],
    ],
    [
      'an entry beside one out of range',
      'table t { 0 -> 1 : 1e400 1 -> 0 : 12|0 }',
      '1 -> 0 : 120',
      ['sends **120** bytes to task **0**, 100 % of the table'],
    ],
    [
      'an entry of a table',
      'table t { unit packets 0 -> 1 : 4|0 1 -> 0 : 120 }',
      '0 -> 1 : 40',
      ['Task **0** sends **40** packets to task **1**, 25 % of the table'],
    ],
    [
      'a machine',
      inSmallText('machine sm', 'all {'),
      'small',
      ['A 4 x 4 torus, one task per node.', '16 with 16 cores', '4 hops', '2.133 hops', '8 cables', '1 GB/s'],
    ],
    [
      'a job',
      inSmallText('job he', 'at {'),
      'heat',
      ['Heat equation', '16, grid 4 x 4', '64 KiB (65,536 B) per message', '3 MiB', '48', '3 on average, at most 4'],
    ],
    [
      'a placement',
      inSmallText('placement first', '-try'),
      'first-try',
      ['16 tasks on 16 nodes', '| Average hops | 1.25 |', '3 MiB', '128 KiB', '131.1 µs', 'auto chose rcb', 'seed 1'],
    ],
  ])('%s', async (_what, marked, word, parts) => {
    const shown = await hoverAt(marked, { summary });
    expect(shown?.word).toBe(word);
    for (const part of parts) expect(shown?.text).toContain(part);
  });

  it('what is known of a file', async () => {
    const shown = async (marked: string, size?: number) => {
      const input = await atCursor(marked, { files: { 'm.place': 'machine a { topology torus 4 }\njob b { }' } });
      const contents = hover(input, { size })?.contents;
      return MarkupContent.is(contents) ? contents.value : '';
    };
    expect(await shown('import "m.pl|ace"', 42)).toContain('| Size | 42 B |');
    expect(await shown('import "m.pl|ace"', 42)).toContain('| Declares | 1 machine, 1 job |');
    expect(await shown('table t from "none.c|sv"')).toContain('| Size | cannot be read |');
    expect(fileAt(await atCursor('table t from "../a b.c|sv"'))).toBe('file:///a%20b.csv');
    expect(fileAt(await atCursor('table t| from "a.csv"'))).toBeUndefined();
  });

  it('hot links with who sends over them and what would relieve them', async () => {
    const hot = summaryWith({ hotLinks: [hotLink, hostLink], hotLinkCount: 3 });
    const text = (await hoverAt(inSmallText('placement first', '-try'), { summary: hot }))?.text;
    const causes = '50 % of it from task 5 → 6 (64 KiB), 25 % from task 1 → 6 (32 KiB), of 14 pairs';
    expect(text).toContain(`| 5 → 6 | 128 KiB | 3.1 | ${causes} |`);
    expect(text).toContain('| node 3 → leaf-0 |');
    expect(text).toContain('*and 1 more hot link*');
    expect(text).toContain('- 5 → 6: swap tasks 6 and 9: this link −38 %');
  });

  it('a share that is there is never 0 %', async () => {
    const [flow] = hotLink.flows;
    const hot = summaryWith({ hotLinks: [{ ...hotLink, flows: [{ ...flow!, share: 0.0004 }] }], hotLinkCount: 1 });
    const text = (await hoverAt(inSmallText('placement first', '-try'), { summary: hot }))?.text;
    expect(text).toContain('| under 1 % of it from task 5 → 6 (64 KiB), of 14 pairs |');
  });

  describe('what a search found', () => {
    const rows = [
      '| Chosen | annealing: the cheapest of 2 mappings |',
      '| Best value | 3 MiB (hop-bytes) |',
      '| Lower bound | 2.5 MiB (edge; Placewright) |',
      '| So the best is | optimality gap ≤ 20 % |',
      '| Evaluations | 1,234,567, 2,469,134 per second |',
      '| Best over time | 8 MiB `██████████▄▄▄▄▄▄▄▄▄▄▄▄▄▁` 3 MiB |',
      '| Ended | after 500 ms: the clock ended it, another run may differ |',
      '| rcb | 8 MiB | 2 ms |',
    ];
    const heat = { name: 'heat', tasks: 16, nodes: 16, search: exampleSearch };

    it.each([
      ['its placement', inSmallText('placement first', '-try'), 'hop-bytes'],
      ['`map`', inSmallText('  ma', 'p     row'), 'How tasks are mapped'],
      ['its mapper', inSmallText('row-', 'major'), 'Time: O(n'],
    ])('at %s', async (_, marked, meaning) => {
      const shown = (await hoverAt(marked, { summary: summaryWith({ jobs: [heat] }) }))?.text;
      for (const part of [...rows, meaning]) expect(shown).toContain(part);
      expect(shown).not.toContain('text has changed');
    });

    it('says of an older text that it is one', async () => {
      const input = await atCursor(inSmallText('row-', 'major'), { summary: summaryWith({ jobs: [heat] }) });
      const shown = hover({ ...input, stale: new Set(['first-try']) });
      expect(MarkupContent.is(shown?.contents) && shown.contents.value).toContain(
        'Out of date. Save the file to update',
      );
    });

    it('for each job that has one, and not at other mappers', async () => {
      const jobs = [heat, { name: 'quiet', tasks: 4, nodes: 4 }, { ...heat, name: 'other' }];
      const shown = (await hoverAt(inSmallText('row-', 'major'), { summary: summaryWith({ jobs }) }))?.text;
      expect(shown?.match(/Search for \w+/g)).toEqual(['Search for heat', 'Search for other']);
      const text = `${inSmallText('', '/// A 4')}\nplacement two { map rcb }`.replace('|', '').replace('rc', 'r|c');
      expect((await hoverAt(text, { summary: summaryWith({ jobs }) }))?.text).not.toContain('Best value');
    });

    it('with what there was no time for', async () => {
      const search: SearchRecord = { ...exampleSearch, untried: ['drb'], budget: { kind: 'seconds', amount: 1 } };
      const summary = summaryWith({ jobs: [{ ...heat, search }] });
      const shown = (await hoverAt(inSmallText('row-', 'major'), { summary }))?.text;
      expect(shown).toContain('| rcb | 8 MiB | 2 ms |\n\n*not tried within 1 s: drb; a longer budget tries it*');
    });

    it('without what it does not know', async () => {
      const { criterion, value, evaluations } = exampleSearch;
      const convergence = [{ evaluations: 0, milliseconds: 0, value }];
      const search = { criterion, value, evaluations, convergence, end: 'converged', milliseconds: 0 } as const;
      const summary = summaryWith({ jobs: [{ ...heat, search }] });
      const shown = (await hoverAt(inSmallText('  ma', 'p     row'), { summary }))?.text;
      expect(shown?.split('\n\n')[0]?.split('\n').slice(2)).toEqual([
        '| Best value | 3 MiB (hop-bytes) |',
        '| Evaluations | 1,234,567 |',
        '| Ended | after 0 s: nothing it tried was better any more |',
      ]);
    });
  });

  it.each([
    [inSmallText('machine sm', 'all {'), inSmallText('machine sm', 'all\n')],
    [inSmallText('job he', 'at {'), inSmallText('job     he', 'at\n')],
  ])('the same for a name where it is declared and where it is used', async (declared, used) => {
    expect(await hoverAt(used, { summary })).toEqual(await hoverAt(declared, { summary }));
  });

  it.each<[string, string, readonly string[]]>([
    ['table ri|ng { unit packets 0 -> 1 : 40 3 -> 2 : 2.5 }', 'ring', ['42.5 packets', 'at least 4']],
    [
      'stream calm { arrivals exponential(mean 50) processors uniform(1, 4) service exponential(mean 5) jobs 100 arrived } experiment e { stream cal|m }',
      'calm',
      [
        '| Jobs | until 100 have arrived |',
        '0.02 jobs a cycle',
        '2.5 on average',
        '0.25 processors busy',
        'processors `1 ████ 4`',
      ],
    ],
    ['stream k|th { log "logs/kth.swf.gz" first 500 }', 'kth', ['`kth.swf.gz`', 'the first 500', 'at-least-run']],
    ['stream s { arrivals expo|nential(rate 2) }', 'exponential', ['without memory', '| `rate` |']],
    ['stream s { ser|vice from-log }', 'service', ['service ']],
    ['experiment e { schedule ea|sy }', 'easy', ['schedule easy']],
    ['experiment e { report utili|sation }', 'utilisation', ['share of the processors']],
    ['network f|ast { switching wormhole }', 'fast', ['network fast']],
    ['table cg| from "cg.mtx"', 'cg', ['`cg.mtx`', 'bytes']],
    ['stencil s| { dimensions 2 offset (1, 0) weight 0.5 }', 's', ['1 partner', '2 dimensions', '| (1, 0) | 0.5 |']],
    ['placement p| { }', 'p', ['Not evaluated yet']],
    ['machine m { latency 1500 n|s }', '1500 ns', ['1.5 µs']],
    ['placement p { allocate random(cou|nt 3) }', 'count', ['random(count']],
    ['machine m { routing dimension-order(or|der z, y, x) }', 'order', ['z, y, x']],
    ['machine m { topology dragon|fly(a 4) }', 'dragonfly', ['| `a` |', '1 to 4,096', 'Kim et al. 2008']],
    ['placement p { map gra|sp }', 'grasp', ['Pascual et al. 2010', '| `iterations` |']],
    ['placement p { allocate pag|ing }', 'paging', ['Lo et al. 1997', '| `index` |']],
    ['machine m { topology torus 4 node fr|om "n.xml" }', 'from', ['node from "FILE"', 'hwloc']],
  ])('%s', async (marked, word, parts) => {
    const shown = await hoverAt(marked);
    expect(shown?.word).toBe(word);
    for (const part of parts) expect(shown?.text).toContain(part);
  });

  it('what an experiment crosses, and what came of it', async () => {
    const text = `machine m { topology mesh 4 x 4 }
stream calm { arrivals exponential(mean 50) processors uniform(1, 4) service exponential(mean 5) jobs 100 arrived }
experiment e| { stream calm machine m allocate rbs, gabl vary arrivals.mean 20 .. 40 step 10 replications until 5% at 95% (at most 60) }`;
    const input = await atCursor(text);
    const notices = ['4 of 12 rows: Beyond saturation.'];
    const standing = {
      result: 'turnaround 8 cycles, 60 replications',
      notices,
      isStale: true,
      isComplete: true,
      seconds: 200,
    };
    const shown = hover({ ...input, experiments: new Map([['e', standing]]) });
    const markdown = MarkupContent.is(shown?.contents) ? shown.contents.value : '';
    for (const part of [
      '| Points | 6 |',
      '`arrivals.mean`, 3 values',
      'rbs, gabl',
      'until 5 % at 95 %, at most 60',
      'about 3 min',
      '60 replications (before the last changes)',
      '- 4 of 12 rows: Beyond saturation.',
    ]) {
      expect(markdown).toContain(part);
    }
  });

  it('what the log of a stream holds', async () => {
    const refused = [{ reason: 'it has 17 fields instead of 18', count: 2, lines: [4, 9] }];
    const [meanProcessors, largestProcessors, meanRun] = [3.5, 64, 3600];
    const facts = { meanProcessors, largestProcessors, meanRun, load: 12.6, sizes: [8, 0, 4], refused, disordered: 0 };
    const summary = { ...summaryWith(), streams: [{ name: 'kth', jobs: 1200, span: 86_400, ...facts }] };
    const text = (await hoverAt('stream kt|h { log "kth.swf" }', { summary }))?.text;
    for (const part of ['1,200 in 24 hours', 'at most 64', '3,600 s on average', '12.6 processors busy', '`1 █ ▄ 4`']) {
      expect(text).toContain(part);
    }
    expect(text).toContain('2 × it has 17 fields instead of 18');
  });

  it('the documentation of an imported machine, and where it stands', async () => {
    const files = { 'far.place': '/// Far away.\nmachine far { topology torus 4 x 4 }' };
    const shown = await hoverAt('import "far.place"\nplacement p { machine fa|r }', { files });
    expect(shown?.text).toContain('Far away.');
    expect(shown?.text).toContain('far.place');
  });

  it('what a machine of files is made of', async () => {
    const [machine] = summaryWith().machines;
    const details = {
      inside: { sockets: '2 sockets of 8 cores' },
      numaNodes: 4,
      tiers: [4, 4, 2],
      format: 'slurm-tree',
      names: { routers: ['leaf-0', 'leaf-1', 'top'], nodes: ['n1'] },
    };
    const summary = { ...summaryWith(), machines: [{ ...machine!, topology: 'from', roots: ['top'], details }] };
    const text = 'machine sm|all { topology from "net/topology.conf" node from "epyc.xml" }';
    const shown = (await hoverAt(text, { summary }))?.text;
    const rows = [
      '| Topology | network of a file, routing',
      '| Root | top |',
      '| Tiers | 4 leaves, then 4 and 2 |',
      '| Read from | `topology.conf` (slurm-tree) |',
      '| Switch names | `leaf-0`, `leaf-1`, `top`, … |',
      '| Nodes as in | `epyc.xml` (4 NUMA nodes) |',
      '| Per node | 2 sockets of 8 cores |',
    ];
    for (const row of rows) expect(shown).toContain(row);
  });

  it.each([
    [{ lanes: 1, rule: 'none' }, '| Virtual lanes | 1, deadlock-free |'],
    [{ lanes: 2, rule: 'dateline' }, '| Virtual lanes | 2: another one behind the dateline of each ring |'],
    [{ lanes: 4, rule: 'halves' }, '| Virtual lanes | 4: others behind the detour |'],
    [{ lanes: 3, rule: 'groups' }, '| Virtual lanes | 3: another one in each group that packets come to |'],
    [{ lanes: 2, rule: 'escape' }, '| Virtual lanes | 2: one more to escape to, up and down |'],
    [
      { rule: 'routes' },
      '| Virtual lanes | more than 1, too many routes to count them: routes shared out among them |',
    ],
  ] satisfies [MachineFacts['lanes'], string][])('how many virtual lanes a machine needs: %o', async (lanes, row) => {
    const summary = { ...summaryWith(), machines: summaryWith().machines.map((machine) => ({ ...machine, lanes })) };
    const shown = (await hoverAt('machine sm|all { topology torus 4 }', { summary }))?.text;
    expect(shown?.split('\n')).toContain(row);
  });

  it('every mapper of the catalogue', async () => {
    for (const { name, summary: said } of mappers) {
      expect((await hoverAt(`placement p { map |${name} }`))?.text).toContain(said);
    }
  });
});

describe('what others wrote', () => {
  const picture = '![i](https://example.com/x.png)';
  const documented = `/// A <img src="https://example.com/y.png"> and ${picture}, **bold**.\nmachine m| { topology torus 4 }`;

  it('is Markdown in a documentation comment, but no picture', async () => {
    const shown = (await hoverAt(documented))?.text;
    expect(shown).toContain('**bold**');
    expect(shown).toContain('&#33;[i](https://example.com/x.png)');
    expect(shown).toContain('&lt;img');
    expect(shown).not.toMatch(/!\[|<img/);
  });

  it('is plain text where the folder is not trusted, in hovers and completion', async () => {
    const input = { ...(await atCursor(documented)), trusted: false };
    const shown = hover(input)?.contents;
    expect(MarkupContent.is(shown) && shown.value).toContain(
      'A &lt;img src="https\\://example.com/y.png"\\> and \\!\\[i\\](https\\://example.com/x.png), \\*\\*bold\\*\\*.',
    );
    const use = await atCursor(`${documented.replace('|', '')}\nplacement p { machine | }`);
    const [item] = completion({ ...use, trusted: false });
    expect(MarkupContent.is(item?.documentation) && item.documentation.value).toContain('\\*\\*bold');
    const [trusted] = completion(use);
    expect(MarkupContent.is(trusted?.documentation) && trusted.documentation.value).toMatch(/\*\*bold.*/);
    expect(JSON.stringify(trusted)).not.toContain('![');
  });

  it.each([
    ['a backquote', `a\`${picture}\``, `\`\` a\`&#33;[i](https://example.com/x.png)\` \`\``],
    ['a bar behind a stroke', 'a\\|b', '`a\\¦b`'],
    ['lines', 'a\n\n# b', '`a # b`'],
  ])('does not leave its code: a name with %s', async (_what, name, expected) => {
    const [machine] = summaryWith().machines;
    const details = { inside: { sockets: '1 socket of 1 core' }, names: { routers: [name], nodes: [name] } };
    const summary = { ...summaryWith(), machines: [{ ...machine!, roots: [name], details }] };
    const shown = (await hoverAt('machine sm|all { topology from "net.csv" }', { summary }))?.text;
    expect(shown).toContain(`| Host names | ${expected}, … |`);
    expect(shown).not.toMatch(/!\[/);
    expect(
      shown
        ?.split('\n')
        .filter((line) => line.startsWith('|'))
        .every((line) => / \|$/.test(line)),
    ).toBe(true);
  });

  it('names links without becoming Markdown', async () => {
    const link = { ...hotLink, fromName: `*${picture}`, toName: 'a|b' };
    const hot = summaryWith({ hotLinks: [link], hotLinkCount: 1 });
    const shown = (await hoverAt(inSmallText('placement first', '-try'), { summary: hot }))?.text;
    expect(shown).toContain('| \\*\\!\\[i\\](https\\://example.com/x.png) → a&#124;b |');
  });
});

it.each(['__proto__', 'constructor', 'toString'])('hover does not take %s for a unit', async (word) => {
  expect((await hoverAt(`machine m { latency 2 ${word.slice(0, 3)}|${word.slice(3)} }`))?.text).toBeUndefined();
});

it.each(['|', '// a | comment', 'placement p { machine nowhe|re }'])('hover says nothing at %s', async (marked) => {
  expect(await hoverAt(marked)).toBeUndefined();
});
