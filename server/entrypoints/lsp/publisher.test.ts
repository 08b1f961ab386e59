import { beforeEach, describe, expect, it } from 'vitest';
import type { Connection, PublishDiagnosticsParams } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { fail, succeed } from '../../model/result.ts';
import { defaultStudySettings } from '../../study/report.ts';
import type { ReportsChanged } from '../../protocol/messages.ts';
import type { StudyAnswer } from '../workerMessages.ts';
import { Analyses } from './analyses.ts';
import { noProgress, Publisher } from './publisher.ts';
import { Studies } from './studies.ts';
import type { ComputingThreads } from './workerHandle.ts';

const main = 'file:///main.place';
const other = 'file:///other.place';
const machines = 'file:///machines.place';
const sound = 'import "machines.place"\njob j { tasks 4 pattern ring }\nplacement p { job j machine m }\n';
const machineText = 'machine m { topology torus 4 }\n';

/** A publisher over texts that a test writes, and all that it said. */
class WatchedPublisher {
  readonly texts = new Map<string, string>();
  readonly documents = new Map<string, TextDocument>();
  readonly diagnostics: PublishDiagnosticsParams[] = [];
  readonly reports: ReportsChanged[] = [];
  readonly answers: ((answer: StudyAnswer | Promise<never>) => void)[] = [];
  readonly analyses = new Analyses(
    (uri) => this.documents.get(uri),
    (uri) => {
      const text = this.documents.get(uri)?.getText() ?? this.texts.get(uri);
      return Promise.resolve(text === undefined ? fail('cannot-read', 'There is no such file.') : succeed(text));
    },
    () => undefined,
  );
  readonly studies = new Studies(
    {
      study: { send: () => new Promise<StudyAnswer>((done) => this.answers.push(done)) },
      forget: () => undefined,
    } as unknown as ComputingThreads,
    {
      analysisOf: (uri) => this.analyses.of(uri),
      settings: () => defaultStudySettings,
      allowedRoots: () => undefined,
      showProgress: () => noProgress,
      progressed: () => undefined,
      changed: () => undefined,
    },
  );
  readonly publisher = new Publisher(
    {
      sendDiagnostics: (parameters: PublishDiagnosticsParams) =>
        Promise.resolve(void this.diagnostics.push(parameters)),
      sendNotification: (_: unknown, message: ReportsChanged) => Promise.resolve(void this.reports.push(message)),
    } as unknown as Connection,
    {
      analyses: this.analyses,
      studies: this.studies,
      runs: { standingsOf: () => new Map() },
      isOpen: (uri) => this.documents.has(uri),
      usedElsewhere: () => undefined,
    },
  );

  write(uri: string, text: string, version = 1): void {
    this.documents.set(uri, TextDocument.create(uri, 'place', version, text));
    this.analyses.invalidate([...this.documents.keys()]);
  }

  close(uri: string): void {
    this.documents.delete(uri);
    this.analyses.forget(uri);
    this.publisher.close(uri);
  }

  /** Messages of the last diagnostics that were published for a file; undefined where there were none. */
  told(uri: string): readonly string[] | undefined {
    return this.diagnostics
      .findLast((published) => published.uri === uri)
      ?.diagnostics.map(({ message }) => (typeof message === 'string' ? message : message.value));
  }
}

let watched: WatchedPublisher;
beforeEach(() => {
  watched = new WatchedPublisher();
  watched.texts.set(machines, machineText);
});

describe('diagnostics', () => {
  it('of a burst of keystrokes are published once, for the last text', async () => {
    for (const version of [1, 2, 3]) {
      watched.write(main, `${sound}// ${version}\n`, version);
      watched.publisher.schedule(main);
    }
    await expect.poll(() => watched.diagnostics.length).toBeGreaterThan(0);
    expect(watched.diagnostics.filter(({ uri }) => uri === main)).toMatchObject([{ version: 3, diagnostics: [] }]);
  });

  it('of a document that was closed before its turn are not published', async () => {
    watched.write(main, 'job {');
    watched.publisher.schedule(main);
    watched.close(main);
    await new Promise((done) => setTimeout(done, 50));
    expect(watched.diagnostics).toEqual([{ uri: main, diagnostics: [] }]);
  });

  it('of an imported file stand there, and go with the last document that imports it', async () => {
    watched.texts.set(machines, 'machine m { topology torus 4 colour 3 }\n');
    for (const uri of [main, other]) watched.write(uri, sound);
    await watched.publisher.publish(main);
    await watched.publisher.publish(other);
    expect(watched.told(machines)).toHaveLength(1);
    watched.close(main);
    expect(watched.told(machines)).toHaveLength(1);
    watched.close(other);
    expect(watched.told(machines)).toEqual([]);
  });

  it('of an imported file that is open are its own', async () => {
    watched.texts.set(machines, 'machine m { topology torus 4 colour 3 }\n');
    watched.write(main, sound);
    await watched.publisher.publish(main);
    watched.write(machines, machineText);
    await watched.publisher.publish(machines);
    await watched.publisher.publish(main);
    expect(watched.told(machines)).toEqual([]);
  });

  it('begin with why the study did not end', async () => {
    watched.write(main, sound);
    watched.studies.order(main);
    await expect.poll(() => watched.answers.length).toBe(1);
    watched.answers[0]!(Promise.reject(new Error('The computing thread has died.')));
    await expect.poll(() => watched.studies.stateOf(main).failure).toBeDefined();
    await watched.publisher.publish(main);
    expect(watched.told(main)?.[0]).toMatch(
      /^The evaluation of this file stopped unexpectedly.*The computing thread has died\./s,
    );
  });
});

describe('the placements of a document', () => {
  it('are told once, and again when something about them has changed', async () => {
    watched.write(main, sound);
    await watched.publisher.publish(main);
    watched.write(main, `\n${sound}`, 2);
    await watched.publisher.publish(main);
    expect(watched.reports.map(({ placements }) => placements.map(({ name, state }) => [name, state]))).toEqual([
      [['p', 'missing']],
    ]);
    watched.write(main, sound.replace('placement p', 'placement q'), 3);
    await watched.publisher.publish(main);
    expect(watched.reports.at(-1)?.placements.map(({ name }) => name)).toEqual(['q']);
  });

  it.each([
    { what: 'the placement', text: sound.replace('machine m }', 'machine n }'), line: 2, uri: main },
    { what: 'its job', text: sound.replace('pattern ring', 'pattern ring ring'), line: 1, uri: main },
  ])('say what is in the way, and where: an error in $what', async ({ text, line, uri }) => {
    watched.write(main, text);
    const analysis = await watched.analyses.of(main);
    const { status, problem } = watched.publisher.standingOf(analysis!, 'p');
    expect(status).toMatchObject({ kind: 'failed' });
    expect(problem?.location).toMatchObject({ uri, range: { start: { line } } });
  });

  it('say what is in the way in another file', async () => {
    watched.texts.set(machines, 'machine m { topology torus 0 }\n');
    watched.write(main, sound);
    const analysis = await watched.analyses.of(main);
    const { problem } = watched.publisher.standingOf(analysis!, 'p');
    expect(problem?.location).toMatchObject({ uri: machines, range: { start: { line: 0 } } });
  });
});
