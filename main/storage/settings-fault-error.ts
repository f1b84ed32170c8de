import { PosternError } from '../postern-error.ts';
import { readLastGood } from './last-good-settings.ts';
import type { SettingsFault } from './settings-document.ts';

/** CFG_CORRUPT with where the fault is, and whether there is a copy to go back to. */
export async function settingsFaultError(folder: string, { reason, place }: SettingsFault): Promise<PosternError> {
  const copy = (await readLastGood(folder)) ? { copy: 'kept' } : {};
  return new PosternError('CFG_CORRUPT', { stage: 'settings', detail: { reason, ...place, ...copy } });
}
