import { describe, expect, it } from 'vitest';
import { fail, shortened, withShortNames } from './result.ts';

const long = 'x'.repeat(42_000);

describe('names in messages', () => {
  it.each([
    ['a word', `There is no file /home/${long}.place.`],
    ['code with blanks', `\`${'two words '.repeat(4200)}\` is not a machine.`],
  ])('are cut in their middle: %s', (_, message) => {
    const short = withShortNames(message);
    expect(short.length).toBeLessThan(260);
    expect(short).toContain('…');
    expect(short.slice(0, 12)).toBe(message.slice(0, 12));
    expect(short.slice(-7)).toBe(message.slice(-7));
    expect(fail('code', message)).toMatchObject({ failure: { message: short } });
  });

  it('stay as they are where they are not so long', () => {
    const path = `/${'folder/'.repeat(40)}file.place`;
    const message = `There is no file ${path}. ${'Words of a long message. '.repeat(40)}`;
    expect(withShortNames(message)).toBe(message);
    expect(shortened(path)).toBe(path);
  });
});
