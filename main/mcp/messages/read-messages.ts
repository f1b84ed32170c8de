import { parseJSONRPCMessage } from '@modelcontextprotocol/client';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject } from '../../../shared/json-object.ts';
import { bodyLimit, mcpMessage } from '../../limits.ts';
import type { AdmissionResult } from './message-limiter.ts';
import { parseVerbatim } from './exact-json.ts';
import type { VerbatimOptions } from './exact-json.ts';
import { extractTexts } from './extract-texts.ts';
import { bareResultKey } from './repair-result.ts';
import { readError } from './rpc-error.ts';
import { surveyJson } from './survey-json.ts';

type Id = string | number;

export type Request = JSONRPCMessage & { readonly id: Id; readonly method: string };

export function isRequest(message: JSONRPCMessage): message is Request {
  return 'method' in message && 'id' in message;
}

/** A JSON-RPC 2.0 response (section 5): it has an id and no method. */
export function isResponse(message: JSONRPCMessage): message is JSONRPCMessage & { id: Id } {
  return 'id' in message && !('method' in message);
}

/** A pending request. */
interface PendingRequest {
  readonly followsProgress: boolean;
}

/** The request has a progress token (MCP 2025-11-25, progress). */
function followsProgress(request: Request): boolean {
  const { params } = request as { readonly params?: unknown };
  const meta = (params as { readonly _meta?: { readonly progressToken?: unknown } } | undefined)?._meta;
  return meta?.progressToken !== undefined;
}

interface ReadOptions {
  /** Includes change notifications. */
  readonly wantsChanges?: boolean;
  /** Parses a response or server request. */
  readonly parse?: (text: string) => unknown;
  /** Longer messages are refused. */
  readonly maxBytes?: number | undefined;
}

/**
 * The relevant messages in what a server sent: responses to pending requests (`pending`, by id text), requests of the
 * server, notifications about calls while one follows progress, and those the options name. Nothing else is parsed, nor
 * anything that would take more memory than a message may. `fallbackId`: the request whose complete response
 * this is; messages without an id belong to it (JSON-RPC 2.0, section 5).
 * Errors: SyntaxError, and the library's for an invalid message.
 */
export function readMessages(
  bytes: Buffer,
  pending: ReadonlyMap<string, PendingRequest>,
  fallbackId?: Id,
  { wantsChanges = false, parse = JSON.parse, maxBytes = bodyLimit.mcpMessage }: ReadOptions = {},
): readonly AdmissionResult[] {
  const { nodes, id, hasMethod } = surveyJson(bytes);
  if (hasMethod && id === undefined) {
    const followsCall = [...pending.values()].some((request) => request.followsProgress);
    return readNotification(bytes, [
      ...(followsCall ? callNotifications : []),
      ...(wantsChanges ? changeNotifications : []),
    ]);
  }
  const messageId = id === undefined || id === 'null' ? undefined : readId(id);
  if (hasMethod && bytes.byteLength > mcpMessage.requestBytes)
    return messageId === undefined ? [] : [{ kind: 'beyond-bounds', id: messageId }];
  const isExpected = messageId !== undefined && pending.has(String(messageId));
  if (nodes > mcpMessage.nodes || bytes.byteLength > maxBytes) {
    const refused = isExpected ? messageId : messageId === undefined ? fallbackId : undefined;
    return hasMethod || refused === undefined ? [] : [{ kind: 'refused', id: refused, code: 'RESULT_TOO_LARGE' }];
  }
  if (!hasMethod && messageId !== undefined && !isExpected) return [];
  const parsed = parse(bytes.toString('utf8'));
  const messages = Array.isArray(parsed)
    ? parsed.flatMap((value) => readBatchEntry(value, fallbackId))
    : [readMessage(parsed, fallbackId)];
  return messages
    .filter((message) => !isResponse(message) || pending.has(String(message.id)))
    .map((message) => ({ kind: 'message', message }));
}

/** Notifications about a pending call. */
const callNotifications = [
  'notifications/progress',
  'notifications/message',
  'notifications/elicitation/complete',
] as const;
/** Notifications for subscriptions, including their start and end. */
const changeNotifications = [
  'notifications/resources/updated',
  'notifications/tools/list_changed',
  'notifications/resources/list_changed',
  'notifications/prompts/list_changed',
  'notifications/subscriptions/acknowledged',
  'notifications/cancelled',
] as const;

function readNotification(bytes: Buffer, methods: readonly string[]): readonly AdmissionResult[] {
  if (methods.length === 0) return [];
  if (bytes.byteLength > mcpMessage.progressBytes) return [];
  const message = readMessage(JSON.parse(bytes.toString('utf8')), undefined);
  const isWanted = 'method' in message && methods.includes(message.method);
  return isWanted ? [{ kind: 'message', message }] : [];
}

/** An invalid message in a batch does not affect the others. */
function readBatchEntry(value: unknown, fallbackId: Id | undefined): readonly JSONRPCMessage[] {
  try {
    return [readMessage(value, fallbackId)];
  } catch {
    return [];
  }
}

/**
 * Keeps only meaningful JSON-RPC members: null counts as absent, unknown members are dropped, and an error wins over a
 * result. Errors: the library's, for an invalid message.
 */
function readMessage(value: unknown, fallbackId: Id | undefined): JSONRPCMessage {
  if (!isObject(value)) return parseJSONRPCMessage(value);
  const { method, params, result, error } = value;
  const id = value['id'] ?? (error || 'result' in value ? fallbackId : undefined);
  const head = { jsonrpc: '2.0', ...(id !== undefined && { id }) };
  if (typeof method === 'string') {
    const paramsMember = isObject(params) ? { params: withoutNull(params) } : {};
    return parseJSONRPCMessage({ ...head, method, ...paramsMember });
  }
  if (error !== undefined && error !== null && error !== false) {
    return parseJSONRPCMessage({ ...head, error: readError(error) });
  }
  return parseJSONRPCMessage({ ...head, ...('result' in value && { result: readResult(result) }) });
}

function readResult(result: unknown): unknown {
  if (result === null) return {};
  if (!isObject(result)) return result === undefined ? result : { [bareResultKey]: result };
  if (!('_meta' in result) || isObject(result['_meta'])) return result;
  const { _meta: _unusable, ...rest } = result;
  return rest;
}

function withoutNull(params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(params).filter(([, member]) => member !== null));
}

function readId(text: string): Id | undefined {
  try {
    const id: unknown = JSON.parse(text);
    return typeof id === 'string' || typeof id === 'number' ? id : undefined;
  } catch {
    return undefined;
  }
}

interface AwaitedRequest extends PendingRequest {
  /** Resolves once the response has arrived; rejects with the reason if it cannot arrive. */
  readonly settled: Promise<void>;
  /** Aborts the exchange when the request is abandoned. */
  readonly signal: AbortSignal;
}

interface AwaitedEntry extends AwaitedRequest, PromiseWithResolvers<void> {
  readonly controller: AbortController;
}

/** Pending requests of a connection, by id text: servers write `"1"` for 1. */
export class AwaitedRequests {
  readonly byId = new Map<string, AwaitedEntry>();
  readonly #verbatim: VerbatimOptions | undefined;

  constructor(verbatim?: VerbatimOptions) {
    this.#verbatim = verbatim;
  }

  /** See `readMessages`. */
  read(bytes: Buffer, fallbackId: string | number | undefined, options: ReadOptions): readonly AdmissionResult[] {
    if (!this.#verbatim) return readMessages(bytes, this.byId, fallbackId, options);
    const { texts, maxBytes } = this.#verbatim;
    const rest = texts ? extractTexts(bytes, texts) : bytes;
    return readMessages(rest, this.byId, fallbackId, { ...options, parse: parseVerbatim, maxBytes });
  }

  add(request: Request, callerSignal: AbortSignal | undefined): AwaitedRequest {
    const resolvers = Promise.withResolvers<void>();
    const controller = new AbortController();
    const signal = callerSignal ? AbortSignal.any([callerSignal, controller.signal]) : controller.signal;
    const entry = {
      ...resolvers,
      settled: resolvers.promise,
      controller,
      signal,
      followsProgress: followsProgress(request),
    };
    this.byId.set(String(request.id), entry);
    return entry;
  }

  has(id: string | number): boolean {
    return this.byId.has(String(id));
  }

  remove(id: string | number): void {
    this.byId.delete(String(id));
  }

  /** The response has arrived or was rejected. */
  settle(id: string | number, error?: Error): void {
    const entry = this.byId.get(String(id));
    this.remove(id);
    if (error) entry?.reject(error);
    else entry?.resolve();
  }

  /** Returns a function that aborts the exchange named by a cancellation. */
  aborterFor(cancellation: JSONRPCMessage): () => void {
    const id = 'params' in cancellation ? String(cancellation.params?.['requestId']) : '';
    const entry = this.byId.get(id);
    return () => entry?.controller.abort();
  }
}
