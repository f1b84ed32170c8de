import { signInToNetwork } from '../../../shared/error-catalogue/connection-errors.ts';
import type { WrongAnswerKind } from '../../../shared/error-catalogue/connection-errors.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import { FailedCall, readRefusalWords, ServerError } from '../../errors/request-error.ts';
import { noMcp, ServerOutage } from '../../oauth/discovery/discovery.ts';
import { sessionRevisions } from '../../oauth/wire/mcp-request.ts';
import { isPage } from '../messages/message-body.ts';
import { surveyInTurn, surveyJson } from '../messages/survey-json.ts';
import { ofRevision } from './older-revisions.ts';

/** A status that says no, and what came with it. */
export interface RefusedAnswer {
  readonly host: string;
  readonly status: number;
  /** Media type. */
  readonly type: string;
  readonly body: Buffer;
}

/**
 * The error behind a refusal that is no answer to the request. SERVER_ERROR where the server judges the request or its
 * user, and says why, or answers in JSON-RPC; MCP_FAILED else, whose words may be anybody's, and for an outage.
 * `ofCall`: it says nothing of the next request.
 */
export function refusedAnswer({ host, status, type, body }: RefusedAnswer, ofCall: boolean): PosternError {
  const kind = kindOf(status, body);
  const saysWhy = isOfRequest(status) || (kind === undefined && isRpcError(body));
  const words = saysWhy ? readRefusalWords(body.toString('utf8'), type) : undefined;
  const error = noMcp('connection', { host, status, kind });
  if (!words || error instanceof ServerOutage) return error.with({ words });
  const Kind = ofCall ? FailedCall : ServerError;
  return new Kind('SERVER_ERROR', { stage: 'connection', detail: { host }, words });
}

/** A page in the place of an answer: of the network or a proxy, so that it may pass. Nothing of it is shown. */
export function pageAnswer({ host, status }: Pick<RefusedAnswer, 'host' | 'status'>): PosternError {
  const error = noMcp('connection', { host, status, kind: 'web-page' });
  return error.with({ remedy: signInToNetwork, retryable: true });
}

/** Whether the status is about the request or its user; others may be about the address (RFC 9110 section 15.5). */
export function isOfRequest(status: number): boolean {
  return [402, 403, 409, 413, 422, 423, 451].includes(status);
}

function kindOf(status: number, body: Buffer): 'web-page' | 'revision-refused' | undefined {
  if (isPage(body)) return 'web-page';
  return status === 400 && ofRevision.test(body.toString('utf8')) ? 'revision-refused' : undefined;
}

/** Whether an error that stands in a body is one of JSON-RPC 2.0; else it may be any document of a web server. */
export function isOfRpc(body: Buffer): boolean {
  const { jsonrpc, error } = readRpc(body);
  return jsonrpc === '2.0' || Number.isInteger(error?.code);
}

/** An error of JSON-RPC 2.0 by its version, which no web server gives by itself. */
function isRpcError(body: Buffer): boolean {
  const { jsonrpc, error } = readRpc(body);
  return jsonrpc === '2.0' && error !== undefined && error !== null;
}

interface RpcMembers {
  readonly jsonrpc?: unknown;
  readonly error?: { readonly code?: unknown } | null;
}

/** Without members where the body is no JSON. */
function readRpc(body: Buffer): RpcMembers {
  try {
    return (JSON.parse(body.toString('utf8')) as RpcMembers | null) ?? {};
  } catch {
    return {};
  }
}

/** Several JSON texts, one a line, where JSON has one (RFC 8259 section 2): the first two tell. */
export async function areSeveralTexts(body: Buffer): Promise<boolean> {
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
  await surveyInTurn(text);
  return surveyJson(text).isJson;
}

const [lineFeed, space] = [0x0a, 0x20];

/** Drafts of which servers go on naming the last one. */
const draftRevision = '2024-10-07';

/** Of a handshake. */
export interface WrongRevision {
  readonly kind: WrongAnswerKind & ('no-revision' | 'other-revision');
  /** As far as it can be shown. */
  readonly revision?: string;
}

/** Why no session can begin with this result of `initialize` (MCP 2025-11-25, lifecycle). `asked`: a revision that an app speaks. */
export function wrongRevision(result: unknown, asked?: unknown): WrongRevision | undefined {
  const named = (result as { readonly protocolVersion?: unknown } | null | undefined)?.protocolVersion;
  if (typeof named !== 'string') return { kind: 'no-revision' };
  if (named === asked || named === draftRevision || sessionRevisions.includes(named)) return undefined;
  return { kind: 'other-revision', ...(/^[\d.-]{1,20}$/u.test(named) && { revision: named }) };
}
