/**
 * A sweep over choices of a placement, as the `experiment` that it is: the text of a declaration that crosses what is varied and has all
 * else as the placement has it. What runs experiments runs it, and a user can keep the text.
 */
import { experimentMetrics, isStaticMetric, type ExperimentMetric } from '../model/metrics.ts';
import { fail, quote, succeed, type Result } from '../model/result.ts';
import { jobFigures, variedRow } from '../model/simulation.ts';
import { variedMachineWords } from '../network/contract.ts';
import { oneOf } from './suggestions.ts';
import type { DeclarationNode, PropertyNode } from './tree.ts';
import { onOneLine } from './writtenMappers.ts';

/** What is swept, `map=rcb, grasp`: a choice of the placement or the path of a number, and its values as a file has them. */
export interface SweepAxis {
  readonly path: string;
  readonly values: string;
}

export interface SweepRequest {
  readonly name: string;
  readonly axes: readonly SweepAxis[];
  /** Names of metrics with commas between them; the usual ones where it is left out. */
  readonly report?: string | undefined;
}

/** A line of the declaration, and what it is of for the user. */
export interface SweepLine {
  readonly text: string;
  readonly of: string;
}

/** What is reported where nobody says it: of mappings, so that no network is needed. */
const usualMetrics: readonly ExperimentMetric[] = ['hopBytes', 'averageHops', 'maximumLinkLoad'];

/** The choices of a placement that can be swept, with the word that an experiment has for a list of them, in the order of its lines. */
const choiceWords = {
  job: 'job',
  machine: 'machine',
  routing: 'routing',
  allocate: 'allocate',
  map: 'map',
  seed: 'seeds',
} as const;
type ChoiceWord = keyof typeof choiceWords;

const isChoice = (path: string): path is ChoiceWord => path in choiceWords;

/** What an experiment has where a placement says nothing of it. */
const usualChoices: Readonly<Partial<Record<ChoiceWord, string>>> = { allocate: 'all', map: 'auto', seed: '1' };

/** What of a placement an experiment of its jobs has as well. */
const knownWords = ['job', 'jobs', 'machine', 'allocate', 'map', 'seed', 'simulate', 'replay', 'background', 'budget'];

/**
 * The lines of the declaration, from `experiment NAME {` to `}`, a property on each. Fails with a sentence where an axis cannot be read or
 * stands twice, and where the placement has what experiments do not know. What the values mean is for the checker to say. O(length).
 */
export function sweepDeclaration(
  text: string,
  placement: DeclarationNode,
  { name, axes: asked, report }: SweepRequest,
): Result<readonly SweepLine[]> {
  const axes = asked.map((axis) => ({ ...axis, path: wholePath(axis.path, placement), of: `--over ${axis.path}` }));
  const fault = faultOfAxes(axes) ?? faultOfPlacement(placement, axes) ?? faultOfReport(placement, report);
  if (fault !== undefined) return fail('bad-sweep', fault);
  const whose = `placement ${quote(placement.name?.text ?? '')}`;
  const written = (word: string): string | undefined => {
    const property = placement.properties.find((one) => one.word.text === word);
    return property && onOneLine(text.slice(property.start, property.end));
  };
  const valueOf = (word: string): string | undefined => written(word)?.slice(word.length).trim();
  const chosen = (path: ChoiceWord): readonly SweepLine[] => {
    const axis = axes.find((one) => one.path === path);
    const word = choiceWords[path];
    if (axis !== undefined) {
      return [{ text: `${word} ${path === 'seed' ? spaced(axis.values) : axis.values.trim()}`, of: axis.of }];
    }
    const together = path === 'job' ? written('jobs') : undefined;
    if (together !== undefined) return [{ text: together, of: whose }];
    const value = valueOf(path) ?? usualChoices[path];
    return value === undefined ? [] : [{ text: `${word} ${value}`, of: whose }];
  };
  const [seeds, ...choices] = (Object.keys(choiceWords) as ChoiceWord[]).map(chosen).reverse();
  const lines: SweepLine[] = [
    ...choices.reverse().flat(),
    ...axes
      .filter(({ path }) => !isChoice(path))
      .map(({ path, values, of }) => ({ text: `vary ${path} ${sweptNumbers(path, values)}`, of })),
    ...(seeds ?? []),
    ...(isSimulated(report) ? simulationLines(valueOf('simulate') ?? '', written, whose) : []),
    { text: `report ${report ?? usualMetrics.join(', ')}`, of: '--report' },
  ];
  return succeed([
    { text: `experiment ${name} {`, of: '--report' },
    ...lines.map((line) => ({ ...line, text: `  ${line.text}` })),
    { text: '}', of: '--over' },
  ]);
}

/** `heat.bytes` of `bytes` where there is one job, `machine.bandwidth` of `bandwidth`. */
function wholePath(path: string, { properties }: DeclarationNode): string {
  if (isChoice(path)) return path;
  if (variedMachineWords.includes(path)) return `machine.${path}`;
  const names = properties.flatMap(({ word, content }) =>
    (word.text === 'job' || word.text === 'jobs') && content.kind === 'names' ? content.names : [],
  );
  const [only, second] = names;
  const isOfJob = jobFigures.some((figure) => figure === path);
  return isOfJob && only !== undefined && second === undefined ? `${only.text}.${path}` : path;
}

/** Whether something is asked for that only messages tell which travel. */
function isSimulated(report = ''): boolean {
  const names = report.split(',').map((name) => name.trim());
  return experimentMetrics.some((metric) => names.includes(metric) && !isStaticMetric(metric));
}

/** As the placement is simulated. */
const simulationLines = (
  network: string,
  written: (word: string) => string | undefined,
  of: string,
): readonly SweepLine[] => [
  { text: `network ${network}`, of },
  ...['replay', 'background', 'budget'].flatMap((word) => {
    const line = written(word);
    return line === undefined ? [] : [{ text: line, of }];
  }),
];

/** `1 .. 20` of `1..20`. */
const spaced = (values: string): string =>
  values.replaceAll('..', ' .. ').replaceAll(',', ', ').replaceAll(/\s+/g, ' ').replaceAll(' ,', ',').trim();

/** The unit behind the last number, which holds for those that have none: `1, 2, 4 GB/s`. */
const lastUnit = /\d\s*([A-Za-zµμ][\w/µμ]*)\s*$/;
const bareNumber = /^-?[\d.]+(?:e[+-]?\d+)?$/i;

/**
 * `1024..8192 step 1024` as it stands, with a step of 1 where none is written; else numbers with commas between them as a list. A unit
 * behind the last one is that of all.
 */
function sweptNumbers(path: string, values: string): string {
  const [, unit] = variedRow(path)?.quantity === undefined ? [] : (lastUnit.exec(values) ?? []);
  const withUnit = (number: string): string =>
    unit !== undefined && bareNumber.test(number.trim()) ? `${number.trim()} ${unit}` : number.trim();
  if (!values.includes('..')) return `[${values.split(',').map(withUnit).join(', ')}]`;
  const [range = '', step = '1'] = spaced(values).split(/ step /);
  return `${range.split(' .. ').map(withUnit).join(' .. ')} step ${withUnit(step)}`;
}

/** What would end the line, or the declaration. */
const breaksOut = /[{}\r\n]|\/\/|\/\*/;

interface WholeAxis extends SweepAxis {
  readonly of: string;
}

function faultOfAxes(axes: readonly WholeAxis[]): string | undefined {
  const words = [...Object.keys(choiceWords), ...variedMachineWords.slice(0, 2)].map((word) => `\`${word}\``);
  const known = `${words.join(', ')}, or a number by its path: \`JOB.bytes\`, \`machine.OPTION\``;
  for (const [index, { path, values, of }] of axes.entries()) {
    if (values.trim() === '') return `\`${of}\` has no values. Write them after \`=\`, separated by commas.`;
    if (breaksOut.test(`${path}${values}`)) {
      return `\`${of}\`: write the values on one line, separated by commas, without braces and comments.`;
    }
    if (!isChoice(path) && !/^[\w-]+(\.[\w-]+)+$/.test(path)) {
      return `Unknown ${quote(path)} to sweep over. Expected one of: ${known}.`;
    }
    if (axes.findIndex((other) => other.path === path) < index) {
      return `\`${of}\` is written twice. Join the values with commas.`;
    }
  }
  return undefined;
}

/** Messages travel as the placement says it. */
function faultOfReport({ name, properties }: DeclarationNode, report: string | undefined): string | undefined {
  if (!isSimulated(report) || properties.some(({ word }) => word.text === 'simulate')) return undefined;
  const example = '`simulate cut-through(packet 8)`';
  return `\`--report ${report ?? ''}\` needs a simulation: give placement ${quote(name?.text ?? '')} a network, ${example}, or report ${oneOf(experimentMetrics.filter(isStaticMetric))}.`;
}

/** What an experiment cannot have as the placement has it. */
function faultOfPlacement(placement: DeclarationNode, axes: readonly WholeAxis[]): string | undefined {
  const whose = `Placement ${quote(placement.name?.text ?? '')}`;
  const [job] = placement.properties.flatMap(ownChoicesOf);
  if (job !== undefined) {
    return `${whose} gives job ${quote(job)} its own choices, but a sweep gives all jobs the same ones. Sweep a placement without them.`;
  }
  const other = placement.properties.find(({ word }) => !knownWords.includes(word.text));
  if (other !== undefined) {
    return `${whose} has \`${other.word.text}\`, which an experiment cannot have. Sweep a placement without it. Allowed: ${oneOf(knownWords)}.`;
  }
  const swept = axes.find(({ path }) => path === 'allocate');
  const written = placement.properties.find(({ word }) => word.text === 'allocate')?.content;
  const isSameAs =
    swept === undefined
      ? written?.kind === 'choice' && written.choice.name.text === 'same-as'
      : /(^|,)\s*same-as\b/.test(swept.values);
  if (isSameAs) {
    return `${whose} uses the nodes of another placement (\`same-as\`). Write \`--over allocate=random\`, or sweep the other placement.`;
  }
  return undefined;
}

const ownChoicesOf = ({ content }: PropertyNode): readonly string[] =>
  content.kind === 'names' ? content.names.flatMap(({ text, own = [] }) => (own.length > 0 ? [text] : [])) : [];
