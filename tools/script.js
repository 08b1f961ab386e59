/**
 * Runs a script of this folder: `node tools/script.js test` runs `test.ts`. The scripts are TypeScript, which Node runs from
 * version 22.18 on, and they need packages. This file is plain JavaScript, so that a fresh clone needs nothing but `npm test`:
 * it installs the packages if they are missing or differ from the lock file, and takes the Node that is among them.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = resolve(fileURLToPath(import.meta.url), '../..');
const modules = join(root, 'node_modules');
/** Several packages of the development ask for it in their `engines`. */
const developmentNode = [22, 22, 2];
/** The first on which npm still installs all that the lock file names. */
const oldestNode = [20, 0, 0];

const versionOf = (text) => text.split('.').map(Number);
const isOlder = (version, wanted) => {
  const place = wanted.findIndex((number, index) => number !== version[index]);
  return place >= 0 && version[place] < wanted[place];
};

/** The packages of a lock file, by their folder; undefined if there is none. */
function packagesIn(file) {
  if (!existsSync(file)) return undefined;
  const { packages } = JSON.parse(readFileSync(file, 'utf8'));
  return new Map(Object.entries(packages).filter(([folder]) => folder !== ''));
}

/** Whether what is installed is what the lock file says. Optional packages are for other systems, or absent for a reason. */
function isInstalled() {
  // npm writes it last, so that an installation that was interrupted has none.
  const installed = packagesIn(join(modules, '.package-lock.json'));
  if (installed === undefined) return false;
  const locked = packagesIn(join(root, 'package-lock.json')) ?? new Map();
  const isSame = (folder) => installed.get(folder)?.version === locked.get(folder)?.version;
  return (
    [...locked].every(([folder, { optional }]) => optional === true || isSame(folder)) &&
    [...installed.keys()].every((folder) => locked.has(folder) && isSame(folder))
  );
}

/** Ends this process if the installation fails: nothing else can be run then. */
function install() {
  console.log('Installing the packages of package-lock.json with npm ci. This takes about a minute.');
  const npm = process.env.npm_execpath;
  const options = { cwd: root, stdio: 'inherit' };
  const { status } =
    npm === undefined
      ? spawnSync('npm ci', { ...options, shell: true })
      : spawnSync(process.execPath, [npm, 'ci'], options);
  if (status === 0) return;
  console.error('npm ci failed. Read its message above, then run the command again.');
  process.exit(status ?? 1);
}

/** Runs the script in this process if it has the right Node, else in a process of that Node. */
async function run(script, words) {
  const node = join(modules, 'node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const { version } = JSON.parse(readFileSync(join(modules, 'node/package.json'), 'utf8'));
  // Programs of packages are found by their names, however this was started.
  process.env.PATH = [join(modules, '.bin'), process.env.PATH ?? ''].join(delimiter);
  if (process.versions.node === version) {
    process.argv.splice(1, process.argv.length, script, ...words);
    await import(pathToFileURL(script).href);
    return;
  }
  const child = spawn(node, [script, ...words], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both: the script ends by itself, and this waits for it.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}

const [name = '', ...words] = process.argv.slice(2);
const version = versionOf(process.versions.node);
if (isOlder(version, oldestNode)) {
  console.error(`Placewright needs Node ${oldestNode[0]} or later. This is Node ${process.versions.node}.`);
  process.exit(1);
}
if (!isInstalled()) {
  if (isOlder(version, developmentNode)) {
    console.log(
      `Development needs Node ${developmentNode.join('.')} or later, and this is Node ${process.versions.node}. ` +
        'npm warns of the packages that ask for a later one. The scripts run on the Node that npm ci installs.',
    );
  }
  install();
}
await run(join(root, 'tools', `${name}.ts`), words);
