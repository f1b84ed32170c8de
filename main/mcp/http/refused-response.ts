import { signInToNetwork } from '../../../shared/error-catalog/connection-errors.ts';
import type { WrongResponseKind } from '../../../shared/error-catalog/connection-errors.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import { FailedCall, ServerError } from '../../errors/request-error.ts';
import { readRefusalWords } from '../../server-words.ts';
import { notMcpError, ServerOutage } from '../../oauth/discovery/discovery.ts';
import { sessionRevisions } from '../../oauth/http/mcp-request.ts';
import { isPage } from '../messages/message-body.ts';
import { surveyInSlices, surveyJson } from '../messages/survey-json.ts';
import { revisionPattern } from './older-revisions.ts';

/** A response with an error status. */
export interface RefusedResponse {
  readonly host: string;
  readonly status: number;
  /** Media type. */
  readonly type: string;
  readonly body: Buffer;
}

/**
 * The error for a refusal that is not a JSON-RPC response to the request. SERVER_ERROR if the server explains a refusal
 * of the request or its user, or uses JSON-RPC; otherwise, and for an outage, MCP_FAILED: the body may not be
 * from the MCP server. `isForCall`: the refusal is only about this call.
 */
export function refusedResponseError({ host, status, type, body }: RefusedResponse, isForCall: boolean): PosternError {
  const kind = classifyBody(status, body);
  const hasReason = isAboutRequest(status) || (kind === undefined && isJsonRpcError(body));
  const words = hasReason ? readRefusalWords(body.toString('utf8'), type) : undefined;
  const error = notMcpError('connection', { host, status, kind });
  if (!words || error instanceof ServerOutage) return error.with({ words });
  const ErrorClass = isForCall ? FailedCall : ServerError;
  return new ErrorClass('SERVER_ERROR', { stage: 'connection', detail: { host }, words });
}

/** A page instead of a response, from the network or a proxy, so it may be temporary. None of it is shown. */
export function webPageError({ host, status }: Pick<RefusedResponse, 'host' | 'status'>): PosternError {
  const error = notMcpError('connection', { host, status, kind: 'web-page' });
  return error.with({ remedy: signInToNetwork, retryable: true });
}

/** True if the status is about the request or its user; others may be about the address (RFC 9110 section 15.5). */
export function isAboutRequest(status: number): boolean {
  return [402, 403, 409, 413, 422, 423, 451].includes(status);
}

function classifyBody(status: number, body: Buffer): 'web-page' | 'revision-refused' | undefined {
  if (isPage(body)) return 'web-page';
  return status === 400 && revisionPattern.test(body.toString('utf8')) ? 'revision-refused' : undefined;
}

/** Whether an error body is JSON-RPC 2.0; otherwise it may be any web server's document. */
export function looksLikeJsonRpc(body: Buffer): boolean {
  const { jsonrpc, error } = readRpc(body);
  return jsonrpc === '2.0' || Number.isInteger(error?.code);
}

/** A JSON-RPC 2.0 error with its version, which no plain web server sends. */
function isJsonRpcError(body: Buffer): boolean {
  const { jsonrpc, error } = readRpc(body);
  return jsonrpc === '2.0' && error !== undefined && error !== null;
}

interface RpcMembers {
  readonly jsonrpc?: unknown;
  readonly error?: { readonly code?: unknown } | null;
}

/** Empty if the body is not JSON. */
function readRpc(body: Buffer): RpcMembers {
  try {
    return (JSON.parse(body.toString('utf8')) as RpcMembers | null) ?? {};
  } catch {
    return {};
  }
}

/**
 * True if the body has several JSON texts, one per line, instead of one (RFC 8259 section 2). Checks only two.
 */
export async function hasSeveralJsonTexts(body: Buffer): Promise<boolean> {
  if (await isJson(body)) return false;
  let from = 0;
  for (let found = 0; found < 2;) {
    if (from >= body.byteLength) return false;
    const at = body.indexOf(lineFeed, from);
    const line = body.subarray(from, at < 0 ? body.byteLength : at);
    from += line.byteLength + 1;
    if (line.every((byte) => byte <= space)) continue;
    if (!(await isJson(line))) return false;
    found += 1;
  }
  return true;
}

async function isJson(text: Buffer): Promise<boolean> {
  await surveyInSlices(text);
  return surveyJson(text).isJson;
}

const [lineFeed, space] = [0x0a, 0x20];

/** The last draft revision, which some servers still send. */
const draftRevision = '2024-10-07';

/** Why the revision of a handshake is unusable. */
export interface RevisionMismatch {
  readonly kind: WrongResponseKind & ('no-revision' | 'other-revision');
  /** The revision, if it can be shown. */
  readonly revision?: string;
}

/**
 * Why no session can start with this `initialize` result (MCP 2025-11-25, lifecycle). `appRevision`: one that the app
 * supports.
 */
export function findRevisionMismatch(result: unknown, appRevision?: unknown): RevisionMismatch | undefined {
  const revision = (result as { readonly protocolVersion?: unknown } | null | undefined)?.protocolVersion;
  if (typeof revision !== 'string') return { kind: 'no-revision' };
  if (revision === appRevision || revision === draftRevision || sessionRevisions.includes(revision)) return undefined;
  return { kind: 'other-revision', ...(/^[\d.-]{1,20}$/u.test(revision) && { revision }) };
}
