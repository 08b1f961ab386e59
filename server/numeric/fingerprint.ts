/**
 * Contents of typed arrays as a short text, so that what was computed of the same numbers is
 * found again. Two independent 32-bit lanes (FNV-1a and a multiply–rotate) over the words: equal
 * contents always agree, different ones by chance once in 2^64. O(bytes / 4).
 */
export function fingerprintOf(...arrays: readonly (Int32Array | Float64Array)[]): string {
  let first = 0x811c9dc5;
  let second = 0x9e3779b9;
  let length = 0;
  for (const array of arrays) {
    const words = new Uint32Array(array.buffer, array.byteOffset, array.byteLength >>> 2);
    for (let index = 0; index < words.length; index++) {
      const word = words[index]!;
      first = Math.imul(first ^ word, 0x01000193) ^ (first >>> 15);
      second = Math.imul((second << 13) | (second >>> 19), 0x85ebca6b) ^ word;
    }
    length += words.length;
  }
  return `${length}:${(first >>> 0).toString(16)}:${(second >>> 0).toString(16)}`;
}

/** The same of a text. O(length). */
export function fingerprintOfText(text: string): string {
  const codes = new Int32Array(text.length);
  for (let index = 0; index < text.length; index++) codes[index] = text.charCodeAt(index);
  return fingerprintOf(codes);
}
