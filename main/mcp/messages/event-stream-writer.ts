import { PosternError } from '../../errors/postern-error.ts';
import { gatewaySession } from '../../limits.ts';
import { parseExactly } from './exact-json.ts';
import { idKey, matchesId } from './message-headers.ts';
import { surveyJson, withIdAt } from './survey-json.ts';

const [dataPrefix, eventEnd] = [Buffer.from('data: '), Buffer.from('\n\n')];
const lineFeed = 0x0a;

/**
 * Writes messages to an event stream with one reader, each when the reader is ready for it, so that none pile up.
 * `onFinish`: called once when the stream has ended.
 */
export class EventStreamWriter {
  readonly body: ReadableStream<Uint8Array>;
  readonly #started = Promise.withResolvers<void>();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #readerReady = Promise.withResolvers<void>();
  #isFinished = false;
  readonly #signal: AbortSignal | null | undefined;
  readonly #onFinish: () => void;

  constructor(signal: AbortSignal | null | undefined, onFinish: () => void) {
    this.#signal = signal;
    this.#onFinish = onFinish;
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#readerReady.resolve(),
        cancel: () => this.#finish(),
      },
      // No read-ahead.
      new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
    );
    signal?.addEventListener('abort', this.#abort, { once: true });
    if (signal?.aborted) this.#abort();
  }

  /** Resolves when the first message arrives, or none can arrive any more. */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  /**
   * Adds a message once the reader has taken the previous ones; resolves early if the reader is gone. Never rejects.
   */
  async put(message: Buffer): Promise<void> {
    this.#started.resolve();
    await this.#readerReady.promise;
    if (this.#isFinished) return;
    this.#readerReady = Promise.withResolvers<void>();
    this.add(message);
  }

  /** Adds a message without waiting for the reader. */
  add(message: Buffer): void {
    if (this.#isFinished) return;
    for (const part of [dataPrefix, asData(message), eventEnd]) this.#controller?.enqueue(part);
  }

  /** `error`: what the reader gets, because messages are missing. */
  end(error?: unknown): void {
    if (this.#isFinished) return;
    this.#finish();
    if (error === undefined) this.#controller?.close();
    else this.#controller?.error(error);
  }

  readonly #abort = (): void => {
    const reason: unknown = this.#signal?.reason;
    this.end(reason instanceof PosternError ? reason : new PosternError('USER_CANCELLED', { stage: 'connection' }));
  };

  #finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#readerReady.resolve();
    this.#started.resolve();
    this.#onFinish();
  }
}

/** One `data` line per line (WHATWG HTML 9.2.6); parses back to the same text. */
function asData(message: Buffer): Buffer {
  if (!message.includes(lineFeed)) return message;
  return Buffer.from(message.toString('latin1').replaceAll('\n', '\ndata: '), 'latin1');
}

/** The ids that the caller used, if the server gets others. */
export interface OriginalIds {
  /** JSON text. */
  readonly id: string;
  readonly progressToken: unknown;
}

/** A request whose response arrives on a shared stream. */
export interface SharedStreamRequest {
  /** JSON text. */
  readonly id: string;
  readonly originalIds?: OriginalIds | undefined;
  readonly writer: EventStreamWriter;
  readonly isHandshake: boolean;
}

/** Pending requests of a session whose responses share one stream. */
export class SharedStreamRequests {
  readonly #byKey = new Map<string, SharedStreamRequest & { readonly progressToken: string | undefined }>();

  has(id: string): boolean {
    return this.#byKey.has(idKey(id));
  }

  /** `request`: the message itself. */
  add(pending: SharedStreamRequest, request: Buffer): void {
    const meta = readParam(request, '_meta') as { readonly progressToken?: unknown } | null | undefined;
    this.#byKey.set(idKey(pending.id), { ...pending, progressToken: JSON.stringify(meta?.progressToken) });
  }

  /** Returns whether it was pending. */
  remove(id: string): boolean {
    return this.#byKey.delete(idKey(id));
  }

  /** Removes and returns the request that a response id belongs to. */
  take(id: string): SharedStreamRequest | undefined {
    const pending = this.#byKey.get(idKey(id)) ?? this.all().find((other) => matchesId(id, other.id));
    if (pending) this.remove(pending.id);
    return pending;
  }

  /** Oldest first. */
  all(): readonly SharedStreamRequest[] {
    return [...this.#byKey.values()];
  }

  /**
   * Where to write a message that is not a response. Progress and subscription messages go to their request, since on
   * another stream they might arrive after its response; everything else goes to `listener`, or to the latest request.
   */
  writerFor(message: Buffer, listener: EventStreamWriter | undefined): EventStreamWriter | undefined {
    return this.#findRequest(message)?.writer ?? listener ?? this.all().at(-1)?.writer;
  }

  /** Restores the recipient's ids in a message. */
  restoreIds(message: Buffer): Buffer {
    const originalIds = this.#findRequest(message)?.originalIds;
    return originalIds ? withOriginalIds(message, originalIds) : message;
  }

  #findRequest(message: Buffer): (SharedStreamRequest & { readonly progressToken: string | undefined }) | undefined {
    const token = JSON.stringify(readParam(message, 'progressToken'));
    const found =
      token === undefined ? undefined : [...this.#byKey.values()].find((pending) => pending.progressToken === token);
    if (found) return found;
    const meta = readParam(message, '_meta') as Readonly<Record<string, unknown>> | null | undefined;
    const subscription = JSON.stringify(meta?.[subscriptionId]);
    return subscription === undefined ? undefined : this.#byKey.get(idKey(subscription));
  }
}

/** MCP 2026-07-28, subscriptions. */
const subscriptionId = 'io.modelcontextprotocol/subscriptionId';

/**
 * The request with another id and progress token, since another caller may use the same ones. `request`: valid JSON.
 */
export function withReplacedIds(
  request: Buffer,
  id: string,
): { readonly request: Buffer; readonly originalIds: OriginalIds } {
  const message = parseExactly(request.toString('utf8')) as RpcMessage;
  const meta = message.params?._meta;
  const progressToken = meta?.progressToken;
  const params =
    progressToken === undefined ? {} : { params: { ...message.params, _meta: { ...meta, progressToken: id } } };
  return {
    request: Buffer.from(JSON.stringify({ ...message, ...params, id })),
    originalIds: { id: JSON.stringify(message.id), progressToken },
  };
}

/** A response, or a message before it, with the caller's ids. */
export function withOriginalIds(message: Buffer, { id, progressToken }: OriginalIds): Buffer {
  const { idAt, hasMethod } = surveyJson(message);
  if (!hasMethod) return withIdAt(message, idAt, id);
  const parsed = parseExactly(message.toString('utf8')) as RpcMessage;
  const params: Record<string, unknown> = { ...parsed.params };
  const meta = parsed.params?._meta;
  if ('progressToken' in params) params['progressToken'] = progressToken;
  if (meta && subscriptionId in meta) params['_meta'] = { ...meta, [subscriptionId]: parseExactly(id) };
  return Buffer.from(JSON.stringify({ ...parsed, params }));
}

interface RpcMessage {
  readonly id?: unknown;
  readonly params?: { readonly _meta?: Readonly<Record<string, unknown>> };
}

/** A member of a message's `params`; `undefined` if absent. */
function readParam(message: Buffer, name: string): unknown {
  const { isJson, params } = surveyJson(message);
  const member = isJson ? params?.find((each) => each.name === name) : undefined;
  return member && (JSON.parse(message.toString('utf8', member.start, member.end)) as unknown);
}

/** Unsolicited messages that arrive without a listener, buffered for the next one up to a bound. */
export class UndeliveredMessages {
  #messages: Buffer[] = [];
  #bytes = 0;

  add(message: Buffer): void {
    const { count, size } = gatewaySession.undelivered;
    if (this.#messages.length >= count || this.#bytes + message.byteLength > size) return;
    this.#messages.push(message);
    this.#bytes += message.byteLength;
  }

  /** Returns and clears all messages. */
  drain(): readonly Buffer[] {
    const messages = this.#messages;
    this.#messages = [];
    this.#bytes = 0;
    return messages;
  }
}
