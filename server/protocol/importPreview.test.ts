import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { previewLines, type ImportPreview } from './importPreview.ts';
import { Translation, type Bundle } from './translation.ts';

const preview: ImportPreview = {
  format: 'topograph',
  rows: [
    ['switches', '1,040, from the leaves up 1,000, 40'],
    ['hosts', '18 with 4 NICs each: 70 of 50 GB/s, 2 of unknown speed'],
    ['links', '8: 8 of unknown speed'],
    ['routing', 'minimal'],
  ],
  warnings: [{ message: 'A word of all.' }, { line: 7, message: 'A port is down.' }],
};

it('says what was understood, line by line', () => {
  expect(previewLines('net.json', preview)).toEqual([
    'net.json (topograph)',
    'switches  1,040, from the leaves up 1,000, 40',
    'hosts     18 with 4 NICs each: 70 of 50 GB/s, 2 of unknown speed',
    'links     8: 8 of unknown speed',
    'routing   minimal',
    'net.json: warning: A word of all.',
    'net.json:7: warning: A port is down.',
  ]);
});

it('says it in German, below each other as well', () => {
  const bundle = new URL('../../l10n/bundle.l10n.de.json', import.meta.url);
  const translation = new Translation(JSON.parse(readFileSync(bundle, 'utf8')) as Bundle);
  expect(previewLines('net.json', preview, (text) => translation.said(text))).toEqual([
    'net.json (topograph)',
    'Switches      1.040, von den Blättern aufwärts 1.000, 40',
    'Rechner       18 mit je 4 NICs: 70 von 50 GB/s, 2 von unbekannter Geschwindigkeit',
    'Verbindungen  8: 8 von unbekannter Geschwindigkeit',
    'Routing       minimal',
    'net.json: Warnung: A word of all.',
    'net.json:7: Warnung: A port is down.',
  ]);
});
