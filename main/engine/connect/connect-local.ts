import { aliasOf } from '../../../shared/entry-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { LocalCommand } from '../../../shared/local-command.ts';
import { localPlace } from '../../address/check-address.ts';
import { displayPlace, displayText } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { commandHash } from '../../local-ports.ts';
import type { Tool } from '../../mcp/client/use-tools.ts';
import type { Vault } from '../../ports.ts';
import { valueNames } from '../../secret.ts';
import { usualOptions } from '../engine-ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { forgetCommand, readCommand, saveCommand } from '../kept/local-consent.ts';
import type { LocalValues } from '../kept/local-consent.ts';
import { integrationLock } from '../kept/stored-secrets.ts';
import { noteListed } from '../kept/tool-pins.ts';
import { openServer } from '../use/open-server.ts';
import { readTools } from '../use/use-server.ts';
import { holdGreeting, withFreeName } from './new-integration.ts';

interface LocalRequest {
  /** Of the integration, new or not. */
  readonly id: string;
  readonly name: string;
  /** A person has seen this, and has said yes to it. */
  readonly command: LocalCommand;
  readonly values: LocalValues;
  /** The one that gets this command. */
  readonly again: Integration | undefined;
}

/**
 * Connects a server on this computer: starts it, lists its tools, and keeps it only when that worked. Errors: LOCAL_*,
 * MCP_FAILED, NOT_FOUND when it was removed meanwhile, KC_*, CFG_*; then nothing is left behind.
 */
export async function connectLocal(
  ports: EnginePorts,
  { id, name, command, values, again }: LocalRequest,
  signal: AbortSignal,
): Promise<{ readonly integration: Integration; readonly tools: readonly Tool[] }> {
  const vault = await ports.vault();
  await vault.ready();
  const before = again?.command;
  const url = again ? localPlace(again.alias ?? aliasOf(again.name)) : localPlace(aliasOf(name));
  // Beside what is kept for the earlier command, which is deleted only once this one works.
  await saveCommand(vault, id, command, { values, isAllowed: true });
  const { onGreeting, added } = holdGreeting(ports);
  try {
    const server = openServer({ ...ports, onGreeting }, { url, options: usualOptions, local: { id, command } }, nobody);
    const { tools, era } = await readTools(server, undefined, signal);
    const install = async (freeName: string): Promise<Integration> =>
      await ports.locks.hold(integrationLock(id), async () => {
        // Removed while it was started: that was the person's last word.
        if (again && !(await ports.store.read(id))) throw new PosternError('NOT_FOUND', { stage: 'install' });
        const createdAt = again?.createdAt ?? ports.clock.now();
        const entry = { id, name: freeName, url, command, method: 'NoAuth', state: 'integrated', createdAt } as const;
        const allowedCommand = commandHash(command);
        const written = await ports.store.write({
          ...(again?.alias !== undefined && { alias: again.alias }),
          ...entry,
          allowedCommand,
          notes: [],
          era,
          options: usualOptions,
        });
        const place = localPlace(written.alias ?? '');
        if (place === written.url) return written;
        return (await ports.store.update(id, (kept) => ({ ...kept, url: place }))) ?? written;
      });
    const integration = await (again
      ? install(again.name)
      : withFreeName(ports, { name, url, takesNameOf: undefined }, install));
    if (before) await forgetCommand(vault, id, { but: command });
    added();
    await noteListed(ports, integration, tools);
    return { integration, tools };
  } catch (error) {
    await forgetCommand(vault, id, { but: before });
    throw error;
  }
}

/** A process is sent no credential. */
const nobody = { current: async () => undefined, renew: async () => undefined };

/** The server on this computer that has this name, which gets another command. Errors: NAME_TAKEN, CFG_*. */
export async function findLocalBefore(
  { store }: Pick<EnginePorts, 'store'>,
  name: string,
): Promise<Integration | undefined> {
  const existing = (await store.list()).find((one) => one.name === displayText(name));
  if (!existing || existing.command) return existing;
  const place = displayPlace(new URL(existing.url)).slice(0, 200);
  throw new PosternError('NAME_TAKEN', { stage: 'address', detail: { name: existing.name, place } });
}

interface ListedRequest {
  readonly name: string;
  readonly command: LocalCommand;
  readonly values: LocalValues;
}

/**
 * Puts a server on this computer on the list as another list has it: its values in the vault, and nothing of it started
 * before a person has allowed the command. Errors: KC_*, CFG_*; then nothing is left behind.
 */
export async function listLocal(
  ports: Pick<EnginePorts, 'vault' | 'store' | 'locks' | 'clock'>,
  { name, command, values }: ListedRequest,
): Promise<Integration> {
  const vault = await ports.vault();
  const id = crypto.randomUUID();
  await saveCommand(vault, id, command, { values, isAllowed: false });
  try {
    return await withFreeName(ports, { name, url: localPlace(aliasOf(name)) }, async (freeName) => {
      const entry = { id, name: freeName, command, method: 'NoAuth', state: 'integrated' } as const;
      const address = { url: localPlace(aliasOf(freeName)), createdAt: ports.clock.now(), notes: [] };
      const written = await ports.store.write({ ...entry, ...address, options: usualOptions });
      const url = localPlace(written.alias ?? '');
      return url === written.url ? written : ((await ports.store.update(id, (kept) => ({ ...kept, url }))) ?? written);
    });
  } catch (error) {
    await forgetCommand(vault, id, { but: undefined });
    throw error;
  }
}

/** One that runs exactly this already, with the same values. */
interface SameCommand {
  readonly integration: Integration;
  readonly isAllowed: boolean;
}

/** Servers of a list by the hash of their command, then by their values, which are read once. */
export type CommandIndex = Map<string, SameCommands>;

interface SameCommands {
  readonly unread: Integration[];
  readonly byValues: Map<string, SameCommand>;
}

export function indexCommands(list: readonly Integration[]): CommandIndex {
  const index: CommandIndex = new Map();
  for (const integration of list) if (integration.command) indexCommand(index, integration, integration.command);
  return index;
}

export function indexCommand(index: CommandIndex, integration: Integration, command: LocalCommand): void {
  const hash = commandHash(command);
  const same = index.get(hash);
  if (same) same.unread.push(integration);
  else index.set(hash, { unread: [integration], byValues: new Map() });
}

/** Two entries that differ in a value alone, such as a key, are two servers. Errors: KC_*, CFG_*. */
export async function findSameCommand(
  vault: () => Promise<Pick<Vault, 'read'>>,
  { command, values }: Pick<ListedRequest, 'command' | 'values'>,
  index: CommandIndex,
): Promise<SameCommand | undefined> {
  const same = index.get(commandHash(command));
  if (!same) return undefined;
  const keyOf = (all: LocalValues): string => JSON.stringify(valueNames(command).map((name) => all[name] ?? null));
  for (const integration of same.unread.splice(0)) {
    const kept = await readCommand(await vault(), integration.id, command);
    if (!kept) continue;
    const key = keyOf(kept.values);
    if (!same.byValues.has(key)) same.byValues.set(key, { integration, isAllowed: kept.isAllowed });
  }
  return same.byValues.get(keyOf(values));
}
