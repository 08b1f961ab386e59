import { describe, expect, it } from 'vitest';
import { NameBudget, countHostlist, expandHostlist, hostlistOf } from './hostlist.ts';

describe('hostlists', () => {
  const lists: [string, string][] = [
    ['n1,n2', 'n1 n2'],
    ['n[08-11,20]', 'n08 n09 n10 n11 n20'],
    ['n[8-11]', 'n8 n9 n10 n11'],
    ['r[1-2]n[1-2]-ib', 'r1n1-ib r1n2-ib r2n1-ib r2n2-ib'],
    ['switch.2.[1-2],x', 'switch.2.1 switch.2.2 x'],
    ['[1101-1102]', '1101 1102'],
    ['grp[10,11], grp12 ,', 'grp10 grp11 grp12'],
    ['', ''],
  ];
  it.each(lists)('%s', (list, expected) => {
    const names = expandHostlist(list);
    expect(names.ok && names.value.join(' ')).toBe(expected);
  });

  const faults: [string, RegExp][] = [
    ['n[1-3', /not closed/],
    ['n1]', /do not match/],
    ['n[[1]]', /do not match/],
    ['n[3-1]', /backwards: write 1-3/],
    ['n[a-c]', /'a-c' .*neither a number nor a range/],
    ['n[0-4]'.repeat(20), /more than 16 brackets/],
    [`${'n'.repeat(100_000)}[0-1000000]`, /more than 16 million characters/],
    ['n[]', /neither a number nor a range/],
    ['n[0-999999999999]', /more than 1,048,576 names/],
    ['n[1-4000][1-4000]', /more than 1,048,576 names/],
    ['a[1-4000000],b[1-4000000]', /more than 1,048,576 names/],
  ];
  it.each(faults)('refuses %.30s', (list, expected) => {
    const names = expandHostlist(list);
    expect(names.ok ? 'was read' : names.failure).toMatch(expected);
  });

  it('count as they expand', () => {
    for (const [list] of lists) {
      const names = expandHostlist(list);
      expect(countHostlist(list)).toEqual({ ok: true, value: names.ok ? names.value.length : -1 });
    }
  });

  it('share the budget of their file', () => {
    const budget = new NameBudget();
    expect(expandHostlist('a[1-1000000]', budget).ok).toBe(true);
    expect(expandHostlist('b[1-1000000]', budget)).toMatchObject({
      failure: expect.stringContaining("With 'b[1-1000000]' there are more than 1,048,576 names") as string,
    });
  });

  it.each([
    ['n1 n2 n3', 'n[1-3]'],
    ['n08 n09 n10 n11 n20', 'n[08-11,20]'],
    ['n9 n10 n11', 'n[9-11]'],
    ['n09 n9 n010', 'n[09,9,010]'],
    ['login n1 m1 n2 n3', 'login,n1,m1,n[2-3]'],
    ['n3 n2 n1', 'n[3,2,1]'],
    ['rack1-ib rack2-ib', 'rack1-ib,rack2-ib'],
    ['n999999999999999 n1000000000000000', 'n999999999999999,n1000000000000000'],
  ])('of %s are %s, and give the names again', (names, list) => {
    expect(hostlistOf(names.split(' '))).toBe(list);
    expect(expandHostlist(list)).toEqual({ ok: true, value: names.split(' ') });
  });
});
