import { DiagnosticSeverity, type Diagnostic } from 'vscode-languageserver-types';
import type { PlacementOutline } from '../../study/report.ts';
import type { StudyProblem } from '../../study/program.ts';
import { spanOfSubject } from '../subject.ts';
import type { Problem } from '../tree.ts';
import { hotLinkProblem } from './diagnostics/hotLinks.ts';
import { relatedTo } from './diagnostics/related.ts';
import type { ServiceInput } from './input.ts';
import { rangeOf } from './ranges.ts';

/** Shown beside every message. */
export const diagnosticSource = 'placewright';

const severities: Record<Problem['severity'], DiagnosticSeverity> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
};

/**
 * Everything wrong with the file, in the order of its text: what the language found in it, and where
 * a study is given what that found. A caller with a study of an older text decides whether to pass it.
 */
export function diagnostics(input: ServiceInput): Diagnostic[] {
  const problems = [
    ...(input.checked.problems.get(input.uri) ?? []),
    ...(input.summary?.problems ?? []).flatMap((problem) => problemOfStudy(input, problem)),
    ...(input.summary?.placements ?? []).flatMap((outline) => problemsOfPlacement(input, outline)),
  ];
  return problems.toSorted((a, b) => a.start - b.start).map((problem) => diagnosticOf(input, problem));
}

export function diagnosticOf(input: ServiceInput, problem: Problem): Diagnostic {
  const relatedInformation = relatedTo(input, problem);
  return {
    range: rangeOf(input.document, problem),
    severity: severities[problem.severity],
    code: problem.code,
    source: diagnosticSource,
    message: problem.message,
    ...(relatedInformation.length === 0 ? {} : { relatedInformation }),
  };
}

/** At the property the study blames, where that stands in this file. */
function problemOfStudy(input: ServiceInput, problem: StudyProblem): Problem[] {
  const place = spanOfSubject(input.checked, problem.subject);
  const { severity, code, message } = problem;
  return place?.uri === input.uri ? [{ severity, code, message, start: place.span.start, end: place.span.end }] : [];
}

/** At the placement's `map`, or at its name where it has none. */
export function problemsOfPlacement(input: ServiceInput, outline: PlacementOutline): Problem[] {
  const place = spanOfSubject(input.checked, { kind: 'placement', name: outline.name, property: 'map' });
  const problem = place?.uri === input.uri ? hotLinkProblem(input.checked, outline, place) : undefined;
  return problem === undefined ? [] : [problem];
}
