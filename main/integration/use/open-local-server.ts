import type { AsWritten } from '../../mcp/messages/as-written.ts';
import { askingCapabilities } from '../../mcp/client/first-question.ts';
import { EndedSession, isOfEndedSession } from '../../mcp/http/ended-session.ts';
import type { McpFetch } from '../../mcp/http/mcp-endpoint.ts';
import type { StdioTransport } from '../../mcp/stdio/stdio-transport.ts';
import { PosternError } from '../../postern-error.ts';
import { ServerError } from '../../server-error.ts';
import type { EnginePorts } from '../engine-ports.ts';
import type { ServerAddress } from '../server-address.ts';
import { localConnection, silentServer } from './local-connection.ts';
import type { LocalServer } from './local-connection.ts';
import type { OpenServer } from './opened-server.ts';

type Ports = Pick<EnginePorts, 'clock' | 'onGreeting' | 'vault' | 'store' | 'local'>;

/** A server on this computer: each connection has a process of its own, which ends with it. */
export function openLocalServer(
  ports: Ports,
  address: ServerAddress & { readonly local: LocalServer },
  { asks, asWritten }: { readonly asks: boolean; readonly asWritten?: AsWritten | undefined },
): OpenServer {
  const { url, local } = address;
  const host = local.command.command;
  let givenUp: AbortSignal | undefined;
  return {
    async connect(era, signal) {
      givenUp = signal;
      const transport = localConnection(ports, () => local);
      const fetch = tellingEnd(transport, host);
      const { connectMcp } = await import('../../mcp/client/connect-mcp.ts');
      const asking = { url, fetch, signal, capabilities: asks ? askingCapabilities : {}, asWritten };
      const known = era === 'modern' ? 'modern' : 'legacy';
      const other = era === 'modern' ? 'legacy' : 'modern';
      try {
        // One process is asked one thing after the other: some end at a word that they do not know, and nearly all of
        // them know `initialize`.
        const connection = await connectMcp({ ...asking, era: known }).catch(async (error: unknown) => {
          if (error instanceof PosternError || signal.aborted || !(await isAnswer(error))) throw error;
          return await connectMcp({ ...asking, era: other });
        });
        ports.onGreeting?.(address, connection.client.getServerVersion()?.icons);
        const close = async (): Promise<void> => {
          await connection.close().catch(() => {});
          await transport.close();
        };
        return { ...connection, close, discard: close };
      } catch (error) {
        await transport.close();
        throw error;
      }
    },
    async failure(thrown) {
      if (thrown instanceof PosternError) return thrown;
      if (givenUp?.aborted) return new PosternError('USER_CANCELLED', { stage: 'local' });
      const { isTimeout, readMcpFailure } = await import('../../mcp/http/mcp-failure.ts');
      return isTimeout(thrown) ? silentServer(ports.local, local) : ofCommand(readMcpFailure(thrown, host).error, host);
    },
  };
}

/** A command has no address that could be wrong: what helps is in its log. */
function ofCommand(error: PosternError, command: string): PosternError {
  if (!(error instanceof ServerError))
    return new PosternError('LOCAL_INVALID', { stage: 'local', cause: error.cause, detail: { command } });
  return error.with({ stage: 'local', blame: 'command', remedy: { kind: 'see-output' } });
}

/** Whether the server itself has said no, in a message. */
async function isAnswer(error: unknown): Promise<boolean> {
  const { isProtocolError } = await import('../../mcp/http/mcp-failure.ts');
  return isProtocolError(error);
}

/** The MCP library has no word for a session that has ended but an error that says nothing more. */
function tellingEnd({ fetch }: StdioTransport, host: string): McpFetch {
  return async (address, init) => {
    const response = await fetch(address, init);
    const session = init?.method === 'POST' ? new Headers(init.headers).get('mcp-session-id') : undefined;
    if (isOfEndedSession(response, session)) throw new EndedSession(host);
    return response;
  };
}
