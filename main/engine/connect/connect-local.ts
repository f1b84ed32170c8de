import { aliasOf } from '../../../shared/entry-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { LocalCommand } from '../../../shared/local-command.ts';
import { localAddress } from '../../address/check-address.ts';
import { displayHostAndPort, displayText } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { commandHash } from '../../local-ports.ts';
import type { Tool } from '../../mcp/client/call-tool.ts';
import type { Vault } from '../../ports.ts';
import { valueNames } from '../../secret.ts';
import { defaultOptions } from '../engine-ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { deleteCommands, readCommand, saveCommand } from '../records/local-consent.ts';
import type { LocalValues } from '../records/local-consent.ts';
import { integrationLock } from '../records/stored-secrets.ts';
import { recordListedTools } from '../records/tool-pins.ts';
import { openServer } from '../use/open-server.ts';
import { readTools } from '../use/use-server.ts';
import { deferServerIcons, withFreeName } from './with-free-name.ts';

interface ConnectLocalRequest {
  /** The integration's ID, new or existing. */
  readonly id: string;
  readonly name: string;
  /** The command the user was shown and confirmed. */
  readonly command: LocalCommand;
  readonly values: LocalValues;
  /** The server that gets this command. */
  readonly existing: Integration | undefined;
}

/**
 * Connects a local server: starts it, lists its tools, and stores it only if that worked. Errors: LOCAL_*, MCP_FAILED,
 * NOT_FOUND when it was removed meanwhile, KC_*, CFG_*; then nothing is left behind.
 */
export async function connectLocal(
  ports: EnginePorts,
  { id, name, command, values, existing }: ConnectLocalRequest,
  signal: AbortSignal,
): Promise<{ readonly integration: Integration; readonly tools: readonly Tool[] }> {
  const vault = await ports.vault();
  await vault.ready();
  const previousCommand = existing?.command;
  const url = existing ? localAddress(existing.alias ?? aliasOf(existing.name)) : localAddress(aliasOf(name));
  // Stored beside the earlier command's record, which is deleted only once this one works.
  await saveCommand(vault, id, command, { values, isAllowed: true });
  const { onServerIcons, release } = deferServerIcons(ports);
  try {
    const server = openServer(
      { ...ports, onServerIcons },
      { url, options: defaultOptions, local: { id, command } },
      noCredentials,
    );
    const { tools, protocol } = await readTools(server, undefined, signal);
    const install = async (freeName: string): Promise<Integration> =>
      await ports.locks.hold(integrationLock(id), async () => {
        // The user removed it while it was starting: the removal wins.
        if (existing && !(await ports.store.read(id))) throw new PosternError('NOT_FOUND', { stage: 'install' });
        const createdAt = existing?.createdAt ?? ports.clock.now();
        const entry = { id, name: freeName, url, command, method: 'NoAuth', state: 'integrated', createdAt } as const;
        const allowedCommand = commandHash(command);
        const written = await ports.store.write({
          ...(existing?.alias !== undefined && { alias: existing.alias }),
          ...entry,
          allowedCommand,
          notes: [],
          protocol,
          options: defaultOptions,
        });
        const address = localAddress(written.alias ?? '');
        if (address === written.url) return written;
        return (await ports.store.update(id, (stored) => ({ ...stored, url: address }))) ?? written;
      });
    const integration = await (existing
      ? install(existing.name)
      : withFreeName(ports, { name, url, takesNameOf: undefined }, install));
    if (previousCommand) await deleteCommands(vault, id, { except: command });
    release();
    await recordListedTools(ports, integration, tools);
    return { integration, tools };
  } catch (error) {
    await deleteCommands(vault, id, { except: previousCommand });
    throw error;
  }
}

/** A process gets no credential. */
const noCredentials = { current: async () => undefined, renew: async () => undefined };

/** The local server with this name, whose command would be replaced. Errors: NAME_TAKEN, CFG_*. */
export async function findLocalByName(
  { store }: Pick<EnginePorts, 'store'>,
  name: string,
): Promise<Integration | undefined> {
  const existing = (await store.list()).find((each) => each.name === displayText(name));
  if (!existing || existing.command) return existing;
  const address = displayHostAndPort(new URL(existing.url)).slice(0, 200);
  throw new PosternError('NAME_TAKEN', { stage: 'address', detail: { name: existing.name, place: address } });
}

interface LocalImport {
  readonly name: string;
  readonly command: LocalCommand;
  readonly values: LocalValues;
}

/**
 * Adds a local server from another list: stores its values in the vault, but starts nothing before the user allows the
 * command. Errors: KC_*, CFG_*; then nothing is left behind.
 */
export async function importLocal(
  ports: Pick<EnginePorts, 'vault' | 'store' | 'locks' | 'clock'>,
  { name, command, values }: LocalImport,
): Promise<Integration> {
  const vault = await ports.vault();
  const id = crypto.randomUUID();
  await saveCommand(vault, id, command, { values, isAllowed: false });
  try {
    return await withFreeName(ports, { name, url: localAddress(aliasOf(name)) }, async (freeName) => {
      const entry = { id, name: freeName, command, method: 'NoAuth', state: 'integrated' } as const;
      const address = { url: localAddress(aliasOf(freeName)), createdAt: ports.clock.now(), notes: [] };
      const written = await ports.store.write({ ...entry, ...address, options: defaultOptions });
      const url = localAddress(written.alias ?? '');
      return url === written.url
        ? written
        : ((await ports.store.update(id, (stored) => ({ ...stored, url }))) ?? written);
    });
  } catch (error) {
    await deleteCommands(vault, id, { except: undefined });
    throw error;
  }
}

/** A server that runs exactly this command with the same values. */
interface SameCommand {
  readonly integration: Integration;
  readonly isAllowed: boolean;
}

/** Servers by the hash of their command, then by their values, which are read once. */
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

/** Entries that differ only in a value, such as a key, are two servers. Errors: KC_*, CFG_*. */
export async function findSameCommand(
  vault: () => Promise<Pick<Vault, 'read'>>,
  { command, values }: Pick<LocalImport, 'command' | 'values'>,
  index: CommandIndex,
): Promise<SameCommand | undefined> {
  const same = index.get(commandHash(command));
  if (!same) return undefined;
  const keyOf = (all: LocalValues): string => JSON.stringify(valueNames(command).map((name) => all[name] ?? null));
  for (const integration of same.unread.splice(0)) {
    const stored = await readCommand(await vault(), integration.id, command);
    if (!stored) continue;
    const key = keyOf(stored.values);
    if (!same.byValues.has(key)) same.byValues.set(key, { integration, isAllowed: stored.isAllowed });
  }
  return same.byValues.get(keyOf(values));
}
