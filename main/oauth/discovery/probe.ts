import type { ErrorCode } from '../../../shared/error-codes.ts';
import type { WireEra } from '../../../shared/integration.ts';
import { isOutcome } from '../../cancellation.ts';
import { PosternError } from '../../postern-error.ts';
import { parseTokenChallenge } from '../wire/token-challenge.ts';
import type { TokenChallenge } from '../wire/token-challenge.ts';
import type { DiscoveryContext, DiscoveryStep } from './discovery-context.ts';
import { createLegacyRequest, createModernRequest } from '../wire/mcp-request.ts';
import type { McpRequest } from '../wire/mcp-request.ts';
import { readProbeAnswer } from './probe-body.ts';
import type { AnswerKind } from './probe-body.ts';
import { dropUndefined } from '../../../shared/drop-undefined.ts';

export interface Probe {
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
 * The server is there, though its answer to the probe is unreadable: "any other status" (spec 4.1). The HTTP port tells
 * it by these codes.
 */
const answered: ReadonlySet<ErrorCode> = new Set([
  'REDIRECT_REFUSED',
  'REDIRECT_LOOP',
  'HEADERS_TOO_LARGE',
  'BODY_TOO_LARGE',
  'BODY_ENCODING',
]);

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
  context.report({ step, url, outcome: 'started' });
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
    if (answered.has(error.code)) return {};
    throw error;
  }
}

function describeEra(status: number, errorCode: number | undefined): { era?: WireEra } {
  if (status === 401 || status === 403) return {};
  const isModern = (status >= 200 && status <= 299) || (errorCode !== undefined && modernErrors.has(errorCode));
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
  const isOpen = tools.status !== undefined && tools.status >= 200 && tools.status <= 299;
  const refusedStatus = tools.challenge !== undefined || tools.status === 401 ? tools.status : undefined;
  const answer = tools.answer === 'mcp' ? tools.answer : first;
  return dropUndefined({ status, challenge: tools.challenge, era, isOpen, refusedStatus, answer });
}
