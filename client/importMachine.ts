import { Uri, ViewColumn, window, workspace } from 'vscode';
import type { DescribeFabricAnswer } from '../server/protocol/messages.ts';
import type { Server } from './server.ts';
import { asUri, mayWrite, shownPath, writeAtomically } from './writeFile.ts';

type Described = Extract<DescribeFabricAnswer, { ok: true }>;

/**
 * `Placewright: Import Machine…`: picks the file of a network, asks where to save, writes a `.place`
 * file there that refers to it, and opens that. `fabric` and `target` may be given by a caller.
 */
export async function importMachine(server: Server, fabric?: unknown, target?: unknown): Promise<void> {
  const source = asUri(fabric) ?? (await chooseFabric());
  if (source === undefined) return;
  const found = wholeAnswer(await server.describeFabric({ uri: source.toString() }));
  const given = asUri(target);
  if (given !== undefined && !(await mayWrite(given))) return;
  const place = given ?? (await chooseTarget(found));
  if (place === undefined) return;
  const { text } = wholeAnswer(await server.describeFabric({ uri: source.toString(), target: place.toString() }));
  if (text === undefined) return;
  await writeAtomically(place, text);
  // Among the texts: a picture that is in front stays to be seen.
  const viewColumn = window.activeTextEditor?.viewColumn ?? ViewColumn.One;
  await window.showTextDocument(await workspace.openTextDocument(place), { viewColumn });
  void window.showInformationMessage(`Imported ${describe(found)} from ${shownPath(source)}.`);
}

async function chooseFabric(): Promise<Uri | undefined> {
  const [picked] = (await window.showOpenDialog({ title: 'Placewright: the file of a network' })) ?? [];
  return picked;
}

/** A place beside the fabric is suggested, so that both can be moved together. */
const chooseTarget = (found: Described): Thenable<Uri | undefined> =>
  window.showSaveDialog({
    defaultUri: Uri.parse(found.suggestedTarget),
    title: `Placewright: ${describe(found)}`,
    filters: { Placewright: ['place'] },
  });

function describe({ format, switches, hosts, warnings }: Described): string {
  const doubts = warnings.length === 0 ? '' : `, ${counted(warnings.length, 'warning', 'warnings')}`;
  return `${counted(switches, 'switch', 'switches')} and ${counted(hosts, 'host', 'hosts')} (${format}${doubts})`;
}

const counted = (count: number, one: string, several: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : several}`;

function wholeAnswer(answer: DescribeFabricAnswer): Described {
  if (!answer.ok) throw new Error(answer.message);
  return answer;
}
