/** Hovers of a training step: the groups that its degrees of parallelism make, what each sends, how often, and by which formula. */
import { countOf, formatBytes, formatNumber } from '../../../model/quantities.ts';
import {
  chosenCollective,
  microBatchesOf,
  sentInStep,
  trainingGroups,
  type GroupExchange,
  type Parallelism,
  type TrainingGroups,
  type TrainingStep,
} from '../../../simulation/workloads/catalogue.ts';
import { parallelismMeanings } from '../../placementSchema.ts';
import type { DeclarationNode } from '../../tree.ts';
import type { ServiceInput } from '../input.ts';
import { code, codeBlock, paragraphs, table } from './markdown.ts';

/** `tensor 8, pipeline 4, data 16`; experts where there are any, and no other degree of 1 but where all are. */
export function degreesText(parallelism: Parallelism): string {
  const written = Object.entries(parallelism).filter(([word, degree]) => word === 'expert' || degree > 1);
  return written.map(([word, degree]) => `${word} ${degree}`).join(', ') || 'one task';
}

/** Every exchange of a step, a line each; undefined while the job has mistakes. */
export function stepMarkdown(input: ServiceInput, declaration: DeclarationNode): string | undefined {
  const found = trainingStep(input, declaration);
  if (found === undefined) return undefined;
  const { step, taskCount } = found;
  const microBatches = microBatchesOf(step);
  const rows = trainingGroups(step).flatMap((groups) =>
    groups.size === 1
      ? []
      : groups.exchanges.map((exchange) => [
          code(groups.degree),
          groupsText(groups, taskCount),
          `${exchangeWords(step, exchange)}: ${exchange.what}`,
          ...amounts(step, groups, exchange),
        ]),
  );
  const heading = `${countOf(taskCount, 'task')}, ${countOf(microBatches, 'micro batch', 'micro batches')} one after the other. In a step`;
  const lines = table(['', 'groups', 'send', 'each time', 'times', 'of a task in all'], rows);
  return lines === undefined ? `${countOf(taskCount, 'task')}: nothing is sent.` : paragraphs(`${heading}:`, lines);
}

/** One degree: who is in a group, what is sent there, the formula and its source. */
export function degreeMarkdown(input: ServiceInput, declaration: DeclarationNode, degree: string): string | undefined {
  if (!isDegree(degree)) return undefined;
  const found = trainingStep(input, declaration);
  const meaning = parallelismMeanings[degree];
  if (found === undefined) return paragraphs(codeBlock(`parallelism ${degree} …`), meaning);
  const { step, taskCount } = found;
  const kinds = trainingGroups(step).filter((groups) => groups.degree === degree && groups.size > 1);
  const parts = kinds.flatMap((groups) => {
    const rows = groups.exchanges.map((exchange) => [
      `${exchangeWords(step, exchange)}: ${exchange.what}`,
      ...amounts(step, groups, exchange),
      `*${exchange.formula}* numbers`,
      exchange.source,
    ]);
    return [
      `${groupsText(groups, taskCount)}: ${membersText(groups, taskCount)}`,
      table(['', 'each time', 'times a step', 'of a task in all', 'formula', 'source'], rows),
    ];
  });
  return paragraphs(
    codeBlock(`parallelism ${degree} ${step.parallelism[degree] ?? 1}`),
    meaning,
    ...(parts.length === 0 ? ['Groups of one task send nothing.'] : [...parts, letters]),
  );
}

const isDegree = (word: string): word is keyof typeof parallelismMeanings => Object.hasOwn(parallelismMeanings, word);

/** What the letters of formulas stand for. */
const letters =
  '*b* sequences of *s* tokens in a micro batch, width *h*; degrees *t* tensor, *c* context, *E* expert; *l* layers on a stage, *L* of them with experts; *q* `query-group`; *w* matrices of width *f* in a feed-forward part; *x* `experts`, *k* `top`; *n* tasks of the group.';

function trainingStep(
  { checked }: ServiceInput,
  { name }: DeclarationNode,
): { readonly step: TrainingStep; readonly taskCount: number } | undefined {
  const job = checked.program.jobs.get(name?.text ?? '');
  if (job?.source.kind !== 'parallelism') return undefined;
  return { step: job.source.step, taskCount: job.taskCount };
}

const groupsText = ({ size }: TrainingGroups, taskCount: number): string =>
  `${countOf(taskCount / size, 'group')} of ${formatNumber(size, 0)}`;

/** `tasks 0, 8, 16 … 56; then 1, 9, 17 … 57`: the first two groups. */
function membersText({ size, stride }: TrainingGroups, taskCount: number): string {
  const members = (first: number): string => {
    const task = (rank: number): string => formatNumber(first + rank * stride, 0);
    const shown = Array.from({ length: Math.min(size, 4) }, (_, rank) => task(rank));
    return size <= 4 ? shown.join(', ') : `${shown.slice(0, 3).join(', ')} … ${task(size - 1)}`;
  };
  const second = size === taskCount ? '' : `; then ${members(stride === 1 ? size : 1)}`;
  return `tasks ${members(0)}${second}`;
}

/** `all-reduce (ring)`, `to the next one`. */
function exchangeWords({ choice }: TrainingStep, { exchange }: GroupExchange): string {
  switch (exchange) {
    case 'next':
      return 'to the next one, round the group';
    case 'previous':
      return 'to the one before, round the group';
    case 'neighbours':
      return 'between neighbours, both ways';
    case 'ends':
      return 'between the last and the first, both ways';
    default:
      return `${exchange} (${chosenCollective(exchange, choice.options).name})`;
  }
}

const amounts = (step: TrainingStep, groups: TrainingGroups, exchange: GroupExchange): readonly string[] => {
  const sent = sentInStep(step, groups, exchange);
  return [formatBytes(exchange.bytes), formatNumber(exchange.times, 0), sent === undefined ? '–' : formatBytes(sent)];
};
