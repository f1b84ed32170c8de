import * as z from 'zod/mini';
import type { Integration } from '../../../shared/integration.ts';
import type { LocalCommand } from '../../../shared/local-command.ts';
import { commandBounds } from '../../../shared/shown-command.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { UnsentRequest } from '../../errors/request-error.ts';
import { commandHash } from '../../local-ports.ts';
import type { RunnableServer } from '../../local-ports.ts';
import type { IntegrationStore, Vault, VaultKey } from '../../ports.ts';
import { isValueName, valueNames } from '../../secret.ts';
import type { EnginePorts } from '../engine-ports.ts';

/** Values of the variables that a command names, and its sealed arguments. */
export type LocalValues = Readonly<Record<string, string>>;

const recordSchema = z.object({
  /** False: it came from a list or a file, and nobody has looked at it yet. */
  isAllowed: z.boolean(),
  values: z.record(z.string().check(z.refine(isValueName)), z.string().check(z.maxLength(32 * commandBounds.length))),
});

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

type KeptCommand = z.infer<typeof recordSchema>;

/** What is kept for a command as it is now, allowed or not. Errors: KC_*, CFG_*. */
export async function readCommand(
  vault: Pick<Vault, 'read'>,
  id: string,
  command: LocalCommand,
): Promise<KeptCommand | undefined> {
  return recordSchema.safeParse(await vault.read(environmentKey(id, command))).data;
}

/** Whether it may run: a person has allowed it as it is now, and all its values are there. */
export function mayRun(command: LocalCommand, kept: KeptCommand | undefined): boolean {
  return kept?.isAllowed === true && hasValues(command, kept.values);
}

/** Whether nothing is missing that only whoever made the command knows. */
export function hasValues(command: LocalCommand, values: LocalValues): boolean {
  return valueNames(command).every((name) => values[name] !== undefined);
}

type Consented = Pick<Integration, 'id'> & { readonly command: LocalCommand };
type List = Pick<IntegrationStore, 'read' | 'update'>;

/** A person has looked at the command as it is now, and has allowed it. Errors: KC_*, CFG_*. */
export async function allowCommand(
  { vault, store }: { readonly vault: Vault; readonly store: List },
  server: Consented,
  values: LocalValues,
): Promise<void> {
  await saveCommand(vault, server.id, server.command, { values, isAllowed: true });
  await noteAllowed(store, server, true);
}

/**
 * Notes in the list whether a command may run, for whoever shows it without the vault. It lets nothing run. A list that
 * cannot be written goes on saying what was so before.
 */
export async function noteAllowed(store: List, { id, command }: Consented, isAllowed: boolean): Promise<void> {
  const hash = commandHash(command);
  const isSaid = ({ command: kept, allowedCommand }: Integration): boolean =>
    !kept || commandHash(kept) !== hash || allowedCommand === (isAllowed ? hash : undefined);
  try {
    const kept = await store.read(id);
    if (!kept || isSaid(kept)) return;
    await store.update(id, ({ allowedCommand, ...entry }) =>
      isSaid({ ...entry, allowedCommand })
        ? { ...entry, allowedCommand }
        : { ...entry, ...(isAllowed && { allowedCommand: hash }) },
    );
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
  }
}

/** The one thing that makes a server fit to be started. Errors: LOCAL_CONSENT, KC_*, CFG_*. */
export async function requireAllowed(
  { vault, store }: { readonly vault: () => Promise<Vault>; readonly store: List },
  { id, command }: Consented,
): Promise<RunnableServer> {
  const kept = await readCommand(await vault(), id, command);
  const isAllowed = mayRun(command, kept);
  await noteAllowed(store, { id, command }, isAllowed);
  if (!kept || !isAllowed) throw new UnsentRequest('LOCAL_CONSENT', { stage: 'local' });
  const values = Object.fromEntries(valueNames(command).map((name) => [name, kept.values[name] ?? '']));
  return { id, command, values };
}

/**
 * Whether the sessions of a server on this computer share one process, from the next one on that starts. What runs stays
 * what a person has allowed. Errors: NOT_FOUND, CFG_*.
 */
export async function setLifetime({ store }: Pick<EnginePorts, 'store'>, id: string, isShared: boolean): Promise<void> {
  const updated = await store.update(id, (kept) => {
    if (!kept.command) return kept;
    return { ...kept, command: withLifetime(kept.command, isShared) };
  });
  if (!updated) throw new PosternError('NOT_FOUND', { stage: 'settings', detail: { count: 0 } });
}

export function withLifetime({ lifetime: _before, ...command }: LocalCommand, isShared: boolean): LocalCommand {
  return { ...command, ...(isShared && { lifetime: 'shared' as const }) };
}
