import { setTimeout as sleep } from 'node:timers/promises';
import { Client, SdkError, SdkHttpError, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client';
import type { ClientCapabilities } from '@modelcontextprotocol/client';
import type { ProtocolForm, ServerProtocol } from '../../../shared/integration.ts';
import type { UnusablePart } from '../../../shared/mcp-view.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { elicitation } from '../../limits.ts';
import { statelessRevision } from '../../oauth/http/mcp-request.ts';
import { BoundedTransport } from '../http/bounded-transport.ts';
import type { McpFetch } from '../http/mcp-endpoint.ts';
import { withOlderSessionRevisions } from '../http/older-revisions.ts';
import type { VerbatimOptions } from '../messages/exact-json.ts';
import { clientInfo } from './opening-requests.ts';
import { ServerQuestions } from './server-questions.ts';
import type { Tool } from './call-tool.ts';

/** A connection to an MCP server, over either protocol revision. */
export interface McpConnection extends Pick<
  OpenMcpClient,
  'client' | 'questions' | 'questionsReady' | 'watchChanges' | 'isPartial' | 'unusableParts' | 'discard'
> {
  /** The server's protocol; stored, so that the next connection needs no probe. */
  readonly protocol: ServerProtocol;
  /** For a pooled connection: the tools listed last, at a monotonic time in milliseconds. */
  readonly lastListing?: ToolListing | undefined;
  readonly saveListing?: (listed: ToolListing) => void;
  close(): Promise<void>;
}

export interface ToolListing {
  readonly tools: readonly Tool[];
  readonly at: number;
}

export interface McpConnectionOptions extends McpAddress {
  /** From the last connection. A server that has changed since then is probed again. */
  readonly protocol: ProtocolForm | undefined;
  readonly signal: AbortSignal;
}

/**
 * Connects on the protocol form that the server speaks: 2026-07-28 without a session, or `initialize` (2025-11-25 and
 * older).
 */
export async function connectMcp({ protocol, signal, ...address }: McpConnectionOptions): Promise<McpConnection> {
  if (protocol === undefined) return toConnection(await openEitherProtocol(address, signal));
  try {
    return toConnection(await openMcpClient(address, protocol, signal));
  } catch (error) {
    const mayBeStateless = protocol === 'session' && error instanceof SdkHttpError && error.data.status < 500;
    if (!mayBeStateless) throw error;
    return toConnection(await openMcpClient(address, 'stateless', signal));
  }
}

/**
 * Tries both protocol forms in parallel, since the requests are independent, and uses the stateless one if both
 * succeed. That happens once per server: its protocol form is stored.
 */
async function openEitherProtocol(address: McpAddress, signal: AbortSignal): Promise<OpenMcpClient> {
  const sessionClient = openMcpClient(address, 'session', signal);
  sessionClient.catch(() => {});
  let refusal: unknown;
  try {
    const statelessClient = await openMcpClient(address, 'stateless-only', signal);
    // Its `initialize` may have started a session we do not need.
    void sessionClient.then((opened) => opened.discard()).catch(() => {});
    return statelessClient;
  } catch (error) {
    refusal = error;
  }
  try {
    return await sessionClient;
  } catch (error) {
    // An error of our own fetch (a refusal, no route) is more precise than the library's.
    throw !(error instanceof PosternError) && refusal instanceof PosternError ? refusal : error;
  }
}

function toConnection(opened: OpenMcpClient): McpConnection {
  const { client } = opened;
  return {
    ...opened,
    protocol: client.getProtocolEra() === 'modern' ? 'stateless' : 'session',
    close: () => client.close(),
  };
}

/** Address of a server, and the fetch to use. */
export interface McpAddress {
  readonly url: CheckedAddress;
  readonly fetch: McpFetch;
  /** Our client capabilities; default none. */
  readonly capabilities?: ClientCapabilities;
  readonly verbatim?: VerbatimOptions | undefined;
}

export interface OpenMcpClient {
  readonly client: Client;
  /** The server's questions and log messages. */
  readonly questions: ServerQuestions;
  /** Resolves once questions can arrive, or after a timeout. A call waits for it. */
  readonly questionsReady: Promise<unknown> | undefined;
  /**
   * Starts passing change notifications to the client. Returns the end of the stream that a session-based server sends
   * them on; `undefined` if there is none. Errors: those of opening it.
   */
  watchChanges(): Promise<{ readonly ended: Promise<void> } | undefined>;
  /**
   * Whether entries of the latest listing by `method` (such as `tools/list`) were left out because they were too many
   * or nested too deeply.
   */
  isPartial(method: string): boolean;
  /** Unusable parts of the latest response to this method; for a listing, of all its pages. */
  unusableParts(method: string): readonly UnusablePart[];
  /** Closes the client, ending its session first if possible (MCP 2025-11-25, session management 5). */
  discard(): Promise<void>;
}

/** `stateless` falls back to `initialize`, `stateless-only` does not. */
export type ClientHandshake = 'session' | 'stateless' | 'stateless-only';

/** Opens the official client over streamable HTTP. Errors: the library's, and what `fetch` throws. */
export async function openMcpClient(
  { url, fetch, capabilities = {}, verbatim }: McpAddress,
  handshake: ClientHandshake,
  signal: AbortSignal,
): Promise<OpenMcpClient> {
  const mode = handshake === 'stateless-only' ? { pin: statelessRevision } : 'auto';
  const client = new Client(clientInfo, {
    capabilities,
    versionNegotiation: { mode },
    supportedProtocolVersions: [
      statelessRevision,
      ...SUPPORTED_PROTOCOL_VERSIONS.filter((each) => each < statelessRevision),
    ],
  });
  const questions = new ServerQuestions();
  client.setNotificationHandler('notifications/message', ({ params }) => questions.log(params));
  if (capabilities.elicitation) {
    client.setRequestHandler('elicitation/create', ({ params }) => questions.answer(params));
    client.setNotificationHandler('notifications/elicitation/complete', ({ params }) =>
      questions.complete(params.elicitationId),
    );
  }
  const transport = new BoundedTransport(url, { fetch: withOlderSessionRevisions(fetch), verbatim });
  try {
    await client.connect(transport, { signal, ...(handshake === 'session' && { prior: { kind: 'legacy' as const } }) });
  } catch (error) {
    await client.close().catch(() => {});
    throw unwrap(error);
  }
  // SDK servers drop questions while that stream is not open, and the tool waits forever.
  const canElicit = capabilities.elicitation !== undefined;
  const questionsReady = canElicit
    ? Promise.race([transport.listeningStream.opened.catch(() => {}), pause(elicitation.streamOpening, signal)])
    : undefined;
  return {
    client,
    questions,
    questionsReady,
    async watchChanges() {
      transport.wantsChanges = true;
      transport.listeningStream.reopen();
      // Some servers send the header of that stream only with its first message.
      const timedOut = pause(elicitation.streamOpening, signal).then(() => true);
      const isOpen = await Promise.race([transport.listeningStream.opened, timedOut]);
      return isOpen ? { ended: transport.listeningStream.ended } : undefined;
    },
    isPartial: (method) => transport.isPartial(method),
    unusableParts: (method) => transport.unusableParts(method),
    async discard() {
      await transport.endSession().catch(() => {});
      await client.close();
    },
  };
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {});
}

/** The library wraps the failure of its opening request in the stateless protocol; our other errors pass through. */
function unwrap(error: unknown): unknown {
  return error instanceof SdkError && error.cause instanceof PosternError ? error.cause : error;
}
