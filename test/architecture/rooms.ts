import { cruise, type IDependency } from 'dependency-cruiser';

/**
 * The rooms of the house from the ground up. A room imports only from floors below it, never from
 * its own floor and never upwards; `docs/architecture.md` says what each is for.
 */
export const floors: readonly (readonly string[])[] = [
  ['server/model', 'server/numeric'],
  ['server/network', 'server/traffic'],
  ['server/optimisation', 'server/queueing'],
  ['server/allocation', 'server/mapping'],
  ['server/simulation'],
  ['server/study'],
  ['server/language', 'server/drawing', 'server/interchange'],
  ['server/language/service', 'server/protocol'],
  ['server/entrypoints', 'client', 'webview'],
];

/** Rooms that only see part of what lies below: they know how to show, not how it is computed. */
export const narrowViews: Readonly<Record<string, readonly string[]>> = {
  client: ['server/protocol'],
  webview: ['server/protocol', 'server/drawing'],
};

/** npm packages that each pure room may import: see docs/decisions.md. */
export const pureRooms: Readonly<Record<string, readonly string[]>> = {
  'server/model': ['pure-rand'],
  'server/numeric': [],
  'server/network': [],
  'server/traffic': [],
  'server/optimisation': [],
  'server/queueing': [],
  'server/allocation': [],
  'server/mapping': [],
  'server/simulation': [],
  'server/study': [],
};

const rooms = floors.flat().sort((a, b) => b.length - a.length);
export const roomOf = (path: string): string | undefined => rooms.find((room) => path.startsWith(`${room}/`));
export const floorOf = (room: string): number => floors.findIndex((floor) => floor.includes(room));

export interface Arrow {
  readonly source: string;
  readonly target: string;
  readonly from: string;
  readonly to: string;
}

export interface ImportMap {
  /** Imports between rooms of the house. */
  readonly arrows: readonly Arrow[];
  /** Imports of packages and of Node's own modules. */
  readonly packages: readonly { readonly source: string; readonly room: string; readonly name: string }[];
  readonly cycles: readonly string[];
  readonly strays: readonly string[];
}

const productOnly = { path: ['\\.test\\.ts$', '/testing/'] };

/** Reads the imports of the product (types included, tests left out). */
export async function readImports(): Promise<ImportMap> {
  const result = await cruise(['server', 'client', 'webview'], {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: productOnly,
    ruleSet: { forbidden: [{ name: 'cycle', severity: 'error', from: {}, to: { circular: true } }] },
    validate: true,
  });
  if (typeof result.output === 'string') throw new Error('expected the modules, not a text');
  const arrows: Arrow[] = [];
  const packages: { source: string; room: string; name: string }[] = [];
  const strays: string[] = [];
  for (const module of result.output.modules) {
    const room = roomOf(module.source);
    if (room === undefined) {
      if (/^(server|client|webview)\//.test(module.source)) strays.push(module.source);
      continue;
    }
    for (const dependency of module.dependencies) place(module.source, room, dependency, arrows, packages);
  }
  const cycles = result.output.summary.violations.map((violation) => `${violation.from} → ${violation.to}`);
  return { arrows, packages, cycles, strays };
}

function place(
  source: string,
  room: string,
  dependency: IDependency,
  arrows: Arrow[],
  packages: { source: string; room: string; name: string }[],
): void {
  const target = roomOf(dependency.resolved);
  if (target === undefined) packages.push({ source, room, name: dependency.module });
  else if (target !== room) arrows.push({ source, target: dependency.resolved, from: room, to: target });
}
