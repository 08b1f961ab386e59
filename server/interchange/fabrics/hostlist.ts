import { slotLimit } from '../../model/machine.ts';
import { type Result, succeed } from '../../model/result.ts';
import { quote } from '../amounts.ts';

/**
 * Expands a hostlist of Slurm: names separated by commas, where `[…]` stands for numbers and ranges
 * of them, zero-padded as their first number is: `n[08-11,20],rack[1-2]node[1-4]`. The last bracket
 * runs fastest. Fails with a sentence without its place; at most 2^22 names. O(names).
 */
export function expandHostlist(text: string): Result<string[], string> {
  const parts = splitOutsideBrackets(text);
  if (!parts.ok) return parts;
  const names: string[] = [];
  for (const part of parts.value) {
    const expanded = expandPart(part);
    if (!expanded.ok) return expanded;
    if (names.length + expanded.value.length > slotLimit) return tooMany(text);
    for (const name of expanded.value) names.push(name);
  }
  return succeed(names);
}

const refuse = (failure: string): { readonly ok: false; readonly failure: string } => ({ ok: false, failure });

const tooMany = (text: string): { readonly ok: false; readonly failure: string } =>
  refuse(`${quote(text)} stands for more than ${slotLimit.toLocaleString('en-US')} names, the most that are possible.`);

function splitOutsideBrackets(text: string): Result<string[], string> {
  const parts: string[] = [];
  let start = 0;
  let open = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === '[' || letter === ']') {
      if (open === (letter === '[')) return refuse(`The brackets of ${quote(text)} do not match.`);
      open = !open;
    } else if (letter === ',' && !open) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  if (open) return refuse(`The bracket of ${quote(text)} is not closed. Was the file cut off here?`);
  parts.push(text.slice(start));
  return succeed(parts.map((part) => part.trim()).filter((part) => part !== ''));
}

/** One name with any number of brackets: the product of what they stand for. */
function expandPart(part: string): Result<string[], string> {
  let names = [''];
  for (const [piece] of part.matchAll(/\[[^\]]*\]|[^[\]]+/g)) {
    const ends = piece.startsWith('[') ? expandBracket(piece) : succeed([piece]);
    if (!ends.ok) return ends;
    if (names.length * ends.value.length > slotLimit) return tooMany(part);
    names = names.flatMap((name) => ends.value.map((end) => name + end));
  }
  return succeed(names);
}

function expandBracket(bracket: string): Result<string[], string> {
  const numbers: string[] = [];
  for (const range of bracket.slice(1, -1).split(',')) {
    const [, first, last = first] = /^\s*(\d{1,15})(?:-(\d{1,15}))?\s*$/.exec(range) ?? [];
    if (first === undefined || last === undefined) {
      return refuse(`${quote(range)} in ${quote(bracket)} is neither a number nor a range like 1-8.`);
    }
    const [from, to] = [Number(first), Number(last)];
    if (to < from) return refuse(`The range ${quote(range)} runs backwards: write ${to}-${from}.`);
    if (numbers.length + to - from >= slotLimit) return tooMany(bracket);
    for (let number = from; number <= to; number++) numbers.push(String(number).padStart(first.length, '0'));
  }
  return succeed(numbers);
}
