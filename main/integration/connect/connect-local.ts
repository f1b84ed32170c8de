import type { Integration } from '../../../shared/integration.ts';
import { aliasOf } from '../../../shared/integration-alias.ts';
import type { LocalCommand } from '../../../shared/local-command.ts';
import { localPlace } from '../../address/check-address.ts';
import { commandHash } from '../../command-hash.ts';
import type { Tool } from '../../mcp/client/use-tools.ts';
import { PosternError } from '../../postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { holdGreeting } from './hold-greeting.ts';
import { noteListed } from '../kept/note-tools.ts';
import { integrationLock } from '../kept/integration-lock.ts';
import { forgetCommand, saveCommand } from '../kept/local-consent.ts';
import type { LocalValues } from '../kept/local-consent.ts';
import { usualOptions } from '../kept/usual-options.ts';
import { openServer } from '../use/open-server.ts';
import { readTools } from '../use/use-server.ts';
import { withFreeName } from './with-free-name.ts';

export interface LocalRequest {
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
