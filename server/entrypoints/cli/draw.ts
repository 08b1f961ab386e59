/** `placewright draw`: the picture of a placement as SVG. */
import { pictureOf } from '../../drawing/drawScene.ts';
import { renderSvg } from '../../drawing/svg/renderSvg.ts';
import { writeOutput } from './output.ts';
import { type PlacementRequest, reportOfPlacement } from './placement.ts';
import { type ExitCode, exitCodes, type Surroundings, UsageError } from './terminal.ts';

export interface DrawRequest extends PlacementRequest {
  readonly output: string;
  readonly force?: true;
}

/** Endings of pictures that this is not. */
const otherPictures = /\.(png|jpe?g|gif|webp|pdf|eps|ps)$/i;

/** Writes the picture of one placement as SVG: the one that the panel shows. */
export async function draw(request: DrawRequest, surroundings: Surroundings): Promise<ExitCode> {
  const { output, force = false } = request;
  const [, ending] = otherPictures.exec(output) ?? [];
  if (ending !== undefined) {
    throw new UsageError(
      `\`draw\` writes SVG, and ${output} would not be one: name it .svg. ` +
        `A browser, Inkscape or rsvg-convert make ${ending.toUpperCase()} of it, and the panel of the editor saves PNG.`,
    );
  }
  const { placed, exitCode } = await reportOfPlacement(request, surroundings);
  if (placed === undefined) return exitCode;
  const { terminal, cancellation } = surroundings;
  const picture = pictureOf(placed.report);
  if (!picture.ok) {
    terminal.err(`placewright: error: ${picture.failure.message} [${picture.failure.code}]\n`);
    return exitCodes.fileHasErrors;
  }
  const text = renderSvg(picture.value);
  await writeOutput({ target: output, text, force, sources: placed.sources, cancellation }, terminal);
  return exitCode;
}
