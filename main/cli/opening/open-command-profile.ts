import { isSameError } from '../../../shared/error-facts.ts';
import { readDetail } from '../../errors/postern-error.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import { profileSurroundings } from '../../host/installation.ts';
import { openProfile } from '../../host/open-profile.ts';
import type { Profile } from '../../host/open-profile.ts';
import type { EndedStatus } from '../../kept-status.ts';
import { makeProfileFolder } from '../../storage/profile/profile-folder.ts';
import type { CommandContext } from '../command-context.ts';
import { optionValue } from '../options/parse-arguments.ts';
import { toCommandError } from '../output/describe-error.ts';
import { printable } from '../text.ts';

/** The profile of this command, which also says what was found in its settings file. Errors: CFG_*. */
export async function openCommandProfile(context: CommandContext): Promise<Profile> {
  const surroundings = profileSurroundings(context.installation);
  const folder = optionValue(context.args, 'profile-folder') ?? context.lent?.folder;
  const env = folder === undefined ? surroundings.env : { ...surroundings.env, POSTERN_HOME: folder };
  const profile = openProfile(await makeProfileFolder({ ...surroundings, env }));
  context.logTo(profile.log);
  tellNotices(context, () => profile.store.notices());
  return profile;
}

/** Says at the end what was found in the settings file. */
export function tellNotices(
  { output, onAnswer, situation }: CommandContext,
  notices: () => readonly PosternError[],
): void {
  onAnswer((failure) => {
    for (const notice of notices()) {
      if (isSameError(notice, failure)) continue;
      const { code, message, nextStep } = toCommandError(notice, situation());
      output.event('notice', { code, ...readDetail(notice), message, nextStep });
      output.tell(printable(`${message} ${output.advise(nextStep)}`));
    }
  });
}

/** Which servers on this computer are not started by themselves; loaded where there is one. Never rejects. */
export async function endedIn(folder: string): Promise<ReadonlyMap<string, EndedStatus>> {
  const { readEnded } = await import('../../host/gateway/ended-servers.ts');
  return await readEnded(folder);
}
