import { dropUndefined } from '../../../shared/drop-undefined.ts';
import type { AnswerKind } from '../../../shared/error-catalogue/connection-errors.ts';
import type { ServerWords } from '../../../shared/error-codes.ts';
import { isAbout } from '../../../shared/error-facts.ts';
import type { WireEra } from '../../../shared/integration.ts';
import { isOutcome, PosternError } from '../../errors/postern-error.ts';
import type { HttpRequest } from '../../ports.ts';
import { isSuccess } from '../wire/http-fetch.ts';
import { createInitialize, createLegacyRequest, createModernRequest } from '../wire/mcp-request.ts';
import type { McpRequest } from '../wire/mcp-request.ts';
import { parseRetryAfter, parseTokenChallenge } from '../wire/response-headers.ts';
import type { TokenChallenge } from '../wire/response-headers.ts';
import { createDiscoveryContext, noMcp } from './discovery.ts';
import type {
  Discovery,
  DiscoveryContext,
  DiscoveryContextOptions,
  DiscoveryPorts,
  DiscoveryStep,
} from './discovery.ts';
import { opensOldTransport, readProbeAnswer, refusalsOfPost } from './probe-answer.ts';

interface Probe {
  /** Absent when an answer came that cannot be read (a redirect, headers beyond the limit). */
  readonly status?: number;
  /** Of a 401, or of a 403 `insufficient_scope`. */
  readonly challenge?: TokenChallenge;
  /** Which wire the server showed; absent while it only asks for authorization. */
  readonly era?: WireEra;
  /** What kind of thing answered; absent while it only asks for authorization. */
  readonly answer?: AnswerKind;
}

/** JSON-RPC errors that only a server of MCP 2026-07-28 sends: header mismatch, capability, version. */
const modernErrors: ReadonlySet<number> = new Set([-32020, -32021, -32022]);

/**
 * Asks without credentials whether authorization is needed (spec 4.1): `server/discover` of MCP 2026-07-28, which a
 * server that protects anything but `initialize` refuses in either era, and which starts no session.
 * Errors: the network's, when the server cannot be reached at all.
 */
export function probeServer(context: DiscoveryContext): Promise<Probe> {
  return probe(context, 'probe', createModernRequest('server/discover'));
}

/**
 * Servers leave the handshake open and refuse `tools/list`, and that challenge carries the scope. Only before a first
 * sign-in, when the probe brought no challenge. Never fails for the server's sake.
 */
async function probeTools(context: DiscoveryContext, era: WireEra): Promise<Probe> {
  const create = era === 'modern' ? createModernRequest : createLegacyRequest;
  try {
    return await probe(context, 'tools-probe', create('tools/list'));
  } catch (error) {
    if (!isOutcome(error)) throw error;
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
      onWait: context.waiterAt(url),
    });
    const { status } = response;
    const answer = await readProbeAnswer(response, context.clock);
    const challenge = status === 401 || status === 403 ? parseTokenChallenge(response.headers) : undefined;
    context.report({ step, url, status, outcome: challenge === undefined ? 'not-found' : 'found' });
    return {
      status,
      ...(challenge && { challenge }),
      ...(challenge === undefined && status !== 401 && { answer: answer.kind }),
      ...describeEra(status, answer.errorCode),
    };
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    context.report({ step, url, outcome: 'failed', code: error.code });
    // The server is there: "any other status" (spec 4.1).
    if (isAbout(error, 'unreadable-answer')) return {};
    throw error;
  }
}

function describeEra(status: number, errorCode: number | undefined): { era?: WireEra } {
  if (status === 401 || status === 403) return {};
  const isModern = isSuccess(status) || (errorCode !== undefined && modernErrors.has(errorCode));
  return { era: isModern ? 'modern' : 'legacy' };
}

export interface ProbeOutcome {
  readonly status?: number;
  readonly challenge?: TokenChallenge;
  /** The wire that the server showed; absent while it only asks for authorization. */
  readonly era?: WireEra;
  /** Tools were listed without a token: no sign-in is needed so far. */
  readonly isOpen?: boolean;
  /** The status with which it first asked for authorization. */
  readonly refusedStatus?: number;
  /** What kind of thing answered, `mcp` when it did once; absent while it only asks for authorization. */
  readonly answer?: AnswerKind;
}

/** What the probe says and, when it brings no challenge though the server let it in, what `tools/list` says. */
export async function probeForChallenge(context: DiscoveryContext, probing: Promise<Probe>): Promise<ProbeOutcome> {
  const { status, challenge, era, answer: first } = await probing;
  // 401 without a hint: the whole server is protected, and tools/list would say nothing more.
  if (challenge !== undefined || status === 401) return dropUndefined({ status, challenge, refusedStatus: status });
  if (status === undefined) return {};
  const tools = await probeTools(context, era ?? 'modern');
  const isOpen = tools.status !== undefined && isSuccess(tools.status);
  const refusedStatus = tools.challenge !== undefined || tools.status === 401 ? tools.status : undefined;
  const answer = tools.answer === 'mcp' ? tools.answer : first;
  return dropUndefined({ status, challenge: tools.challenge, era, isOpen, refusedStatus, answer });
}

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
  const { status, kind, retryAt, words } = initialized;
  const learned = await learnOfStream(context, discovery, status, kind);
  if (learned) return learned;
  const { host } = context.serverUrl;
  // Nothing stands there, or nothing that is posted to: what it says of that is any web server's.
  const saysWhy = status >= 400 && status < 500 && status !== 404 && status !== 405;
  throw noMcp('probe', { host, status, kind, retryAt }).with({ words: saysWhy ? words : undefined });
}

interface Initialized {
  readonly status: number;
  readonly kind: AnswerKind;
  readonly refused: boolean;
  /** Milliseconds since 1970. */
  readonly retryAt: number | undefined;
  readonly words: ServerWords | undefined;
}

async function initialize(context: DiscoveryContext): Promise<Initialized> {
  const { headers, body } = createInitialize();
  const response = await send(context, { method: 'POST', headers, body });
  const { status } = response;
  const challenge = status === 403 ? parseTokenChallenge(response.headers) : undefined;
  const wait = parseRetryAfter(response.headers.get('retry-after'), context.clock.now());
  const { kind, words } = await readProbeAnswer(response, context.clock);
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
    const { status: answeredStatus, headers } = response;
    if (await opensOldTransport(response, context.clock))
      return { ...discovery, answer: 'mcp', era: 'sse', probeStatus: answeredStatus };
    const challenge = answeredStatus === 401 || answeredStatus === 403 ? parseTokenChallenge(headers) : undefined;
    if (answeredStatus !== 401 && !challenge) return undefined;
    return dropUndefined({ ...discovery, refusedStatus: answeredStatus, challenge, answer: undefined, era: undefined });
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
    onWait: context.waiterAt(context.address),
  });
}
