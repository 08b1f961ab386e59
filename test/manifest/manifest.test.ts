import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultServerSettings, settingsFrom } from '../../server/entrypoints/lsp/session.ts';
import { exportMappingVectorCommand, showPlacementCommand } from '../../server/language/service/languageService.ts';
import { bundles } from '../../tools/build.ts';
import { root } from '../../tools/run.ts';
import { isPacked, withoutAbsentLinks } from '../../tools/package.ts';
import { inEnglish } from './words.ts';

interface Command {
  readonly command: string;
  readonly title: string;
  readonly category: string;
}
interface MenuItem {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}
interface Step {
  readonly id: string;
  readonly description: string;
  readonly completionEvents: readonly string[];
}
interface Setting {
  readonly type: string;
  readonly default: unknown;
  readonly enum?: readonly string[];
  readonly markdownDescription: string;
}
interface Manifest {
  readonly main: string;
  readonly browser: string;
  readonly icon: string;
  readonly publisher: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly activationEvents: readonly string[];
  readonly capabilities: Readonly<Record<string, { readonly supported: unknown; readonly description: string }>>;
  readonly contributes: {
    readonly languages: readonly { readonly id: string; readonly extensions: readonly string[] }[];
    readonly commands: readonly Command[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
    readonly keybindings: readonly (MenuItem & { readonly key: string; readonly mac: string })[];
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly when?: string }[]>>;
    readonly viewsContainers: Readonly<Record<'activitybar' | 'panel', readonly { readonly id: string }[]>>;
    readonly problemPatterns: readonly ({ readonly regexp: string } & Readonly<Record<string, unknown>>)[];
    readonly problemMatchers: readonly Readonly<Record<string, unknown>>[];
    readonly walkthroughs: readonly [{ readonly steps: readonly Step[] }];
    readonly configuration: readonly { readonly properties: Readonly<Record<string, Setting>> }[];
  };
}

const read = (file: string): string => readFileSync(resolve(root, file), 'utf8');
const manifest = inEnglish() as Manifest;
const { contributes } = manifest;
const commands = contributes.commands.map(({ command }) => command);
const properties = Object.assign({}, ...contributes.configuration.map((group) => group.properties)) as Readonly<
  Record<string, Setting>
>;
const client = globSync('client/**/*.ts', { cwd: root }).map(read).join('\n');

/** Every text in a part of the manifest. */
function textsIn(part: unknown): string[] {
  if (typeof part === 'string') return [part];
  if (typeof part !== 'object' || part === null) return [];
  return Object.values(part).flatMap(textsIn);
}

describe('the readme of the package', () => {
  const ignore = readFileSync(resolve(root, '.vscodeignore'), 'utf8');
  const readme = readFileSync(resolve(root, 'README.md'), 'utf8');
  const linksIn = (text: string): readonly string[] =>
    Array.from(text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g), ([, target = '']) => target).filter(
      (target) => !/^[a-z]+:/i.test(target),
    );

  it('links to nothing that is not packed, and keeps its words and pictures', () => {
    const packed = withoutAbsentLinks(readme, ignore);
    expect(linksIn(readme)).toContain('docs/index.md');
    expect(linksIn(packed).filter((path) => !isPacked(path, ignore))).toEqual([]);
    expect(linksIn(packed)).toContain('docs/pictures/editor.png');
    expect(packed).toContain('- docs/tutorials/profile-to-rankfile.md: from a profile');
    expect(isPacked('build/README.md', ignore)).toBe(true);
    expect(isPacked('README.md', ignore)).toBe(false);
  });
});

describe('the manifest', () => {
  const named = textsIn(contributes).filter((text) => text.startsWith('./'));

  it('says nothing twice, of which the editor would take the second alone', () => {
    expect(`${JSON.stringify(JSON.parse(read('package.json')), undefined, 2)}\n`).toBe(read('package.json'));
  });

  it('names files that exist', () => {
    expect(named.length).toBeGreaterThanOrEqual(4);
    expect([manifest.icon, ...named].filter((file) => !existsSync(resolve(root, file)))).toEqual([]);
  });

  it('names JSON files that can be read', () => {
    for (const file of named.filter((name) => name.endsWith('.json'))) {
      // VS Code reads language configurations with comments; ours have none.
      expect(() => JSON.parse(read(file)) as unknown, file).not.toThrow();
    }
  });

  it('starts what the build makes', () => {
    const built = bundles.map(({ out }) => `dist/${out}`);
    expect(built).toContain(manifest.main.replace('./', ''));
    // The editor's extension host in a browser loads no ESM, for which it takes all else.
    expect(built.filter((file) => file.endsWith('.cjs'))).toContain(manifest.browser.replace('./', ''));
    // npm links the command when it installs, which is before the first build: it is a file of the repository.
    expect(manifest.bin).toEqual({ placewright: 'bin/placewright.cjs' });
    expect(statSync(resolve(root, 'bin/placewright.cjs')).mode & 0o111).toBe(0o111);
    expect(built).toContain(/'\.\.\/(dist\/.*)'/.exec(read('bin/placewright.cjs'))?.[1]);
  });

  it('packs what the client loads', () => {
    const ignore = read('.vscodeignore');
    // The command line is no part of the extension: it comes with the repository.
    for (const { out } of bundles.filter((bundle) => !['cli.cjs', 'commands/commandLine.js'].includes(bundle.out))) {
      const packed = [`!dist/${out}`, `!dist/*${out.slice(out.lastIndexOf('.'))}`];
      expect(
        ignore.split('\n').some((line) => packed.includes(line)),
        out,
      ).toBe(true);
    }
    expect(ignore).toContain(`!${manifest.icon}`);
  });

  it('has the publisher and the language id that users know', () => {
    expect(manifest.publisher).toBe('placewright');
    expect(contributes.languages).toMatchObject([{ id: 'place', extensions: ['.place'] }]);
  });

  it('says what works in workspaces that are not trusted or not on a disk', () => {
    for (const capability of ['untrustedWorkspaces', 'virtualWorkspaces']) {
      expect(manifest.capabilities[capability]?.description.length, capability).toBeGreaterThan(40);
    }
    expect(manifest.capabilities['untrustedWorkspaces']?.supported).toBe('limited');
    expect(manifest.capabilities['virtualWorkspaces']?.supported).toBe('limited');
  });
});

describe('the commands of the manifest', () => {
  it('have a title and the category Placewright', () => {
    expect(contributes.commands.every(({ title, category }) => title !== '' && category === 'Placewright')).toBe(true);
  });

  it('are the ones that the client registers', () => {
    const registered = [...read('client/commands.ts').matchAll(/'(placewright\.\w+)':/g)].map(([, name]) => name);
    expect([...commands].sort()).toEqual(registered.sort());
  });

  it('include those of the code lenses', () => {
    expect(commands).toEqual(expect.arrayContaining([showPlacementCommand, exportMappingVectorCommand]));
  });

  it('are the only ones in menus', () => {
    const inMenus = Object.values(contributes.menus).flatMap((items) => items.map(({ command }) => command));
    expect(inMenus.filter((command) => !commands.includes(command))).toEqual([]);
  });

  it.each([
    ['placement', ['goToShownText', 'toggleTable', 'showTraffic', 'comparePlacements', 'savePicture', 'lockPicture']],
    ['machine', ['goToShownText', 'toggleTable', 'savePicture']],
    ['traffic', ['toggleTable', 'savePicture']],
    ['experiment', ['toggleTable', 'savePicture']],
    ['simulation', ['toggleTable', 'savePicture']],
    ['compare', ['savePicture']],
  ])('have icons in the title of a panel where they act on all of it: %s', (type, expected) => {
    const isOf = (when: string): boolean =>
      when.split(' || ').some((one) => {
        const [, key, pattern] = /^activeWebviewPanelId (==|=~) (.+)$/.exec(one) ?? [];
        if (pattern === undefined) return false;
        return key === '=='
          ? pattern === `placewright.${type}`
          : new RegExp(pattern.slice(1, -1)).test(`placewright.${type}`);
      });
    const shown = contributes.menus['editor/title']!.filter(
      ({ when = '', group = '' }) => isOf(when) && group.startsWith('navigation'),
    );
    const inOrder = shown.sort((one, other) => (one.group ?? '').localeCompare(other.group ?? ''));
    expect(inOrder.map(({ command }) => command.replace('placewright.', ''))).toEqual(expected);
  });

  it('are called by a panel of the kind that activates the extension', () => {
    const kinds = ['placement', 'compare', 'figure', 'machine', 'traffic'].flatMap((file) =>
      [...read(`client/panels/${file}Panels.ts`).matchAll(/\w+PanelType = '([^']+)'/g)].map(([, kind]) => kind ?? ''),
    );
    expect(kinds).toHaveLength(6);
    expect(manifest.activationEvents).toEqual(kinds.map((kind) => `onWebviewPanel:${kind}`));
    const whens = textsIn(contributes.menus).filter((text) => text.includes('activeWebviewPanelId'));
    expect(whens.length).toBeGreaterThan(0);
    // Of the placement's panel, or of all of ours.
    for (const when of whens)
      expect(when).toMatch(new RegExp(`activeWebviewPanelId (== ${kinds[0] ?? ''}|=~ /\\^placewright)`));
  });
});

describe('what else the editor shows of the extension', () => {
  const { keybindings, views, viewsContainers, problemPatterns, problemMatchers, walkthroughs } = contributes;
  const view = views['placewright']?.[0]?.id ?? '';

  it('has keys with a twin on a Mac, which do nothing elsewhere', () => {
    const own = keybindings.filter(({ command }) => command.startsWith('placewright.'));
    expect(own.length).toBeGreaterThan(2);
    for (const { command, key, mac, when } of own) {
      expect(commands).toContain(command);
      expect(mac).toBe(key.replaceAll('ctrl', 'cmd'));
      expect(when).toContain('editorLangId == place');
    }
  });

  it('has a view in the activity bar, whose rows have the commands that fit them, and one beside the problems', () => {
    const containers = [...viewsContainers.activitybar, ...viewsContainers.panel];
    expect(containers.map(({ id }) => id)).toEqual(Object.keys(views));
    const [mappers] = views['placewrightMappers'] ?? [];
    expect(read('client/views/mapperView.ts')).toContain(`'${mappers?.id}'`);
    expect(read('client/views/mapperView.ts')).toContain(`'${mappers?.when}'`);
    expect(read('client/overviewTree.ts')).toContain(`'${view}'`);
    for (const item of [...contributes.menus['view/title']!, ...contributes.menus['view/item/context']!])
      expect(item.when).toContain(`view == ${view}`);
  });

  it('has names of contexts that the client sets', () => {
    const contexts = [...read('package.json').matchAll(/(?:onContext:)?(placewright\.(?:working|has\w+))/g)];
    expect(contexts.length).toBeGreaterThan(2);
    for (const [, name = ''] of contexts) expect(client).toContain(`'${name}'`);
  });

  it('has a walkthrough whose links are commands of ours, and whose steps can end', () => {
    for (const { id, description, completionEvents } of walkthroughs[0].steps) {
      const linked = [...description.matchAll(/\(command:([\w.]+)\)/g)].map(([, command = '']) => command);
      const known = [...commands, `${view}.focus`];
      expect(
        linked.filter((command) => !known.includes(command)),
        id,
      ).toEqual([]);
      expect(completionEvents.length, id).toBeGreaterThan(0);
      const events = completionEvents.map((event) => event.slice(event.indexOf(':') + 1));
      const possible = [...commands, view, 'placewright.hasChanged'];
      expect(
        events.filter((event) => !possible.includes(event)),
        id,
      ).toEqual([]);
    }
  });

  it.each<[by: number | undefined, line: string, parts: readonly string[] | undefined]>([
    [
      0,
      'samples/a b.place:3:11: error: There is no mapper `row-mayor`: use `row-major` [unknown-name]',
      ['samples/a b.place', '3', '11', 'error', 'There is no mapper `row-mayor`: use `row-major`', 'unknown-name'],
    ],
    [0, '../b.place:3:11: information: Hot. [hot-link]', ['../b.place', '3', '11', 'information', 'Hot.', 'hot-link']],
    [
      1,
      'C:\\work\\a.place:1:1: warning: Hot [x] link. [hot-link]',
      ['C:\\work\\a.place', '1', '1', 'warning', 'Hot [x] link.', 'hot-link'],
    ],
    [1, '/data/a b.place:1:1: warning: Hot. [hot-link]', ['/data/a b.place', '1', '1', 'warning', 'Hot.', 'hot-link']],
    [undefined, 'Placement tuned', undefined],
  ])('reads the problems that the command line prints, each line by one of its matchers: %s, %s', (by, line, parts) => {
    const read = problemPatterns.map(({ regexp, file, line: lineGroup, column, severity, message, code }) => {
      const found = new RegExp(regexp).exec(line);
      return found && [file, lineGroup, column, severity, message, code].map((group) => found[group as number]);
    });
    expect(read).toEqual(problemPatterns.map((_, index) => (index === by ? parts : null)));
  });

  it('looks for no file of a problem, and calls information what the editor does', () => {
    const usual = { severity: 'info', applyTo: 'closedDocuments', owner: 'placewright-task' };
    expect(problemMatchers).toMatchObject([
      { ...usual, pattern: '$placewright', fileLocation: ['relative', '${workspaceFolder}'] },
      { ...usual, pattern: '$placewright-absolute', fileLocation: 'absolute' },
    ]);
  });
});

describe('the settings of the manifest', () => {
  const settings = Object.entries(properties);

  it('say what they do', () => {
    for (const [name, { markdownDescription }] of settings)
      expect(markdownDescription.length, name).toBeGreaterThan(40);
  });

  it('have the defaults that the server has', () => {
    const section: Record<string, unknown> = {};
    for (const [name, { default: value }] of settings) {
      const [, group = '', word] = name.split('.');
      if (word === undefined) section[group] = value;
      else section[group] = { ...(section[group] as object | undefined), [word]: value };
    }
    expect(settingsFrom(section)).toEqual(defaultServerSettings);
    expect(settingsFrom(undefined)).toEqual(defaultServerSettings);
  });

  it('are read by the server with all their choices', () => {
    const choices = properties['placewright.study.run']?.enum ?? [];
    expect(choices.map((run) => settingsFrom({ study: { run } }).runStudy)).toEqual(choices);
  });

  it.each([0.5, -1, Number.NaN, '3', null])('take the default where a factor is %s', (hotLinkFactor) => {
    expect(settingsFrom({ hotLinkFactor })).toEqual(defaultServerSettings);
  });
});
