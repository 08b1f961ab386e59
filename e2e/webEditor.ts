/**
 * VS Code in a browser without a server behind it, as vscode.dev is: the embedded editor's web workbench from a plain file server
 * on loopback, with the package as one of its extensions, and a folder in memory.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, resolve } from 'node:path';
import { root, run } from '../tools/run.ts';

const editor = resolve(import.meta.dirname, 'node_modules/code-server/lib/vscode');

export interface WebEditor {
  /** Of the page with the folder open, and perhaps a file of it. */
  addressOf(file?: string): string;
  stop(): Promise<void>;
}

const types: Readonly<Record<string, string>> = {
  '.cjs': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
};

/** `isolated`: the page may share memory between its threads. */
export async function startWebEditor(
  files: Readonly<Record<string, string>>,
  { isolated = false } = {},
): Promise<WebEditor> {
  // What the package has, and nothing else of the repository.
  const packed = new Set((await run('vsce', ['ls', '--no-dependencies'], { quiet: true })).printed.split(/\r?\n/));
  const answer = async (path: string): Promise<string | Buffer | undefined> => {
    if (path === '/') return page(origin);
    if (path.startsWith('/folder/')) return folderExtension(files)[path.slice('/folder/'.length)];
    if (path.startsWith('/placewright/')) {
      const name = path.slice('/placewright/'.length);
      return packed.has(name) ? readFile(join(root, name)) : undefined;
    }
    if (!path.startsWith('/static/')) return undefined;
    const content = await readFile(join(editor, normalize(path.slice('/static/'.length))));
    return path.endsWith('/workbench/workbench.js') ? withoutServer(content.toString('utf8')) : content;
  };
  const headers = isolated
    ? {
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-embedder-policy': 'require-corp',
        'cross-origin-resource-policy': 'cross-origin',
      }
    : {};
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://127.0.0.1').pathname);
    answer(path).then(
      (content) => {
        const type = path === '/' ? 'text/html' : (types[extname(path)] ?? 'application/octet-stream');
        response.writeHead(content === undefined ? 404 : 200, { ...headers, 'content-type': type }).end(content);
      },
      () => response.writeHead(404, headers).end(),
    );
  });
  const origin = await listen(server);
  return {
    addressOf: (file) => {
      const folder = `http://${origin}/?folder=${encodeURIComponent('memory:/project')}`;
      if (file === undefined) return folder;
      const payload = JSON.stringify([['openFile', `memory:/project/${file}`]]);
      return `${folder}&payload=${encodeURIComponent(payload)}`;
    },
    stop: () =>
      new Promise((done) => {
        server.close(() => {
          done();
        });
        server.closeAllConnections();
      }),
  };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * The embedded editor's page takes for granted that the server it comes from runs extensions and keeps the user's files; that of
 * VS Code does not.
 */
const withoutServer = (workbench: string): string =>
  workbench
    .replace('remoteAuthority:location.host', 'remoteAuthority:void 0')
    .replace(/(userRoamingDataHome\(\)\{return [^;}]*?\{scheme:\w+)\.vscodeRemote/, '$1.vscodeUserData');

/** The workbench's own page, told where everything is. */
async function page(origin: string): Promise<string> {
  const extension = (path: string) => ({ scheme: 'http', authority: origin, path });
  const configuration = {
    // What the embedded editor asks for beside what VS Code knows.
    userDataPath: '/',
    isEnabledFileDownloads: true,
    isEnabledFileUploads: true,
    isEnabledCoderGettingStarted: false,
    additionalBuiltinExtensions: [extension('/placewright'), extension('/folder')],
    configurationDefaults: {
      'workbench.colorTheme': 'Default Dark Modern',
      'workbench.startupEditor': 'none',
      'security.workspace.trust.enabled': false,
      'editor.hover.delay': 100,
      'editor.cursorBlinking': 'solid',
      'editor.stickyScroll.enabled': false,
    },
    productConfiguration: {
      enableTelemetry: false,
      webviewContentExternalBaseUrlTemplate: `http://${origin}/static/out/vs/workbench/contrib/webview/browser/pre/`,
    },
  };
  const settings = (value: object): string => JSON.stringify(value).replaceAll('"', '&quot;');
  const html = await readFile(join(editor, 'out/vs/code/browser/workbench/workbench.html'), 'utf8');
  const words: Readonly<Record<string, string>> = {
    WORKBENCH_WEB_CONFIGURATION: settings(configuration),
    WORKBENCH_WEB_BASE_URL: '/static',
    WORKBENCH_AUTH_SESSION: '',
    WORKBENCH_NLS_FALLBACK_URL: '/static/out/nls.messages.js',
    WORKBENCH_NLS_URL: '/static/out/nls.messages.js',
    WORKBENCH_SCRIPT_NONCE: '',
    BASE: '',
    VS_BASE: '',
  };
  return html.replaceAll(/\{\{(\w+)\}\}/g, (_, word: string) => words[word] ?? '');
}

/** An extension with the file system `memory:`, as those of vscode.dev have repositories. */
function folderExtension(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const manifest = {
    name: 'folder',
    publisher: 'test',
    version: '1.0.0',
    engines: { vscode: '^1.91.0' },
    activationEvents: ['onFileSystem:memory'],
    browser: './extension.js',
  };
  const program = `
    const { EventEmitter, FileSystemError, FileType, workspace } = require('vscode');
    const folders = new Set(['/', '/project']);
    const files = new Map();
    const changed = new EventEmitter();
    const tell = (type, uri) => changed.fire([{ type, uri }]);
    const parentOf = (path) => path.slice(0, path.lastIndexOf('/')) || '/';
    const put = (path, bytes) => {
      for (let folder = parentOf(path); !folders.has(folder); folder = parentOf(folder)) folders.add(folder);
      files.set(path, { bytes, mtime: Date.now() });
    };
    for (const [name, text] of Object.entries(${JSON.stringify(files)})) put('/project/' + name, new TextEncoder().encode(text));
    const fileAt = (uri) => {
      const file = files.get(uri.path);
      if (file === undefined) throw FileSystemError.FileNotFound(uri);
      return file;
    };
    exports.activate = () => workspace.registerFileSystemProvider('memory', {
      onDidChangeFile: changed.event,
      watch: () => ({ dispose() {} }),
      stat(uri) {
        if (folders.has(uri.path)) return { type: FileType.Directory, ctime: 0, mtime: 0, size: 0 };
        const { bytes, mtime } = fileAt(uri);
        return { type: FileType.File, ctime: 0, mtime, size: bytes.length };
      },
      readDirectory: (uri) => [
        ...[...folders].filter((path) => path !== '/' && parentOf(path) === uri.path).map((path) => [path.slice(path.lastIndexOf('/') + 1), FileType.Directory]),
        ...[...files.keys()].filter((path) => parentOf(path) === uri.path).map((path) => [path.slice(path.lastIndexOf('/') + 1), FileType.File]),
      ],
      createDirectory(uri) { folders.add(uri.path); },
      readFile: (uri) => fileAt(uri).bytes,
      writeFile(uri, bytes) { const isNew = !files.has(uri.path); put(uri.path, bytes); tell(isNew ? 2 : 1, uri); },
      delete(uri) { files.delete(uri.path); tell(3, uri); },
      rename(from, to) { put(to.path, fileAt(from).bytes); files.delete(from.path); tell(3, from); tell(2, to); },
    }, { isCaseSensitive: true });
  `;
  return { 'package.json': JSON.stringify(manifest), 'package.nls.json': '{}', 'extension.js': program };
}
