import * as z from 'zod/mini';
import type { Integration } from '../../../shared/integration.ts';
import type { LocalCommand } from '../../../shared/local-command.ts';
import { commandBounds } from '../../../shared/command-display.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { UnsentRequest } from '../../errors/request-error.ts';
import { commandHash } from '../../local-ports.ts';
import type { RunnableServer } from '../../local-ports.ts';
import type { IntegrationStore, Vault, VaultKey } from '../../ports.ts';
import { isValueName, valueNames } from '../../secret.ts';
import type { EnginePorts } from '../engine-ports.ts';

/** Values of a command's variables, and its sealed arguments. */
export type LocalValues = Readonly<Record<string, string>>;

const recordSchema = z.object({
  /** False: it came from a list or file, and no user has reviewed it. */
  isAllowed: z.boolean(),
  values: z.record(z.string().check(z.refine(isValueName)), z.string().check(z.maxLength(32 * commandBounds.length))),
});

const environmentKey = (owner: string, command: LocalCommand): VaultKey => ({
  kind: 'environment',
  owner,
  command: commandHash(command),
});

/**
 * Stores a command's values and the user's consent. The record is sealed under the hash of everything that runs, so no
 * edit of the settings file creates a consent or transfers one to another command. Errors: KC_*, CFG_*.
 */
export async function saveCommand(
  vault: Vault,
  id: string,
  command: LocalCommand,
  { values, isAllowed }: { readonly values: LocalValues; readonly isAllowed: boolean },
): Promise<void> {
  await vault.write(environmentKey(id, command), { isAllowed, values });
}

/** Deletes a server's command records, except the one for `except`. Errors: KC_*, CFG_*. */
export async function deleteCommands(
  vault: Vault,
  id: string,
  { except }: { readonly except: LocalCommand | undefined },
): Promise<void> {
  const hash = except && commandHash(except);
  const keys = await vault.keysOf(id);
  await vault.delete(...keys.filter((key) => key.kind === 'environment' && key.command !== hash));
}

type StoredCommand = z.infer<typeof recordSchema>;

/** The record of exactly this command, allowed or not. Errors: KC_*, CFG_*. */
export async function readCommand(
  vault: Pick<Vault, 'read'>,
  id: string,
  command: LocalCommand,
): Promise<StoredCommand | undefined> {
  return recordSchema.safeParse(await vault.read(environmentKey(id, command))).data;
}

/** True if the user has allowed exactly this command and all its values are stored. */
export function mayRun(command: LocalCommand, stored: StoredCommand | undefined): boolean {
  return stored?.isAllowed === true && hasValues(command, stored.values);
}

/** True if no value is missing. */
export function hasValues(command: LocalCommand, values: LocalValues): boolean {
  return valueNames(command).every((name) => values[name] !== undefined);
}

type LocalEntry = Pick<Integration, 'id'> & { readonly command: LocalCommand };
type List = Pick<IntegrationStore, 'read' | 'update'>;

/** Records that the user has reviewed and allowed this command. Errors: KC_*, CFG_*. */
export async function allowCommand(
  { vault, store }: { readonly vault: Vault; readonly store: List },
  server: LocalEntry,
  values: LocalValues,
): Promise<void> {
  await saveCommand(vault, server.id, server.command, { values, isAllowed: true });
  await recordAllowed(store, server, true);
}

/**
 * Records in the list whether a command may run, for display without the vault; it does not itself allow anything. If
 * the list cannot be written, it stays as it was.
 */
export async function recordAllowed(store: List, { id, command }: LocalEntry, isAllowed: boolean): Promise<void> {
  const hash = commandHash(command);
  const isRecorded = ({ command: stored, allowedCommand }: Integration): boolean =>
    !stored || commandHash(stored) !== hash || allowedCommand === (isAllowed ? hash : undefined);
  try {
    const stored = await store.read(id);
    if (!stored || isRecorded(stored)) return;
    await store.update(id, ({ allowedCommand, ...entry }) =>
      isRecorded({ ...entry, allowedCommand })
        ? { ...entry, allowedCommand }
        : { ...entry, ...(isAllowed && { allowedCommand: hash }) },
    );
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
  }
}

/** The only way to get a `RunnableServer`. Errors: LOCAL_CONSENT, KC_*, CFG_*. */
export async function requireAllowed(
  { vault, store }: { readonly vault: () => Promise<Vault>; readonly store: List },
  { id, command }: LocalEntry,
): Promise<RunnableServer> {
  const stored = await readCommand(await vault(), id, command);
  const isAllowed = mayRun(command, stored);
  await recordAllowed(store, { id, command }, isAllowed);
  if (!stored || !isAllowed) throw new UnsentRequest('LOCAL_CONSENT', { stage: 'local' });
  const values = Object.fromEntries(valueNames(command).map((name) => [name, stored.values[name] ?? '']));
  return { id, command, values };
}

/**
 * Sets whether a local server's sessions share one process, from its next start on. The consent stays valid. Errors:
 * NOT_FOUND, CFG_*.
 */
export async function setLifetime({ store }: Pick<EnginePorts, 'store'>, id: string, isShared: boolean): Promise<void> {
  const updated = await store.update(id, (stored) => {
    if (!stored.command) return stored;
    return { ...stored, command: withLifetime(stored.command, isShared) };
  });
  if (!updated) throw new PosternError('NOT_FOUND', { stage: 'settings', detail: { count: 0 } });
}

export function withLifetime({ lifetime: _before, ...command }: LocalCommand, isShared: boolean): LocalCommand {
  return { ...command, ...(isShared && { lifetime: 'shared' as const }) };
}
