/** Diagnostics as lines for people and as JSON: those that the editor shows. */
import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver-types';
import { diagnostics } from '../../language/service/diagnostics.ts';
import { documentOf, type ServiceInput } from '../../language/service/input.ts';
import type { StudyProblem } from '../../study/program.ts';
import type { StudySummary } from '../../study/report.ts';
import { displayName, type LoadedProgram } from './program.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

/** A diagnostic of one file of a program, as the editor would show it. */
export interface FileDiagnostic {
  readonly uri: string;
  readonly diagnostic: Diagnostic;
}

/** Everything the editor shows of a program's files: what the checker found, and the study and experiments where they were looked at. */
export function diagnosticsOf(
  loaded: Pick<LoadedProgram, 'sources' | 'checked'>,
  summary: StudySummary | undefined,
  experiments?: ServiceInput['experiments'],
): FileDiagnostic[] {
  const { sources, checked } = loaded;
  return [...sources.files.keys()].flatMap((uri) => {
    const document = documentOf(sources, uri);
    if (document === undefined) return [];
    return diagnostics({ uri, document, sources, checked, summary, experiments }).map((diagnostic) => ({
      uri,
      diagnostic,
    }));
  });
}

/** What was found of files when they were read, without what the checker says. */
export const diagnosticsOfProblems = (
  { sources, checked }: LoadedProgram,
  problems: readonly StudyProblem[],
): FileDiagnostic[] =>
  diagnosticsOf(
    { sources, checked: { ...checked, problems: new Map() } },
    { placements: [], machines: [], jobs: [], problems },
  );

const severityWords: Record<DiagnosticSeverity, string> = {
  [DiagnosticSeverity.Error]: 'error',
  [DiagnosticSeverity.Warning]: 'warning',
  [DiagnosticSeverity.Information]: 'information',
  [DiagnosticSeverity.Hint]: 'hint',
};
const severityOf = ({ severity }: Diagnostic): string => severityWords[severity ?? DiagnosticSeverity.Error];
export const diagnosticText = ({ message }: Diagnostic): string =>
  typeof message === 'string' ? message : message.value;

/** A diagnostic is one line, whatever a library put into its message. */
const withoutLineBreaks = (text: string): string => text.replace(/\s*[\r\n]+\s*/g, ' ');

/** Without the hot links, for commands whose output names them itself or is of something else. */
export const withoutHotLinks = (found: readonly FileDiagnostic[]): FileDiagnostic[] =>
  found.filter(({ diagnostic }) => diagnostic.code !== 'hot-link');

/** Without what is said of the whole file for information, where a single placement was asked for. */
export const withoutInformation = (found: readonly FileDiagnostic[]): FileDiagnostic[] =>
  found.filter(({ diagnostic }) => diagnostic.severity !== DiagnosticSeverity.Information);

/** Prints `file:line:column: error: message [code]`, counted from 1, as compilers do. */
export function printDiagnostics(found: readonly FileDiagnostic[], terminal: Terminal): void {
  for (const { uri, diagnostic } of found) {
    const { line, character } = diagnostic.range.start;
    const place = `${displayName(uri)}:${line + 1}:${character + 1}`;
    terminal.err(
      `${place}: ${severityOf(diagnostic)}: ${withoutLineBreaks(diagnosticText(diagnostic))} [${diagnostic.code ?? 'unknown'}]\n`,
    );
  }
}

/** `file:line:column` of a declaration, for what is found when it is run. */
export function declarationPlace(
  { sources, checked, uri }: LoadedProgram,
  kind: 'experiment' | 'placement',
  name: string,
): string {
  const declared = checked.symbols.lookup(kind, name);
  const document = declared && documentOf(sources, declared.uri);
  if (declared === undefined || document === undefined) return displayName(uri);
  const { node } = declared;
  const { line, character } = document.positionAt((node.name ?? node.keyword).start);
  return `${displayName(declared.uri)}:${line + 1}:${character + 1}`;
}

/** 1 where there is an error; warnings, hot links among them, are no errors. */
export const exitCodeFor = (found: readonly FileDiagnostic[]): ExitCode =>
  found.some(({ diagnostic }) => diagnostic.severity === DiagnosticSeverity.Error)
    ? exitCodes.fileHasErrors
    : exitCodes.good;

/** As `run --json` prints them; `file` stands only with those of imported files. */
export const diagnosticsToJson = (found: readonly FileDiagnostic[], rootUri: string): object[] =>
  found.map(({ uri, diagnostic }) => ({
    severity: severityOf(diagnostic),
    code: diagnostic.code,
    message: diagnosticText(diagnostic),
    range: diagnostic.range,
    ...(uri === rootUri ? {} : { file: displayName(uri) }),
  }));
