/** Values of options, read from the words of a command line; what is none is wrong usage, which Commander tells with the name of the option. */
import { InvalidArgumentError } from 'commander';

export const parsePositive = (text: string): number => {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0) {
    throw new InvalidArgumentError('Expected a number above 0.');
  }
  return value;
};

const mostThreads = 1024;

export const threads = (text: string): number => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > mostThreads) {
    throw new InvalidArgumentError(`Expected a whole number from 1 to ${mostThreads}.`);
  }
  return value;
};

export const parseCount = (text: string): number => {
  const value = Number(text);
  if (!/^\d{1,15}$/.test(text) || value < 1) throw new InvalidArgumentError('Expected a whole number from 1.');
  return value;
};

export const indexed = (text: string): number => {
  const value = Number(text);
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a whole number from 0.');
  return value;
};

export const anyNumber = (text: string): number => {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('Expected a number.');
  return value;
};

export const parseTimeWindow = (text: string): { readonly from: number; readonly to: number } => {
  const [from, to, more] = text.split('..').map(anyNumber);
  if (from === undefined || to === undefined || more !== undefined || from >= to) {
    throw new InvalidArgumentError('Expected a time window. Example: 1000..2000.');
  }
  return { from, to };
};
