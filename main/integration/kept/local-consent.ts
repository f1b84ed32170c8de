import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Integration } from '../../../shared/integration.ts';
import { commandBounds, variableName } from '../../../shared/local-command-bounds.ts';
import type { LocalCommand } from '../../../shared/local-command.ts';
import type { RunnableServer } from '../../local-ports.ts';
import type { Vault, VaultKey } from '../../ports.ts';
import { UnsentRequest } from '../../request-error.ts';

/** Values of the variables that a command names. */
export type LocalValues = Readonly<Record<string, string>>;

const recordSchema = z.object({
  /** False: it came from a list or a file, and nobody has looked at it yet. */
  isAllowed: z.boolean(),
  values: z.record(z.string().regex(variableName), z.string().max(32 * commandBounds.length)),
});

/** SHA-256 over everything that decides what runs, and not who shares it or where it came from. */
export function commandHash({ from: _from, lifetime: _lifetime, ...command }: LocalCommand): string {
  const { command: typed, path, arguments: words, folder = null, variables } = command;
  const text = JSON.stringify(['postern-command-1', typed, path, words, folder, variables]);
  return createHash('sha256').update(text).digest('hex');
}

const environmentKey = (owner: string, command: LocalCommand): VaultKey => ({
  kind: 'environment',
  owner,
  command: commandHash(command),
});

/**
 * Keeps the values of a command, and that a person has allowed it. The record is sealed under the hash of all that runs:
 * no edit of the settings file makes a consent, or carries one over to another command. Errors: KC_*, CFG_*.
 */
export async function saveCommand(
  vault: Vault,
  id: string,
  command: LocalCommand,
  { values, isAllowed }: { readonly values: LocalValues; readonly isAllowed: boolean },
): Promise<void> {
  await vault.write(environmentKey(id, command), { isAllowed, values });
}

/** Forgets what is kept of a server's commands, but of the one that goes on. Errors: KC_*, CFG_*. */
export async function forgetCommand(
  vault: Vault,
  id: string,
  { but }: { readonly but: LocalCommand | undefined },
): Promise<void> {
  const hash = but && commandHash(but);
  const keys = await vault.keysOf(id);
  await vault.delete(...keys.filter((key) => key.kind === 'environment' && key.command !== hash));
}

/** What is kept for a command as it is now, allowed or not. Errors: KC_*, CFG_*. */
export async function readCommand(
  vault: Vault,
  id: string,
  command: LocalCommand,
): Promise<z.infer<typeof recordSchema> | undefined> {
  return recordSchema.safeParse(await vault.read(environmentKey(id, command))).data;
}

/** The one thing that makes a server fit to be started. Errors: LOCAL_CONSENT, KC_*, CFG_*. */
export async function requireAllowed(
  vault: Vault,
  { id, command }: Pick<Integration, 'id'> & { readonly command: LocalCommand },
): Promise<RunnableServer> {
  const kept = await readCommand(vault, id, command);
  const isWhole = kept?.isAllowed === true && command.variables.every((name) => kept.values[name] !== undefined);
  if (!isWhole) throw new UnsentRequest('LOCAL_CONSENT', { stage: 'local' });
  const values = Object.fromEntries(command.variables.map((name) => [name, kept.values[name] ?? '']));
  return { id, command, values };
}
