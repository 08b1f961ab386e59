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

/** The file of the kernel of packet events. */
export const kernelFile = 'server/simulation/engines/packetKernel.ts';

/** What stands in {@link kernelFile}: the module in lines of base 64. Throws with the messages of the compiler. */
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
  const head = '/** Generated from `kernels/packets`: the module in base 64. */';
  return `${head}\nexport const packetKernel = ` + '`' + `\n${lines.join('\n')}\n` + '`;\n';
}
