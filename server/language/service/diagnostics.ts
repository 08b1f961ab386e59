import { DiagnosticSeverity, type Diagnostic, type DiagnosticRelatedInformation } from 'vscode-languageserver-types';
import { countOf, formatBytes, formatNumber, formatShare } from '../../model/quantities.ts';
import { improvementText, overloadOf } from '../../study/explain/words.ts';
import type { Failure } from '../../model/result.ts';
import { arrowText, changeOrAsBefore } from '../../model/words.ts';
import type { StudyProblem } from '../../study/program.ts';
import type { PlacementOutline, HotLinkOutline, SuggestedImprovementOutline } from '../../study/report.ts';
import type { CheckedProgram } from '../check.ts';
import type { ProblemCode } from '../codes.ts';
import { spanOfSubject } from '../subject.ts';
import type { Problem, Span } from '../tree.ts';
import { type ExperimentStanding, type ServiceInput, treeOf, rangeOf, locationOf } from './input.ts';
import { markAt, type Mark } from './marks.ts';
import { causesWords } from './words.ts';
import { namedBy } from './workspace.ts';

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
    ...[...(input.experiments ?? [])].flatMap(([name, standing]) => problemsOfExperiment(input, name, standing)),
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

/** Why an experiment cannot be run, or what may come of it, at its name. */
function problemsOfExperiment(input: ServiceInput, name: string, standing: ExperimentStanding): Problem[] {
  const { problem: failure, remarks = [] } = standing;
  const declared = input.checked.symbols.lookup('experiment', name);
  if (declared?.node.name === undefined || declared.uri !== input.uri) return [];
  const { start, end } = declared.node.name;
  const remarked = remarks.map(({ code, message, severity }) => ({ code, message, severity, start, end }));
  // What files and jobs lack is said where they stand.
  if (failure === undefined || isOfFile(failure) || isSaidElsewhere(input, failure)) return remarked;
  const severity = failure.code === 'not-evaluated-yet' ? 'information' : 'error';
  return [...remarked, { ...failure, severity, start, end }];
}

const isSaidElsewhere = ({ summary }: ServiceInput, { code, message }: Failure): boolean =>
  summary?.problems.some((problem) => problem.code === code && message.endsWith(problem.message)) === true;

const isOfFile = ({ code }: Failure): boolean =>
  /^(?:file-|not-a-file|not-text|outside-|bad-log|bad-fabric|bad-forwarding|bad-node|bad-stream)/.test(code);

/** At the placement's `map`, or at its name where it has none. */
export function problemsOfPlacement(input: ServiceInput, outline: PlacementOutline): Problem[] {
  const place = spanOfSubject(input.checked, { kind: 'placement', name: outline.name, property: 'map' });
  if (place?.uri !== input.uri) return [];
  const problems = [overloadProblem(outline, place.span), hotLinkProblem(input.checked, outline, place)];
  return problems.filter((problem) => problem !== undefined);
}

/** A warning where the queueing model has no steady state. */
function overloadProblem({ metrics }: PlacementOutline, { start, end }: Span): Problem | undefined {
  const overload = overloadOf(metrics);
  return overload && { ...overload, code: 'overloaded-server', severity: 'warning', start, end };
}

/** Task pairs that are named for the heaviest link. */
const shownFlows = 2;
/** A change that takes this share off the heaviest link of a placement, and adds no hop-bytes, is worth a warning. */
const leastLoadReduction = 0.05;

/**
 * What is said of a placement with hot links: one problem, at the place where it maps. Hot links alone are no fault
 * (the best of all mappings may have some), so it is an information; a warning only where one change of the mapping is
 * known to make the placement better, and then the change comes first.
 */
function hotLinkProblem(
  checked: CheckedProgram,
  outline: PlacementOutline,
  place: { readonly uri: string; readonly span: Span },
): Problem | undefined {
  const [heaviest] = outline.hotLinks;
  if (heaviest === undefined) return undefined;
  const change = reportedChange(outline);
  const what = `${hotLinkMessage(outline, heaviest)}${furtherHotLinks(outline.hotLinkCount - 1)}`;
  const related =
    change === undefined || change.isBetter
      ? []
      : [{ ...place, message: `Possible fix: ${improvementText(change.improvement)}.` }];
  return {
    start: place.span.start,
    end: place.span.end,
    severity: change?.isBetter === true ? 'warning' : 'information',
    code: 'hot-link',
    message: change?.isBetter === true ? `${betterWords(change.improvement)} ${what}` : what,
    related: [...relatedCauses(checked, outline, heaviest), ...related],
  };
}

/** The change of the mapping that the problem speaks of, and whether it is worth a warning. */
export function reportedChange(
  outline: PlacementOutline,
): { readonly improvement: SuggestedImprovementOutline; readonly isBetter: boolean } | undefined {
  const better = bestChange(outline);
  const improvement = better ?? outline.hotLinks[0]?.improvements[0];
  return improvement && { improvement, isBetter: better !== undefined };
}

/**
 * The change that lowers the heaviest link most of those worth a warning; of two that do the same, the fewer hop-bytes.
 */
function bestChange({ hotLinks }: PlacementOutline): SuggestedImprovementOutline | undefined {
  return hotLinks
    .flatMap(({ improvements }) => improvements)
    .filter(({ heaviestChange, hopBytesChange }) => heaviestChange <= -leastLoadReduction && hopBytesChange <= 0)
    .toSorted((a, b) => a.heaviestChange - b.heaviestChange || a.hopBytesChange - b.hopBytesChange)[0];
}

/** `Swap tasks 12 and 30 for a better placement: heaviest link −12 %, hop-bytes −2 %.` */
const betterWords = (improvement: SuggestedImprovementOutline): string =>
  `${changeSentence(improvement, 'for a better placement')}.`;

/** `Swap tasks 12 and 30 in the list: heaviest link −12 %, hop-bytes −2 %`; `where` stands behind the tasks. */
export const changeSentence = (
  { action, heaviestChange, hopBytesChange }: SuggestedImprovementOutline,
  where: string,
): string =>
  `${action.charAt(0).toUpperCase()}${action.slice(1)} ${where}: ` +
  `heaviest link ${changeOrAsBefore(heaviestChange)}, hop-bytes ${changeOrAsBefore(hopBytesChange)}`;

function hotLinkMessage(outline: PlacementOutline, link: HotLinkOutline): string {
  const times = `${formatNumber(link.timesMean)} times the mean of the used links`;
  const causes = causesWords(outline, link, shownFlows);
  const which = link.busyShare === undefined ? 'heaviest link' : 'link that works longest';
  const head = `The ${which}, ${arrowText(link.fromName, link.toName)}, carries ${formatBytes(link.load)}, ${times}`;
  return causes === '' ? `${head}.` : `${head}; ${causes}.`;
}

const furtherHotLinks = (count: number): string =>
  count <= 0 ? '' : ` ${countOf(count, 'more link')} ${count === 1 ? 'is' : 'are'} hot.`;

type RelatedPlace = NonNullable<Problem['related']>[number];

/** Jobs that are named for each hot link. */
const shownJobs = 3;
/** Task pairs that are named for each of them. */
const shownFlowsOfCauses = 3;

/**
 * The text behind a hot link: the jobs whose tasks send over it, those that send most first, and
 * what makes each of them send.
 */
function relatedCauses(checked: CheckedProgram, outline: PlacementOutline, link: HotLinkOutline): RelatedPlace[] {
  const jobs = link.jobs.toSorted((one, other) => other.bytes - one.bytes).slice(0, shownJobs);
  return jobs.flatMap(({ job, share }) => {
    const place = spanOfSubject(checked, { kind: 'job', name: job });
    if (place === undefined) return [];
    const own = { ...link, flows: link.flows.filter((flow) => flow.job === job) };
    const pairs = causesWords(outline, { ...own, flowCount: 0 }, shownFlowsOfCauses);
    const message = `Job ${job} sends ${formatShare(share)} of it${pairs === '' ? '' : `: ${pairs}`}.`;
    return [{ ...place, message }, ...relatedSource(checked, job, own)];
  });
}

/**
 * The entry of an inline table that the heaviest flow comes from, else the declared stencil or table, else the
 * property.
 */
function relatedSource(checked: CheckedProgram, job: string, link: HotLinkOutline): RelatedPlace[] {
  const properties = checked.symbols.lookup('job', job)?.node.properties ?? [];
  for (const property of ['stencil', 'table', 'pattern']) {
    const content = properties.find(({ word }) => word.text === property)?.content;
    if (content?.kind !== 'choice') continue;
    const name = content.choice.name.text;
    const declared = property === 'pattern' ? undefined : checked.symbols.lookup(property as 'stencil' | 'table', name);
    const place = spanOfSubject(checked, { kind: 'job', name: job, property });
    if (declared === undefined) return place === undefined ? [] : [{ ...place, message: sourceWords(property, name) }];
    const { uri, node } = declared;
    const [flow] = link.flows;
    const entry = node.entries.find(({ from, to }) => from.value === flow?.from && to.value === flow.to);
    if (entry !== undefined) return [{ uri, span: entry, message: 'Its largest flow is given here.' }];
    return [{ uri, span: node.name ?? node.keyword, message: sourceWords(property, name) }];
  }
  return [];
}

const sourceWords = (property: string, name: string): string => `Its tasks send as ${property} ${name} says.`;

/** What the problem names itself, and where the other one stands of two things that must not both be there. */
function relatedTo(input: ServiceInput, problem: Problem): DiagnosticRelatedInformation[] {
  const first = firstDeclared(input, problem);
  const places = [
    ...(problem.related ?? []),
    ...(first === undefined ? [] : [{ ...first, message: 'The first one is here.' }]),
  ];
  return places.flatMap(({ uri, span, message }) => {
    const location = locationOf(input, uri, span);
    return location === undefined ? [] : [{ location, message }];
  });
}

interface Place {
  readonly uri: string;
  readonly span: Span;
}

function firstDeclared(input: ServiceInput, problem: Problem): Place | undefined {
  const code = problem.code as ProblemCode;
  if (code !== 'duplicate-declaration' && code !== 'duplicate-property') return undefined;
  const mark = markAt(treeOf(input), problem.start);
  const first = mark && (code === 'duplicate-declaration' ? firstDeclaration(input, mark) : firstProperty(input, mark));
  return first;
}

function firstDeclaration({ checked }: ServiceInput, mark: Mark): Place | undefined {
  const named = namedBy(mark);
  const declared = named && checked.symbols.lookup(named.kind, named.name);
  return declared && { uri: declared.uri, span: declared.node.name ?? declared.node };
}

function firstProperty({ uri }: ServiceInput, mark: Mark): Place | undefined {
  if (mark.kind !== 'property') return undefined;
  const word = mark.property.word.text;
  const span = mark.declaration.properties.find((property) => property.word.text === word)?.word;
  return span && { uri, span };
}
