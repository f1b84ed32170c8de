import { isAbout } from '../../../shared/error-facts.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { makeChange } from '../../apps/make-change.ts';
import { filesWithAddresses, planNewPort } from '../../apps/plan/plan-new-port.ts';
import type { PlannedChange } from '../../apps/plan/planned-change.ts';
import type { CommandContext } from '../command-context.ts';
import { toCommandError } from '../output/command-error.ts';
import { changeFields, describeMade } from '../output/describe-change.ts';
import type { CommandPrograms } from './open-command-programs.ts';

/**
 * Entries that would lead to the earlier port. A file that cannot be read or changed is named, and stops nothing.
 * Errors: CFG_*.
 */
export async function planRenewals(
  { output, situation }: CommandContext,
  { engine, store }: Pick<CommandPrograms, 'engine' | 'store'>,
  port: number,
): Promise<readonly PlannedChange[]> {
  const integrations = await store.list();
  const planned: PlannedChange[] = [];
  for (const place of await filesWithAddresses(engine, integrations)) {
    try {
      const change = await planNewPort(engine, place, port);
      if (change.edits.length > 0) planned.push(change);
    } catch (error) {
      if (!(error instanceof PosternError) || !isAbout(error, 'app-file')) throw error;
      const { code, message } = toCommandError(error, situation());
      output.event('entry-unread', { program: place.program.id, path: place.file.path, code, message });
      output.tell(
        `${place.program.name} is left alone. ${message} An address of Postern in it keeps the port of before.`,
      );
    }
  }
  return planned;
}

/** Errors: those of `makeChange`. */
export async function makeRenewals(
  { output }: CommandContext,
  { engine }: CommandPrograms,
  planned: readonly PlannedChange[],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const changes: Readonly<Record<string, unknown>>[] = [];
  for (const change of planned) {
    const made = await makeChange(engine, change);
    changes.push(changeFields(change, made));
    output.tell(output.advise(describeMade(change, made)));
  }
  return changes;
}
