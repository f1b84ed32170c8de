import { isOutcome } from '../../cancellation.ts';
import type { HttpRequest } from '../../ports.ts';
import type { Discovery, DiscoveryPorts } from './discovery.ts';
import type { DiscoveryContext, DiscoveryContextOptions } from './discovery-context.ts';
import { createDiscoveryContext } from './discovery-context.ts';
import { dropUndefined } from '../../../shared/drop-undefined.ts';
import { createInitialize } from '../wire/mcp-request.ts';
import { noMcp } from './no-mcp.ts';
import { oldTransport, opensOldTransport } from './old-transport.ts';
import { parseBearerChallenge } from '../wire/bearer-challenge.ts';
import type { AnswerKind } from './probe-body.ts';
import { readProbeAnswer } from './probe-body.ts';
import { parseRetryAfter } from '../wire/retry-after.ts';

/** Answers to a POST after which a client may look for the old transport (MCP 2025-11-25, backwards compatibility). */
export const refusalsOfPost: ReadonlySet<number> = new Set([400, 404, 405]);

/**
 * That an MCP server stands at the address, before anything is said of its sign-in. Where the probe brought no answer
 * of MCP and no metadata was found, `initialize` decides, the question that every server before 2026-07-28 answers.
 * Answers what it learned. Errors: MCP_FAILED with status and kind of the answer, OLD_TRANSPORT, those of HTTP.
 */
export async function requireMcp(
  ports: DiscoveryPorts,
  discovery: Discovery,
  options: Omit<DiscoveryContextOptions, 'url'>,
): Promise<Discovery> {
  const { answer, method, probeStatus, refusedStatus } = discovery;
  if (refusedStatus !== undefined || answer === 'mcp' || answer === 'unread') return discovery;
  const context = createDiscoveryContext(ports, { ...options, url: discovery.url });
  if (answer === 'old-transport') throw oldTransport(context.serverUrl);
  // Servers that sign people in may hide everything from strangers, so only the stream itself speaks against them.
  if (method !== 'NoAuth') {
    if (refusalsOfPost.has(probeStatus ?? 0)) await refuseOldTransport(context);
    return discovery;
  }
  const initialized = await initialize(context);
  if (initialized.refused) return dropUndefined({ ...discovery, refusedStatus: initialized.status, answer: undefined });
  if (initialized.kind === 'mcp' || initialized.kind === 'unread') return { ...discovery, answer: initialized.kind };
  if (initialized.kind === 'old-transport') throw oldTransport(context.serverUrl);
  if (refusalsOfPost.has(initialized.status)) await refuseOldTransport(context);
  const { status, kind, retryAt } = initialized;
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
  const challenge = status === 403 ? parseBearerChallenge(response.headers) : undefined;
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

async function refuseOldTransport(context: DiscoveryContext): Promise<void> {
  let isOld = false;
  try {
    const response = await send(context, { method: 'GET', headers: { accept: 'text/event-stream' } });
    isOld = await opensOldTransport(response, context.clock);
  } catch (error) {
    // It could not be asked for its stream, so nothing is known of one.
    if (!isOutcome(error)) throw error;
  }
  if (isOld) throw oldTransport(context.serverUrl);
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
