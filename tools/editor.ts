/**
 * Starts a real VS Code in the browser (code-server), with nothing but our extension in it. Whoever reaches its port and is let in
 * has a shell of this user, and on a shared machine every local user reaches it. So it always asks for a password.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { root } from './run.ts';

export interface EditorOptions {
  /** Package to install. */
  readonly vsix?: string;
  /** Over {@link quietSettings}. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Where it listens; 0, the usual, lets the system choose. */
  readonly port?: number;
  /** Further command line parameters of code-server. */
  readonly parameters?: readonly string[];
}

export interface Editor {
  /** On the loopback address only. */
  readonly url: string;
  /** What its login page asks for. */
  readonly password: string;
  /** The page that opens a folder, and perhaps a file in it. */
  addressOf(folder: string, file?: string): string;
  /** Everything the editor printed so far. */
  log(): string;
  /** Ends the editor with all its processes and removes what it wrote. */
  stop(): Promise<void>;
}

/** No welcome pages, no telemetry, no network; still and steady for screenshots. */
const quietSettings = {
  'workbench.startupEditor': 'none',
  'telemetry.telemetryLevel': 'off',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.reduceMotion': 'on',
  'chat.disableAIFeatures': true,
  'git.enabled': false,
  'window.autoDetectColorScheme': false,
  'files.simpleDialog.enable': true,
  'editor.minimap.enabled': false,
};

/** Variables of a surrounding editor or shell that would confuse this one. */
const foreignVariables = [
  'VSCODE_IPC_HOOK_CLI',
  'VSCODE_CWD',
  'ELECTRON_RUN_AS_NODE',
  'NODE_OPTIONS',
  'PASSWORD',
  'HASHED_PASSWORD',
  'CODE_SERVER_COOKIE_SUFFIX',
  'PORT',
];

/** Starts the editor; ends once it listens. Needs `tools/realEditor.ts` to have set it up. */
export async function startEditor(options: EditorOptions = {}): Promise<Editor> {
  if (!process.version.startsWith('v24.')) {
    throw new Error(`The embedded VS Code needs Node 24, this is ${process.version}: start it through npm.`);
  }
  // A short path: it will hold a Unix socket, whose path may have 107 bytes.
  const directory = await mkdtemp(join(tmpdir(), 'pw-'));
  const environment = environmentIn(directory);
  const password = randomBytes(18).toString('base64url');
  const base = await baseParameters(directory, password, { ...quietSettings, ...options.settings });
  if (options.vsix !== undefined) {
    await promisify(execFile)(process.execPath, [...base, '--install-extension', options.vsix, '--force'], {
      env: environment,
    });
  }
  const address = ['--bind-addr', `127.0.0.1:${options.port ?? 0}`];
  const parameters = [...base, ...address, ...servingParameters, ...(options.parameters ?? [])];
  // Detached: a process group of its own, so that it can be ended with all its children.
  const child = spawn(process.execPath, parameters, {
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const stop = async (): Promise<void> => {
    await endGroup(child);
    await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  try {
    const url = await listening(child, () => log);
    return { url, password, addressOf: (folder, file) => addressOf(url, folder, file), log: () => log, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const servingParameters = [
  ...['--disable-telemetry', '--disable-update-check', '--disable-proxy'],
  ...['--disable-getting-started-override', '--ignore-last-opened', '--reconnection-grace-time', '5'],
];

const settingsIn = (directory: string): string => join(directory, 'u/User/settings.json');

/** `directory`: as mkdtemp makes it, nobody else may read what is in it. */
async function baseParameters(directory: string, password: string, settings: object): Promise<string[]> {
  const require = createRequire(resolve(root, 'e2e/package.json'));
  const entry = join(dirname(require.resolve('code-server/package.json')), 'out/node/entry.js');
  const user = join(directory, 'u');
  const extensions = join(directory, 'x');
  const config = join(directory, 'c.yaml');
  await mkdir(join(user, 'User'), { recursive: true });
  await mkdir(extensions);
  await writeFile(settingsIn(directory), JSON.stringify(settings));
  // In a file: everybody can read the parameters of a process. Browsers send a cookie to all ports of a host: each editor has its own.
  const words = join(directory, 'words.json');
  // Of a password as it is, the editor computes an Argon2 hash for every file that a page loads: eight processor seconds a page.
  // No one can guess 144 random bits from their SHA-256.
  const hash = createHash('sha256').update(password).digest('hex');
  const lines = [
    'auth: password',
    `hashed-password: "${hash}"`,
    `cookie-suffix: "${basename(directory)}"`,
    'app-name: Placewright',
    `i18n: "${words}"`,
  ];
  await writeFile(config, `${lines.join('\n')}\n`, { mode: 0o600 });
  await writeFile(words, JSON.stringify({ LOGIN_PASSWORD: 'The password is in the terminal, below the address.' }));
  return [entry, '--config', config, '--user-data-dir', user, '--extensions-dir', extensions];
}

function environmentIn(directory: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !foreignVariables.includes(name));
  // Sockets of the editor are in the last of these: in /tmp, where they would be, the umask alone keeps others out.
  const folders = { XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory, XDG_RUNTIME_DIR: directory };
  return { ...Object.fromEntries(inherited), EXTENSIONS_GALLERY: '{}', ...folders };
}

function listening(child: ChildProcess, log: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const found = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(log());
      if (found?.[1] !== undefined) resolve(found[1]);
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('error', reject);
    child.once('exit', (code) => {
      reject(new Error(`The embedded VS Code ended with ${code ?? 'a signal'}.\n${log()}`));
    });
  });
}

async function endGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-child.pid, 'SIGTERM');
  await gone;
}

/** See {@link Editor.addressOf}. */
export function addressOf(url: string, folder: string, file?: string): string {
  const page = `${url}/?folder=${encodeURIComponent(folder)}`;
  if (file === undefined) return page;
  const payload = [['openFile', `vscode-remote://${new URL(url).host}${folder}/${file}`]];
  return `${page}&payload=${encodeURIComponent(JSON.stringify(payload))}`;
}
