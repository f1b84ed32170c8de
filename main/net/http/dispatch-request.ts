import type { Dispatcher } from 'undici';
import type { Stage } from '../../../shared/error-codes.ts';
import type { RequestPurpose } from '../../../shared/trace.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { LostRequest } from '../../errors/request-error.ts';
import { headerCount } from '../../limits.ts';
import { describeRequestFailure } from './request-failure.ts';
import type { ConnectionNotes } from './request-failure.ts';

export interface OutgoingRequest {
  readonly purpose: RequestPurpose;
  readonly stage: Stage;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array | undefined;
  readonly onSent?: (() => void) | undefined;
  /** Called with the response headers; the result is called with each body chunk, and throws if it is too much. */
  readonly limit?: ((headers: Headers) => (chunk: Uint8Array) => void) | undefined;
  readonly notes: ConnectionNotes;
}

export interface IncomingResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Errors with a PosternError; canceling it closes the connection. */
  readonly body: ReadableStream<Uint8Array>;
  /** Resolves when the exchange is over, even if it failed. */
  readonly ended: Promise<void>;
}

/** Bytes to buffer for a slow reader before the socket is paused. */
const highWaterMark = 64 * 1024;
/** Characters; RFC 9112 section 4 gives the reason phrase no meaning. */
const statusTextLength = 1024;

/**
 * Sends one request and resolves with the response headers. Never sends it twice: undici does not retry once a byte may
 * have left. `signal` (its reason is a PosternError) aborts at any time, body included.
 * Errors: those of `describeRequestFailure` and `limit`, HEADERS_TOO_LARGE, BODY_ENCODING.
 */
export function dispatchRequest(
  dispatcher: Dispatcher,
  request: OutgoingRequest,
  signal: AbortSignal,
): Promise<IncomingResponse> {
  const { purpose, stage, url, notes } = request;
  return new Promise((resolve, reject) => {
    let connection: Dispatcher.DispatchController | undefined;
    let body: ReadableStreamDefaultController<Uint8Array> | undefined;
    let count: ((chunk: Uint8Array) => void) | undefined;
    let isOver = false;
    let hasResponse = false;
    let interim = 0;
    const end = Promise.withResolvers<void>();

    function finish(): void {
      isOver = true;
      signal.removeEventListener('abort', abort);
      end.resolve();
    }
    function fail(error: unknown): void {
      if (isOver) return;
      finish();
      const sent = connection === undefined ? 'no' : 'maybe';
      const failure = describeRequestFailure(error, { purpose, stage, url, notes, sent, hasResponse });
      reject(failure);
      body?.error(failure);
      connection?.abort(failure);
    }
    function abort(): void {
      fail(signal.reason);
    }

    function isFull(): boolean {
      return (body?.desiredSize ?? 1) <= 0;
    }

    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        // Aborted while connecting: none of the request is sent.
        if (isOver) return controller.abort(new PosternError('USER_CANCELLED', { stage }));
        connection = controller;
        request.onSent?.();
      },
      onResponseStart(controller, status, _headers, statusText = '') {
        if (status < 200) {
          // A server may send any number of 1xx responses (RFC 9110 section 15.2); none is final.
          interim += 1;
          if (interim > headerCount) fail(headersTooLarge(stage));
          return;
        }
        hasResponse = true;
        try {
          // Not a valid HTTP status (RFC 9110 section 15), and `Response` rejects it.
          if (status > 599) throw brokenStatus(stage);
          // undici limits only the header fields.
          if (statusText.length > statusTextLength) throw headersTooLarge(stage);
          const headers = readHeaders(controller.rawHeaders, stage);
          count = request.limit?.(headers);
          resolve({ status, headers, body: openBody(controller), ended: end.promise });
        } catch (error) {
          fail(error);
        }
      },
      onResponseData(controller, chunk) {
        if (isOver) return;
        try {
          count?.(chunk);
        } catch (error) {
          return fail(error);
        }
        body?.enqueue(chunk);
        // undici requeues unread data on a pause, and reads more after each, so let it deliver everything first.
        if (isFull()) queueMicrotask(() => isFull() && controller.pause());
      },
      onResponseEnd() {
        if (isOver) return;
        finish();
        afterRelease(() => body?.close());
      },
      onResponseError(_controller, error) {
        fail(error);
      },
    };
    const options: Dispatcher.DispatchOptions = {
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      // Our deadline covers the whole exchange; these timeouts would not stop a slow drip.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    try {
      dispatcher.dispatch(options, handler);
    } catch (error) {
      fail(error);
    }

    function openBody(controller: Dispatcher.DispatchController): ReadableStream<Uint8Array> {
      return new ReadableStream<Uint8Array>(
        {
          start(opened) {
            body = opened;
          },
          pull() {
            if (controller.paused) controller.resume();
          },
          cancel() {
            body = undefined;
            fail(new PosternError('USER_CANCELLED', { stage }));
          },
        },
        new ByteLengthQueuingStrategy({ highWaterMark }),
      );
    }
  });
}

function readHeaders(raw: Dispatcher.DispatchController['rawHeaders'], stage: Stage): Headers {
  const fields = Array.isArray(raw) ? raw : [];
  if (fields.length > headerCount * 2) throw headersTooLarge(stage);
  const headers = new Headers();
  for (let index = 0; index + 1 < fields.length; index += 2) {
    try {
      headers.append(decode(fields[index]), decode(fields[index + 1]));
    } catch {
      // Skip invalid names and values: nothing reads them.
    }
  }
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') throw new PosternError('BODY_ENCODING', { stage });
  return headers;
}

function brokenStatus(stage: Stage): PosternError {
  return new LostRequest('CONNECT_FAIL', { stage, fault: 'broken-http', detail: { reason: 'HTTP_STATUS' } });
}

function headersTooLarge(stage: Stage): PosternError {
  return new PosternError('HEADERS_TOO_LARGE', { stage });
}

/**
 * undici releases a connection one event-loop turn after the last byte. Closing the body only then lets an immediate
 * next request reuse it.
 */
function afterRelease(run: () => void): void {
  setImmediate(() => setImmediate(run));
}

function decode(field: Buffer | string | undefined): string {
  return typeof field === 'string' ? field : (field?.toString('latin1') ?? '');
}

/** Set by the connection itself, or hop-by-hop (RFC 9110 section 7.6.1). */
const hopByHop = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const fieldName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * The header fields as sent. Compression is never requested, so that byte limits count real bytes. Invalid values are
 * rejected here, since undici would quote them in its error message. Errors: TOKEN_CHARSET.
 */
export function buildRequestHeaders(headers: Readonly<Record<string, string>>, stage: Stage): Record<string, string> {
  const built: Record<string, string> = { 'user-agent': 'Postern' };
  for (const [spelling, value] of Object.entries(headers)) {
    const name = spelling.toLowerCase();
    if (!fieldName.test(name) || !fieldValue.test(value)) {
      throw new PosternError('TOKEN_CHARSET', { stage });
    }
    if (!hopByHop.has(name)) built[name] = value;
  }
  built['accept-encoding'] = 'identity';
  return built;
}

/** The body exceeds the caller's limit. */
export class LargeBody extends PosternError {}

/**
 * The whole body, at most `limit` bytes; if it declares or turns out to be longer, the connection is closed.
 * Errors: BODY_TOO_LARGE, and those of the body stream.
 */
export async function readBody(response: IncomingResponse, limit: number, stage: Stage): Promise<Uint8Array> {
  const tooLarge = () => new LargeBody('BODY_TOO_LARGE', { stage });
  if (Number(response.headers.get('content-length')) > limit) {
    await response.body.cancel();
    throw tooLarge();
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body) {
    length += chunk.byteLength;
    // Leaving the loop cancels the stream, which closes the connection.
    if (length > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
