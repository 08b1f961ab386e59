/** The scanner that readers of large files walk their bytes with. */
import { type Cancellation, neverCancelled } from '../model/cancellation.ts';

const newline = 10;
const carriageReturn = 13;
const space = 32;
const tab = 9;
const zero = 48;
const nine = 57;
const quotes = 34;

/** A byte order mark inside a file is a letter like any other. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Digits that always fit a double exactly. */
const exactDigits = 15;

/** Lines between two polls of the cancellation. */
const linesPerPoll = 1024;

/**
 * Walks over bytes line by line and field by field without making a string of what it reads.
 * A matrix of a hundred megabytes is then read in seconds and not copied. Once it is cancelled there are no more
 * lines: the caller drops what was read.
 */
export class ByteScanner {
  /** The current line, counted from 1; 0 before the first. */
  line = 0;
  private readonly bytes: Uint8Array;
  private readonly cancellation: Cancellation;
  private position = 0;
  private end = 0;
  private next = 0;
  /** The cell that {@link nextCell} found: without blanks around it, and without its quotes. */
  private cellStart = 0;
  private cellEnd = 0;
  private isCellQuoted = false;

  constructor(bytes: Uint8Array, cancellation: Cancellation = neverCancelled) {
    this.bytes = bytes;
    this.cancellation = cancellation;
  }

  /** Moves to the next line; false at the end of the file. */
  nextLine(): boolean {
    if (this.next >= this.bytes.length) return false;
    if (this.line % linesPerPoll === 0 && this.cancellation.isCancelled()) return false;
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

  /** As much of what is left of the line as has so many bytes. */
  beginning(most: number): string {
    return this.text(this.position, Math.min(this.end, this.position + most));
  }

  /**
   * The next field where it is a plain whole number of at most 15 digits, else −1 with the
   * position unchanged, so that `field()` can read what is there instead.
   */
  wholeNumber(): number {
    this.skipBlanks();
    let at = this.position;
    while (at < this.end && this.isDigit(at)) at++;
    if (at < this.end && !this.isBlank(at)) return -1;
    const value = this.numberOf(this.position, at);
    if (value >= 0) this.position = at;
    return value;
  }

  /**
   * Moves to the next cell of the line: what stands before the next separator, with quotes or without; blanks
   * separate where the separator is one. False at the end of the line. A separator at the end of the line, as many
   * tools write, begins no cell where others stand before it.
   */
  nextCell(separator: number): boolean {
    this.skipBlanks(separator);
    if (this.position >= this.end) return false;
    this.isCellQuoted = this.bytes[this.position] === quotes;
    if (this.isCellQuoted) this.findQuotedEnd();
    else {
      this.cellStart = this.position;
      while (this.position < this.end && !this.separates(this.position, separator)) this.position++;
      this.cellEnd = this.position;
      while (this.cellEnd > this.cellStart && this.isBlank(this.cellEnd - 1)) this.cellEnd--;
    }
    while (this.position < this.end && !this.separates(this.position, separator)) this.position++;
    this.position++;
    return true;
  }

  /** The cell where it is a plain whole number of at most 15 digits, else −1. */
  cellNumber(): number {
    for (let at = this.cellStart; at < this.cellEnd; at++) if (!this.isDigit(at)) return -1;
    return this.numberOf(this.cellStart, this.cellEnd);
  }

  /** The cell as text. */
  cellText(): string {
    const text = this.text(this.cellStart, this.cellEnd);
    return this.isCellQuoted ? text.replaceAll('""', '"').trim() : text;
  }

  /** From the quote that opens a cell to the one that closes it; two in a row stand for one. */
  private findQuotedEnd(): void {
    let at = this.position + 1;
    this.cellStart = at;
    while (at < this.end && (this.bytes[at] !== quotes || this.bytes[at + 1] === quotes)) {
      at += this.bytes[at] === quotes ? 2 : 1;
    }
    this.cellEnd = Math.min(at, this.end);
    this.position = this.cellEnd;
  }

  private numberOf(start: number, end: number): number {
    if (end === start || end - start > exactDigits) return -1;
    let value = 0;
    for (let at = start; at < end; at++) value = value * 10 + (this.bytes[at]! - zero);
    return value;
  }

  private skipBlanks(separator = space): void {
    while (this.position < this.end && this.isBlank(this.position)) {
      if (separator === tab && this.bytes[this.position] === tab) return;
      this.position++;
    }
  }

  private separates(position: number, separator: number): boolean {
    return separator === space ? this.isBlank(position) : this.bytes[position] === separator;
  }

  private isDigit(position: number): boolean {
    const byte = this.bytes[position]!;
    return byte >= zero && byte <= nine;
  }

  private isBlank(position: number): boolean {
    const byte = this.bytes[position];
    return byte === space || byte === tab || byte === carriageReturn;
  }

  private text(start: number, end: number): string {
    return decoder.decode(this.bytes.subarray(start, end));
  }
}
