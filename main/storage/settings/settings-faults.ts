import { displayText } from '../../address/display-text.ts';
import { type ErrorDetail, PosternError } from '../../postern-error.ts';
import { readLastGood } from './last-good-settings.ts';
import { namedParts, type SettingsFault, type SettingsReading, type UnreadPart } from './settings-document.ts';

/** CFG_CORRUPT with where the fault is, and whether there is a copy to go back to. */
export async function settingsFaultError(folder: string, { reason, place }: SettingsFault): Promise<PosternError> {
  const copy = (await readLastGood(folder)) !== undefined;
  const missing = reason === 'missing' || reason === 'no-list';
  return new PosternError('CFG_CORRUPT', {
    stage: 'settings',
    detail: { reason, ...place },
    remedy: { kind: 'mend-settings', missing, copy },
  });
}

/**
 * What a person should be told about the settings file: CFG_NEWER, or one CFG_PART_UNREAD for each part that is left
 * alone, the last of them with how many more there are.
 */
export function describeUnread(reading: Extract<SettingsReading, { state: 'read' }>): readonly PosternError[] {
  const { unread, newer } = reading;
  if (newer) {
    const hidden = unread.filter(({ part }) => part === 'server').length;
    return [new PosternError('CFG_NEWER', { stage: 'settings', detail: { hidden } })];
  }
  const others = unread.length - namedParts;
  return unread.slice(0, namedParts).map((part, index) => {
    const detail = { ...detailOf(part), ...(index === namedParts - 1 && others > 0 && { others }) };
    return new PosternError('CFG_PART_UNREAD', { stage: 'settings', detail });
  });
}

function detailOf({ part, name, place }: UnreadPart): ErrorDetail {
  return { part, name: displayText(name), ...place };
}
