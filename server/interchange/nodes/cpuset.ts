/**
 * A set of hwloc as its XML writes it: words of 32 bits in hexadecimal, the most significant first,
 * separated by commas; an empty word is 0 and a leading `0xf...f` stands for ones without end.
 */
export function readCpuset(text: string | undefined): (index: number) => boolean {
  if (text === undefined) return () => true;
  const endless = text.startsWith('0xf...f');
  const written = text.replace(/^0xf\.\.\.f,?/, '');
  const words = written === '' ? [] : written.split(',').map((word) => Number.parseInt(word, 16) || 0);
  words.reverse();
  return (index) => {
    const word = words[index >>> 5];
    return word === undefined ? endless : ((word >>> (index & 31)) & 1) === 1;
  };
}

/** Whether a set has no member. */
export const isEmptySet = (text: string): boolean => !/[1-9a-f]/i.test(text.replaceAll('0x', ''));
