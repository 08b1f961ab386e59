/** Reads snippets as editors do, so that tests see the text that Tab leaves. */
import { mainUri, serviceInput } from './input.ts';

/** A stop of a snippet: what an editor writes there, and what else it offers. A bare one repeats what its number has. */
export interface Stop {
  readonly number: string;
  readonly usual?: string;
  readonly choices?: readonly string[];
}

const syntaxOfStops = /\$(?:(\d+)|\{(\d+)(?::((?:\\.|[^\\}])*)|\|((?:\\.|[^\\|])*)\|)\})/g;
const unescaped = (text: string): string => text.replaceAll(/\\(.)/g, '$1');

function stopOf([, bare, number = '', usual, list]: RegExpMatchArray): Stop {
  if (bare !== undefined) return { number: bare };
  if (list === undefined) return { number, usual: unescaped(usual ?? '') };
  const choices = (list.match(/(?:\\.|[^\\,])+/g) ?? []).map(unescaped);
  return { number, choices, ...(choices[0] === undefined ? {} : { usual: choices[0] }) };
}

export const stopsIn = (snippet: string): Stop[] => [...snippet.matchAll(syntaxOfStops)].map(stopOf);

/** The text after Tab was pressed through all stops, with another value at one of them. */
export function expand(snippet: string, written?: { readonly stop: string; readonly value: string }): string {
  const values = new Map<string, string>();
  let text = '';
  let end = 0;
  for (const match of snippet.matchAll(syntaxOfStops)) {
    const { number, usual } = stopOf(match);
    if (usual !== undefined) values.set(number, written?.stop === number ? written.value : usual);
    text += snippet.slice(end, match.index) + (values.get(number) ?? '');
    end = match.index + match[0].length;
  }
  return text + snippet.slice(end);
}

/** The text with usual values, and once with each value of each choice. */
export const expansions = (snippet: string): string[] => [
  expand(snippet),
  ...stopsIn(snippet).flatMap(({ number, choices = [] }) =>
    choices.map((value) => expand(snippet, { stop: number, value })),
  ),
];

/** Errors of a text, those alone that begin behind an offset. */
export async function errorsIn(text: string, from = 0): Promise<string[]> {
  const { checked } = await serviceInput(text);
  return (checked.problems.get(mainUri) ?? [])
    .filter(({ severity, start }) => severity === 'error' && start >= from)
    .map(({ message }) => `${message} In: ${text}`);
}
