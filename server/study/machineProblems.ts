import type { FabricWarning } from '../model/fabric.ts';
import type { Failure, Result } from '../model/result.ts';
import type { MachineDescription } from '../network/contract.ts';
import { notEvaluatedYet, problemAt } from './problems.ts';
import type { MachineFacts } from './report.ts';
import type { StudyProblem, Subject } from './program.ts';
import type { Run } from './run.ts';

/** Warnings about one file that are shown; further ones are counted. */
const shownWarnings = 5;

/** What is wrong with a machine, where its declaration causes it, and what its files leave in doubt. */
export function problemsOfMachine(
  run: Run,
  description: MachineDescription,
  machine: Result<unknown>,
): readonly StudyProblem[] {
  const warnings = [...fabricWarnings(run, description), ...nodeWarnings(run, description)];
  // What cannot be evaluated yet is left to the placements that need it.
  if (machine.ok || machine.failure.code === notEvaluatedYet) return warnings;
  const property = propertyToBlame(run, description, machine.failure);
  return [problemAt(machine.failure, subjectOf(description, property)), ...warnings];
}

const subjectOf = ({ name }: MachineDescription, property: string): Subject => ({ kind: 'machine', name, property });

const routingCodes = new Set([
  'unknown-root',
  'unknown-routing',
  'too-many-routers',
  'routing-does-not-fit',
  'invalid-axis-order',
]);

/** The property that a machine cannot be built for: of the file of its nodes, its routing or its topology. */
function propertyToBlame(
  { files }: Run,
  { nodeFile, routing, hosts }: MachineDescription,
  { code }: Failure,
): 'node' | 'routing' | 'hosts' | 'topology' {
  if (nodeFile !== undefined && !files.nodeShape(nodeFile).ok) return 'node';
  if (routing !== undefined && routingCodes.has(code)) return 'routing';
  // The file itself has hosts.
  return code === 'does-not-apply' && hosts !== undefined ? 'hosts' : 'topology';
}

function fabricWarnings({ files }: Run, description: MachineDescription): readonly StudyProblem[] {
  const { argument, format } = description.topology;
  if (argument?.kind !== 'file') return [];
  const fabric = files.fabric(argument.uri, format);
  return fabric.ok ? warningsAt(subjectOf(description, 'topology'), 'fabric-warning', fabric.value.warnings) : [];
}

function nodeWarnings({ files }: Run, description: MachineDescription): readonly StudyProblem[] {
  if (description.nodeFile === undefined) return [];
  const node = files.nodeShape(description.nodeFile);
  return node.ok ? warningsAt(subjectOf(description, 'node'), 'node-warning', node.value.warnings) : [];
}

/** Up/down routing with one root where the network has several: one switch carries what all could. */
export function problemsOfRouting(
  description: MachineDescription,
  { root = '', idleRoots }: MachineFacts,
): readonly StudyProblem[] {
  if (idleRoots === undefined) return [];
  const [others, lie] = idleRoots === 1 ? ['another switch', 'lies'] : [`${idleRoots} other switches`, 'lie'];
  return [
    {
      severity: 'warning',
      code: 'single-root',
      message:
        `\`up-down\` has one root, ${root}: ${others} at the top ${lie} below it, and what they could share crosses it. ` +
        'Write `routing minimal`, which spreads over all of them.',
      subject: subjectOf(description, description.routing === undefined ? 'topology' : 'routing'),
    },
  ];
}

/** The first few warnings of a file, the last of them with how many more there are. */
function warningsAt(subject: Subject, code: string, warnings: readonly FabricWarning[]): readonly StudyProblem[] {
  const more = warnings.length - shownWarnings;
  return warnings.slice(0, shownWarnings).map(({ line, message }, index) => {
    const place = line === undefined ? '' : `Line ${line}: `;
    const rest = more > 0 && index === shownWarnings - 1 ? ` And ${more} more of this file.` : '';
    return { severity: 'warning', code, message: `${place}${message}${rest}`, subject };
  });
}
