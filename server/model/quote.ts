/** A text of the user in a message: cut, and without control characters. */
export const quote = (text: string): string => `'${withoutControls(text.slice(0, 40))}${text.length > 40 ? '…' : ''}'`;

/** A text for one line of a message: what could move a cursor or break the line is replaced by �. */
export const withoutControls = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
