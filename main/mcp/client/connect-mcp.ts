import { setTimeout as sleep } from 'node:timers/promises';
import { Client, SdkError, SdkHttpError, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client';
import type { ClientCapabilities } from '@modelcontextprotocol/client';
import type { Handshake, WireEra } from '../../../shared/integration.ts';
import type { UnusablePart } from '../../../shared/mcp-view.ts';
import { product } from '../../../shared/product.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { serverQuestion } from '../../limits.ts';
import { legacyVersion, modernVersion } from '../../oauth/wire/mcp-request.ts';
import { BoundedTransport } from '../http/bounded-transport.ts';
import type { McpFetch } from '../http/mcp-endpoint.ts';
import { withOlderRevisions } from '../http/older-revisions.ts';
import type { AsWritten } from '../messages/exact-json.ts';
import { ServerQuestions } from './server-questions.ts';
import type { Tool } from './use-tools.ts';

/** How Postern introduces itself to a server. */
export const implementation = { name: 'postern', title: 'Postern', version: product.version };
/** What we say of ourselves where a person can be asked (MCP 2025-11-25, elicitation, capabilities). */
export const askingCapabilities = { elicitation: { form: {}, url: {} } } as const;
const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

interface Question {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The request that opens a connection on either wire, byte for byte as the MCP library writes it. */
const firstQuestions = (capabilities: ClientCapabilities): Readonly<Record<Handshake, Question>> => ({
  legacy: {
    headers: json,
    body: JSON.stringify({
      method: 'initialize',
      params: { protocolVersion: legacyVersion, capabilities, clientInfo: implementation },
      jsonrpc: '2.0',
      id: 0,
    }),
  },
  modern: {
    headers: { ...json, 'mcp-method': 'server/discover', 'mcp-protocol-version': modernVersion },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 'server-discover-probe-1',
      method: 'server/discover',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': modernVersion,
          'io.modelcontextprotocol/clientInfo': implementation,
          'io.modelcontextprotocol/clientCapabilities': capabilities,
        },
      },
    }),
  },
});

/**
 * Asks a server the first question of each wire that it may speak now, and hands the answers over when the MCP library
 * asks the same: loading and starting that takes as long as a distant server to answer. A failure counts when it does.
 */
export function askFirst(
  fetch: McpFetch,
  url: CheckedAddress,
  eras: readonly Handshake[],
  signal: AbortSignal,
  capabilities: ClientCapabilities = {},
): { readonly fetch: McpFetch; readonly settled: Promise<unknown> } {
  const questions = firstQuestions(capabilities);
  const asked = new Map(
    eras.map((era) => {
      const { headers, body } = questions[era];
      const end = new AbortController();
      const ending = AbortSignal.any([signal, end.signal]);
      return [body, { end, answer: fetch(url, { method: 'POST', headers, body, signal: ending }) }] as const;
    }),
  );
  return {
    settled: Promise.allSettled([...asked.values()].map(({ answer }) => answer)),
    async fetch(address, init) {
      const body = typeof init?.body === 'string' ? init.body : '';
      const first = asked.get(body);
      if (!first) return await fetch(address, init);
      asked.delete(body);
      // From here on it is the library's: an answer whose stream stays open ends with the connection.
      const follow = (): void => first.end.abort(init?.signal?.reason);
      if (init?.signal?.aborted) follow();
      init?.signal?.addEventListener('abort', follow, { once: true });
      return await first.answer;
    },
  };
}

/** What a server offers and does, over either wire era. */
export interface McpConnection extends Pick<
  OpenMcpClient,
  'client' | 'questions' | 'heard' | 'hearChanges' | 'isPartial' | 'unusable' | 'discard'
> {
  /** The era that the server spoke; remembered, so that the next connection needs no probe. */
  readonly era: WireEra;
  /** Of one that stays between operations: the tools that it listed last, at a monotonic time in milliseconds. */
  readonly listed?: ListedTools | undefined;
  readonly noteListed?: (listed: ListedTools) => void;
  close(): Promise<void>;
}

export interface ListedTools {
  readonly tools: readonly Tool[];
  readonly at: number;
}

export interface McpConnectionOptions extends McpAddress {
  /** From the last connection. A server that has moved on since then is asked again from the start. */
  readonly era: Handshake | undefined;
  readonly signal: AbortSignal;
}

/**
 * Connects on the wire that the server speaks: 2026-07-28 without a session, or `initialize` (2025-11-25 and older).
 */
export async function connectMcp({ era, signal, ...address }: McpConnectionOptions): Promise<McpConnection> {
  if (era === undefined) return asConnection(await openEitherWire(address, signal));
  try {
    return asConnection(await openMcpClient(address, era, signal));
  } catch (error) {
    const movedOn = era === 'legacy' && error instanceof SdkHttpError && error.data.status < 500;
    if (!movedOn) throw error;
    return asConnection(await openMcpClient(address, 'modern', signal));
  }
}

/**
 * Asks on both wires at once, since neither question depends on the other's answer, and takes the newer one where
 * both are answered. That happens once for a server: its era is remembered.
 */
async function openEitherWire(address: McpAddress, signal: AbortSignal): Promise<OpenMcpClient> {
  const older = openMcpClient(address, 'legacy', signal);
  older.catch(() => {});
  let refusal: unknown;
  try {
    const newer = await openMcpClient(address, 'modern-only', signal);
    // Its `initialize` may have begun a session that nobody needs.
    void older.then((unneeded) => unneeded.discard()).catch(() => {});
    return newer;
  } catch (error) {
    refusal = error;
  }
  try {
    return await older;
  } catch (error) {
    // What our own fetch says of a server (a refusal, no way to it) says more than what the library makes of an answer.
    throw !(error instanceof PosternError) && refusal instanceof PosternError ? refusal : error;
  }
}

function asConnection(opened: OpenMcpClient): McpConnection {
  const { client } = opened;
  return { ...opened, era: client.getProtocolEra() ?? 'legacy', close: () => client.close() };
}

/** Where a server is, and the fetch that leads there. */
export interface McpAddress {
  readonly url: CheckedAddress;
  readonly fetch: McpFetch;
  /** What a server may ask of us; nothing without it. */
  readonly capabilities?: ClientCapabilities;
  readonly asWritten?: AsWritten | undefined;
}

export interface OpenMcpClient {
  readonly client: Client;
  /** What the server asks and writes down meanwhile. */
  readonly questions: ServerQuestions;
  /** Resolves once a question would be heard, or the server has had its time for that. A call waits for it. */
  readonly heard: Promise<unknown> | undefined;
  /**
   * From now on the client is told what the server says has changed. Answers the end of the stream that a server with
   * sessions says it on; nothing where there is none. Errors: those of opening it.
   */
  hearChanges(): Promise<{ readonly ended: Promise<void> } | undefined>;
  /**
   * Whether entries of the newest listing by `method` (as `tools/list`) were left out, since there were too many or
   * they were nested too deeply.
   */
  isPartial(method: string): boolean;
  /** What the newest answer to this method has that nobody can use; of a listing, all of its pages. */
  unusable(method: string): readonly UnusablePart[];
  /** Ends its session first, where it has one and the server can be told (MCP 2025-11-25, session management 5). */
  discard(): Promise<void>;
}

/** `modern` falls back to `initialize`, `modern-only` does not. */
export type ClientHandshake = 'legacy' | 'modern' | 'modern-only';

/** Opens the official client over streamable HTTP. Errors: the library's, and what `fetch` throws. */
export async function openMcpClient(
  { url, fetch, capabilities = {}, asWritten }: McpAddress,
  handshake: ClientHandshake,
  signal: AbortSignal,
): Promise<OpenMcpClient> {
  const mode = handshake === 'modern-only' ? { pin: modernVersion } : 'auto';
  const client = new Client(implementation, {
    capabilities,
    versionNegotiation: { mode },
    supportedProtocolVersions: [modernVersion, ...SUPPORTED_PROTOCOL_VERSIONS.filter((each) => each < modernVersion)],
  });
  const questions = new ServerQuestions();
  client.setNotificationHandler('notifications/message', ({ params }) => questions.log(params));
  if (capabilities.elicitation) {
    client.setRequestHandler('elicitation/create', ({ params }) => questions.answer(params));
    client.setNotificationHandler('notifications/elicitation/complete', ({ params }) =>
      questions.complete(params.elicitationId),
    );
  }
  const transport = new BoundedTransport(url, { fetch: withOlderRevisions(fetch), asWritten });
  try {
    await client.connect(transport, { signal, ...(handshake === 'legacy' && { prior: { kind: 'legacy' as const } }) });
  } catch (error) {
    await client.close().catch(() => {});
    throw unwrap(error);
  }
  // Before that stream is open, SDK servers throw away what they ask on it, and the tool waits for an answer in vain.
  const asks = capabilities.elicitation !== undefined;
  const heard = asks
    ? Promise.race([transport.ownStream.opened.catch(() => {}), pause(serverQuestion.opening, signal)])
    : undefined;
  return {
    client,
    questions,
    heard,
    async hearChanges() {
      transport.hearsChanges = true;
      transport.ownStream.openAgain();
      // Some servers send the head of that stream with its first message.
      const late = pause(serverQuestion.opening, signal).then(() => true);
      const isThere = await Promise.race([transport.ownStream.opened, late]);
      return isThere ? { ended: transport.ownStream.ended } : undefined;
    },
    isPartial: (method) => transport.isPartial(method),
    unusable: (method) => transport.unusable(method),
    async discard() {
      await transport.endSession().catch(() => {});
      await client.close();
    },
  };
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {});
}

/** The library wraps what its first question on the newer wire failed with; any other error of ours it lets through. */
function unwrap(error: unknown): unknown {
  return error instanceof SdkError && error.cause instanceof PosternError ? error.cause : error;
}
