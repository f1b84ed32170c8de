import { PosternError } from '../../errors/postern-error.ts';
import { gatewaySession } from '../../limits.ts';
import { parseExactly } from './exact-json.ts';
import { idKey, meansId } from './message-headers.ts';
import { surveyJson, withIdAt } from './survey-json.ts';

const [begin, end] = [Buffer.from('data: '), Buffer.from('\n\n')];
const lineFeed = 0x0a;

/**
 * Messages for one reader, as an event stream. Each is put in when the reader wants it, so that none piles up here.
 * `onOver`: told once, when nothing more goes through.
 */
export class MessageOutlet {
  readonly body: ReadableStream<Uint8Array>;
  readonly #begun = Promise.withResolvers<void>();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #wanted = Promise.withResolvers<void>();
  #isOver = false;
  readonly #signal: AbortSignal | null | undefined;
  readonly #onOver: () => void;

  constructor(signal: AbortSignal | null | undefined, onOver: () => void) {
    this.#signal = signal;
    this.#onOver = onOver;
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#wanted.resolve(),
        cancel: () => this.#finish(),
      },
      // Nothing is put in ahead.
      new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
    );
    signal?.addEventListener('abort', this.#abort, { once: true });
    if (signal?.aborted) this.#abort();
  }

  /** Resolves when the first message comes, or none can any more. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  /** Resolves when the reader has taken what was there before, or has gone. Never rejects. */
  async put(message: Buffer): Promise<void> {
    this.#begun.resolve();
    await this.#wanted.promise;
    if (this.#isOver) return;
    this.#wanted = Promise.withResolvers<void>();
    this.add(message);
  }

  /** The same, however much the reader has not taken yet. */
  add(message: Buffer): void {
    if (this.#isOver) return;
    for (const part of [begin, asData(message), end]) this.#controller?.enqueue(part);
  }

  /** `error`: for the reader, who has not got all of it. */
  end(error?: unknown): void {
    if (this.#isOver) return;
    this.#finish();
    if (error === undefined) this.#controller?.close();
    else this.#controller?.error(error);
  }

  readonly #abort = (): void => {
    const reason: unknown = this.#signal?.reason;
    this.end(reason instanceof PosternError ? reason : new PosternError('USER_CANCELLED', { stage: 'connection' }));
  };

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#wanted.resolve();
    this.#begun.resolve();
    this.#onOver();
  }
}

/** A line of its own for each line of it (WHATWG HTML 9.2.6), which gives the same text back. */
function asData(message: Buffer): Buffer {
  if (!message.includes(lineFeed)) return message;
  return Buffer.from(message.toString('latin1').replaceAll('\n', '\ndata: '), 'latin1');
}

/** What the one who asked calls it by, where the server has been given other names. */
export interface OwnNames {
  /** As it is written. */
  readonly id: string;
  readonly progressToken: unknown;
}

/** A request whose answer comes on a stream with those of others. */
export interface AskedRequest {
  /** As it is written. */
  readonly id: string;
  readonly ownNames?: OwnNames | undefined;
  readonly outlet: MessageOutlet;
  readonly isHandshake: boolean;
}

/** The requests of a session that have no answer yet, by their ids. */
export class AskedRequests {
  readonly #byKey = new Map<string, AskedRequest & { readonly progressToken: string | undefined }>();

  has(id: string): boolean {
    return this.#byKey.has(idKey(id));
  }

  /** `request`: the message itself. */
  add(asked: AskedRequest, request: Buffer): void {
    const meta = readParam(request, '_meta') as { readonly progressToken?: unknown } | null | undefined;
    this.#byKey.set(idKey(asked.id), { ...asked, progressToken: JSON.stringify(meta?.progressToken) });
  }

  /** Answers whether it was there. */
  remove(id: string): boolean {
    return this.#byKey.delete(idKey(id));
  }

  /** The one that a server means with this id, which is answered with it. */
  take(id: string): AskedRequest | undefined {
    const asked = this.#byKey.get(idKey(id)) ?? this.all().find((other) => meansId(id, other.id));
    if (asked) this.remove(asked.id);
    return asked;
  }

  /** Oldest first. */
  all(): readonly AskedRequest[] {
    return [...this.#byKey.values()];
  }

  /**
   * Where a message goes that answers nothing: progress and what was subscribed to with the request that it is of, since
   * on another stream it might come after the answer; all else to `listener`, or to whoever asked last.
   */
  outletOf(message: Buffer, listener: MessageOutlet | undefined): MessageOutlet | undefined {
    return this.#about(message)?.outlet ?? listener ?? this.all().at(-1)?.outlet;
  }

  /** The same message by the names of whoever gets it. */
  inOwnNames(message: Buffer): Buffer {
    const own = this.#about(message)?.ownNames;
    return own ? withOwnNames(message, own) : message;
  }

  #about(message: Buffer): (AskedRequest & { readonly progressToken: string | undefined }) | undefined {
    const token = JSON.stringify(readParam(message, 'progressToken'));
    const found =
      token === undefined ? undefined : [...this.#byKey.values()].find((one) => one.progressToken === token);
    if (found) return found;
    const meta = readParam(message, '_meta') as Readonly<Record<string, unknown>> | null | undefined;
    const subscription = JSON.stringify(meta?.[subscriptionId]);
    return subscription === undefined ? undefined : this.#byKey.get(idKey(subscription));
  }
}

/** MCP 2026-07-28, subscriptions. */
const subscriptionId = 'io.modelcontextprotocol/subscriptionId';

/**
 * The same request by another id, and under another token where it has one: whoever asked may have asked another one by
 * the same. `request`: sound JSON.
 */
export function withOtherNames(request: Buffer, id: string): { readonly request: Buffer; readonly ownNames: OwnNames } {
  const message = parseExactly(request.toString('utf8')) as RpcMessage;
  const meta = message.params?._meta;
  const progressToken = meta?.progressToken;
  const params =
    progressToken === undefined ? {} : { params: { ...message.params, _meta: { ...meta, progressToken: id } } };
  return {
    request: Buffer.from(JSON.stringify({ ...message, ...params, id })),
    ownNames: { id: JSON.stringify(message.id), progressToken },
  };
}

/** An answer, or what comes before it, by the names that the one who asked has given. */
export function withOwnNames(message: Buffer, { id, progressToken }: OwnNames): Buffer {
  const { idAt, hasMethod } = surveyJson(message);
  if (!hasMethod) return withIdAt(message, idAt, id);
  const said = parseExactly(message.toString('utf8')) as RpcMessage;
  const params: Record<string, unknown> = { ...said.params };
  const meta = said.params?._meta;
  if ('progressToken' in params) params['progressToken'] = progressToken;
  if (meta && subscriptionId in meta) params['_meta'] = { ...meta, [subscriptionId]: parseExactly(id) };
  return Buffer.from(JSON.stringify({ ...said, params }));
}

interface RpcMessage {
  readonly id?: unknown;
  readonly params?: { readonly _meta?: Readonly<Record<string, unknown>> };
}

/** A member of the parameters of a message; `undefined`: there is none. */
function readParam(message: Buffer, name: string): unknown {
  const { isJson, params } = surveyJson(message);
  const member = isJson ? params?.find((each) => each.name === name) : undefined;
  return member && (JSON.parse(message.toString('utf8', member.start, member.end)) as unknown);
}

/** What a server says by itself while nobody listens: so much of it waits for whoever listens next. */
export class UnheardMessages {
  #messages: Buffer[] = [];
  #bytes = 0;

  keep(message: Buffer): void {
    const { count, size } = gatewaySession.unheard;
    if (this.#messages.length >= count || this.#bytes + message.byteLength > size) return;
    this.#messages.push(message);
    this.#bytes += message.byteLength;
  }

  /** All of it, once. */
  take(): readonly Buffer[] {
    const messages = this.#messages;
    this.#messages = [];
    this.#bytes = 0;
    return messages;
  }
}
