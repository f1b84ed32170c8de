import type { Settings } from '../../../shared/settings.ts';
import { ActivityReader } from '../../storage/profile/activity-reader.ts';
import type { ProgramCheck } from './program-check.ts';

/** What is kept of the calls of programs, in words for a person. `folder`: of the profile. */
export async function checkActivity(folder: string, { activity }: Settings): Promise<ProgramCheck> {
  const { calls } = await new ActivityReader(folder).read();
  const kept = calls.length === 1 ? '1 call is kept' : `${calls.length} calls are kept`;
  const noted =
    activity === 'off'
      ? 'Calls of programs are not noted, as you have set it'
      : 'Postern notes which program calls what, never what is said';
  return { name: 'activity', ok: true, message: `${noted}; ${kept}.` };
}
