import { isOutcome } from '../../cancellation.ts';
import type { HttpRequest } from '../../ports.ts';
import type { Discovery, DiscoveryPorts } from './discovery.ts';
import type { DiscoveryContext, DiscoveryContextOptions } from './discovery-context.ts';
import { createDiscoveryContext } from './discovery-context.ts';
import { dropUndefined } from '../../../shared/drop-undefined.ts';
import { createInitialize } from '../wire/mcp-request.ts';
import { noMcp } from './no-mcp.ts';
import { opensOldTransport, refusalsOfPost } from './old-transport.ts';
import { parseTokenChallenge } from '../wire/token-challenge.ts';
import type { AnswerKind } from './probe-body.ts';
import { readProbeAnswer } from './probe-body.ts';
import { parseRetryAfter } from '../wire/retry-after.ts';

/**
 * That an MCP server stands at the address, before anything is said of its sign-in. Where the probe brought no answer
 * of MCP and no metadata was found, `initialize` decides, the question that every server before 2026-07-28 answers;
 * after a POST that was refused, the stream of the old transport (MCP 2024-11-05). Answers what it learned: `era` is
 * `sse` for that, and absent where the stream too is shown only after a sign-in.
 * Errors: MCP_FAILED with status and kind of the answer, those of HTTP.
 */
export async function requireMcp(
  ports: DiscoveryPorts,
  discovery: Discovery,
  options: Omit<DiscoveryContextOptions, 'url'>,
): Promise<Discovery> {
  const { answer, method, probeStatus, refusedStatus } = discovery;
  if (refusedStatus !== undefined || answer === 'mcp' || answer === 'unread') return discovery;
  const context = createDiscoveryContext(ports, { ...options, url: discovery.url });
  // Servers that sign people in may hide everything from strangers, so only the stream itself says something of them.
  if (method !== 'NoAuth') return (await learnOfStream(context, discovery, probeStatus, answer)) ?? discovery;
  const initialized = await initialize(context);
  if (initialized.refused) return dropUndefined({ ...discovery, refusedStatus: initialized.status, answer: undefined });
  if (initialized.kind === 'mcp' || initialized.kind === 'unread') return { ...discovery, answer: initialized.kind };
  const { status, kind, retryAt } = initialized;
  const learned = await learnOfStream(context, discovery, status, kind);
  if (learned) return learned;
  const { host } = context.serverUrl;
  throw noMcp('probe', { host, status, kind, retryAt });
}

interface Initialized {
  readonly status: number;
  readonly kind: AnswerKind;
  readonly refused: boolean;
  /** Milliseconds since 1970. */
  readonly retryAt: number | undefined;
}

async function initialize(context: DiscoveryContext): Promise<Initialized> {
  const { headers, body } = createInitialize();
  const response = await send(context, { method: 'POST', headers, body });
  const { status } = response;
  const challenge = status === 403 ? parseTokenChallenge(response.headers) : undefined;
  const wait = parseRetryAfter(response.headers.get('retry-after'), context.clock.now());
  const { kind } = await readProbeAnswer(response, context.clock);
  const session = response.headers.get('mcp-session-id');
  if (session !== null) await endSession(context, session);
  return {
    status,
    kind,
    refused: status === 401 || challenge !== undefined,
    retryAt: wait === undefined ? undefined : Math.trunc(context.clock.now()) + wait * 1_000,
  };
}

/** Nobody will use it (MCP 2025-11-25, session management 5); that it could not be ended says nothing. */
async function endSession(context: DiscoveryContext, session: string): Promise<void> {
  try {
    const ended = await send(context, { method: 'DELETE', headers: { 'mcp-session-id': session } });
    await ended.body?.cancel();
  } catch (error) {
    if (!isOutcome(error)) throw error;
  }
}

/**
 * After a POST that was refused, or opened a stream of the old transport: what a GET says of such a stream (MCP
 * 2025-11-25, backwards compatibility). `undefined`: nothing.
 */
async function learnOfStream(
  context: DiscoveryContext,
  discovery: Discovery,
  status: number | undefined,
  kind: AnswerKind | undefined,
): Promise<Discovery | undefined> {
  if (kind !== 'old-transport' && !refusalsOfPost.has(status ?? 0)) return undefined;
  try {
    const response = await send(context, { method: 'GET', headers: { accept: 'text/event-stream' } });
    const { status: answered, headers } = response;
    if (await opensOldTransport(response, context.clock))
      return { ...discovery, answer: 'mcp', era: 'sse', probeStatus: answered };
    const challenge = answered === 401 || answered === 403 ? parseTokenChallenge(headers) : undefined;
    if (answered !== 401 && !challenge) return undefined;
    return dropUndefined({ ...discovery, refusedStatus: answered, challenge, answer: undefined, era: undefined });
  } catch (error) {
    // It could not be asked for its stream, so nothing is known of one.
    if (!isOutcome(error)) throw error;
    return undefined;
  }
}

function send(context: DiscoveryContext, request: Pick<HttpRequest, 'method' | 'headers' | 'body'>): Promise<Response> {
  return context.http.stream({
    ...request,
    purpose: 'probe',
    stage: 'probe',
    url: context.address,
    policy: context.policy,
    deadline: context.remaining(),
    signal: context.signal,
  });
}
