import { displayText } from '../address/display-text.ts';
import type { ErrorDetail } from '../postern-error.ts';
import { namedParts, type SettingsReading, type UnreadPart } from './settings-document.ts';

/** Something about the settings file that a person should be told: the words are those of the code, with its detail. */
export interface SettingsNotice {
  readonly code: 'CFG_PART_UNREAD' | 'CFG_NEWER';
  readonly detail: ErrorDetail;
}

/** One for each part that is left alone, the last of them with how many more there are. */
export function describeUnread(reading: Extract<SettingsReading, { state: 'read' }>): readonly SettingsNotice[] {
  const { unread, newer } = reading;
  if (newer) {
    const hidden = unread.filter(({ part }) => part === 'server').length;
    return [{ code: 'CFG_NEWER', detail: { hidden } }];
  }
  const others = unread.length - namedParts;
  return unread.slice(0, namedParts).map((part, index) => ({
    code: 'CFG_PART_UNREAD',
    detail: { ...detailOf(part), ...(index === namedParts - 1 && others > 0 && { others }) },
  }));
}

function detailOf({ part, name, place }: UnreadPart): ErrorDetail {
  return { part, name: displayText(name), ...place };
}
