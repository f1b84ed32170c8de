import { dropUndefined } from '../../../shared/drop-undefined.ts';
import type { ResponseKind } from '../../../shared/error-catalog/connection-errors.ts';
import type { ServerWords } from '../../../shared/error-codes.ts';
import { hasTrait } from '../../../shared/error-traits.ts';
import type { ServerProtocol } from '../../../shared/integration.ts';
import { isExpectedError, PosternError } from '../../errors/postern-error.ts';
import type { HttpRequest } from '../../ports.ts';
import { isSuccess } from '../http/send-request.ts';
import { createInitialize, createSessionRequest, createStatelessRequest } from '../http/mcp-request.ts';
import type { McpRequest } from '../http/mcp-request.ts';
import { parseRetryAfter, parseTokenChallenge } from '../http/response-headers.ts';
import type { TokenChallenge } from '../http/response-headers.ts';
import { createDiscoveryContext, notMcpError } from './discovery.ts';
import type {
  Discovery,
  DiscoveryContext,
  DiscoveryContextOptions,
  DiscoveryPorts,
  DiscoveryStep,
} from './discovery.ts';
import { opensSseTransport, readProbeResponse, postRefusalStatuses } from './probe-response.ts';

interface Probe {
  /** Absent if the response cannot be read (a redirect, headers beyond the limit). */
  readonly status?: number;
  /** From a 401, or a 403 `insufficient_scope`. */
  readonly challenge?: TokenChallenge;
  /** Which protocol form the server showed; absent while it only asks for authorization. */
  readonly protocol?: ServerProtocol;
  /** What responded; absent if it only asked for authorization. */
  readonly responseKind?: ResponseKind;
}

/** JSON-RPC errors that only MCP 2026-07-28 servers send: header mismatch, capability, version. */
const statelessErrors: ReadonlySet<number> = new Set([-32020, -32021, -32022]);

/**
 * Asks without credentials whether authorization is needed (spec 4.1): `server/discover` of MCP 2026-07-28, which a
 * server that protects anything but `initialize` refuses in either protocol, and which starts no session.
 * Errors: the network's, when the server cannot be reached at all.
 */
export function probeServer(context: DiscoveryContext): Promise<Probe> {
  return probe(context, 'probe', createStatelessRequest('server/discover'));
}

/**
 * Some servers allow the handshake but refuse `tools/list`; that challenge carries the scope. Only before a first
 * sign-in, if the probe brought no challenge. Never fails because of the server.
 */
async function probeTools(context: DiscoveryContext, protocol: ServerProtocol): Promise<Probe> {
  const create = protocol === 'stateless' ? createStatelessRequest : createSessionRequest;
  try {
    return await probe(context, 'tools-probe', create('tools/list'));
  } catch (error) {
    if (!isExpectedError(error)) throw error;
    return {};
  }
}

async function probe(context: DiscoveryContext, step: DiscoveryStep['step'], request: McpRequest): Promise<Probe> {
  const url = context.address;
  context.begin(step, url);
  try {
    const response = await context.http.stream({
      purpose: 'probe',
      stage: 'probe',
      method: 'POST',
      url,
      headers: request.headers,
      body: request.body,
      policy: context.policy,
      deadline: context.remaining(),
      signal: context.signal,
      onWait: context.onWaitAt(url),
    });
    const { status } = response;
    const read = await readProbeResponse(response, context.clock);
    const challenge = status === 401 || status === 403 ? parseTokenChallenge(response.headers) : undefined;
    context.report({ step, url, status, outcome: challenge === undefined ? 'not-found' : 'found' });
    return {
      status,
      ...(challenge && { challenge }),
      ...(challenge === undefined && status !== 401 && { responseKind: read.kind }),
      ...protocolOf(status, read.errorCode),
    };
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    context.report({ step, url, outcome: 'failed', code: error.code });
    // The server exists: "any other status" (spec 4.1).
    if (hasTrait(error, 'unreadable-answer')) return {};
    throw error;
  }
}

function protocolOf(status: number, errorCode: number | undefined): { protocol?: ServerProtocol } {
  if (status === 401 || status === 403) return {};
  const isStateless = isSuccess(status) || (errorCode !== undefined && statelessErrors.has(errorCode));
  return { protocol: isStateless ? 'stateless' : 'session' };
}

export interface ProbeOutcome {
  readonly status?: number;
  readonly challenge?: TokenChallenge;
  /** The protocol form that the server showed; absent while it only asks for authorization. */
  readonly protocol?: ServerProtocol;
  /** Tools were listed without a token: no sign-in needed so far. */
  readonly isOpen?: boolean;
  /** Status with which the server first asked for authorization. */
  readonly refusedStatus?: number;
  /** What responded: `mcp` if any response was MCP; absent if it only asked for authorization. */
  readonly responseKind?: ResponseKind;
}

/** Result of the probe and, if it was let in without a challenge, of `tools/list`. */
export async function probeForChallenge(context: DiscoveryContext, probing: Promise<Probe>): Promise<ProbeOutcome> {
  const { status, challenge, protocol, responseKind: probedKind } = await probing;
  // 401 without a challenge: the whole server is protected, and `tools/list` would add nothing.
  if (challenge !== undefined || status === 401) return dropUndefined({ status, challenge, refusedStatus: status });
  if (status === undefined) return {};
  const tools = await probeTools(context, protocol ?? 'stateless');
  const isOpen = tools.status !== undefined && isSuccess(tools.status);
  const refusedStatus = tools.challenge !== undefined || tools.status === 401 ? tools.status : undefined;
  const responseKind = tools.responseKind === 'mcp' ? tools.responseKind : probedKind;
  return dropUndefined({ status, challenge: tools.challenge, protocol, isOpen, refusedStatus, responseKind });
}

/**
 * Verifies that the address is an MCP server, before anything is reported about its sign-in. If the probe got no MCP
 * response and no metadata was found, `initialize` decides, which every server before 2026-07-28 handles; if its POST
 * is refused, the HTTP+SSE stream (MCP 2024-11-05) does. Returns what it learned: `protocol` is `sse` for that, and
 * absent if the stream too requires a sign-in.
 * Errors: MCP_FAILED with status and kind of the response, those of HTTP.
 */
export async function requireMcp(
  ports: DiscoveryPorts,
  discovery: Discovery,
  options: Omit<DiscoveryContextOptions, 'url'>,
): Promise<Discovery> {
  const { responseKind, method, probeStatus, refusedStatus } = discovery;
  if (refusedStatus !== undefined || responseKind === 'mcp' || responseKind === 'incomplete') return discovery;
  const context = createDiscoveryContext(ports, { ...options, url: discovery.url });
  // Servers with sign-in may hide everything from unknown clients: only the stream itself tells.
  if (method !== 'NoAuth') return (await probeStream(context, discovery, probeStatus, responseKind)) ?? discovery;
  const initialized = await initialize(context);
  if (initialized.refused)
    return dropUndefined({ ...discovery, refusedStatus: initialized.status, responseKind: undefined });
  if (initialized.kind === 'mcp' || initialized.kind === 'incomplete')
    return { ...discovery, responseKind: initialized.kind };
  const { status, kind, retryAt, words } = initialized;
  const learned = await probeStream(context, discovery, status, kind);
  if (learned) return learned;
  const { host } = context.serverUrl;
  // 404 and 405 are any web server's; their text says nothing about MCP.
  const hasReason = status >= 400 && status < 500 && status !== 404 && status !== 405;
  throw notMcpError('probe', { host, status, kind, retryAt }).with({ words: hasReason ? words : undefined });
}

interface InitializeOutcome {
  readonly status: number;
  readonly kind: ResponseKind;
  readonly refused: boolean;
  /** Milliseconds since 1970. */
  readonly retryAt: number | undefined;
  readonly words: ServerWords | undefined;
}

async function initialize(context: DiscoveryContext): Promise<InitializeOutcome> {
  const { headers, body } = createInitialize();
  const response = await send(context, { method: 'POST', headers, body });
  const { status } = response;
  const challenge = status === 403 ? parseTokenChallenge(response.headers) : undefined;
  const wait = parseRetryAfter(response.headers.get('retry-after'), context.clock.now());
  const { kind, words } = await readProbeResponse(response, context.clock);
  const session = response.headers.get('mcp-session-id');
  if (session !== null) await endSession(context, session);
  return {
    status,
    kind,
    words,
    refused: status === 401 || challenge !== undefined,
    retryAt: wait === undefined ? undefined : Math.trunc(context.clock.now()) + wait * 1_000,
  };
}

/** The session is unused (MCP 2025-11-25, session management 5). Best effort. */
async function endSession(context: DiscoveryContext, session: string): Promise<void> {
  try {
    const ended = await send(context, { method: 'DELETE', headers: { 'mcp-session-id': session } });
    await ended.body?.cancel();
  } catch (error) {
    if (!isExpectedError(error)) throw error;
  }
}

/**
 * After a refused POST, or one that opened an HTTP+SSE stream: what a GET shows of such a stream (MCP 2025-11-25,
 * backwards compatibility). `undefined`: nothing.
 */
async function probeStream(
  context: DiscoveryContext,
  discovery: Discovery,
  status: number | undefined,
  kind: ResponseKind | undefined,
): Promise<Discovery | undefined> {
  if (kind !== 'old-transport' && !postRefusalStatuses.has(status ?? 0)) return undefined;
  try {
    const response = await send(context, { method: 'GET', headers: { accept: 'text/event-stream' } });
    const { status: streamStatus, headers } = response;
    if (await opensSseTransport(response, context.clock))
      return { ...discovery, responseKind: 'mcp', protocol: 'sse', probeStatus: streamStatus };
    const challenge = streamStatus === 401 || streamStatus === 403 ? parseTokenChallenge(headers) : undefined;
    if (streamStatus !== 401 && !challenge) return undefined;
    return dropUndefined({
      ...discovery,
      refusedStatus: streamStatus,
      challenge,
      responseKind: undefined,
      protocol: undefined,
    });
  } catch (error) {
    // The stream request failed, so nothing is known about a stream.
    if (!isExpectedError(error)) throw error;
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
    onWait: context.onWaitAt(context.address),
  });
}
