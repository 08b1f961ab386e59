/**
 * A page as a PDF (ISO 32000-1) of one page: paths as paths, texts as texts in a font that is embedded, so that they can be searched,
 * copied and printed anywhere. No images, no scripts, no dates: the same page gives the same bytes.
 */
import type { SvgPage } from '../svg.ts';
import { bold, letters, regular, type FontData } from './arimo.ts';
import { paintedOf, step, type Clip, type Look, type PaintedPath, type PaintedText } from './primitives.ts';

/** Compresses as zlib does (RFC 1950). */
export type Deflate = (bytes: Uint8Array) => Promise<Uint8Array>;

/** Points of 1/72 inch per pixel of 1/96. */
const points = 0.75;

/** The bytes of the file. O(elements + steps). */
export async function writePdf(page: SvgPage, deflate: Deflate): Promise<Uint8Array> {
  const [width, height] = [pdfNumber(page.width * points), pdfNumber(page.height * points)];
  const content = new Content(page);
  const file = new PdfFile();
  const states = [...content.states].map(([name, opacities]) => `/${name} ${opacities}`).join(' ');
  file.object(1, '<< /Type /Catalog /Pages 2 0 R /Lang (en) /ViewerPreferences << /DisplayDocTitle true >> >>');
  file.object(2, '<< /Type /Pages /Kids [3 0 R] /Count 1 >>');
  file.object(
    3,
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R ` +
      `/Resources << /Font << /F0 6 0 R /F1 11 0 R >> /ExtGState << ${states} >> >> >>`,
  );
  file.stream(4, '/Filter /FlateDecode', await deflate(latin(content.operators.join('\n'))));
  file.object(5, `<< /Title ${textString(page.title)} /Producer (Placewright) >>`);
  addFont(file, 6, 'PLACEW+Arimo', regular, content.used[0]);
  addFont(file, 11, 'PLACEW+Arimo-Bold', bold, content.used[1]);
  return file.finish(16);
}

/** Glyph of each letter, and its place in the lists of widths. */
const glyphs = new Map<number, { readonly glyph: number; readonly index: number }>();
for (const [code, glyph, count] of letters) {
  for (let next = 0; next < count; next++) glyphs.set(code + next, { glyph: glyph + next, index: glyphs.size });
}
/** In the place of a letter that the font has not. */
const missing = glyphs.get(0x25a1)!;

/** Operators of the page's content, and what they ask for. */
class Content {
  readonly operators: string[];
  /** Graphics states of opacities, by name. */
  readonly states = new Map<string, string>();
  /** By font, glyphs that occur, with their letters. */
  readonly used: readonly [Map<number, number>, Map<number, number>] = [new Map(), new Map()];
  #clip: Clip | undefined;
  #state = '';

  constructor({ root, height }: SvgPage) {
    // From pixels downwards to points upwards.
    this.operators = [`${points} 0 0 ${-points} 0 ${pdfNumber(height * points)} cm`, 'q'];
    for (const painted of paintedOf(root)) {
      this.#enter(painted.clip);
      if (painted.kind === 'path') this.#path(painted);
      else this.#text(painted);
    }
    this.operators.push('Q');
  }

  #enter(clip: Clip | undefined): void {
    if (clip === this.#clip) return;
    this.#clip = clip;
    this.#state = '';
    this.operators.push('Q', 'q');
    if (clip === undefined) return;
    this.operators.push(`${[clip.x, clip.y, clip.width, clip.height].map(pdfNumber).join(' ')} re W n`);
  }

  /** What is said of a look, where it differs from what was said last. */
  #look(look: Look): void {
    const { fill, stroke, fillOpacity, strokeOpacity } = look;
    const said = [
      `/${this.#opacity(fillOpacity, strokeOpacity)} gs`,
      ...(fill === undefined ? [] : [`${rgbShares(fill)} rg`]),
      ...(stroke === undefined ? [] : [`${rgbShares(stroke)} RG ${pdfNumber(look.strokeWidth)} w`]),
      `[${look.dash.map(pdfNumber).join(' ')}] 0 d ${look.isRound ? '1 J 1 j' : '0 J 0 j'}`,
    ].join(' ');
    if (said !== this.#state) this.operators.push(said);
    this.#state = said;
  }

  #opacity(fill: number, stroke: number): string {
    const state = `<< /ca ${pdfNumber(fill)} /CA ${pdfNumber(stroke)} >>`;
    for (const [name, known] of this.states) if (known === state) return name;
    const name = `G${this.states.size}`;
    this.states.set(name, state);
    return name;
  }

  #path({ steps, look }: PaintedPath): void {
    if (look.fill === undefined && look.stroke === undefined) return;
    this.#look(look);
    const parts: string[] = [];
    for (let at = 0; at < steps.length;) {
      const kind = steps[at]!;
      const from = at + 1;
      at = from + (kind === step.curve ? 6 : kind === step.close ? 0 : 2);
      for (let value = from; value < at; value++) parts.push(pdfNumber(steps[value]!));
      parts.push(pathOperators[kind]!);
    }
    parts.push(look.fill === undefined ? 'S' : look.stroke === undefined ? 'f' : 'B');
    this.operators.push(parts.join(' '));
  }

  #text({ text, x, y, anchor, size, isBold, isTurned, look }: PaintedText): void {
    const which = isBold ? 1 : 0;
    const data = isBold ? bold : regular;
    let [width, codes] = [0, ''];
    for (const letter of text) {
      const code = letter.codePointAt(0)!;
      const { glyph, index } = glyphs.get(code) ?? missing;
      width += data.widths[index]! * (size / 1000);
      codes += hexadecimal(glyph);
      this.used[which].set(glyph, code);
    }
    if (codes === '') return;
    this.#look(look);
    const before = { start: 0, middle: width / 2, end: width }[anchor];
    // Letters stand upright though the page's y goes downwards.
    const matrix = isTurned ? [0, -1, -1, 0, x, y + before] : [1, 0, 0, -1, x - before, y];
    const show = `BT /F${which} ${pdfNumber(size)} Tf ${matrix.map(pdfNumber).join(' ')} Tm`;
    // Of a stroke below letters nothing is to be read or found.
    if (look.stroke !== undefined) this.operators.push(`/Artifact BMC ${show} 1 Tr <${codes}> Tj ET EMC`);
    this.operators.push(`${show} 0 Tr <${codes}> Tj ET`);
  }
}

const pathOperators = ['m', 'l', 'c', 'h'];

/** A font of two-byte codes, which are its glyphs: five objects from `first` on. */
function addFont(
  file: PdfFile,
  first: number,
  name: string,
  { data, widths, length }: FontData,
  used: Map<number, number>,
): void {
  const [descendant, descriptor, program, unicode] = [first + 1, first + 2, first + 3, first + 4];
  file.object(
    first,
    `<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /Identity-H ` +
      `/DescendantFonts [${descendant} 0 R] /ToUnicode ${unicode} 0 R >>`,
  );
  const known = [...glyphs.values()].sort((one, other) => one.glyph - other.glyph);
  const list = known.map(({ glyph, index }) => `${glyph} [${widths[index]!}]`).join(' ');
  file.object(
    descendant,
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /${name} /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) ` +
      `/Supplement 0 >> /FontDescriptor ${descriptor} 0 R /CIDToGIDMap /Identity /W [${list}] >>`,
  );
  file.object(
    descriptor,
    `<< /Type /FontDescriptor /FontName /${name} /Flags 4 /FontBBox [-203 -222 1000 966] /ItalicAngle 0 /Ascent 905 ` +
      `/Descent -212 /CapHeight 716 /StemV ${name.endsWith('Bold') ? 138 : 88} /FontFile2 ${program} 0 R >>`,
  );
  file.stream(program, `/Filter [/ASCII85Decode /FlateDecode] /Length1 ${length}`, latin(`${data}~>`));
  file.stream(unicode, '', latin(toUnicode(used)));
}

/** Letters of each glyph, so that text can be found and copied. */
function toUnicode(used: ReadonlyMap<number, number>): string {
  const lines = [...used]
    .sort(([one], [other]) => one - other)
    .map(([glyph, code]) => `<${hexadecimal(glyph)}> <${utf16(String.fromCodePoint(code))}>`);
  // A table may have a hundred lines.
  const tables: string[] = [];
  for (let at = 0; at < lines.length; at += 100) {
    const part = lines.slice(at, at + 100);
    tables.push(`${part.length} beginbfchar\n${part.join('\n')}\nendbfchar`);
  }
  return [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
    '/CMapName /Adobe-Identity-UCS def /CMapType 2 def',
    '1 begincodespacerange <0000> <FFFF> endcodespacerange',
    ...tables,
    'endcmap CMapName currentdict /CMap defineresource pop end end',
  ].join('\n');
}

/** Numbered objects with the table that says where each begins. */
class PdfFile {
  readonly #parts: Uint8Array[] = [];
  readonly #offsets = new Map<number, number>();
  #length = 0;

  constructor() {
    // The second line tells that the file is not text.
    this.#add(latin('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'));
  }

  object(id: number, content: string): void {
    this.#offsets.set(id, this.#length);
    this.#add(latin(`${id} 0 obj\n${content}\nendobj\n`));
  }

  stream(id: number, keys: string, bytes: Uint8Array): void {
    this.#offsets.set(id, this.#length);
    this.#add(latin(`${id} 0 obj\n<< ${keys} /Length ${bytes.length} >>\nstream\n`));
    this.#add(bytes);
    this.#add(latin('\nendstream\nendobj\n'));
  }

  /** `count`: one more than the largest number. */
  finish(count: number): Uint8Array {
    const start = this.#length;
    const rows = Array.from(
      { length: count - 1 },
      (_, index) => `${String(this.#offsets.get(index + 1) ?? 0).padStart(10, '0')} 00000 n \n`,
    );
    this.#add(latin(`xref\n0 ${count}\n0000000000 65535 f \n${rows.join('')}`));
    this.#add(latin(`trailer\n<< /Size ${count} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${start}\n%%EOF\n`));
    const file = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      file.set(part, at);
      at += part.length;
    }
    return file;
  }

  #add(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.#length += bytes.length;
  }
}

/** To a thousandth of a pixel, and never with an exponent, which PDF does not know. */
const pdfNumber = (value: number): string => {
  const rounded = Math.round(value * 1000) / 1000;
  return Number.isInteger(rounded) ? rounded.toFixed(0) : rounded.toString();
};

/** `#rrggbb` as three shares. */
const rgbShares = (color: string): string =>
  [1, 3, 5].map((start) => pdfNumber(Number.parseInt(color.slice(start, start + 2), 16) / 255)).join(' ');

const hexadecimal = (value: number): string => value.toString(16).padStart(4, '0');

const utf16 = (text: string): string =>
  Array.from({ length: text.length }, (_, index) => hexadecimal(text.charCodeAt(index))).join('');

/** Of document information: UTF-16 with its mark. */
const textString = (text: string): string => `<feff${utf16(text)}>`;

/** One byte for each letter. */
function latin(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}
