import { pictureOf } from '../../drawing/drawScene.ts';
import { renderSvg } from '../../drawing/svg/renderSvg.ts';
import { writeOutput } from './output.ts';
import { reportOfPlacement } from './placement.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

/** Writes the picture of one placement as SVG: the one that the panel shows. */
export async function draw(
  file: string,
  placement: string,
  options: { readonly output: string; readonly hotLinkFactor: number },
  terminal: Terminal,
): Promise<ExitCode> {
  const { report, exitCode } = await reportOfPlacement(file, placement, options.hotLinkFactor, terminal);
  if (report === undefined) return exitCode;
  const picture = pictureOf(report);
  if (!picture.ok) {
    terminal.err(`placewright: error: ${picture.failure.message} [${picture.failure.code}]\n`);
    return exitCodes.fileHasErrors;
  }
  await writeOutput(options.output, renderSvg(picture.value), terminal);
  return exitCode;
}
