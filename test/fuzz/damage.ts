import type { RandomSource } from '../../server/model/random.ts';

/** Seeded damage to files of other tools: what cuts, slips and malice do to them. */

const insertions = [
  ...[
    '0',
    '-1',
    '1e30',
    '1e400',
    '99999999999999999999',
    '4294967296',
    '0x10',
    'NaN',
    '[0-4194303]',
    '[0-9][0-9][0-9]',
  ],
  ...[
    '"',
    "'",
    ',',
    ';',
    '\t',
    ' ',
    '#',
    '=',
    ':',
    '- ',
    '? ',
    '[',
    ']',
    '{',
    '}',
    '<',
    '>',
    '/>',
    '&a ',
    '*a',
    '!!x ',
    '|',
    '%',
  ],
  ...[
    '\n',
    '\r',
    '\r\n',
    '\u2028',
    '\u0000',
    '\u001b]0;x\u0007',
    '\u{feff}',
    '\ud800',
    '😀',
    '\\',
    '//',
    'ALL',
    'include x',
  ],
];

const pick = <Item>(items: readonly Item[], random: RandomSource): Item => items[random.integer(items.length)]!;

/** One to six slips: cuts, repetitions, foreign pieces, other numbers. */
export function damage(texts: readonly string[], random: RandomSource): string {
  let text = pick(texts, random);
  for (let slips = 1 + random.integer(6); slips > 0; slips--) {
    const at = random.integer(text.length + 1);
    const end = Math.min(text.length, at + random.integer(60));
    const [before, piece, after] = [text.slice(0, at), text.slice(at, end), text.slice(end)];
    switch (random.integer(8)) {
      case 0:
        text = before;
        break;
      case 1:
        text = before + after;
        break;
      case 2:
        text = before + piece.repeat(2 + random.integer(random.integer(20) === 0 ? 200 : 4)) + after;
        break;
      case 3:
        text = before + piece + pick(texts, random).slice(0, 200) + after;
        break;
      case 4:
        text =
          before +
          pick(insertions, random).repeat(1 + random.integer(random.integer(50) === 0 ? 5000 : 3)) +
          piece +
          after;
        break;
      case 5:
        text = text.replace(/\d+/g, (digits) => (random.integer(20) === 0 ? pick(insertions, random) : digits));
        break;
      case 6:
        text = before + after + piece;
        break;
      case 7:
        text =
          before + String.fromCharCode(random.integer(random.integer(2) === 0 ? 128 : 65_536)) + piece.slice(1) + after;
        break;
    }
    text = text.slice(0, 20_000);
  }
  return text;
}
