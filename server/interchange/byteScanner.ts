const newline = 10;
const carriageReturn = 13;
const space = 32;
const tab = 9;
const zero = 48;
const nine = 57;

const decoder = new TextDecoder();

/** Digits that always fit a double exactly. */
const exactDigits = 15;

/**
 * Walks over bytes line by line and field by field without making a string of what it reads.
 * A matrix of a hundred megabytes is then read in seconds and not copied.
 */
export class ByteScanner {
  /** The current line, counted from 1; 0 before the first. */
  line = 0;
  private readonly bytes: Uint8Array;
  private position = 0;
  private end = 0;
  private next = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Moves to the next line; false at the end of the file. */
  nextLine(): boolean {
    if (this.next >= this.bytes.length) return false;
    const found = this.bytes.indexOf(newline, this.next);
    const stop = found < 0 ? this.bytes.length : found;
    this.position = this.next;
    this.end = stop > this.next && this.bytes[stop - 1] === carriageReturn ? stop - 1 : stop;
    this.next = stop + 1;
    this.line++;
    return true;
  }

  /** Moves to the next line that holds more than blanks and is no comment of `commentByte`. */
  nextContentLine(commentByte: number): boolean {
    while (this.nextLine()) {
      this.skipBlanks();
      if (this.position < this.end && this.bytes[this.position] !== commentByte) return true;
    }
    return false;
  }

  /** Whether nothing but blanks is left on the line. */
  atLineEnd(): boolean {
    this.skipBlanks();
    return this.position >= this.end;
  }

  /** The next field as text; '' at the end of the line. */
  field(): string {
    this.skipBlanks();
    const start = this.position;
    while (this.position < this.end && !this.isBlank(this.position)) this.position++;
    return this.text(start, this.position);
  }

  /** What is left of the line, as text. */
  rest(): string {
    return this.text(this.position, this.end);
  }

  /**
   * The next field where it is a plain whole number of at most 15 digits, else −1 with the
   * position unchanged, so that `field()` can read what is there instead.
   */
  wholeNumber(): number {
    this.skipBlanks();
    const start = this.position;
    let value = 0;
    let at = start;
    for (; at < this.end; at++) {
      const digit = this.bytes[at]!;
      if (digit < zero || digit > nine) break;
      value = value * 10 + (digit - zero);
    }
    const isWhole = at > start && at - start <= exactDigits && (at === this.end || this.isBlank(at));
    if (!isWhole) return -1;
    this.position = at;
    return value;
  }

  private skipBlanks(): void {
    while (this.position < this.end && this.isBlank(this.position)) this.position++;
  }

  private isBlank(position: number): boolean {
    const byte = this.bytes[position];
    return byte === space || byte === tab || byte === carriageReturn;
  }

  private text(start: number, end: number): string {
    return decoder.decode(this.bytes.subarray(start, end));
  }
}
