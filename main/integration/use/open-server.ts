import { EndedSession, isOfEndedSession, type SessionEnds } from '../../mcp/http/ended-session.ts';
import { askFirst, askingCapabilities } from '../../mcp/client/first-question.ts';
import type { McpFetch } from '../../mcp/http/mcp-endpoint.ts';
import { createMcpFetch } from '../../mcp/http/mcp-fetch.ts';
import type { CredentialSource } from '../../mcp/http/mcp-fetch.ts';
import { eitherTransport } from '../../mcp/sse/old-transport.ts';
import type { EitherTransport } from '../../mcp/sse/old-transport.ts';
import { oldTransport, opensOldTransport, refusalsOfPost } from '../../oauth/discovery/old-transport.ts';
import type { AsWritten } from '../../mcp/messages/as-written.ts';
import { handedOn, sessionLeave } from '../../mcp/use-bounds.ts';
import { deadline } from '../../limits.ts';
import { PosternError } from '../../postern-error.ts';
import { openLocalServer } from './open-local-server.ts';
import { judgeKeyFailure } from '../kept/api-key.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { integrationPolicy } from '../kept/integration-policy.ts';
import type { ServerAddress } from '../server-address.ts';
import type { OpenServer } from './opened-server.ts';

type OpenServerPorts = Pick<EnginePorts, 'http' | 'clock' | 'onGreeting' | 'vault' | 'store' | 'local'>;

interface OpenServerOptions {
  readonly asks?: boolean;
  readonly asWritten?: AsWritten | undefined;
  /** Of the connections to it before. */
  readonly sessionEnds?: SessionEnds;
}

/**
 * The MCP library is loaded at the first connection: it takes longer than all the rest together. `asks`: a person waits
 * whom the server may ask.
 */
export function openServer(
  ports: OpenServerPorts,
  integration: ServerAddress,
  credentials: CredentialSource,
  { asks = false, asWritten, sessionEnds }: OpenServerOptions = {},
): OpenServer {
  const { local } = integration;
  if (local) return openLocalServer(ports, { ...integration, local }, { asks, asWritten });
  const capabilities = asks ? askingCapabilities : {};
  let givenUp: AbortSignal | undefined;
  let connected = false;
  const sent = Promise.withResolvers<void>();
  let onSent = (): void => sent.resolve();
  let isEnded = false;
  const send = createMcpFetch({
    http: ports.http,
    clock: ports.clock,
    policy: integrationPolicy(integration.url, integration.options),
    credentials,
    onSent: () => onSent(),
    sessionEnds,
    ...(asWritten?.texts && { bounds: { deadline: deadline.mcpHeaders, limits: handedOn } }),
  });
  /** Of the connection that is open. One that has spoken the newer transport is not followed back to the old one. */
  let either: EitherTransport | undefined;
  /** The MCP library has no answer but an error that says nothing more. */
  const fetch: McpFetch = async (address, init) => {
    const response = await (either?.fetch ?? send)(address, init);
    const sessionId = init?.method === 'POST' ? new Headers(init.headers).get('mcp-session-id') : undefined;
    if (!isOfEndedSession(response, sessionId)) return response;
    await response.body?.cancel();
    const { host } = new URL(address);
    isEnded = true;
    throw new EndedSession(host);
  };
  /** A server that refuses the first POST now may open the stream of MCP 2024-11-05 to a GET. */
  const isOfOldTransport = async (status: number | undefined): Promise<boolean> => {
    if (status === undefined || !refusalsOfPost.has(status)) return false;
    try {
      const headers = { accept: 'text/event-stream' };
      const signal = givenUp ?? null;
      return await opensOldTransport(await fetch(integration.url, { method: 'GET', headers, signal }), ports.clock);
    } catch {
      // That question failed by itself; what is told is why the connection did.
      return false;
    }
  };
  return {
    async connect(era, signal) {
      givenUp = signal;
      const { url } = integration;
      if (integration.options.isIdentityProvider) {
        throw new PosternError('PROVIDER_ONLY', { stage: 'connection', detail: { host: new URL(url).host } });
      }
      const isOld = era === 'sse';
      const transport = eitherTransport({ fetch: send, clock: ports.clock, known: isOld ? 'old' : 'unknown' });
      either = era === undefined || isOld ? transport : undefined;
      const begun = isOld ? 'legacy' : era;
      const asked = askFirst(fetch, url, begun === undefined ? ['legacy', 'modern'] : [begun], signal, capabilities);
      // Loading the library holds the thread, so the question has to be on its way.
      await Promise.race([sent.promise, asked.settled]);
      const { connectMcp } = await import('../../mcp/client/connect-mcp.ts');
      const connection = await connectMcp({
        url,
        fetch: asked.fetch,
        era: begun,
        signal,
        capabilities,
        asWritten,
      }).catch((error: unknown) => {
        transport.close();
        throw error;
      });
      connected = true;
      ports.onGreeting?.(integration, connection.client.getServerVersion()?.icons);
      return {
        ...connection,
        era: transport.transport === 'old' ? 'sse' : connection.era,
        async close() {
          const ended = signal.aborted || isEnded ? connection.close() : connection.discard();
          const closed = ended.finally(transport.close);
          if (signal.aborted || isEnded) return await closed;
          // Whoever has the answer does not wait until the server has ended its session, or has said that it cannot.
          closed.catch(() => {});
          const handed = Promise.withResolvers<void>();
          onSent = handed.resolve;
          const stop = ports.clock.after(sessionLeave, handed.resolve);
          await Promise.race([handed.promise, closed]).finally(stop);
        },
        discard: () => connection.discard().finally(transport.close),
      };
    },
    async failure(thrown) {
      if (thrown instanceof PosternError) return judgeKeyFailure(integration, { error: thrown });
      // The library knows no other word for it than a time that has run out.
      if (givenUp?.aborted) return new PosternError('USER_CANCELLED', { stage: 'connection' });
      const { readMcpFailure } = await import('../../mcp/http/mcp-failure.ts');
      const url = new URL(integration.url);
      const failure = readMcpFailure(thrown, url.host);
      const isOld = !connected && !either && (await isOfOldTransport(failure.status));
      return isOld ? oldTransport(integration.url, 'connection') : judgeKeyFailure(integration, failure);
    },
  };
}
