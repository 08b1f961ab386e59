import type { ArgumentValue, OptionValues } from '../../model/catalogue.ts';
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

/** The value of a whole-number option: `k 4`. */
export function integerOption(options: OptionValues, name: string): number | undefined {
  const value = options[name];
  return typeof value === 'number' ? value : undefined;
}

/** The value of a shape option: `levels 4 x 4 x 2`. */
export function shapeOption(options: OptionValues, name: string): Shape | undefined {
  const value = options[name];
  return typeof value === 'object' && !('amount' in value) ? value : undefined;
}
