import type { PosternError } from '../../postern-error.ts';
import { LostRequest } from '../../request-error.ts';
import { stdioTransport } from '../../mcp/stdio/stdio-transport.ts';
import type { StdioTransport } from '../../mcp/stdio/stdio-transport.ts';
import type { LocalServers } from '../../local-ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { requireAllowed } from '../kept/local-consent.ts';
import { joinShared } from './shared-servers.ts';
import type { ServerAddress } from '../server-address.ts';

export type LocalServer = NonNullable<ServerAddress['local']>;

/**
 * A connection to a server on this computer, with a process of its own, or the one that all share. That it may be started is asked each time that
 * it is: a consent that is gone, or a command that has changed, starts nothing.
 */
export function localConnection(
  { vault, store, local, clock }: Pick<EnginePorts, 'vault' | 'store' | 'local' | 'clock'>,
  current: () => LocalServer,
): StdioTransport {
  return stdioTransport({
    clock,
    silent: () => silentServer(local, current()),
    async start(hearing, signal) {
      const { id, command } = current();
      const server = { id, read: async () => await requireAllowed({ vault, store }, current()) };
      return command.lifetime === 'shared'
        ? await joinShared(local, server, hearing, signal)
        : await local.start(server, hearing, signal);
    },
  });
}

/** Behind the proxy of a company `npx` and its like wait for code that never comes. */
export function silentServer(local: Pick<LocalServers, 'notGiven'>, { command }: LocalServer): PosternError {
  const missing = local.notGiven(command);
  const detail = { command: command.command, ...(missing.length > 0 && { missing: missing.join(', ') }) };
  const help = missing.length > 0 && { remedy: { kind: 'connect-command' } as const };
  return new LostRequest('LOCAL_SILENT', { stage: 'local', purpose: 'mcp', detail, ...help });
}
