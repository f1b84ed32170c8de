import { displayText } from '../../address/display-text.ts';
import { PosternError } from '../../postern-error.ts';
import type { ErrorDetail } from '../../postern-error.ts';
import { namedParts, type SettingsReading, type UnreadPart } from './settings-document.ts';

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
