import { describeError } from '../../../shared/error-catalogue.ts';
import { profileSurroundings } from '../../engine/installation.ts';
import { openProfile } from '../../engine/open-profile.ts';
import type { Profile } from '../../engine/open-profile.ts';
import { makeProfileFolder } from '../../storage/profile-folder.ts';
import type { CommandContext } from '../command-context.ts';
import { optionValue } from '../options/option-values.ts';
import { withNextStep } from '../output/command-error.ts';
import { printable } from '../printable.ts';

/** The profile of this command, which also says what was found in its settings file. Errors: CFG_*. */
export async function openCommandProfile(context: CommandContext): Promise<Profile> {
  const { installation, output, onAnswer, logTo, situation } = context;
  const surroundings = profileSurroundings(installation);
  const folder = optionValue(context.args, 'profile-folder');
  const env = folder === undefined ? surroundings.env : { ...surroundings.env, POSTERN_HOME: folder };
  const profile = openProfile(await makeProfileFolder({ ...surroundings, env }));
  logTo(profile.log);
  onAnswer((failure) => {
    for (const { code, detail } of profile.store.notices()) {
      if (code === failure) continue;
      const { message, nextStep } = withNextStep(describeError(code, detail), situation());
      output.event('notice', { code, ...detail, message, nextStep });
      output.say(printable(`${message} ${nextStep}`));
    }
  });
  return profile;
}
