import { cosine, logarithm } from './elementary.ts';

/** A normal deviate of mean 0 and variance 1 from two numbers drawn from [0, 1) (Box and Muller 1958). */
export const normalDeviate = (random: { fraction(): number }): number =>
  Math.sqrt(-2 * logarithm(1 - random.fraction())) * cosine(2 * Math.PI * random.fraction());
