import { describe, expect, it } from 'vitest';
import { testContract, violationsOf, type Look } from './contract.ts';

const each =
  (count: number, holds: (index: number) => boolean) =>
  (look: Look): void => {
    for (let index = 0; index < count; index++) look(holds(index), () => `item ${index}`);
  };

describe('a contract', () => {
  it('has no violations where every item holds', () => {
    expect(
      violationsOf(({ property }) => {
        property(
          'even',
          each(3, () => true),
        );
      }),
    ).toEqual([]);
  });

  it('lists the violations of all properties and subjects', () => {
    const violations = violationsOf(({ property, on }) => {
      for (const subject of ['ring', 'mesh']) {
        on(subject, () => {
          property(
            'first',
            each(3, (index) => index !== 1),
          );
          property(
            'second',
            each(1, () => subject === 'ring'),
          );
        });
      }
    });
    expect(violations).toEqual(['first: ring: item 1', 'first: mesh: item 1', 'second: mesh: item 0']);
  });

  it('shows the first violations of a property and counts the others', () => {
    const violations = violationsOf(({ property }) => {
      property(
        'all wrong',
        each(30, () => false),
      );
    });
    expect(violations).toHaveLength(9);
    expect(violations.at(-1)).toBe('all wrong: 22 more violations, 30 looked at');
  });

  it('is violated by a property that looked at nothing, unless a reason is given', () => {
    const nothing = each(0, () => true);
    expect(
      violationsOf(({ property }) => {
        property('empty', nothing);
      }),
    ).toEqual(['empty: looked at nothing']);
    const excused = violationsOf(({ property, notApplicable }) => {
      notApplicable('empty', 'there is nothing');
      property('empty', nothing);
    });
    expect(excused).toEqual([]);
  });

  it('is violated by a reason that does not apply, and by having no properties', () => {
    const stale = violationsOf(({ property, notApplicable }) => {
      notApplicable('full', 'there is nothing');
      property(
        'full',
        each(2, () => true),
      );
    });
    expect(stale).toEqual(['full: looked at 2, though "there is nothing"']);
    expect(violationsOf(() => undefined)).toEqual(['no property was checked']);
  });

  it('goes on with other properties and subjects after an exception', () => {
    const violations = violationsOf(({ property, on }) => {
      on('a', () => {
        property('throws', () => {
          throw new Error('no route');
        });
        throw new Error('not built');
      });
      on('b', () => {
        property(
          'other',
          each(1, () => false),
        );
      });
    });
    expect(violations).toEqual(['a: Error: not built', 'throws: a: Error: no route', 'other: b: item 0']);
  });

  testContract('an example', ({ property }) => {
    property(
      'is kept',
      each(1, () => true),
    );
  });
});
