import type { FabricWarning } from '../../model/fabric.ts';
import type { DescribeFabricAnswer } from '../../protocol/messages.ts';
import { cancellationOf } from '../cancelCell.ts';
import { importedText, readFabricFile, suggestedPlaceFile } from '../importMachine.ts';
import type { DescribeFabricOrder } from '../workerMessages.ts';

/** Answers what the file of a network holds; with a target, also the text of a `.place` file there. */
export async function describeFabric({
  uri,
  target,
  policy,
  cancelFlag,
}: DescribeFabricOrder): Promise<DescribeFabricAnswer> {
  const fabric = await readFabricFile(uri, policy, undefined, cancellationOf(cancelFlag));
  if (!fabric.ok) return { ok: false, message: fabric.failure.message };
  const { format, routers, nodes, cables, warnings } = fabric.value;
  const text = target === undefined ? undefined : importedText(fabric.value, uri, target);
  if (text?.ok === false) return { ok: false, message: text.failure.message };
  return {
    ok: true,
    format,
    switches: routers.length,
    hosts: nodes.length,
    cables: cables.length,
    warnings: warnings.map(sentenceOf),
    suggestedTarget: suggestedPlaceFile(uri),
    ...(text === undefined ? {} : { text: text.value }),
  };
}

const sentenceOf = ({ line, message }: FabricWarning): string =>
  line === undefined ? message : `Line ${line}: ${message}`;
