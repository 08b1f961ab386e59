import { drawScene } from '../../drawing/drawScene.ts';
import { renderSvg } from '../../drawing/svg/renderSvg.ts';
import { writeOutput } from './output.ts';
import { reportOfPlacement } from './placement.ts';
import type { ExitCode, Terminal } from './terminal.ts';

/** Writes the picture of one placement as SVG: the one that the panel shows. */
export async function draw(
  file: string,
  placement: string,
  options: { readonly output: string; readonly hotLinkFactor: number },
  terminal: Terminal,
): Promise<ExitCode> {
  const { report, exitCode } = await reportOfPlacement(file, placement, options.hotLinkFactor, terminal);
  if (report !== undefined) await writeOutput(options.output, renderSvg(drawScene(report)), terminal);
  return exitCode;
}
