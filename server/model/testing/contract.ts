/**
 * Contracts: what every entry of a catalogue promises.
 *
 * A contract is one test per entry. It lists every violation of every property, so that one run shows all of them.
 * Each property counts the items (pairs, links, cases) that it looked at. A property without any is itself a violation,
 * unless the contract says why this entry has nothing to look at.
 */
import { expect, it } from 'vitest';

/** Counts one item, and notes what is wrong with it where the property does not hold. */
export type Look = (holds: boolean, what: string | (() => string)) => void;

export interface Contract {
  /** Checks one property on the current subject. The body calls `look` once for each item. */
  readonly property: (name: string, body: (look: Look) => void) => void;
  /** Declares that a property has nothing to look at for this entry, and why. */
  readonly notApplicable: (name: string, reason: string) => void;
  /** Checks a subject, such as a network or a problem, whose name is part of each violation. */
  readonly on: (subject: string, body: () => void) => void;
}

/** So many violations of one property are written out; the others are counted. */
const mostShown = 8;

/** Name of the group of all tests of contracts, by which `-t` runs them alone and reports count them. */
const prefix = 'contract of';

interface Findings {
  looks: number;
  readonly violations: string[];
  reason?: string;
}

/** All violations that a contract finds, as sentences for the reader of a failed test. */
export function violationsOf(check: (contract: Contract) => void): string[] {
  const findings = new Map<string, Findings>();
  const findingsOf = (property: string): Findings => {
    const known = findings.get(property) ?? { looks: 0, violations: [] };
    findings.set(property, known);
    return known;
  };
  const subjects: string[] = [];
  const ofSubject = (what: string): string => [...subjects, what].join(': ');
  const attempt = (violations: string[], body: () => void): void => {
    try {
      body();
    } catch (error) {
      violations.push(ofSubject(String(error)));
    }
  };
  const outside: string[] = [];
  const contract: Contract = {
    property: (name, body) => {
      const found = findingsOf(name);
      attempt(found.violations, () => {
        body((holds, what) => {
          found.looks++;
          if (!holds) found.violations.push(ofSubject(typeof what === 'string' ? what : what()));
        });
      });
    },
    notApplicable: (name, reason) => {
      findingsOf(name).reason = reason;
    },
    on: (subject, body) => {
      subjects.push(subject);
      attempt(outside, body);
      subjects.pop();
    },
  };
  attempt(outside, () => {
    check(contract);
  });
  if (findings.size === 0) outside.push('no property was checked');
  return [...outside, ...[...findings].flatMap(([name, found]) => listed(name, found))];
}

function listed(name: string, { looks, violations, reason }: Findings): string[] {
  const rest = violations.length - mostShown;
  return [
    ...(looks === 0 && violations.length === 0 && reason === undefined ? [`${name}: looked at nothing`] : []),
    ...(looks > 0 && reason !== undefined ? [`${name}: looked at ${looks}, though "${reason}"`] : []),
    ...violations.slice(0, mostShown).map((violation) => `${name}: ${violation}`),
    ...(rest > 0 ? [`${name}: ${rest} more violations, ${looks} looked at`] : []),
  ];
}

/** The one test of a contract of one entry. */
export function testContract(entry: string, check: (contract: Contract) => void): void {
  it(`${prefix} ${entry}`, () => {
    const violations = violationsOf(check);
    if (violations.length > 0) expect.fail(violations.join('\n'));
  });
}
