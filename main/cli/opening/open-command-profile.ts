import { profileSurroundings } from '../../engine/installation.ts';
import { openProfile } from '../../engine/open-profile.ts';
import type { Profile } from '../../engine/open-profile.ts';
import { readDetail } from '../../error-detail.ts';
import { makeProfileFolder } from '../../storage/profile/profile-folder.ts';
import type { CommandContext } from '../command-context.ts';
import { optionValue } from '../options/option-values.ts';
import { toCommandError } from '../output/command-error.ts';
import { printable } from '../text/printable.ts';

/** The profile of this command, which also says what was found in its settings file. Errors: CFG_*. */
export async function openCommandProfile(context: CommandContext): Promise<Profile> {
  const { installation, output, onAnswer, logTo, situation } = context;
  const surroundings = profileSurroundings(installation);
  const folder = optionValue(context.args, 'profile-folder');
  const env = folder === undefined ? surroundings.env : { ...surroundings.env, POSTERN_HOME: folder };
  const profile = openProfile(await makeProfileFolder({ ...surroundings, env }));
  logTo(profile.log);
  onAnswer((failure) => {
    for (const notice of profile.store.notices()) {
      if (notice.code === failure) continue;
      const { code, message, nextStep } = toCommandError(notice, situation());
      output.event('notice', { code, ...readDetail(notice), message, nextStep });
      output.tell(printable(`${message} ${output.advise(nextStep)}`));
    }
  });
  return profile;
}
