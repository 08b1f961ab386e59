import { withShortNames } from '../model/result.ts';
import type { Fix, Problem, Span } from './tree.ts';

const syntaxCodes = {
  'file-too-large': 'The `.place` file exceeds the maximum length.',
  'binary-file': 'The file is not text.',
  'unclosed-comment': 'A `/*` has no `*/`.',
  'unclosed-string': 'A string is not closed on its line.',
  'unclosed-brace': 'A declaration has no `}`.',
  'unclosed-parenthesis': 'A `(` has no `)`.',
  'unclosed-bracket': 'A `[` has no `]`.',
  'missing-name': 'A declaration has no name.',
  'missing-body': 'A declaration has no `{ … }`.',
  'missing-brace': 'A declaration has properties without `{` before them.',
  'missing-value': 'A property has no value.',
  'missing-comma': 'Two items have no comma between them.',
  'missing-number': 'A number is missing in a shape, a range or a weight.',
  'unexpected-text': 'Text that does not belong at this position.',
  'unknown-declaration': 'Unknown kind of declaration.',
  'unknown-property': 'Unknown property of the declaration.',
  'incomplete-entry': 'An incomplete entry of a table.',
  'too-many-problems': 'The other diagnostics of the file are not shown.',
} as const satisfies Record<string, string>;

const nameCodes = {
  'missing-import': 'An imported file cannot be read.',
  'import-cycle': 'Files import each other.',
  'errors-in-import': 'An imported file has errors.',
  'too-many-imports': 'The imports exceed the maximum number of files.',
  'duplicate-declaration': 'A name is declared twice.',
  'duplicate-property': 'A property is written twice.',
  'unknown-name': 'A name without a declaration.',
  'unknown-path': 'An unknown number in `vary`.',
  'unknown-option': 'An unknown option of an algorithm.',
  'duplicate-option': 'An option is written twice.',
  'same-as-cycle': '`same-as` refers back to its own placement.',
} as const satisfies Record<string, string>;

const valueCodes = {
  'wrong-value': 'A value of the wrong kind.',
  'unknown-unit': 'An unknown unit.',
  'wrong-unit': 'A unit of the wrong kind.',
  'out-of-range': 'A number outside the valid range.',
  'too-large': 'A number above the limit of this version.',
  'wrong-shares': 'Shares that do not sum to 100 %.',
  'duplicate-number': 'A number occurs twice in a list.',
} as const satisfies Record<string, string>;

const declarationCodes = {
  'missing-property': 'A required property is missing.',
  'missing-argument': 'A required value after a name is missing.',
  'missing-option': 'A required option is missing.',
  'unexpected-argument': 'A value after a name that takes none.',
  'does-not-apply': 'A property that does not apply here.',
  'conflicting-properties': 'Two properties exclude each other.',
  'self-cable': 'A link connects a switch to itself.',
  disconnected: 'The network has several connected components.',
  'conflicting-options': 'Two options exclude each other.',
  'invalid-groups': 'Groups of a dragonfly that their ports cannot connect.',
  'invalid-wrap': 'A torus wraps along an axis that it does not have.',
  'invalid-twist': 'An invalid twist of a torus.',
  'no-leaves': '`on leaves` in a network without known tiers.',
  'unused-ports': 'Some ports of a dragonfly have no link.',
  'routing-changes': 'A failure changes the default routing of the machine.',
  'invalid-shape': 'An option has the wrong number of sides.',
  'wrong-dimensions': 'Numbers of dimensions that differ.',
  'task-out-of-range': 'A table names a task that the job does not have.',
  'table-smaller': 'A table has fewer tasks than its job. Some tasks do not communicate.',
  'machine-too-large': 'A machine above the limits.',
  'names-do-not-fit': 'Host names that are not unique, or not one for each node.',
  'does-not-fit': 'More tasks than slots.',
  'shared-nodes': 'Two jobs list the same nodes.',
  'given-length': 'A given mapping without exactly one slot for each task.',
  'old-name': 'An old name of a word.',
  'no-effect': 'A property without effect.',
  'beyond-saturation': 'An offered load above the capacity of the machine or network.',
  'illegal-parallelism': 'A training step that cannot be split as `parallelism` says.',
  'illegal-ranks': 'A number of tasks that the benchmark does not support.',
} as const satisfies Record<string, string>;

const fileCodes = {
  'unused-declaration': 'A declaration that no opened folder uses. Its name is faded.',
  'file-not-found': 'The file does not exist.',
  'file-unreadable': 'The file cannot be read.',
  'not-a-file': 'The path is not a regular file.',
  'not-text': 'The file is not text.',
  'outside-workspace': 'The file is outside the readable folders.',
  'missing-file': 'A file of the machine was not read.',
  'bad-table': 'An invalid table file.',
  'table-warning': 'A table file with skipped content.',
  'mapping-file-warning': 'A mapping or node list with skipped content.',
  'bad-mapping-file': 'An invalid mapping or node list.',
  'bad-coordinates': 'An invalid file of coordinates.',
  'trace-warning': 'A trace with skipped content, or with fewer ranks than tasks.',
  'trace-exceeds-tasks': 'A trace has more ranks than the job has tasks.',
  'bad-log': 'An invalid job log.',
  'refused-lines': 'Lines of a job log that are rejected.',
  'bad-fabric': 'An invalid network file.',
  'fabric-warning': 'A network file with skipped content.',
  'bad-forwarding': 'An invalid file of forwarding tables.',
  'foreign-forwarding': 'Forwarding tables of another fabric.',
  'broken-forwarding': 'Forwarding tables that lack a valid route from a switch with hosts to a host.',
  'forwarding-warning': 'Forwarding tables with skipped content, or that differ from the fabric.',
  'no-such-path': 'A `path` of `routing from` without a LID.',
  'bad-node': 'An invalid node file.',
  'bad-hosts': 'An invalid file of host names.',
  'bad-hostlist': 'An invalid hostlist.',
  'bad-name': 'A file name that cannot be written in a `.place` file.',
} as const satisfies Record<string, string>;

const simulationCodes = {
  'bad-distribution': 'Invalid values of a distribution.',
  'bad-stream': 'A stream with conflicting parts, or without jobs.',
  'bad-workload': 'Invalid messages: an unknown task, negative bytes or a negative time.',
  'workload-too-large': 'More messages than fit in memory. Repetitions count once.',
  'bad-trace': 'An invalid trace.',
  'latency-not-simulated': 'A `latency` that the network does not simulate.',
  'possible-deadlock': 'A cyclic channel dependency: packets may deadlock.',
  'unmatched-messages': 'Messages that are sent but never received, or expected but never sent.',
  'unknown-scheduler': 'A scheduler that this version does not have.',
  'bad-experiment': 'An experiment with conflicting parts.',
  'other-experiment': 'A journal of a different version of the experiment.',
  'not-a-journal': 'The file in the place of the journal is of another kind.',
  'not-ours': 'The output file or link was not written by Placewright. It is not changed.',
  'not-written': 'A result cannot be written.',
  'bad-part': 'An element of a job array cannot read its tasks.',
  'too-many-jobs': 'A table of jobs above the size limit, or too many waiting jobs.',
  'unknown-mapper': 'A mapper that this version does not have.',
  'time-budget': 'A budget in time where results must be reproducible.',
  'no-network': 'A simulation without a network, or without a bandwidth for its cycle time.',
  'over-budget': 'A simulation that exceeded its budget.',
  'bad-network': 'A network with conflicting options.',
  'no-estimates': 'A scheduler without estimates of run times.',
} as const satisfies Record<string, string>;

const machineCodes = {
  'unknown-topology': 'A topology that this version does not have.',
  'no-such-links': 'A group of links that the topology does not have.',
  'unknown-routing': 'A routing that this version does not have.',
  'routing-does-not-fit': 'A routing that does not fit the topology.',
  'invalid-axis-order': 'An order that does not list each axis once.',
  'invalid-count': 'A number outside the valid range.',
  'unknown-root': 'A root switch that does not exist.',
  'cores-beside-file': '`cores` or `sockets` beyond those of the node file.',
  'no-gpus': 'Tasks on GPUs, but the node file has none.',
  'rails-do-not-fit': 'Leaves that are not a multiple of the rails.',
  'rails-not-simulated': 'A stream on nodes with several rails.',
  'single-root': '`up-down` uses only some of several top-level switches.',
  'roots-apart': 'Two switches with hosts have no up/down route under these roots.',
  'no-switches': 'A network without switches.',
  'no-hosts': 'A network without nodes.',
  'no-such-host': 'A host that the machine does not have.',
  'no-such-node': 'A node that the machine does not have.',
  'broken-node': 'A failed node is allocated.',
  'no-such-part': 'A component with an unknown switch or host.',
  'no-such-switch': 'A switch that the machine does not have.',
  'no-such-cable': 'Two switches without a link.',
  'no-such-link': 'A link that the machine does not have.',
  'too-many-routers': 'Too many routers for tables of routes or distances.',
  'too-many-nodes': 'Too many nodes for the search or the distance model.',
  'too-many-links': 'Too many links for the search.',
  'too-many-distances': 'Too many distances for one table.',
  'no-coordinates': 'A machine without the coordinates that the algorithm needs.',
  'no-route': 'Two nodes without a route between them.',
} as const satisfies Record<string, string>;

const jobCodes = {
  'unknown-pattern': 'A pattern that this version does not have.',
  'unknown-collective': 'A collective operation that this version does not have.',
  'unknown-skeleton': 'A skeleton that this version does not have.',
  'no-saturation': 'No saturation was found at any speed.',
  'no-times': 'Messages without send times.',
  'no-such-task': 'A task that the job does not have.',
  'task-count-not-power-of-two': 'The pattern needs a power of two of tasks.',
  'task-count-not-square': 'The pattern needs a square number of tasks.',
  'stencil-dimensions': 'Stencil and grid have different dimensions.',
  'table-exceeds-tasks': 'A file of a table names a task that the job does not have.',
  'invalid-amount': 'An amount that is negative or not finite.',
  'amounts-too-large': 'Amounts whose sum overflows.',
  'inexact-sums': 'Amounts whose sum is rounded.',
  'too-many-pairs': 'A job with too many communicating pairs.',
  'coordinates-exceed-tasks': 'More lines of coordinates than tasks.',
  'missing-coordinates': 'Fewer lines of coordinates than tasks.',
} as const satisfies Record<string, string>;

const placementCodes = {
  'not-evaluated-yet': 'A combination that this version does not evaluate.',
  'too-much-memory': 'The program needs more memory than the limit.',
  'duplicate-node': 'A node occurs twice in an allocation.',
  'same-as-failed': 'The placement in `same-as` has no nodes.',
  'same-as-other-machine': 'The placement in `same-as` uses another machine.',
  'same-as-too-few-jobs': 'The placement in `same-as` has fewer jobs.',
  'given-no-placement': 'The mapping file has no placement of this name.',
  'given-no-job': 'The mapping file has no job of this name.',
  'not-placed-so': 'The mapping in `--from` is invalid for the placement.',
  'given-not-allocated': 'A given mapping uses a node outside the allocation.',
  'spans-sockets': 'Tasks that need more cores than a socket has.',
  'given-not-free': 'A given mapping uses a slot that is not free.',
  'given-out-of-range': 'A given mapping names a slot that does not exist.',
  'given-twice': 'A given mapping uses a slot twice.',
  'slot-used-twice': 'Two tasks have the same slot.',
  'host-too-small': 'A host has fewer slots than ranks.',
  'uneven-ranks': 'The export needs the same number of ranks on each node.',
  'scattered-ranks': 'The export needs consecutive ranks on each node.',
  'not-a-torus': 'The export needs coordinates on a torus.',
  'export-too-large': 'The export exceeds the maximum number of pairs.',
  'not-additive': 'A criterion that the mapper cannot use.',
  'too-large-for-tabu': 'A job above the limits of `tabu`.',
  'hot-link': 'A link with much more load than the mean.',
  'overloaded-server': 'The utilisation of a server of the cluster reaches 100 %.',
  'study-failed': 'An internal error.',
} as const satisfies Record<string, string>;

/** Every code of a problem that the language reports, with what it means: docs and tests read it. */
export const problemCodes = { ...syntaxCodes, ...nameCodes, ...valueCodes, ...declarationCodes };

/** Codes found when files are read and placements are evaluated. The documentation lists them. */
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

/** The problem with fixes that join nothing: a blank stays where `2!bandwidth` becomes one word. */
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
