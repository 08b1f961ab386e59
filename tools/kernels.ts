/**
 * Compiles what is written in AssemblyScript. Its bytes stand in a file beside the engine that runs them, so that whoever runs, tests or
 * bundles the product needs no compiler; a test holds the file against the sources.
 */
import { root } from './run.ts';

/** What is used of the compiler. Its own types redefine those of arrays for the whole program, so they are not imported. */
interface Compiler {
  readonly main: (
    options: readonly string[],
    files: {
      readonly stderr: { readonly write: (text: string | Uint8Array) => void };
      readonly writeFile: (name: string, contents: string | Uint8Array) => void;
    },
  ) => Promise<{ readonly error: Error | null }>;
}
const compiler: string = 'assemblyscript/asc';

/** Bytes that stand for what follows, in the binary format of WebAssembly (W3C 2022, chapter 5). */
const [exportSection, codeSection, globalKind, globalGet] = [7, 10, 3, 0x23];

/** Numbers and names of a module, one after the other. */
class ModuleReader {
  at: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length;
  }

  byte(): number {
    return this.#bytes[this.at++] ?? 0;
  }

  /** LEB128, without a sign. */
  number(): number {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = this.byte();
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  }

  name(): string {
    const length = this.number();
    this.at += length;
    return Buffer.from(this.#bytes.subarray(this.at - length, this.at)).toString();
  }

  /** What stands behind the byte of an instruction. */
  skipImmediates(instruction: number): void {
    if (instruction === 0x43) this.at += 4;
    else if (instruction === 0x44) this.at += 8;
    else if (instruction === 0x0e) this.#skip(this.number() + 1);
    else if (instruction === 0x1c) this.#skip(this.number());
    else if (instruction === 0xfc) this.#skip([2, 1, 2, 1][this.number() - 8] ?? 0);
    else if (instruction > 0xc4) throw new Error(`Instruction ${instruction} at byte ${this.at} is not known here.`);
    else this.#skip(numbersBehind(instruction));
  }

  #skip(numbers: number): void {
    for (let left = numbers; left > 0; left--) this.number();
  }
}

/** How many numbers stand behind an instruction that always has as many. */
function numbersBehind(instruction: number): number {
  const isBetween = (first: number, last: number): boolean => instruction >= first && instruction <= last;
  // Loads and stores, indirect calls.
  if (isBetween(0x28, 0x3e) || instruction === 0x11) return 2;
  // Blocks, branches and calls; variables; the size of the memory and constants.
  return isBetween(0x02, 0x04) ||
    [0x0c, 0x0d, 0x10].includes(instruction) ||
    isBetween(0x20, 0x24) ||
    isBetween(0x3f, 0x42)
    ? 1
    : 0;
}

/** The bytes at which each exported global is read: who knows its value may write a constant there. */
function readsOfGlobals(bytes: Uint8Array): ReadonlyMap<string, readonly number[]> {
  let names: ReadonlyMap<number, string> = new Map();
  const reads = new Map<string, number[]>();
  const reader = new ModuleReader(bytes, 8);
  while (!reader.isAtEnd) {
    const section = reader.byte();
    const length = reader.number();
    const end = reader.at + length;
    // Exports come before the code.
    if (section === exportSection) names = exportedGlobals(reader);
    if (section === codeSection) {
      for (const { at, global } of globalsRead(reader)) {
        const name = names.get(global);
        if (name === undefined) continue;
        const places = reads.get(name);
        if (places === undefined) reads.set(name, [at]);
        else places.push(at);
      }
    }
    reader.at = end;
  }
  return reads;
}

function exportedGlobals(reader: ModuleReader): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (let left = reader.number(); left > 0; left--) {
    const name = reader.name();
    const isGlobal = reader.byte() === globalKind;
    const index = reader.number();
    if (isGlobal) names.set(index, name);
  }
  return names;
}

/** Instructions of two bytes that read a global. */
function* globalsRead(reader: ModuleReader): Generator<{ readonly at: number; readonly global: number }> {
  for (let left = reader.number(); left > 0; left--) {
    const length = reader.number();
    const end = reader.at + length;
    for (let locals = reader.number(); locals > 0; locals--) {
      reader.number();
      reader.byte();
    }
    while (reader.at < end) {
      const at = reader.at;
      const instruction = reader.byte();
      if (instruction !== globalGet) reader.skipImmediates(instruction);
      else {
        const global = reader.number();
        if (reader.at === at + 2) yield { at, global };
      }
    }
  }
}

/** The file of the kernel of packet events. */
export const kernelFile = 'server/simulation/engines/packets/packetKernel.ts';

/** What stands in {@link kernelFile}: the module in lines of base 64, and where it reads its options. Throws with the messages of the compiler. */
export async function compiledKernel(): Promise<string> {
  let bytes: Uint8Array = new Uint8Array();
  let messages = '';
  const options = [
    ...['kernels/packets/index.ts', '--baseDir', root, '--outFile', 'packets.wasm', '--optimizeLevel', '3'],
    // The memory comes from outside, filled with zeros; nothing in it is collected, and no assertion is left.
    ...['--importMemory', '--zeroFilledMemory', '--runtime', 'stub', '--noAssert', '--use', 'abort='],
  ];
  const stderr = { write: (text: string | Uint8Array) => void (messages += String(text)) };
  const { default: asc } = (await import(compiler)) as { default: Compiler };
  const { error } = await asc.main(options, {
    stderr,
    writeFile: (_name, contents) => {
      if (typeof contents !== 'string') bytes = contents;
    },
  });
  if (error !== null) throw new Error(messages);
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,116}/g) ?? [];
  const head =
    '/** Generated from `kernels/packets`: the module in base 64, and the bytes at which its options are read. */';
  const reads = [...readsOfGlobals(bytes)].map(([name, places]) => `${name} ${places.join(' ')}`);
  const asText = (text: readonly string[]): string => '`' + `\n${text.join('\n')}\n` + '`';
  return `${head}\nexport const packetKernel = ${asText(lines)};\n\nexport const optionReads = ${asText(reads)};\n`;
}
