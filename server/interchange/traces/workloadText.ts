import { fail } from '../../model/result.ts';
import { ownEntry } from '../reading.ts';
import { deepestRepeat, operationKind, type Workload } from '../../model/workload.ts';
import type { TraceFormatEntry } from '../contract.ts';
import { count, forEachLine, onlyFile, real, tag } from './lines.ts';
import { faultOfTaskCount, TraceWriter } from './writer.ts';

/**
 * The own form of a workload: what tasks do, with repetitions, so that the same exchange done a thousand times is written
 * once.
 *
 *     workload 1
 *     tasks 2
 *     task 0 {
 *       repeat 300 {
 *         compute 0.001
 *         send 1 1024 tag 7
 *       }
 *     }
 *     task 1 { repeat 300 { receive 0 1024 tag 7 } }
 */
export const workloadText: TraceFormatEntry = {
  name: 'workload',
  summary: 'sends, receives and repetitions of each task, as written by Placewright',
  source: 'Placewright',
  details:
    '`workload 1`, `tasks N`, then `task T { … }` with `send TASK BYTES [tag T]`, `receive TASK BYTES [tag T]`, `compute SECONDS` and `repeat N { … }`. Several blocks of a task are independent. `#` begins a comment; line breaks have no meaning.',
  options: [],
  recognizes: (beginning) => /^(\s|#.*\n)*workload\s+\d/.test(beginning),
  read(files, options, cancellation, sums) {
    const only = onlyFile(files, 'A workload');
    if (!only.ok) return only;
    const file = only.value;
    const parser = new Parser((tasks) => new TraceWriter(tasks, options, sums));
    const done = forEachLine(file, cancellation, (text) => parser.readLine(text));
    if (!done.ok) return done;
    const fault = parser.faultAtEnd();
    return fault === undefined && parser.writer !== undefined
      ? parser.writer.finished('exact', cancellation)
      : fail('bad-trace', `${file.name}:${done.value}: ${fault ?? 'The file is empty.'}`);
  },
};

/** What a word begins, with how many words follow before it is done. */
const lengths: Readonly<Record<string, number>> = { workload: 1, tasks: 1, task: 2, repeat: 2, compute: 1, '}': 0 };

class Parser {
  readonly #start: (tasks: number) => TraceWriter;
  writer: TraceWriter | undefined;
  /** Words of a statement that is not complete. */
  #words: string[] = [];
  #depth = 0;
  #isVersionRead = false;
  /** A send or receive that a tag may follow. */
  #message: { readonly isSend: boolean; readonly task: number; readonly bytes: number } | undefined;

  constructor(start: (tasks: number) => TraceWriter) {
    this.#start = start;
  }

  readLine(text: string): string | undefined {
    const comment = text.indexOf('#');
    const line = comment < 0 ? text : text.slice(0, comment);
    for (const [word] of line.matchAll(/[{}]|[^\s{}]+/g)) {
      const fault = this.#take(word);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  faultAtEnd(): string | undefined {
    if (this.#depth > 0) return 'A block has no end. The file is truncated.';
    if (this.#words.length > 0) return 'The last statement is incomplete. The file is truncated.';
    return this.writer === undefined ? 'The file ends before `tasks N`.' : undefined;
  }

  #take(word: string): string | undefined {
    const words = this.#words;
    words.push(word);
    const [first = ''] = words;
    if (this.#message !== undefined) {
      if (first !== 'tag') return this.#writeMessage(0) ?? this.#again();
      if (words.length < 2) return undefined;
      const number = tag(words[1]);
      words.length = 0;
      return number === undefined ? 'Expected a tag from 0 to 2^31 - 1.' : this.#writeMessage(number);
    }
    const isMessage = first === 'send' || first === 'receive';
    const length = isMessage ? 2 : ownEntry(lengths, first);
    if (length === undefined)
      return `Unknown statement \`${first.slice(0, 40)}\`. Expected \`task\`, \`send\`, \`receive\`, \`compute\`, \`repeat\` or \`}\`.`;
    if (words.length <= length) return undefined;
    this.#words = [];
    return isMessage ? this.#readMessage(first === 'send', words) : this.#statement(words);
  }

  /** The word after a message without a tag begins a statement of its own. */
  #again(): string | undefined {
    const [word] = this.#words.splice(0);
    return word === undefined ? undefined : this.#take(word);
  }

  #statement([first, second, third]: readonly string[]): string | undefined {
    if (first === 'workload') return this.#version(second);
    if (!this.#isVersionRead) return 'Expected `workload 1` at the beginning.';
    if (first === 'tasks') return this.#tasks(second);
    const writer = this.writer;
    if (writer === undefined) return 'Expected `tasks N` before the first task.';
    if (first === '}') {
      if (this.#depth === 0) return 'Unexpected `}` without an open block.';
      this.#depth--;
      if (this.#depth > 0) writer.builder.end();
      return undefined;
    }
    if (first === 'task') return this.#task(writer, second, third);
    if (this.#depth === 0) return `\`${first ?? ''}\` belongs in a block \`task T { … }\`.`;
    if (first === 'repeat') return this.#repeat(writer, second, third);
    const seconds = real(second);
    if (seconds === undefined) return 'Expected `compute SECONDS`, a number ≥ 0.';
    if (writer.keepsComputing) writer.builder.compute(seconds);
    return undefined;
  }

  #version(version: string | undefined): string | undefined {
    this.#isVersionRead = true;
    return version === '1' ? undefined : 'Unknown workload version. Write `workload 1`.';
  }

  #tasks(word: string | undefined): string | undefined {
    const tasks = count(word);
    if (tasks === undefined || this.writer !== undefined) return 'Expected `tasks N` once, with a whole number.';
    const fault = faultOfTaskCount(tasks);
    if (fault === undefined) this.writer = this.#start(tasks);
    return fault;
  }

  #task(writer: TraceWriter, word: string | undefined, brace: string | undefined): string | undefined {
    const task = count(word);
    if (task === undefined || brace !== '{' || this.#depth > 0)
      return 'Expected `task T { … }` outside of other blocks.';
    const fault = writer.faultOf(task);
    if (fault !== undefined) return fault;
    writer.touch(task);
    writer.builder.list(task);
    this.#depth = 1;
    return undefined;
  }

  #repeat(writer: TraceWriter, word: string | undefined, brace: string | undefined): string | undefined {
    const times = count(word);
    if (times === undefined || brace !== '{') return 'Expected `repeat N { … }`, with a whole number ≥ 0.';
    if (this.#depth > deepestRepeat) return `Repetitions are nested more than ${deepestRepeat} levels deep.`;
    writer.builder.repeat(times);
    this.#depth++;
    return undefined;
  }

  #readMessage(isSend: boolean, [first, taskWord, bytesWord]: readonly string[]): string | undefined {
    const [task, bytes] = [count(taskWord), count(bytesWord)];
    if (this.writer === undefined || this.#depth === 0)
      return `\`${first ?? ''}\` belongs in a block \`task T { … }\`.`;
    if (task === undefined || bytes === undefined)
      return `Expected \`${first ?? ''} TASK BYTES\`, both whole numbers ≥ 0. Wildcard receives cannot be replayed.`;
    this.#message = { isSend, task, bytes };
    return this.writer.faultOf(task);
  }

  #writeMessage(number: number): string | undefined {
    const message = this.#message;
    this.#message = undefined;
    if (message === undefined || this.writer === undefined) return undefined;
    const { isSend, task, bytes } = message;
    if (isSend) this.writer.builder.send(task, bytes, number);
    else this.writer.builder.receive(task, bytes, number);
    return undefined;
  }
}

/**
 * A workload as text that {@link workloadText} reads back, in parts of a list each. Tags below zero, which only collectives
 * of traces have, become tags of their own above all others.
 */
export function* writeWorkload(workload: Workload): Generator<string> {
  const { taskCount, taskOfList, offsets, kinds, partners, tags, amounts } = workload;
  yield `workload 1\ntasks ${taskCount}\n`;
  const highest = tags.reduce((most, one) => Math.max(most, one), 0);
  const lowered = new Map<number, number>();
  const tagText = (number: number): string => {
    if (number < 0 && !lowered.has(number)) lowered.set(number, highest + 1 + lowered.size);
    const written = lowered.get(number) ?? number;
    return written === 0 ? '' : ` tag ${written}`;
  };
  for (const [list, task] of taskOfList.entries()) {
    const lines = [`task ${task} {`];
    const ends: number[] = [];
    for (let at = offsets[list] ?? 0; at < (offsets[list + 1] ?? 0); at++) {
      const indent = '  '.repeat(ends.length + 1);
      const [kind, partner, amount] = [kinds[at], partners[at] ?? 0, amounts[at] ?? 0];
      if (kind === operationKind.compute) lines.push(`${indent}compute ${amount}`);
      else if (kind === operationKind.repeat) {
        lines.push(`${indent}repeat ${amount} {`);
        ends.push(at + partner);
      } else
        lines.push(
          `${indent}${kind === operationKind.send ? 'send' : 'receive'} ${partner} ${amount}${tagText(tags[at] ?? 0)}`,
        );
      while (ends.at(-1) === at) {
        ends.pop();
        lines.push(`${'  '.repeat(ends.length + 1)}}`);
      }
    }
    yield `${lines.join('\n')}\n}\n`;
  }
}
