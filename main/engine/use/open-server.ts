import type { ServerProtocol } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { ServerError } from '../../errors/request-error.ts';
import { deadline, passThrough, sessionEndGrace } from '../../limits.ts';
import type { McpConnection } from '../../mcp/client/connect-mcp.ts';
import { sendOpeningRequests, elicitationCapabilities } from '../../mcp/client/opening-requests.ts';
import { EndedSession, meansEndedSession } from '../../mcp/http/ended-session.ts';
import type { SessionEndDetector } from '../../mcp/http/ended-session.ts';
import type { McpFetch } from '../../mcp/http/mcp-endpoint.ts';
import { createMcpFetch } from '../../mcp/http/mcp-fetch.ts';
import type { CredentialSource } from '../../mcp/http/mcp-fetch.ts';
import type { VerbatimOptions } from '../../mcp/messages/exact-json.ts';
import { withSseFallback } from '../../mcp/sse/sse-transport.ts';
import type { SseFallback } from '../../mcp/sse/sse-transport.ts';
import type { StdioTransport } from '../../mcp/stdio/stdio-transport.ts';
import { sseTransportError, opensSseTransport, postRefusalStatuses } from '../../oauth/discovery/probe-response.ts';
import type { EnginePorts, ServerAddress } from '../engine-ports.ts';
import { judgeKeyFailure } from '../records/api-key.ts';
import { integrationPolicy } from '../records/integration-policy.ts';
import { invalidCommand, localConnection, silentServer } from './local-connection.ts';
import type { LocalServer } from './local-connection.ts';

type OpenServerPorts = Pick<EnginePorts, 'http' | 'clock' | 'onServerIcons' | 'vault' | 'store' | 'local'>;

export interface OpenServerOptions {
  /** A user is present whom the server may ask. */
  readonly canAskUser?: boolean;
  readonly verbatim?: VerbatimOptions | undefined;
  /** Session ends of earlier connections. */
  readonly sessionEnds?: SessionEndDetector;
}

/**
 * Opens a server lazily: the MCP library is loaded at the first connection, since loading takes longer than everything
 * else.
 */
export function openServer(
  ports: OpenServerPorts,
  integration: ServerAddress,
  credentials: CredentialSource,
  { canAskUser = false, verbatim, sessionEnds }: OpenServerOptions = {},
): OpenServer {
  const { local } = integration;
  if (local) return openLocalServer(ports, { ...integration, local }, { canAskUser, verbatim });
  const capabilities = canAskUser ? elicitationCapabilities : {};
  let abortSignal: AbortSignal | undefined;
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
    ...((verbatim?.texts ?? verbatim?.maxBytes) && { bounds: { deadline: deadline.mcpHeaders, limits: passThrough } }),
  });
  /** The open connection's transport. A server that once used streamable HTTP is not followed back to HTTP+SSE. */
  let either: SseFallback | undefined;
  /** The MCP library reports an ended session only as a generic error, so detect it here. */
  const fetch: McpFetch = async (address, init) => {
    const response = await (either?.fetch ?? send)(address, init);
    const sessionId = init?.method === 'POST' ? new Headers(init.headers).get('mcp-session-id') : undefined;
    if (!meansEndedSession(response, sessionId)) return response;
    await response.body?.cancel();
    const { host } = new URL(address);
    isEnded = true;
    throw new EndedSession(host);
  };
  /** True if a server that refuses the first POST opens the stream of MCP 2024-11-05 on a GET. */
  const usesSseTransport = async (status: number | undefined): Promise<boolean> => {
    if (status === undefined || !postRefusalStatuses.has(status)) return false;
    try {
      const headers = { accept: 'text/event-stream' };
      const signal = abortSignal ?? null;
      return await opensSseTransport(await fetch(integration.url, { method: 'GET', headers, signal }), ports.clock);
    } catch {
      // Only this check failed; the connection's own error is reported.
      return false;
    }
  };
  return {
    async connect(protocol, signal) {
      abortSignal = signal;
      const { url } = integration;
      if (integration.options.isIdentityProvider) {
        throw new PosternError('PROVIDER_ONLY', { stage: 'connection', detail: { host: new URL(url).host } });
      }
      const isSse = protocol === 'sse';
      const transport = withSseFallback({ fetch: send, clock: ports.clock, known: isSse ? 'sse' : 'unknown' });
      either = protocol === undefined || isSse ? transport : undefined;
      const initialProtocol = isSse ? 'session' : protocol;
      const opening = sendOpeningRequests(
        fetch,
        url,
        initialProtocol === undefined ? ['session', 'stateless'] : [initialProtocol],
        signal,
        capabilities,
      );
      // Loading the library blocks the thread, so the request has to be sent first.
      await Promise.race([sent.promise, opening.settled]);
      const { connectMcp } = await import('../../mcp/client/connect-mcp.ts');
      const connection = await connectMcp({
        url,
        fetch: opening.fetch,
        protocol: initialProtocol,
        signal,
        capabilities,
        verbatim,
      }).catch((error: unknown) => {
        transport.close();
        throw error;
      });
      connected = true;
      ports.onServerIcons?.(integration, connection.client.getServerVersion()?.icons);
      return {
        ...connection,
        protocol: transport.transport === 'sse' ? 'sse' : connection.protocol,
        async close() {
          const ended = signal.aborted || isEnded ? connection.close() : connection.discard();
          const closed = ended.finally(transport.close);
          if (signal.aborted || isEnded) return await closed;
          // With the response at hand, do not wait for the server to end its session or to reject that.
          closed.catch(() => {});
          const sentEnd = Promise.withResolvers<void>();
          onSent = sentEnd.resolve;
          const stop = ports.clock.after(sessionEndGrace, sentEnd.resolve);
          await Promise.race([sentEnd.promise, closed]).finally(stop);
        },
        discard: () => connection.discard().finally(transport.close),
      };
    },
    async failure(thrown) {
      if (thrown instanceof PosternError) return judgeKeyFailure(integration, { error: thrown });
      // The library reports an abort only as a timeout.
      if (abortSignal?.aborted) return new PosternError('USER_CANCELLED', { stage: 'connection' });
      const { readMcpFailure } = await import('../../mcp/http/mcp-failure.ts');
      const url = new URL(integration.url);
      const failure = readMcpFailure(thrown, url.host);
      const isSse = !connected && !either && (await usesSseTransport(failure.status));
      return isSse ? sseTransportError(integration.url, 'connection') : judgeKeyFailure(integration, failure);
    },
  };
}

type Ports = Pick<EnginePorts, 'clock' | 'onServerIcons' | 'vault' | 'store' | 'local'>;

/** A local server: each connection has a process of its own, which ends with it. */
function openLocalServer(
  ports: Ports,
  address: ServerAddress & { readonly local: LocalServer },
  { canAskUser, verbatim }: { readonly canAskUser: boolean; readonly verbatim?: VerbatimOptions | undefined },
): OpenServer {
  const { url, local } = address;
  const host = local.command.command;
  let abortSignal: AbortSignal | undefined;
  return {
    async connect(protocol, signal) {
      abortSignal = signal;
      const transport = localConnection(ports, () => local);
      const fetch = detectSessionEnd(transport, host);
      const { connectMcp } = await import('../../mcp/client/connect-mcp.ts');
      const connectOptions = { url, fetch, signal, capabilities: canAskUser ? elicitationCapabilities : {}, verbatim };
      const known = protocol === 'stateless' ? 'stateless' : 'session';
      const other = protocol === 'stateless' ? 'session' : 'stateless';
      try {
        // Try one protocol after the other: some processes exit on an unknown request, and nearly all know
        // `initialize`.
        const connection = await connectMcp({ ...connectOptions, protocol: known }).catch(async (error: unknown) => {
          if (error instanceof PosternError || signal.aborted || !(await isServerError(error))) throw error;
          return await connectMcp({ ...connectOptions, protocol: other });
        });
        ports.onServerIcons?.(address, connection.client.getServerVersion()?.icons);
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
      if (abortSignal?.aborted) return new PosternError('USER_CANCELLED', { stage: 'local' });
      const { isTimeout, readMcpFailure, InvalidResponse } = await import('../../mcp/http/mcp-failure.ts');
      if (isTimeout(thrown)) return silentServer(ports.local, local);
      const { error } = readMcpFailure(thrown, host);
      if (!(error instanceof ServerError))
        return invalidCommand(host, error, thrown instanceof InvalidResponse ? thrown.fault : undefined);
      // Blame the command, which has no address; its log helps.
      return error.with({ stage: 'local', blame: 'command', remedy: { kind: 'see-output' } });
    },
  };
}

/** True for an error response from the server itself. */
async function isServerError(error: unknown): Promise<boolean> {
  const { isProtocolError } = await import('../../mcp/http/mcp-failure.ts');
  return isProtocolError(error);
}

/** The MCP library reports an ended session only as a generic error. */
function detectSessionEnd({ fetch }: StdioTransport, host: string): McpFetch {
  return async (address, init) => {
    const response = await fetch(address, init);
    const session = init?.method === 'POST' ? new Headers(init.headers).get('mcp-session-id') : undefined;
    if (meansEndedSession(response, session)) throw new EndedSession(host);
    return response;
  };
}

/** A server as reached by one integration. */
export interface OpenServer {
  connect(protocol: ServerProtocol | undefined, signal: AbortSignal): Promise<McpConnection>;
  /** Converts whatever the MCP library threw into a typed error; a refusal by the server is a `RefusedRequest`. */
  failure(thrown: unknown): Promise<PosternError>;
}

/**
 * Runs `work` on a connection, and again on a new one if the server ended the session: it has not acted on a request
 * that it answered with 404 (MCP 2025-11-25, session management 3 and 4). `opening`: the first connection, if already
 * being opened. Errors: as `failure` converts what the MCP library and `work` throw; connection errors unconverted.
 */
export async function inSession<Result>(
  server: Pick<OpenServer, 'connect' | 'failure'>,
  protocol: ServerProtocol | undefined,
  signal: AbortSignal,
  work: (connection: McpConnection) => Promise<Result>,
  opening: Promise<McpConnection> = server.connect(protocol, signal),
): Promise<Result> {
  const connection = await opening;
  try {
    return await work(connection);
  } catch (error) {
    if (signal.aborted) throw error;
    const failure = await server.failure(error);
    if (!(failure instanceof EndedSession)) throw failure;
  } finally {
    await connection.close();
  }
  const reconnected = await server.connect(connection.protocol, signal);
  try {
    return await work(reconnected);
  } catch (error) {
    throw await server.failure(error);
  } finally {
    await reconnected.close();
  }
}
