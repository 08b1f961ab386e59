import { describe, expect, it } from 'vitest';
import { parseText } from './parse.ts';
import { mapperEdit, mappersAsWritten, readMappers, readTime } from './writtenMappers.ts';

const uri = 'file:///study/main.place';

describe('mappers written outside of a file', () => {
  it.each([
    ['rcb', [['rcb', { name: 'rcb', options: { rotate: 'yes' } }]]],
    [
      ' rcb(rotate no) ,grasp(iterations 10, alpha 50%, criterion distance)',
      [
        ['rcb(rotate no)', { name: 'rcb', options: { rotate: 'no' } }],
        [
          'grasp(iterations 10, alpha 50%, criterion distance)',
          { name: 'grasp', options: { iterations: 10, alpha: 0.5, criterion: 'distance' } },
        ],
      ],
    ],
    [
      'given [0..2, 5], given "a b.txt"',
      [
        ['given [0..2, 5]', { name: 'given', argument: { kind: 'numbers', numbers: [0, 1, 2, 5] } }],
        ['given "a b.txt"', { name: 'given', argument: { kind: 'file', uri: 'file:///study/a%20b.txt' } }],
      ],
    ],
  ])('are read as after `map`: %s', (text, expected) => {
    const read = readMappers(text, uri);
    if (!read.ok) throw new Error(read.failure.join('\n'));
    expect(read.value.map(({ text: written, choice }) => [written, choice])).toMatchObject(expected);
  });

  it.each([
    ['graps', /no mapper `graps`.* Did you mean `grasp`\?/],
    ['grasp(iterations 0)', /`iterations` must be at least 1/],
    ['grasp(iteration 3)', /no option `iteration`\. Did you mean `iterations`/],
    ['grasp(iterations 10', /Close the options with `\)`/],
    ['grasp(iterations)', /`iterations` takes/],
    ['given', /`given` needs/],
    ['rcb grasp', /`grasp` is unexpected here. Write a comma/],
    ['rcb seed 3', /`seed 3` is unexpected here/],
    ['rcb,', /Expected a mapper on both sides of the comma/],
    ['', /Expected a mapper/],
    ['}', /`}` is not a mapper/],
    ['12', /`12` is not a mapper/],
  ])('are refused with what is wrong: %s', (text, expected) => {
    const read = readMappers(text, uri);
    expect(read.ok ? [] : read.failure).toEqual([expect.stringMatching(expected)]);
  });

  it('are refused with every mistake', () => {
    const read = readMappers('graps, rcb(rotate maybe), baseline', uri);
    expect(read.ok ? [] : read.failure).toHaveLength(2);
  });
});

describe('a time written outside of a file', () => {
  it.each([
    ['10 s', 10],
    ['500ms', 0.5],
    ['0 s', 0],
  ])('is read: %s', (text, value) => {
    expect(readTime(text, '`--limit`')).toEqual({ ok: true, value });
  });

  it.each([
    ['5', /`--limit` needs a unit: write `ns`, `us`, `µs`, `ms` or `s` after/],
    ['5 KiB', /`KiB` is no unit of times/],
    ['soon', /`--limit` takes a time/],
    ['1 s 2 s', /`--limit` takes a time/],
    ['', /`--limit` takes a time/],
  ])('is refused: %s', (text, expected) => {
    const read = readTime(text, '`--limit`');
    expect(read.ok ? [] : read.failure).toEqual([expect.stringMatching(expected)]);
  });
});

describe('the mappers of a placement', () => {
  const placementIn = (text: string) => parseText(text).tree.declarations[0]!;

  it.each([
    ['placement p { job a  map grasp( iterations 3 /* few */,alpha 20% ) }', ['grasp(iterations 3, alpha 20%)']],
    ['placement p { jobs a, b(allocate all, map given [ 0 .. 3,7 ])  map rcb }', ['rcb', 'given [0 .. 3, 7]']],
    ['placement p { map given "a  //b.txt"\n job a }', ['given "a  //b.txt"']],
    ['placement p { jobs a, b }', ['usual', 'usual']],
  ])('as written: %s', (text, expected) => {
    expect(mappersAsWritten(text, placementIn(text), 'usual')).toEqual(expected);
  });

  it.each([
    ['placement p { job a  map rcb(rotate no)  machine m }', 'placement p { job a  map NEW  machine m }'],
    ['placement p { job a  machine m }', 'placement p { job a  machine m  map NEW }'],
    ['placement p {\n  job a\n  machine m\n}', 'placement p {\n  job a\n  machine m\n  map NEW\n}'],
    ['placement p {\r\n\tjob a // one\r\n}', 'placement p {\r\n\tjob a // one\r\n\tmap NEW\r\n}'],
    ['placement p {\n  job a /* on\n two */\n}', 'placement p {\n  job a  map NEW /* on\n two */\n}'],
    ['placement p {\n  job a  machine m\n}', 'placement p {\n  job a  machine m  map NEW\n}'],
  ])('get another one: %s', (text, expected) => {
    const edit = mapperEdit(text, placementIn(text), 'NEW');
    if (!edit.ok) throw new Error(edit.failure);
    const { start, end, text: written } = edit.value;
    expect(text.slice(0, start) + written + text.slice(end)).toBe(expected);
  });

  it.each([
    ['placement p { jobs a, b(map rcb)  map rcb }', /Job `b` has its own mapper/],
    ['placement p { job a  map grasp(// few\n iterations 3) }', /comment/],
    ['placement p { }', /no properties/],
  ])('stay: %s', (text, message) => {
    expect(mapperEdit(text, placementIn(text), 'NEW')).toEqual({
      ok: false,
      failure: expect.stringMatching(message) as string,
    });
  });
});
