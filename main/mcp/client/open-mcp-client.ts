import { setTimeout as sleep } from 'node:timers/promises';
import {
  Client,
  ProtocolError,
  SdkError,
  SdkHttpError,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/client';
import type { ClientCapabilities } from '@modelcontextprotocol/client';
import type { UnusablePart } from '../../../shared/mcp-view.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import type { AsWritten } from '../messages/as-written.ts';
import { BoundedTransport } from '../http/bounded-transport.ts';
import { modernVersion } from '../../oauth/wire/mcp-request.ts';
import { PosternError } from '../../postern-error.ts';
import { implementation } from './first-question.ts';
import type { McpFetch } from '../http/mcp-endpoint.ts';
import { ServerQuestions } from './server-questions.ts';
import { serverQuestion } from '../use-bounds.ts';

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
export type Handshake = 'legacy' | 'modern' | 'modern-only';

/**
 * Opens the official client over streamable HTTP. Where the server refuses the revision of `initialize`, the one that it
 * names is tried, else the next older one. Errors: the library's, and what `fetch` throws.
 */
export async function openMcpClient(
  address: McpAddress,
  handshake: Handshake,
  signal: AbortSignal,
): Promise<OpenMcpClient> {
  let versions: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version < modernVersion);
  for (let next = handshake; ; next = 'legacy') {
    try {
      return await open(address, next, signal, versions);
    } catch (error) {
      const others = next === 'modern-only' || signal.aborted ? [] : olderVersions(versions, error);
      if (others.length === 0) throw error;
      versions = others;
    }
  }
}

/** Those of `versions` to go on with; none where the error is about something else (MCP 2025-11-25, lifecycle). */
function olderVersions(versions: readonly string[], error: unknown): readonly string[] {
  const text = refusalOf(error);
  if (!/version/iu.test(text)) return [];
  const [refused, ...older] = versions;
  const named = (text.match(/\b20\d\d-\d\d-\d\d\b/gu) ?? []).filter((version) => version !== refused);
  const first = older.findIndex((version) => named.includes(version));
  // A server that names others alone, such as one that knows no `initialize`, takes none of these.
  if (first < 0) return named.length > 0 ? [] : older;
  return older.slice(first);
}

function refusalOf(error: unknown): string {
  if (error instanceof SdkHttpError) return error.data.status === 400 ? String(error.data['text']) : '';
  return error instanceof ProtocolError ? `${error.message} ${JSON.stringify(error.data ?? null)}` : '';
}

async function open(
  { url, fetch, capabilities = {}, asWritten }: McpAddress,
  handshake: Handshake,
  signal: AbortSignal,
  versions: readonly string[],
): Promise<OpenMcpClient> {
  const mode = handshake === 'modern-only' ? { pin: modernVersion } : 'auto';
  const client = new Client(implementation, {
    capabilities,
    versionNegotiation: { mode },
    supportedProtocolVersions: [modernVersion, ...versions],
  });
  const questions = new ServerQuestions();
  client.setNotificationHandler('notifications/message', ({ params }) => questions.log(params));
  if (capabilities.elicitation) {
    client.setRequestHandler('elicitation/create', ({ params }) => questions.answer(params));
    client.setNotificationHandler('notifications/elicitation/complete', ({ params }) =>
      questions.complete(params.elicitationId),
    );
  }
  const transport = new BoundedTransport(url, { fetch, asWritten });
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
