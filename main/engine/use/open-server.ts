import type { WireEra } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { ServerError } from '../../errors/request-error.ts';
import { deadline, handedOn, sessionLeave } from '../../limits.ts';
import { askFirst, askingCapabilities } from '../../mcp/client/connect-mcp.ts';
import type { McpConnection } from '../../mcp/client/connect-mcp.ts';
import { EndedSession, isOfEndedSession } from '../../mcp/http/ended-session.ts';
import type { SessionEnds } from '../../mcp/http/ended-session.ts';
import type { McpFetch } from '../../mcp/http/mcp-endpoint.ts';
import { createMcpFetch } from '../../mcp/http/mcp-fetch.ts';
import type { CredentialSource } from '../../mcp/http/mcp-fetch.ts';
import type { AsWritten } from '../../mcp/messages/exact-json.ts';
import { eitherTransport } from '../../mcp/sse/old-transport.ts';
import type { EitherTransport } from '../../mcp/sse/old-transport.ts';
import type { StdioTransport } from '../../mcp/stdio/stdio-transport.ts';
import { oldTransport, opensOldTransport, refusalsOfPost } from '../../oauth/discovery/probe-answer.ts';
import type { EnginePorts, ServerAddress } from '../engine-ports.ts';
import { judgeKeyFailure } from '../kept/api-key.ts';
import { integrationPolicy } from '../kept/integration-policy.ts';
import { invalidCommand, localConnection, silentServer } from './local-connection.ts';
import type { LocalServer } from './local-connection.ts';

type OpenServerPorts = Pick<EnginePorts, 'http' | 'clock' | 'onGreeting' | 'vault' | 'store' | 'local'>;

export interface OpenServerOptions {
  /** A user waits whom the server may ask. */
  readonly asks?: boolean;
  readonly asWritten?: AsWritten | undefined;
  /** Long answers are handed on, also where no text is taken out of them. */
  readonly handsOn?: boolean;
  /** Of the connections to it before. */
  readonly sessionEnds?: SessionEnds;
}

/** The MCP library is loaded at the first connection: it takes longer than all the rest together. */
export function openServer(
  ports: OpenServerPorts,
  integration: ServerAddress,
  credentials: CredentialSource,
  { asks = false, asWritten, handsOn = asWritten?.texts !== undefined, sessionEnds }: OpenServerOptions = {},
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
    ...(handsOn && { bounds: { deadline: deadline.mcpHeaders, limits: handedOn } }),
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

type Ports = Pick<EnginePorts, 'clock' | 'onGreeting' | 'vault' | 'store' | 'local'>;

/** A server on this computer: each connection has a process of its own, which ends with it. */
function openLocalServer(
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
      const { isTimeout, readMcpFailure, WrongAnswer } = await import('../../mcp/http/mcp-failure.ts');
      if (isTimeout(thrown)) return silentServer(ports.local, local);
      const { error } = readMcpFailure(thrown, host);
      if (!(error instanceof ServerError))
        return invalidCommand(host, error, thrown instanceof WrongAnswer ? thrown.wrong : undefined);
      // A command has no address that could be wrong: what helps is in its log.
      return error.with({ stage: 'local', blame: 'command', remedy: { kind: 'see-output' } });
    },
  };
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

/** A server as one integration reaches it. */
export interface OpenServer {
  connect(era: WireEra | undefined, signal: AbortSignal): Promise<McpConnection>;
  /** The typed error behind whatever the MCP library threw: where the server refused it, a `RefusedRequest`. */
  failure(thrown: unknown): Promise<PosternError>;
}

/**
 * Runs `work` on a connection, and once more on a new one where the server has ended the session meanwhile: what it
 * answers 404 to it has not acted on (MCP 2025-11-25, session management 3 and 4). `opening`: the first connection,
 * where it is under way already. Errors: as `failure` reads what the MCP library and `work` throw,
 * and as they are those of connecting.
 */
export async function inSession<Result>(
  server: Pick<OpenServer, 'connect' | 'failure'>,
  era: WireEra | undefined,
  signal: AbortSignal,
  work: (connection: McpConnection) => Promise<Result>,
  opening: Promise<McpConnection> = server.connect(era, signal),
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
  const anew = await server.connect(connection.era, signal);
  try {
    return await work(anew);
  } catch (error) {
    throw await server.failure(error);
  } finally {
    await anew.close();
  }
}
