/** Tables of traffic as tests write and read them: in a line, or what is wrong with them. */
import { expect } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { readTable } from '../readers.ts';

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Entries as `from>to:bytes`, with `/messages` where they are counted, and the size before them. */
export function shown(content: string | Uint8Array, format?: string): string {
  const bytes = typeof content === 'string' ? bytesOf(content) : content;
  const result = readTable(bytes, 'file', neverCancelled, format);
  if (!result.ok) throw new Error(result.failure.message);
  const { size, from, to, amount, messages } = result.value;
  const entries = Array.from(
    from,
    (task, at) => `${task}>${to[at]!}:${amount[at]!}${messages ? `/${messages[at]!}` : ''}`,
  );
  return `${size}: ${entries.join(' ')}`.trim();
}

export function complaintOf(content: string | Uint8Array, format?: string): string {
  const bytes = typeof content === 'string' ? bytesOf(content) : content;
  const result = readTable(bytes, 'file', neverCancelled, format);
  if (result.ok) return `was read: ${shown(content, format)}`;
  expect(result.failure.code).toBe('bad-table');
  return result.failure.message;
}

export function warningsOf(text: string): readonly string[] {
  const result = readTable(bytesOf(text), 'file');
  if (!result.ok) throw new Error(result.failure.message);
  return result.value.warnings ?? [];
}
