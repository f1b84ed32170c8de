import { collectionNamed } from '../../../shared/collection-name.ts';
import { matchIntegrations } from '../../integration/kept/find-integration.ts';
import { planUnuse } from '../../programs/plan/plan-use.ts';
import type { PlannedChange } from '../../programs/plan/planned-change.ts';
import type { UsedServer } from '../../programs/used-server.ts';
import type { CommandContext } from '../command-context.ts';
import { confirmChanges } from '../programs/confirm-changes.ts';
import { namedPrograms } from '../programs/named-program.ts';
import { namedUsed } from '../programs/named-used.ts';
import { filesInProfile } from '../programs/files-in-profile.ts';
import { openCommandPrograms, type CommandPrograms } from '../programs/open-command-programs.ts';
import { UsageError } from '../options/usage-error.ts';
import type { Answer } from '../output/output.ts';
import { projectFolder, refuseProject } from './use.ts';

/** `postern unuse ID PROGRAM…`: takes the entries out. Errors: PROGRAM_*, USAGE, USER_CANCELLED, CFG_*. */
export async function unuse(context: CommandContext): Promise<Answer> {
  const { args } = context;
  const [reference = '', ...words] = args.positionals;
  const project = await projectFolder(args);
  const { engine, ...lists } = await openCommandPrograms(context);
  const programs = await namedPrograms(words, engine.records);
  for (const program of programs) refuseProject(program, project, 'unuse');
  const fileOf = await filesInProfile(engine, programs, args);
  const server = await findServer(lists, reference);
  const planned: PlannedChange[] = [];
  for (const program of programs)
    planned.push(await planUnuse(engine, program, [server], { project, file: fileOf(program) }));
  if (typeof server === 'string' && planned.every(({ edits }) => edits.length === 0))
    await namedUsed(lists, reference, 'unuse');
  return await confirmChanges(context, engine, planned);
}

/** Entries outlive the server that they lead to: then they are known by its alias or id. */
async function findServer(
  lists: Pick<CommandPrograms, 'store' | 'collections'>,
  reference: string,
): Promise<UsedServer | string> {
  if (collectionNamed(reference) !== undefined) {
    try {
      return await namedUsed(lists, reference, 'unuse');
    } catch (error) {
      // A collection is called in its entries what it was called here.
      if (error instanceof UsageError) return reference;
      throw error;
    }
  }
  const [only, ...others] = await matchIntegrations(lists.store, reference);
  return only && others.length === 0 ? only : reference;
}
