import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { root } from '../tools/run.ts';

/**
 * A bench of engines that read typed arrays all the time, run as the product is: bundled, and in a process of its own. From its sources
 * Node strips the types with WebAssembly whose memory grows, and from then on every access to a typed array of the process asks
 * whether its memory is still there, which costs the simulations a tenth of their speed.
 */
export function bundled(file: string, name: string): () => undefined {
  return () => {
    // A folder below the root, as the sources are: files are found from there.
    const outfile = join(root, 'build', `bench-${name}.mjs`);
    const lines = [
      `import { ${name} } from './${file}';`,
      "import { printFigures } from './measure.ts';",
      `const figures = ${name}();`,
      'if (figures !== undefined) printFigures(figures);',
    ];
    buildSync({
      stdin: { contents: lines.join('\n'), resolveDir: import.meta.dirname },
      outfile,
      bundle: true,
      minify: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      logLevel: 'error',
    });
    const { status } = spawnSync(process.execPath, [outfile], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  };
}
