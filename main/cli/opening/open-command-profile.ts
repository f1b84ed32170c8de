import { isSameError } from '../../../shared/error-traits.ts';
import { readDetail } from '../../errors/postern-error.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import { profileEnvironment } from '../../host/installation.ts';
import { openProfile } from '../../host/open-profile.ts';
import type { Profile } from '../../host/open-profile.ts';
import type { EndedStatus } from '../../stored-status.ts';
import { makeProfileFolder } from '../../storage/profile/profile-folder.ts';
import type { CommandContext } from '../command-context.ts';
import { optionValue } from '../options/parse-arguments.ts';
import { toCommandError } from '../output/describe-error.ts';
import { printable } from '../text.ts';

/** Implements `openProfile` of the context. `sharedFolder`: the profile of the process that runs this command. */
export async function openCommandProfile(
  context: Pick<CommandContext, 'args' | 'installation' | 'logTo'> & NoticeContext,
  sharedFolder: string | undefined,
): Promise<Profile> {
  const surroundings = profileEnvironment(context.installation);
  const folder = optionValue(context.args, 'profile-folder') ?? sharedFolder;
  const env = folder === undefined ? surroundings.env : { ...surroundings.env, POSTERN_HOME: folder };
  const profile = openProfile(makeProfileFolder({ ...surroundings, env }));
  context.logTo(profile.log);
  reportNotices(context, () => profile.store.notices());
  return profile;
}

type NoticeContext = Pick<CommandContext, 'output' | 'beforeResult' | 'adviceContext'>;

/** Reports problems in the settings file before the last line. */
export function reportNotices(
  { output, beforeResult, adviceContext }: NoticeContext,
  notices: () => readonly PosternError[],
): void {
  beforeResult((failure) => {
    for (const notice of notices()) {
      if (isSameError(notice, failure)) continue;
      const { code, message, nextStep } = toCommandError(notice, adviceContext());
      output.event('notice', { code, ...readDetail(notice), message, nextStep });
      output.notify(printable(`${message} ${output.advise(nextStep)}`));
    }
  });
}

/** Local servers that do not start on their own, such as stopped ones. Never rejects. */
export async function readEndedStatuses(folder: string): Promise<ReadonlyMap<string, EndedStatus>> {
  const { readEndedServers } = await import('../../host/gateway/ended-servers.ts');
  return await readEndedServers(folder);
}
