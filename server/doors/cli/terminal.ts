/** Where a command writes; tests give their own. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** What the shell is told; docs/language.md, "On the command line". */
export const exitCodes = { good: 0, fileHasErrors: 1, wrongUsage: 2, fault: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Wrong use of the command line: the user reads the message and exit code 2 follows. */
export class UsageError extends Error {}

/** `a, b, c` of the names to choose from, or words for none. */
export const listNames = (names: Iterable<string>): string => [...names].join(', ') || 'none';
