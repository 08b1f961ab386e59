import { withShortNames } from '../model/result.ts';
import type { Fix, Problem, Span } from './tree.ts';

const syntaxCodes = {
  'file-too-large': 'The text is longer than a `.place` file may be.',
  'binary-file': 'The file is not text.',
  'unclosed-comment': 'A `/*` has no `*/`.',
  'unclosed-string': 'A string is not closed on its line.',
  'unclosed-brace': 'A declaration has no `}`.',
  'unclosed-parenthesis': 'A `(` has no `)`.',
  'unclosed-bracket': 'A `[` has no `]`.',
  'missing-name': 'A declaration has no name.',
  'missing-body': 'A declaration has no `{ … }`.',
  'missing-brace': 'A declaration has properties and no `{` before them.',
  'missing-value': 'A property lacks what it takes.',
  'missing-comma': 'Two items stand together without a comma.',
  'missing-number': 'A number is missing: a side, the end of a range, a weight.',
  'unexpected-text': 'Something stands where nothing of the kind may stand.',
  'unknown-declaration': 'A word that starts no declaration.',
  'unknown-property': 'A word that is no property of the declaration.',
  'incomplete-entry': 'An entry of a table lacks a part.',
  'too-many-problems': 'Further problems of the file are not shown.',
} as const satisfies Record<string, string>;

const nameCodes = {
  'missing-import': 'An imported file cannot be read.',
  'import-cycle': 'Files import each other.',
  'errors-in-import': 'An imported file has errors.',
  'too-many-imports': 'More files are imported than may be.',
  'duplicate-declaration': 'A name is declared twice.',
  'duplicate-property': 'A property stands twice.',
  'unknown-name': 'A name that nothing declares.',
  'unknown-path': 'A number to vary that the stream does not have.',
  'unknown-option': 'An option that the catalogue entry does not have.',
  'duplicate-option': 'An option stands twice.',
  'same-as-cycle': 'Placements take their allocation from each other.',
} as const satisfies Record<string, string>;

const valueCodes = {
  'wrong-value': 'A value of another kind than the property or option takes.',
  'unknown-unit': 'A unit that the language does not have.',
  'wrong-unit': 'A unit of another kind than the property takes.',
  'out-of-range': 'A number outside what is possible.',
  'too-large': 'A number above what this version can work with.',
  'wrong-shares': 'Shares that do not add up to 100 %.',
  'duplicate-number': 'A number stands twice in a list.',
} as const satisfies Record<string, string>;

const declarationCodes = {
  'missing-property': 'A declaration lacks a property that it needs.',
  'missing-argument': 'A catalogue word lacks what must follow it.',
  'missing-option': 'A catalogue word lacks an option that it needs.',
  'unexpected-argument': 'A catalogue word takes nothing of the kind.',
  'does-not-apply': 'A property that does not fit the topology or the other properties.',
  'conflicting-properties': 'Two properties exclude each other.',
  'self-cable': 'A cable joins a switch to itself.',
  disconnected: 'A network in several parts.',
  'conflicting-options': 'Two options exclude each other.',
  'invalid-groups': 'Groups of a dragonfly that their ports cannot join.',
  'invalid-wrap': 'A torus is told to wrap along an axis that it does not have.',
  'invalid-twist': 'A torus that cannot be twisted so.',
  'no-leaves': 'Hosts on leaves of a network whose tiers are not known.',
  'unused-ports': 'Ports of a dragonfly that no cable needs.',
  'routing-changes': 'A failed link changes the routing of the whole machine.',
  'invalid-shape': 'An option has another number of sides than the others ask for.',
  'wrong-dimensions': 'Dimensions that do not agree.',
  'task-out-of-range': 'A table names a task that the job does not have.',
  'table-smaller': 'A table has fewer tasks than its job: some neither send nor receive.',
  'machine-too-large': 'A machine above the limits.',
  'names-do-not-fit': 'Names of hosts that are not one for each node of the machine, or not all different.',
  'does-not-fit': 'More tasks than cores, or than GPUs where tasks run on those.',
  'shared-nodes': 'Two jobs of a placement list the same nodes.',
  'given-length': 'A given mapping has another length than the jobs have tasks.',
  'old-name': 'A word that has another name today; it is read as before.',
  'no-effect': 'A property that changes nothing here.',
  'beyond-saturation':
    'Jobs that come faster than the machine can serve them, a rate that all links together do not carry, or a background of more than nodes can send.',
  'illegal-parallelism':
    'A training step that cannot be split as `parallelism` asks; the message says what does not divide what, and what would.',
  'illegal-ranks': 'A skeleton of a benchmark that does not run on so many tasks; the message names those it runs on.',
} as const satisfies Record<string, string>;

const fileCodes = {
  'unused-declaration': 'Nothing in the opened folders uses a declaration; its name is shown faded.',
  'file-not-found': 'The named file was not found.',
  'file-unreadable': 'A file cannot be read.',
  'not-a-file': 'A folder, a device or a pipe stands where a file is meant.',
  'not-text': 'A file that must be text is not.',
  'outside-workspace': 'A file outside of the folders that may be read.',
  'missing-file': 'A file that the machine needs was not read.',
  'bad-table': 'The file of a table cannot be understood.',
  'table-warning': 'The file of a table holds something that is passed over.',
  'mapping-file-warning': 'A file of a given mapping or of nodes holds something that is passed over.',
  'bad-mapping-file': 'A file of a given mapping or of nodes cannot be understood.',
  'bad-coordinates': 'A file of coordinates cannot be understood.',
  'trace-warning': 'A trace holds something that is passed over, or has fewer ranks than the job has tasks.',
  'trace-exceeds-tasks': 'A trace has more ranks than the job has tasks.',
  'bad-log': 'The file of a job log cannot be understood.',
  'refused-lines': 'Lines of a job log that are none of a job.',
  'bad-fabric': 'The file of a network cannot be understood.',
  'fabric-warning': 'The file of a network holds something that is passed over.',
  'bad-forwarding': 'The file of forwarding tables cannot be understood.',
  'foreign-forwarding': 'Forwarding tables of other switches than those of the fabric.',
  'broken-forwarding': 'Forwarding tables that do not lead from every switch with hosts to every host.',
  'forwarding-warning':
    'Forwarding tables hold something that is passed over, or that does not agree with the file of the fabric.',
  'no-such-path': 'A path of `routing from` that a port has no LID for.',
  'bad-node': 'The file of a compute node cannot be understood.',
  'bad-hosts': 'A file of host names cannot be understood.',
  'bad-hostlist': 'A list of host names cannot be understood.',
  'bad-name': 'A name in a file that cannot be written into a program.',
} as const satisfies Record<string, string>;

const simulationCodes = {
  'bad-distribution': 'Values that together make no distribution.',
  'bad-stream': 'A stream whose parts do not go together, or that has no jobs.',
  'bad-workload': 'Messages of a job that cannot be: to a task that there is none of, bytes or times below zero.',
  'workload-too-large': 'Messages of a job that are more than memory is for, repetitions counted once.',
  'bad-trace': 'The file of a trace cannot be understood.',
  'latency-not-simulated': 'A machine with a `latency` that its network does not simulate.',
  'possible-deadlock':
    'A network without channels enough, or routing by tables without lanes: packets may wait for one another in a circle.',
  'unmatched-messages': 'Messages of a job that are sent and never received, or waited for and never sent.',
  'unknown-scheduler': 'A scheduler that this version does not have.',
  'bad-experiment': 'An experiment whose parts do not go together.',
  'other-experiment': 'A journal of the experiment as it was before something that it depends on changed.',
  'not-a-journal': 'A file in the place of the journal of an experiment is none.',
  'not-ours': 'A file or a link that Placewright did not write is in the place of results: it is left as it is.',
  'not-written': 'A file of results cannot be written.',
  'bad-part': 'An element of a job array does not see the tasks of its part.',
  'too-many-jobs': 'A table of jobs would be too long.',
  'unknown-mapper': 'A mapper that this version does not have.',
  'time-budget': 'A budget in seconds where the answer must not depend on the clock.',
  'no-network': 'Messages of jobs without a network, or a network without what relates its cycles to seconds.',
  'over-budget': 'A simulation that spent its budget before its jobs were done.',
  'bad-network': 'A network whose options do not go with each other or with the machine.',
  'no-estimates': 'A scheduler plans by run times that nobody knows.',
} as const satisfies Record<string, string>;

const machineCodes = {
  'unknown-topology': 'A topology that this version does not have.',
  'no-such-links': 'Bandwidth or latency of links that the topology does not have.',
  'unknown-routing': 'A routing that this version does not have.',
  'routing-does-not-fit': 'A routing that needs a topology with dimensions.',
  'invalid-axis-order': 'An order of axes that does not name each once.',
  'invalid-count': 'A count outside what is possible.',
  'unknown-root': 'A switch that is to be the root and does not exist.',
  'cores-beside-file': 'More cores or other sockets than the file of `node` has.',
  'no-gpus': 'Tasks are to run on GPUs, and the file of the nodes has none.',
  'rails-do-not-fit': 'The leaves of a tree are no whole number of blocks of as many leaves as there are rails.',
  'rails-not-simulated': 'A stream of jobs on nodes that have several rails.',
  'single-root': 'All up/down routes of a tree with several switches at the top go through some of them.',
  'roots-apart': 'Roots of up/down routing that leave two switches with hosts without a way up and then down.',
  'no-switches': 'A network without switches.',
  'no-hosts': 'A network without compute nodes.',
  'no-such-host': 'A host that the machine does not have.',
  'no-such-node': 'A node that the machine does not have.',
  'broken-node': 'A node that does not work is to run a job.',
  'no-such-part': 'A part of a network of which the file has no switch and no host.',
  'no-such-switch': 'A switch that the machine does not have.',
  'no-such-cable': 'A cable that the machine does not have.',
  'no-such-link': 'A link that the machine does not have.',
  'too-many-routers': 'More routers than routes or distances are worked out for.',
  'too-many-nodes': 'More nodes than the search or distance model takes.',
  'too-many-links': 'More links than the search takes.',
  'too-many-distances': 'More distances than are worked out.',
  'no-coordinates': 'A machine without coordinates, where they are needed.',
  'no-route': 'Two nodes without a route between them.',
} as const satisfies Record<string, string>;

const jobCodes = {
  'unknown-pattern': 'A pattern that this version does not have.',
  'unknown-collective': 'A collective operation that this version does not have.',
  'unknown-skeleton': 'A skeleton that this version does not have.',
  'no-saturation': 'No speed of the messages was found at which the network is saturated.',
  'no-times': 'Messages are to be sent at times that nobody has given.',
  'no-such-task': 'A task that the job does not have.',
  'task-count-not-power-of-two': 'A pattern that needs a power of two of tasks.',
  'task-count-not-square': 'A pattern that needs a square number of tasks.',
  'stencil-dimensions': 'A stencil of other dimensions than the grid.',
  'table-exceeds-tasks': 'A file of a table names a task that the job does not have.',
  'invalid-amount': 'An amount that is no finite number of at least 0.',
  'amounts-too-large': 'Amounts whose sum cannot be held.',
  'inexact-sums': 'Amounts whose sum is not exact.',
  'too-many-pairs': 'More pairs of tasks that talk than a job may have.',
  'coordinates-exceed-tasks': 'More lines of coordinates than tasks.',
  'missing-coordinates': 'Fewer lines of coordinates than tasks.',
} as const satisfies Record<string, string>;

const placementCodes = {
  'not-evaluated-yet': 'Part of the language that this version does not work out.',
  'too-much-memory': 'The placement would need more memory than there may be.',
  'duplicate-node': 'A node stands twice in an allocation.',
  'same-as-failed': 'The placement whose nodes are taken over has none.',
  'same-as-other-machine': 'The placement whose nodes are taken over is on another machine.',
  'same-as-too-few-jobs': 'The placement whose nodes are taken over has fewer jobs.',
  'given-no-placement': 'A given file has no placement of the name.',
  'given-no-job': 'A given file has no job of the name.',
  'not-placed-so': 'The mapping of a kept result (`--from`) is none that the placement can have.',
  'given-not-allocated': 'A given mapping uses a node that the job was not given.',
  'given-not-free':
    'A given mapping uses a core that another job has, or more slots of a host than the file of the allocation gives it.',
  'given-out-of-range': 'A given mapping names a slot that the machine does not have.',
  'given-twice': 'A given mapping uses a slot twice.',
  'slot-used-twice': 'Two tasks have the same slot.',
  'host-too-small': 'A host has fewer slots than the placement puts ranks there.',
  'uneven-ranks': 'An export needs as many ranks on every node, and a node has more or fewer.',
  'scattered-ranks': 'An export needs the ranks of each node to follow one another, and others stand between them.',
  'not-a-torus': 'An export gives coordinates on a torus, and the machine has none.',
  'export-too-large': 'An export would have more pairs of ranks than are written.',
  'not-additive': 'A criterion that the mapper cannot search under.',
  'too-large-for-tabu': 'A job above what tabu search takes.',
  'hot-link': 'A link that carries far more than the mean.',
  'overloaded-server': 'Messages come to a part of a cluster faster than it can pass them on.',
  'study-failed': 'A fault of the program: please report it.',
} as const satisfies Record<string, string>;

/** Every code of a problem that the language reports, with what it means: docs and tests read it. */
export const problemCodes = { ...syntaxCodes, ...nameCodes, ...valueCodes, ...declarationCodes };

/** Codes of what comes to light when files are read and placements worked out; the documentation lists them. */
export const studyCodes: Readonly<Record<string, string>> = {
  ...fileCodes,
  ...simulationCodes,
  ...machineCodes,
  ...jobCodes,
  ...placementCodes,
};

/** All codes in the groups of docs/reference/diagnostics.md, each of which is a table there. */
export const codeGroups: readonly { readonly title: string; readonly codes: Readonly<Record<string, string>> }[] = [
  { title: 'Syntax', codes: syntaxCodes },
  { title: 'Imports and names', codes: nameCodes },
  { title: 'Values', codes: valueCodes },
  { title: 'Declarations', codes: declarationCodes },
  { title: 'Files', codes: fileCodes },
  { title: 'Streams, simulations and experiments', codes: simulationCodes },
  { title: 'Machines', codes: machineCodes },
  { title: 'Jobs', codes: jobCodes },
  { title: 'Placements and exports', codes: placementCodes },
];

export type ProblemCode = keyof typeof problemCodes;

export type { Fix };

/** A file with so many problems is not read on, and what it has gets no suggestions any more. */
export const tooManyProblems = 1000;

/** A problem of these codes at this span. */
export function problemAt(
  span: Span,
  code: ProblemCode,
  message: string,
  extra: Partial<Pick<Problem, 'severity' | 'fix' | 'otherFixes'>> = {},
): Problem {
  return { severity: 'error', ...extra, code, message: withShortNames(message), start: span.start, end: span.end };
}

/** Replaces a span. */
export const replace = (span: Span, text: string): Fix => ({
  title: text === '' ? 'Remove it' : `Change to \`${text.trim()}\``,
  start: span.start,
  end: span.end,
  text,
});

/** Replaces a span by what was meant, where that is known. */
export const replaceByMeant = (span: Span, meant: string | undefined): Fix | undefined =>
  meant === undefined ? undefined : replace(span, meant);

/** Inserts text at an offset. */
export const insert = (offset: number, text: string): Fix => ({
  title: `Insert \`${text.trim()}\``,
  start: offset,
  end: offset,
  text,
});

/** Characters that part two tokens by themselves. */
const parting = /[\s{}()[\],]/;
const wordlike = /[\p{L}\p{M}\p{Nd}_]/u;

/** The problem with fixes that join nothing: a blank stays where `2!bandwidth` would become one word. */
export function withBlanks(problem: Problem, text: string): Problem {
  const { fix, otherFixes } = problem;
  if (fix === undefined && otherFixes === undefined) return problem;
  return {
    ...problem,
    ...(fix === undefined ? {} : { fix: withBlank(fix, text) }),
    ...(otherFixes === undefined ? {} : { otherFixes: otherFixes.map((other) => withBlank(other, text)) }),
  };
}

function withBlank(fix: Fix, text: string): Fix {
  const before = text.charAt(fix.start - 1);
  const after = text.charAt(fix.end);
  if (fix.text === '') {
    const joins = before !== '' && after !== '' && !parting.test(before) && !parting.test(after);
    return joins ? { ...fix, text: ' ' } : fix;
  }
  // What touched its neighbours before may touch them again: `64mb` becomes `64MB`.
  const touched = fix.start < fix.end && wordlike.test(text.charAt(fix.end - 1));
  const joins = !touched && wordlike.test(after) && wordlike.test(fix.text.at(-1) ?? '');
  return joins ? { ...fix, text: `${fix.text} ` } : fix;
}
