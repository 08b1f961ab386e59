import { describe, expect, it } from 'vitest';
import { bundleIn, Translation, writtenInPage } from './translation.ts';

const german = {
  Fit: 'Einpassen',
  'Sort by {0}': 'Nach {0} sortieren',
  '{0} of {1} rows': 'von {1} Zeilen {0}',
  '{0} hops': '{0} Schritte',
  '{0} hop-bytes': '{0} Schritt-Bytes',
  'Hop-bytes': 'Schritt-Bytes',
  '{0} left': 'noch {0}',
  'Placement {0} on {1}.': 'Platzierung {0} auf {1}.',
  'Placement {0} failed: {1}': 'Platzierung {0} ist gescheitert: {1}',
  '{0} is too large.': '{0} ist zu groß.',
};
const { t, said } = (() => {
  const translation = new Translation(german);
  return { t: translation.t, said: (text: string) => translation.said(text) };
})();

describe('numbers', () => {
  const inGerman = new Translation({ ...german, '1,234.5': '1.234,5' });

  it.each([
    ['4.286 hops', '4,286 Schritte'],
    ['4,286 hops', '4.286 Schritte'],
    ['1,234.5 GiB', '1.234,5 GiB'],
    ['98.5 %', '98,5 %'],
    ['1.9 GiB hop-bytes · 1.5 hops', '1,9 GiB Schritt-Bytes · 1,5 Schritte'],
    ['Placement v1.5 on torus-2.5.', 'Platzierung v1.5 auf torus-2.5.'],
    ['0.4.0', '0.4.0'],
    ['10.0.0.1', '10.0.0.1'],
    ['nodes 1,2,3', 'nodes 1,2,3'],
  ])('of %s are written as the language does', (text, wanted) => {
    expect(inGerman.said(text)).toBe(wanted);
  });

  it('are filled in so', () => {
    expect(inGerman.t('{0} of {1} rows', '1,024', '2,048.5')).toBe('von 2.048,5 Zeilen 1.024');
  });
});

describe('our own words', () => {
  it.each([
    [t('Fit'), 'Einpassen'],
    [t('Sort by {0}', 'Node'), 'Nach Node sortieren'],
    [t('{0} of {1} rows', 3, 7), 'von 7 Zeilen 3'],
    [t('Not there yet {0}', 'x'), 'Not there yet x'],
  ])('%s', (found, wanted) => {
    expect(found).toBe(wanted);
  });
});

describe('words of the server', () => {
  it.each([
    ['a whole text', 'Hop-bytes', 'Schritt-Bytes'],
    ['what differs in it', 'Placement best on torus.', 'Platzierung best auf torus.'],
    ['the key with the most words of its own', '1.525 hops', '1.525 Schritte'],
    ['parts of a line', '1.9 GiB hop-bytes · 1.5 hops · 8 s left', '1.9 GiB Schritt-Bytes · 1.5 Schritte · noch 8 s'],
    ['a list', '11.6 GiB hop-bytes, −34 %, 8 s left', '11.6 GiB Schritt-Bytes, −34 %, noch 8 s'],
    [
      'a sentence within another',
      'Placement p failed: the table is too large.',
      'Platzierung p ist gescheitert: the table ist zu groß.',
    ],
    ['nothing of what it does not know', 'heat 3 → 5', 'heat 3 → 5'],
    // A job may be called so.
    ['no single word of a list', 'Fit, Hop-bytes', 'Fit, Hop-bytes'],
    ['no name that it fills in', 'Placement Fit on Fit.', 'Platzierung Fit auf Fit.'],
  ])('%s', (_what, text, wanted) => {
    expect(said(text)).toBe(wanted);
    expect(said(text)).toBe(wanted);
    expect(new Translation().said(text)).toBe(text);
  });

  it('are many without being remembered for ever', () => {
    for (let count = 0; count < 5000; count++) expect(said(`${count} hops`)).toBe(`${count} Schritte`);
  });
});

it('a bundle travels in a page, whatever it holds', () => {
  const bundle = { '</script><b>': '“<!--” & {0}' };
  const written = writtenInPage(bundle);
  expect(written).not.toContain('<');
  expect(bundleIn(written)).toEqual(bundle);
  expect([bundleIn(''), bundleIn(null), bundleIn(undefined)]).toEqual([{}, {}, {}]);
});
