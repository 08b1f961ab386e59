import type { ArgumentValue } from '../../model/catalogue.ts';
import type { Shape } from '../../model/shape.ts';

/** The sides that stand after `torus` or `mesh`; empty where the argument is no shape (the builder then refuses it). */
export function shapeOfArgument(argument: ArgumentValue | undefined): Shape {
  return argument?.kind === 'numbers' ? argument.numbers : [];
}

/** The integer that stands after `hypercube`; 0 where the argument is none (the builder then refuses it). */
export function integerOfArgument(argument: ArgumentValue | undefined): number {
  const [value = 0] = shapeOfArgument(argument);
  return Number.isInteger(value) && value > 0 ? value : 0;
}
