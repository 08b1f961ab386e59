import { volumeOf } from '../../model/shape.ts';
import type { JobDescription } from '../../study/program.ts';
import { stencils } from '../../traffic/catalogue.ts';
import { replace } from '../codes.ts';
import { amountLimit, propertyOf, taskLimit } from '../properties.ts';
import type { DeclarationNode } from '../tree.ts';
import { expectationOf } from './expectations.ts';
import { integerValue, numberValue } from './numbers.ts';
import { fileOf } from './files.ts';
import { nameOf, propertiesOf, reportConflict, reportMissing, type Properties } from './properties.ts';
import { quantityValue } from './quantities.ts';
import type { Scope } from './scope.ts';
import { shapeValue } from './shapes.ts';
import { checkSource, type JobSize, type TrafficDeclarations } from './trafficSource.ts';

export interface CheckedJob {
  /** Absent where something that it needs is missing or wrong. */
  readonly description: JobDescription | undefined;
  readonly taskCount: number | undefined;
}

/** Checks one job. O(properties + entries of its table). */
export function checkJob(scope: Scope, declaration: DeclarationNode, declared: TrafficDeclarations): CheckedJob {
  const properties = propertiesOf(scope, declaration);
  const size = sizeOf(scope, declaration, properties);
  const source = checkSource(scope, declaration, properties, size, declared);
  const bytes = quantityOf(scope, properties, 'bytes', 'size');
  const rate = quantityOf(scope, properties, 'rate', 'frequency');
  const messages = messagesOf(scope, properties);
  const coordinates = fileOf(scope, properties, 'coordinates');
  checkPeriodic(scope, properties);
  if (source?.kind === 'table' || source?.kind === 'table-file') warnOfBytes(scope, properties, source.unit);
  const { taskCount, grid } = size;
  if (source === undefined || taskCount === undefined) return { description: undefined, taskCount };
  const description: JobDescription = {
    name: nameOf(declaration),
    taskCount,
    ...(grid === undefined ? {} : { grid }),
    periodic: properties.get('periodic') !== undefined,
    source,
    bytes,
    messages,
    rate,
    ...(coordinates === undefined ? {} : { coordinates }),
  };
  return { description, taskCount };
}

/** Exactly one of `tasks` and `grid`. */
function sizeOf(scope: Scope, declaration: DeclarationNode, properties: Properties): JobSize {
  const tasks = properties.get('tasks');
  const grid = properties.get('grid');
  if (tasks !== undefined && grid !== undefined) {
    const later = tasks.start > grid.start ? tasks : grid;
    reportConflict(scope, later, 'A job has `tasks` or a `grid`, not both: remove one of them.');
  }
  if (tasks === undefined && grid === undefined && declaration.body !== undefined) {
    reportMissing(scope, declaration, 'tasks` or `grid', '`tasks 64` or `grid 8 x 8`', sizesFor(properties));
  }
  if (grid !== undefined) {
    const value = properties.value('grid');
    const bounds = { minimum: 1, maximum: taskLimit };
    const shape = value && shapeValue(scope, value, expectationOf('job', 'grid'), bounds, taskLimit);
    return { taskCount: shape && volumeOf(shape), grid: shape };
  }
  const value = properties.value('tasks');
  const bounds = { minimum: 1, maximum: taskLimit };
  return { taskCount: value && integerValue(scope, value, expectationOf('job', 'tasks'), bounds), grid: undefined };
}

/** A stencil needs a grid of its dimensions; anything else runs on both. */
function sizesFor(properties: Properties): readonly string[] {
  const name = properties.choice('stencil')?.name.text;
  const dimensions = stencils.find((entry) => entry.name === name)?.stencil.dimensions;
  if (dimensions !== undefined) return [`grid ${Array.from({ length: dimensions }, () => 8).join(' x ')}`];
  return name === undefined ? ['tasks 64', 'grid 8 x 8'] : ['grid 8 x 8'];
}

function quantityOf(
  scope: Scope,
  properties: Properties,
  word: 'bytes' | 'rate',
  kind: 'size' | 'frequency',
): number | undefined {
  const value = properties.value(word);
  return value && quantityValue(scope, value, kind, expectationOf('job', word));
}

function messagesOf(scope: Scope, properties: Properties): number | undefined {
  const value = properties.value('messages');
  const form = propertyOf('job', 'messages')?.content;
  const bounds = form?.form === 'number' ? form : { minimum: 0, maximum: amountLimit };
  return value && numberValue(scope, value, expectationOf('job', 'messages'), bounds);
}

function checkPeriodic(scope: Scope, properties: Properties): void {
  const periodic = properties.get('periodic');
  if (periodic === undefined || properties.get('grid') !== undefined) return;
  const message = '`periodic` has no effect on a job without a `grid`.';
  scope.report(periodic.word, 'no-effect', message, { severity: 'warning', fix: replace(periodic, '') });
}

function warnOfBytes(scope: Scope, properties: Properties, unit: string): void {
  const bytes = properties.get('bytes');
  if (bytes === undefined || unit !== 'bytes') return;
  const message =
    '`bytes` has no effect here: the table already counts bytes. Write `unit messages` in the table if it counts messages.';
  scope.report(bytes.word, 'no-effect', message, { severity: 'warning', fix: replace(bytes, '') });
}
