import { summariseServices } from '../../engine/leave/delete-everything.ts';
import type { Deleted } from '../../engine/leave/delete-everything.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { programsHere } from '../../host/programs/open-programs.ts';
import { removeEverything } from '../../operations/servers.ts';
import { terminalSurface } from '../asking/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandEngine } from '../opening/open-command-engine.ts';
import { UsageError } from '../options/parse-arguments.ts';
import type { Answer } from '../output/output.ts';
import { removalScope } from '../programs/confirm-changes.ts';
import { openEnginePrograms } from '../programs/open-command-programs.ts';

/**
 * `postern remove --all`: deletes all that Postern keeps on this computer. What was done is said also where something
 * stayed. Errors: USAGE where nobody can be asked, USER_CANCELLED, KC_*, CFG_*.
 */
export async function removeAll(context: CommandContext): Promise<Answer> {
  const { args, output, signal } = context;
  if (!args.options.has('yes') && !context.canAsk)
    throw new UsageError('Nobody can be asked here: say --yes to delete everything.', 'remove');
  const engine = await openCommandEngine(context);
  const { ports, folder, collections } = engine;
  const { locks, vault } = ports;
  // Opening these reads no settings, which may be damaged.
  const programs = programsHere({ folder, locks, vault, records: engine.programs });
  const openPrograms = async () => await openEnginePrograms(context, engine);
  const all = await removeEverything(
    {
      ...terminalSurface(context),
      ...removalScope(context, { ports, collections, programs, openPrograms }),
      ports,
      access: { signal },
      alone: async (work) => await work(await engine.kept()),
      onForgotten: () => {},
    },
    {},
  );
  if (!all) throw new PosternError('USER_CANCELLED', { stage: 'app', detail: { work: 'deletion' } });
  const { failure, ...deleted } = all;
  const sentences = describeDeleted({ ...deleted, ...(failure && { failure }) });
  if (!failure) return { fields: { removed: deleted }, text: sentences.join('\n') };
  output.event('removed', { ...deleted });
  for (const sentence of sentences) output.tell(sentence);
  throw failure;
}

/** What is gone from here, and what became of the access at the services, in numbers. */
function describeDeleted(deleted: Deleted): string[] {
  const { integrations, signIns, keychainEntries, failure } = deleted;
  const { ended, endsByItself, registrationsLeft } = summariseServices(deleted);
  const signInsGone = `${signIns} ${signIns === 1 ? 'sign-in' : 'sign-ins'}`;
  return [
    failure ? `${signInsGone} deleted here.` : `${signInsGone} removed from the keychain.`,
    ...(signIns === 0 && keychainEntries > 0 ? ['The key that was left there is gone.'] : []),
    ...(integrations > 0 ? [`${integrations} ${integrations === 1 ? 'server' : 'servers'} taken off the list.`] : []),
    ...(failure ? [] : ['Settings and logs are deleted.']),
    ...(ended > 0 ? [`Sign-ins whose access the service has ended: ${ended}.`] : []),
    ...(endsByItself > 0
      ? [`Sign-ins whose access ends by itself, since the service could not be told: ${endsByItself}.`]
      : []),
    ...(registrationsLeft > 0 ? [`Registrations that stay at the services, unused: ${registrationsLeft}.`] : []),
  ];
}
