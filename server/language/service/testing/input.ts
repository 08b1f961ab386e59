import { TextDocument } from 'vscode-languageserver-textdocument';
import { fail, succeed } from '../../../model/result.ts';
import type { StudySummary } from '../../../study/report.ts';
import { checkSources } from '../../check.ts';
import { gatherSources } from '../../sources.ts';
import type { PositionInput, ServiceInput } from '../input.ts';
import { gatherWorkspace, type Workspace } from '../workspace.ts';

const folder = 'file:///study/';

/** The file that tests write; imports are relative to its folder. */
export const mainUri = `${folder}main.place`;

export const uriOf = (path: string): string => folder + path;

export interface World {
  /** Texts of other files by path beside the main one. */
  readonly files?: Readonly<Record<string, string>>;
  readonly summary?: StudySummary;
}

/** A text as the editor features see it: read with its imports and checked. */
export async function serviceInput(text: string, world: World = {}): Promise<ServiceInput> {
  const texts = new Map([[mainUri, text]]);
  for (const [path, content] of Object.entries(world.files ?? {})) texts.set(uriOf(path), content);
  const sources = await gatherSources(mainUri, (uri) => {
    const found = texts.get(uri);
    return Promise.resolve(found === undefined ? fail('no-file', `There is no ${uri}.`) : succeed(found));
  });
  return {
    uri: mainUri,
    document: TextDocument.create(mainUri, 'place', 1, text),
    sources,
    checked: checkSources(sources),
    summary: world.summary,
  };
}

/** A text with `|` where the cursor is. */
export async function atCursor(marked: string, world: World = {}): Promise<PositionInput> {
  const offset = marked.indexOf('|');
  if (offset < 0) throw new Error(`There is no | in ${marked}`);
  return { ...(await serviceInput(marked.replace('|', ''), world)), offset };
}

/** What a range of the main file covers: tests compare texts rather than columns. */
export const textIn = ({ document }: ServiceInput, range: Parameters<TextDocument['getText']>[0]): string =>
  document.getText(range);

/** Files of one folder by path; each is a root. */
export function workspaceOf(files: Readonly<Record<string, string>>, isComplete = true): Promise<Workspace> {
  const texts = new Map(Object.entries(files).map(([path, text]) => [uriOf(path), text]));
  const read = (uri: string) => {
    const found = texts.get(uri);
    return Promise.resolve(found === undefined ? fail('no-file', `There is no ${uri}.`) : succeed(found));
  };
  return gatherWorkspace([...texts.keys()], read, undefined, isComplete);
}
