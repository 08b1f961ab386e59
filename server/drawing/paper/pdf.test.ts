import { inflateSync, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { element, emptyElement, svgPage, textElement, type SvgElement } from '../svg.ts';
import { writePdf } from './pdf.ts';

const bytesOf = (content: readonly SvgElement[]): Promise<Uint8Array> =>
  writePdf(svgPage({ width: 400, height: 200, title: 'Größe → (a)', description: '' }, content), (bytes) =>
    Promise.resolve(deflateSync(bytes)),
  );

/** The file as one letter for each byte, and the operators of its page. */
async function read(...content: readonly SvgElement[]): Promise<{ readonly file: string; readonly page: string }> {
  const bytes = Buffer.from(await bytesOf(content));
  const file = bytes.toString('latin1');
  const start = file.indexOf('stream\n', file.indexOf('4 0 obj')) + 'stream\n'.length;
  const length = Number(/4 0 obj\n<< .*\/Length (\d+)/.exec(file)![1]);
  return { file, page: inflateSync(bytes.subarray(start, start + length)).toString('latin1') };
}

describe('a page as PDF', () => {
  it('has its size in points, its title, and each object where the table says', async () => {
    const { file } = await read();
    expect(file).toContain('/MediaBox [0 0 300 150]');
    const title = Array.from('Größe → (a)', (letter) => letter.charCodeAt(0).toString(16).padStart(4, '0')).join('');
    expect(file).toContain(`/Title <feff${title}>`);
    const table = file.slice(Number(/startxref\n(\d+)/.exec(file)![1]));
    expect(table.startsWith('xref\n0 16\n')).toBe(true);
    const offsets = [...table.matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset));
    expect(offsets).toHaveLength(15);
    offsets.forEach((offset, index) => {
      // 1 is the first; nothing has the number of an object that is not there.
      if (offset > 0) expect(file.slice(offset).startsWith(`${index + 1} 0 obj`)).toBe(true);
    });
    expect(file.startsWith('%PDF-1.7')).toBe(true);
    expect(file.endsWith('%%EOF\n')).toBe(true);
  });

  it('holds fonts that are whole', async () => {
    const { file } = await read();
    for (const [id, length] of [
      [9, 26252],
      [14, 26504],
    ]) {
      const part = file.slice(file.indexOf(`\n${id!} 0 obj`));
      const data = part.slice(part.indexOf('stream\n') + 7, part.indexOf('~>'));
      const font = inflateSync(fromAscii85(data));
      expect(font).toHaveLength(length!);
      expect(font.readUInt32BE(0)).toBe(0x00010000);
    }
  });

  it('writes paths as paths, with their look', async () => {
    const box = { x: 10, y: 20, width: 30, height: 40 };
    const { page } = await read(
      emptyElement('rect', { ...box, fill: '#ff0000' }),
      emptyElement('path', {
        d: 'M0 0Q30 0 30 30',
        fill: 'none',
        stroke: '#0000ff',
        'stroke-width': 2,
        'stroke-dasharray': '4 3',
      }),
      emptyElement('circle', { cx: 50, cy: 50, r: 10, fill: '#00ff00', stroke: '#000000' }),
    );
    expect(page).toContain('1 0 0 rg');
    expect(page).toContain('10 20 m 40 20 l 40 60 l 10 60 l h f');
    expect(page).toContain('0 0 1 RG 2 w [4 3] 0 d');
    // The quadratic curve as a cubic one.
    expect(page).toContain('0 0 m 20 0 30 10 30 30 c S');
    expect(page).toMatch(/60 50 m .* h B/);
  });

  it('writes text as text: letters by their glyphs, which a table turns into letters again', async () => {
    const { file, page } = await read(textElement('text', { x: 10, y: 20, 'font-size': 10, fill: '#000000' }, 'Aé→'));
    const [, codes = ''] = /BT \/F0 10 Tf 1 0 0 -1 10 20 Tm 0 Tr <([0-9a-f]+)> Tj ET/.exec(page)!;
    const letters = (codes.match(/.{4}/g) ?? []).map((code) => new RegExp(`<${code}> <([0-9a-f]{4})>`).exec(file)![1]);
    expect(letters).toEqual(['0041', '00e9', '2192']);
  });

  it.each([
    // As wide as in Helvetica: five letters of 0.556 and two of 0.222 are 3.224 sizes.
    ['start', 100],
    ['middle', 100 - 16.12],
    ['end', 100 - 32.24],
  ])('puts text at its %s', async (anchor, left) => {
    const { page } = await read(
      textElement('text', { x: 100, y: 20, 'font-size': 10, 'text-anchor': anchor }, 'aaaaall'),
    );
    expect(Number(/1 0 0 -1 ([\d.]+) 20 Tm/.exec(page)![1])).toBeCloseTo(left, 1);
  });

  it('turns text, writes bold text bold, and what is below letters as nothing to read', async () => {
    const halo = { stroke: '#ffffff', 'stroke-width': 3, 'paint-order': 'stroke' };
    const { page } = await read(
      textElement('text', { transform: 'translate(5 90) rotate(-90)', 'font-size': 10 }, 'up'),
      textElement('text', { x: 1, y: 2, 'font-weight': 'bold' }, 'bold'),
      element('g', halo, [textElement('text', { x: 1, y: 2 }, 'halo')]),
    );
    expect(page).toContain('0 -1 -1 0 5 90 Tm');
    expect(page).toMatch(/\/F1 13 Tf/);
    expect(page.match(/\/Artifact BMC .* 1 Tr .* EMC/g)).toHaveLength(1);
  });

  it('has opacities, of groups too, and cuts off what is outside of a clip', async () => {
    const { file, page } = await read(
      element('g', { opacity: 0.5 }, [emptyElement('rect', { width: 5, height: 5, 'fill-opacity': 0.5 })]),
      element('clipPath', { id: 'view' }, [emptyElement('rect', { x: 1, y: 2, width: 3, height: 4 })]),
      element('g', { 'clip-path': 'url(#view)' }, [emptyElement('rect', { width: 9, height: 9 })]),
      emptyElement('rect', { width: 8, height: 8 }),
    );
    expect(file).toContain('<< /ca 0.25 /CA 0.5 >>');
    expect(page).toMatch(/Q\nq\n1 2 3 4 re W n\n.*\n.*9 9 l.*\nQ\nq\n/s);
    expect(page.match(/^q$/gm)).toHaveLength(page.match(/^Q$/gm)!.length);
  });

  it('has a sign for letters that the font has not, and no number with an exponent', async () => {
    const { page } = await read(
      textElement('text', { x: 1e-9, y: 1 }, '語'),
      emptyElement('path', { d: 'M0.0000001 5e-7L1 1', stroke: '#000000' }),
    );
    expect(page).toMatch(/<[0-9a-f]{4}> Tj/);
    expect(page).not.toMatch(/\de-|NaN|undefined/);
  });

  it('is the same bytes again', async () => {
    const content = [textElement('text', { x: 1, y: 2 }, 'again')];
    expect(await bytesOf(content)).toEqual(await bytesOf(content));
  });

  it('refuses elements that it does not know', async () => {
    await expect(bytesOf([emptyElement('image', {})])).rejects.toThrow('image');
  });
});

/** Groups of five letters are four bytes (ISO 32000-1, 7.4.3). */
function fromAscii85(text: string): Buffer {
  const bytes: number[] = [];
  let group: number[] = [];
  const flush = (): void => {
    const count = group.length;
    const value = [...group, 84, 84, 84, 84].slice(0, 5).reduce((sum, digit) => sum * 85 + digit, 0);
    bytes.push(...[24, 16, 8, 0].slice(0, count - 1).map((shift) => Math.floor(value / 2 ** shift) % 256));
    group = [];
  };
  for (const letter of text) {
    if (letter === 'z') bytes.push(0, 0, 0, 0);
    else if (group.push(letter.charCodeAt(0) - 33) === 5) flush();
  }
  if (group.length > 0) flush();
  return Buffer.from(bytes);
}
