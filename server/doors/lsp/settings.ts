import { defaultStudySettings, type StudySettings } from '../../study/report.ts';

/** The settings of package.json that the server reads, checked. */
export interface ServerSettings {
  readonly study: StudySettings;
  /** When placements are worked out anew. Documents without a file always go by typing. */
  readonly runStudy: 'onSave' | 'afterTyping';
}

export const defaultServerSettings: ServerSettings = { study: defaultStudySettings, runStudy: 'onSave' };

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Reads the section `placewright` of an editor's settings; what is absent or unfit takes its default. */
export function settingsFrom(section: unknown): ServerSettings {
  if (!isObject(section)) return defaultServerSettings;
  const factor = section['hotLinkFactor'];
  const study = isObject(section['study']) ? section['study'] : {};
  const usable = typeof factor === 'number' && Number.isFinite(factor) && factor >= 1;
  return {
    study: { hotLinkFactor: usable ? factor : defaultStudySettings.hotLinkFactor },
    runStudy: study['run'] === 'afterTyping' ? 'afterTyping' : 'onSave',
  };
}
