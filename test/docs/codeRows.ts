import type { codeGroups } from '../../server/language/codes.ts';

/** What usually leads to a diagnostic, and what the user does then; `docs/reference/diagnostics.md` shows both. */
interface CodeRow {
  readonly cause: string;
  readonly fix: string;
}

type Codes = Readonly<Record<string, CodeRow>>;

const row = (cause: string, fix: string): CodeRow => ({ cause, fix });

const syntax: Codes = {
  'file-too-large': row(
    'A generated file lists a large table in the text.',
    'Move the table to a file: `table t from "FILE"`.',
  ),
  'binary-file': row('The file is an image, an archive or UTF-16 text.', 'Save the text as UTF-8.'),
  'unclosed-comment': row('The end of a block comment is missing.', 'Add `*/`, or use `//` for each line.'),
  'unclosed-string': row('A quotation mark is missing: `"fabric.out`.', 'Add the closing `"` on the same line.'),
  'unclosed-brace': row('The file ends, or a declaration begins, inside another one.', 'Add `}`.'),
  'unclosed-parenthesis': row('A list of options does not end: `grasp(iterations 10`.', 'Add `)`.'),
  'unclosed-bracket': row('A list does not end: `nodes [0..7`.', 'Add `]`.'),
  'missing-name': row('The name is missing: `machine { … }`.', 'Write a name: `machine small { … }`.'),
  'missing-body': row('The text ends after the name: `job heat`.', 'Add a body: `{ … }`.'),
  'missing-brace': row('The body has no opening brace.', 'Insert `{` after the name.'),
  'missing-value': row('Only the word is written: `tasks`.', 'Add the value: `tasks 64`.'),
  'missing-comma': row('Two items of a list are separated by a space only.', 'Insert `,` between them.'),
  'missing-number': row('A shape, range or weight is incomplete: `4 x`.', 'Add the number: `4 x 4`.'),
  'unexpected-text': row(
    'The text does not fit the syntax here, for example a `#` comment.',
    'Remove it. A comment begins with `//`.',
  ),
  'unknown-declaration': row(
    'The word is misspelt, or a brace closed too early.',
    'Use `machine`, `job`, `stencil`, `table`, `placement`, `stream`, `network`, `experiment` or `import`.',
  ),
  'unknown-property': row(
    'The word is misspelt, or belongs to another declaration.',
    'Use the suggested word. The tables of properties list all.',
  ),
  'incomplete-entry': row(
    'A sender, a receiver or an amount is missing: `0 -> 1`.',
    'Write `sender -> receiver : amount`.',
  ),
  'too-many-problems': row('The file has 1,000 diagnostics or more.', 'Fix the first ones and check again.'),
};

const names: Codes = {
  'missing-import': row(
    'The path is wrong, or the file may not be read.',
    'Correct the path. It is relative to the importing file.',
  ),
  'import-cycle': row(
    '`a.place` imports `b.place`, which imports `a.place`.',
    'Move the shared declarations to a third file.',
  ),
  'errors-in-import': row('The imported file has errors of its own.', 'Open it and fix these errors first.'),
  'too-many-imports': row('The imports of all files together exceed the limit.', 'Join small files.'),
  'duplicate-declaration': row('Two declarations of one kind share a name, perhaps by import.', 'Rename one of them.'),
  'duplicate-property': row('A property that may occur once is written twice.', 'Remove one of the two.'),
  'unknown-name': row(
    'The name is misspelt, or its file is not imported.',
    'Use the suggested name, or add `import "FILE"`.',
  ),
  'unknown-path': row(
    '`vary` names a number that the experiment does not write.',
    'Use a suggested path, or write the property first.',
  ),
  'unknown-option': row(
    'The option is misspelt, or belongs to another algorithm.',
    'Use one of the options in the message.',
  ),
  'duplicate-option': row('An option is written twice: `grasp(alpha 5%, alpha 10%)`.', 'Remove one of the two.'),
  'same-as-cycle': row(
    'Placements refer to each other with `allocate same-as`.',
    'Give one of them an allocator of its own.',
  ),
};

const values: Codes = {
  'wrong-value': row(
    'A word stands where a number is expected, or the other way round.',
    'Write the kind of value that the message names.',
  ),
  'unknown-unit': row(
    'The unit is misspelt or ambiguous: `64 K`, `10 Gb`.',
    'Use `KiB`, `kB`, `GB/s`, `us` or another unit of [Units](language.md#units).',
  ),
  'wrong-unit': row('A time stands where a size is expected: `bytes 5 us`.', 'Use a unit of the right kind.'),
  'out-of-range': row('The number is below or above the range in the message.', 'Use a number inside this range.'),
  'too-large': row(
    'The number is valid, but above the limit of this version.',
    'Use a smaller number. See [Limits](limits.md).',
  ),
  'wrong-shares': row('The shares sum to less or more than 1.', 'Correct the shares: `[2: 40%, 4: 60%]`.'),
  'duplicate-number': row('A list or its ranges overlap: `[0..7, 4]`.', 'List each number once.'),
};

const declarations: Codes = {
  'missing-property': row('A required property is not written.', 'Add the property in the message.'),
  'missing-argument': row('The word needs a value: `map given`.', 'Add it: `map given [0..15]`.'),
  'missing-option': row('The algorithm has a required option: `window`.', 'Add it: `window(size 4)`.'),
  'unexpected-argument': row('The word takes no value: `map rcb 4`.', 'Remove the value, or write it as an option.'),
  'does-not-apply': row(
    'The property belongs to another topology, switching or traffic source.',
    'Remove it, or change the property in the message.',
  ),
  'conflicting-properties': row('Two properties give the same thing: `tasks` and `grid`.', 'Remove one of the two.'),
  'self-cable': row('Both ends of a link are one switch: `link 3 -- 3`.', 'Correct one end.'),
  disconnected: row('Some switches have no path to the others.', 'Add a link, or select a component with `part`.'),
  'conflicting-options': row('Two options give the same thing, such as `k` and `levels`.', 'Remove one of the two.'),
  'invalid-groups': row(
    'The global ports are too few, or cannot be shared evenly.',
    'Change `h`, `g` or `per-pair` as the message suggests.',
  ),
  'invalid-wrap': row('`wrap` names an axis beyond the dimensions of the torus.', 'Use an axis of the shape.'),
  'invalid-twist': row('The sides and the twist do not fit each other.', 'Use the values in the message.'),
  'no-leaves': row('`on leaves` needs a file whose switches have tiers.', 'List the switches: `hosts 4 on 0..15`.'),
  'unused-ports': row(
    'The ports cannot be shared evenly among the groups.',
    'No action is needed. Change `g` or `h` to use all ports.',
  ),
  'routing-changes': row(
    'A torus, mesh or hypercube has a failed link or switch.',
    'Write `routing` explicitly to choose.',
  ),
  'invalid-shape': row('`levels`, `parents` and `parallel` have different lengths.', 'Correct the number of sides.'),
  'wrong-dimensions': row(
    'A stencil, grid or order of axes has another number of axes.',
    'Use the same number of dimensions.',
  ),
  'task-out-of-range': row(
    'A table entry names task *n* or higher of *n* tasks.',
    'Correct the entry, or raise `tasks`.',
  ),
  'table-smaller': row('The job has more tasks than the table has rows.', 'Reduce `tasks`, or complete the table.'),
  'machine-too-large': row(
    'Switches, nodes or links exceed the limits.',
    'Use a smaller machine. See [Limits](limits.md).',
  ),
  'names-do-not-fit': row(
    '`names` lists more or fewer names than nodes, or one twice.',
    'List one name for each node.',
  ),
  'does-not-fit': row(
    'The allocated nodes have fewer slots than the jobs have tasks.',
    'Allocate more nodes, or add `cores`.',
  ),
  'shared-nodes': row(
    'Two jobs have `allocate nodes` with a common node.',
    'Use separate nodes, or confirm that both fit.',
  ),
  'spans-sockets': row(
    'No socket has as many cores as `cores-per-task` says.',
    'Lower `cores-per-task`, or accept threads on several sockets.',
  ),
  'given-length': row('The list of `map given` is too short or too long.', 'List one slot for each task.'),
  'old-name': row('The word was renamed in a later version.', 'Apply the quick fix. The old word still works.'),
  'no-effect': row('Another property makes this one meaningless.', 'Remove it, or add the property in the message.'),
  'beyond-saturation': row(
    'The offered load exceeds the capacity of the machine.',
    'Lower the rate, or ignore values beyond saturation.',
  ),
  'illegal-parallelism': row(
    'A degree of parallelism does not divide tasks, layers or batch.',
    'Use one of the values in the message.',
  ),
  'illegal-ranks': row(
    'The benchmark needs a square, or a power of two, of tasks.',
    'Use one of the numbers in the message.',
  ),
};

const files: Codes = {
  'unused-declaration': row('No placement, experiment or import refers to it.', 'Remove it, or ignore the hint.'),
  'file-not-found': row('The path is wrong. It is relative to the `.place` file.', 'Correct the path.'),
  'file-unreadable': row(
    'Permissions, the disk or a remote address prevent reading.',
    'Check the permissions. Copy the file to this machine.',
  ),
  'not-a-file': row('The path names a folder, a device or a pipe.', 'Name a regular file.'),
  'not-text': row('The file is binary, or has another encoding.', 'Convert it to UTF-8 text with its own tool.'),
  'outside-workspace': row(
    'The folder is not trusted, or the file is outside it.',
    'Trust the folder, or copy the file into it.',
  ),
  'missing-file': row('A machine from a file has no readable file.', 'Correct the path in `from "FILE"`.'),
  'bad-table': row(
    'The table is truncated or in another format.',
    'See the line in the message, or name the format with `as`.',
  ),
  'table-warning': row(
    'The table has entries that are skipped, or files of some ranks only.',
    'Check that all ranks wrote a file.',
  ),
  'mapping-file-warning': row('Some lines of the file are skipped.', 'Check the lines in the message.'),
  'bad-mapping-file': row(
    'The file is in another format, or truncated.',
    'Name the format: `map given "FILE" as cray`.',
  ),
  'bad-coordinates': row(
    'A line has no numbers, or another count than the first line.',
    'Write one line of numbers for each task.',
  ),
  'trace-warning': row('Some records are skipped, or ranks are missing.', 'Check the records, or reduce `tasks`.'),
  'trace-exceeds-tasks': row('The trace was recorded with more ranks.', 'Raise `tasks` to the ranks of the trace.'),
  'bad-log': row('The file is not in the Standard Workload Format.', 'Convert the log to SWF.'),
  'refused-lines': row('Some lines of the log describe no job.', 'Check the lines. The other jobs are used.'),
  'bad-fabric': row(
    'The file is truncated, or in another format.',
    'See the line in the message, or name the format with `as`.',
  ),
  'fabric-warning': row(
    'The file has parts that are skipped or ambiguous.',
    'Check with `placewright import FILE --preview`.',
  ),
  'bad-forwarding': row(
    'The file is truncated, or no dump of forwarding tables.',
    'Dump the tables again: `dump_fts`, or `opensm -D 0x43`.',
  ),
  'foreign-forwarding': row('Fabric and tables come from different dumps.', 'Dump both files one after the other.'),
  'broken-forwarding': row(
    'A route loops, ends early or reaches the wrong host.',
    'Check the switch, host and line in the message.',
  ),
  'forwarding-warning': row('Some entries are skipped, or disagree with the fabric.', 'Dump both files again.'),
  'no-such-path': row('`path N` exceeds the LIDs of a port.', 'Use a smaller path number.'),
  'bad-node': row('The file is not of hwloc, NCCL or `nvidia-smi topo -m`.', 'Write it again: `lstopo --of xml`.'),
  'bad-hosts': row('The file of host names has an invalid name or a count.', 'Write one host name on each line.'),
  'bad-hostlist': row('Brackets or ranges are wrong: `n[01-`.', 'Write a Slurm hostlist: `n[01-16]`.'),
  'bad-name': row('A file name has quotes or line breaks.', 'Rename the file.'),
};

const simulations: Codes = {
  'bad-distribution': row('Bounds are reversed, or lists have different lengths.', 'Correct the values.'),
  'bad-stream': row(
    'Parts of the stream exclude each other, or no job remains.',
    'Check `log`, `where` and `service`.',
  ),
  'bad-workload': row('A trace or table has an impossible message.', 'Correct the trace.'),
  'workload-too-large': row(
    'The trace has more operations than fit in memory.',
    'Use fewer iterations or a shorter trace.',
  ),
  'bad-trace': row(
    'The trace is truncated, or in another format.',
    'See the line in the message, or name the format with `as`.',
  ),
  'latency-not-simulated': row(
    '`switching wormhole` ignores the `latency` of the machine.',
    'Write `link` and a longer `buffer` in the network.',
  ),
  'possible-deadlock': row(
    'Routes form a cyclic channel dependency.',
    'Add `channels` or a `bubble`, or change the routing.',
  ),
  'unmatched-messages': row(
    'Sends and receives differ in partner, tag or number.',
    'Correct the trace. The message names a task.',
  ),
  'unknown-scheduler': row('The file was written for another version.', 'Use a name from [Schedulers](schedulers.md).'),
  'bad-experiment': row('Subject, network, metrics and options do not fit.', 'Change what the message names.'),
  'other-experiment': row('`--resume` found results of an older text.', 'Run without `--resume`.'),
  'not-a-journal': row('Another file has the name of the journal.', 'Move that file away.'),
  'not-ours': row('Another program wrote or edited the output file.', 'Move it away, or use `--force`.'),
  'not-written': row('The disk is full, or the folder is read-only.', 'Free space, or choose another folder.'),
  'bad-part': row('A cluster node sees other files than the login node.', 'Use a shared file system.'),
  'too-many-jobs': row('Jobs times replications exceed the size of the table.', 'Use fewer replications or points.'),
  'unknown-mapper': row('The file was written for another version.', 'Use a name from [Mappers](mappers.md#mappers).'),
  'time-budget': row('`auto(budget 1 s)` in an experiment depends on the clock.', 'Give steps: `auto(budget 10000)`.'),
  'no-network': row(
    'A simulation has no `network`, or no bandwidth for its times.',
    'Add `network`, `flit` or `bandwidth`.',
  ),
  'over-budget': row('The simulation exceeded its `budget`.', 'Raise `budget`, or simulate a smaller run.'),
  'bad-network': row('Options of the network exclude each other.', 'Change the option in the message.'),
  'no-estimates': row(
    'Backfilling needs run times, but the network decides them.',
    'Use `fcfs` or `window`, or another `service`.',
  ),
};

const machines: Codes = {
  'unknown-topology': row('The file was written for another version.', 'Use a name from [Topologies](topologies.md).'),
  'no-such-links': row('A group such as `global` does not exist in this topology.', 'Use a group in the message.'),
  'unknown-routing': row(
    'The file was written for another version.',
    'Use a name from [Routings](topologies.md#routings).',
  ),
  'routing-does-not-fit': row(
    '`dimension-order` needs axes; `fat-tree` needs tiers.',
    'Use `minimal`, or another topology.',
  ),
  'invalid-axis-order': row('`order` misses an axis or repeats one.', 'List each axis once: `order z, y, x`.'),
  'invalid-count': row('A number of switches, nodes or cycles is out of range.', 'Use a number in the range.'),
  'unknown-root': row('`root` names a switch that does not exist.', 'Use a switch number or name of the machine.'),
  'cores-beside-file': row(
    '`cores` or `sockets` exceeds what the node file has.',
    'Reduce `cores`, or remove `sockets`.',
  ),
  'no-gpus': row('`slots gpus` with a node file without GPUs.', 'Add `gpus 8`, or use a file that lists them.'),
  'rails-do-not-fit': row(
    'The number of leaves is not a multiple of `rails`.',
    'Change `rails`, or the levels of the tree.',
  ),
  'rails-not-simulated': row('Streams support one link for each node.', 'Remove `rails`.'),
  'single-root': row('`root` names one of several top-level switches.', 'Write `routing up-down` without `root`.'),
  'roots-apart': row('Two switches have no common root above them.', 'Add a root above both, or remove `roots`.'),
  'no-switches': row('The file has hosts only.', 'Export the switches too.'),
  'no-hosts': row('No node is left, or the file has none.', 'Add `hosts N`, or reduce `without`.'),
  'no-such-host': row('The name is misspelt, or from another fabric.', 'Use a host name of the machine.'),
  'no-such-node': row('The number is at least the number of nodes.', 'Use a smaller node number.'),
  'broken-node': row('`allocate nodes` lists a failed node.', 'List another node.'),
  'no-such-part': row('`part` names no switch and no host.', 'Use a name of the file.'),
  'no-such-switch': row('`without` or `on` names no switch of the machine.', 'Use a switch of the machine.'),
  'no-such-cable': row('`without 3 -- 4` names two switches without a link.', 'Use two connected switches.'),
  'no-such-link': row('`--select` or a request names no link.', 'Use a link of the machine.'),
  'too-many-routers': row(
    'Routing or distances need tables of all router pairs.',
    'Use `routing minimal`, or a smaller machine.',
  ),
  'too-many-nodes': row('The criterion needs costs of all node pairs.', 'Allocate fewer nodes, or use `hop-bytes`.'),
  'too-many-links': row('`maximum-load` keeps the load of each link.', 'Use criterion `hop-bytes`.'),
  'too-many-distances': row('The table of distances exceeds 128 MiB.', 'Use a smaller machine.'),
  'no-coordinates': row('The mapper, allocator or distance model needs a grid.', 'Use `baseline`, `random` or `auto`.'),
  'no-route': row('A failure disconnects two nodes that communicate.', 'Remove a `without`, or allocate other nodes.'),
};

const jobs: Codes = {
  'unknown-pattern': row('The file was written for another version.', 'Use a name from [Patterns](job.md#patterns).'),
  'unknown-collective': row(
    'The file was written for another version.',
    'Use a name from [Collectives](traffic.md#collectives).',
  ),
  'unknown-skeleton': row(
    'The file was written for another version.',
    'Use a name from [Skeletons](traffic.md#skeletons).',
  ),
  'no-saturation': row('`replay saturation` found no limit.', 'Use more messages or a slower network.'),
  'no-times': row('`replay open` needs send times.', 'Add `rate`, or use a trace with times.'),
  'no-such-task': row('The number is at least the number of tasks.', 'Use a smaller task number.'),
  'task-count-not-power-of-two': row('`butterfly` with, for example, 12 tasks.', 'Use 8 or 16 tasks.'),
  'task-count-not-square': row('`transpose` with, for example, 12 tasks.', 'Use 9 or 16 tasks.'),
  'stencil-dimensions': row(
    '`five-point` on a grid of three dimensions.',
    'Use `seven-point`, or a grid of two dimensions.',
  ),
  'table-exceeds-tasks': row('The table was recorded with more ranks.', 'Raise `tasks`.'),
  'invalid-amount': row('An amount is negative or not finite.', 'Correct the amount.'),
  'amounts-too-large': row('The sum of amounts overflows.', 'Use smaller amounts.'),
  'inexact-sums': row('The sum of amounts exceeds 2^53.', 'Check the amounts. Sums are rounded.'),
  'too-many-pairs': row('Each task communicates with too many others.', 'Use fewer tasks, or a sparser pattern.'),
  'coordinates-exceed-tasks': row('The file has extra lines.', 'Remove the extra lines, or raise `tasks`.'),
  'missing-coordinates': row('The file ends before the last task.', 'Add the missing lines.'),
};

const placements: Codes = {
  'not-evaluated-yet': row(
    'The combination is valid, but this version does not support it.',
    'Change what the message names.',
  ),
  'too-much-memory': row('Machines, jobs and reports exceed 1.5 GiB.', 'Reduce what the message names first.'),
  'duplicate-node': row('`allocate nodes` lists a node twice.', 'List each node once.'),
  'same-as-failed': row('The other placement has errors of its own.', 'Fix that placement first.'),
  'same-as-other-machine': row(
    '`same-as` names a placement on another machine.',
    'Use a placement on the same machine.',
  ),
  'same-as-too-few-jobs': row('`same-as` names a placement with fewer jobs.', 'Use a placement with as many jobs.'),
  'given-no-placement': row('The JSON has no placement of this name.', 'Use the name in the JSON.'),
  'given-no-job': row('The JSON placement has no job of this name.', 'Use the job name in the JSON.'),
  'not-placed-so': row('`--from` has a result of another text.', 'Run `placewright run FILE --json` again.'),
  'given-not-allocated': row(
    'The mapping uses a node outside the allocation.',
    'Allocate that node, or correct the mapping.',
  ),
  'given-not-free': row('Another job holds the core, or the host is full.', 'Use a free slot.'),
  'given-out-of-range': row('The slot number is at least the number of slots.', 'Use a smaller slot number.'),
  'given-twice': row('Two tasks have one slot in the mapping.', 'Give each task its own slot.'),
  'slot-used-twice': row('Two jobs have mappings onto one slot.', 'Give each task its own slot.'),
  'host-too-small': row('The host file has `slots=` below the ranks.', 'Raise the slots, or allocate more nodes.'),
  'uneven-ranks': row(
    'The launcher starts the same number of ranks on each node.',
    'Use another format, or place as many ranks on each node.',
  ),
  'scattered-ranks': row('The launcher numbers ranks node by node.', 'Use format `pytorch`, or mapper `blocked`.'),
  'not-a-torus': row('Format `bluegene` needs a torus or mesh.', 'Use another format.'),
  'export-too-large': row('The graph has too many pairs of ranks.', 'Use format `csv` or `vector`.'),
  'not-additive': row('`maximum-load` is not a sum over pairs.', 'Use criterion `hop-bytes`.'),
  'too-large-for-tabu': row('`tabu` needs a dense matrix of tasks.', 'Use `auto`.'),
  'hot-link': row('The mapping concentrates traffic on one link.', 'Apply the suggested swap, or try other mappers.'),
  'overloaded-server': row(
    'The rate of the jobs exceeds a memory, port or queue pair.',
    'Lower `rate`, or spread the tasks.',
  ),
  'study-failed': row('An internal error.', 'Report it with the file and the message.'),
};

/** By the titles of {@link codeGroups}. */
export const codeRows: Codes = {
  ...syntax,
  ...names,
  ...values,
  ...declarations,
  ...files,
  ...simulations,
  ...machines,
  ...jobs,
  ...placements,
};

/** The table of a group: what a code means, why it is reported, and what to do. */
export function codeTable({ codes }: (typeof codeGroups)[number]): string {
  const rows = Object.entries(codes).map(([code, meaning]) => {
    const { cause, fix } = codeRows[code] ?? { cause: '', fix: '' };
    return `| <a id="${code}"></a>\`${code}\` | ${meaning} | ${cause} | ${fix} |`;
  });
  return ['| code | meaning | usual cause | fix |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
