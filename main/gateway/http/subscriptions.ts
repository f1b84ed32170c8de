import type { ProgramAnswer } from '../../gateway-ports.ts';
import { readDocument, readEvents } from '../../mcp/messages/message-body.ts';
import { notificationText } from '../answers/answers.ts';
import { readEnvelope } from '../messages/envelope.ts';
import type { AnswerEnvelope, RequestEnvelope } from '../messages/envelope.ts';
import { acknowledgedId, acknowledgementOf, notificationOf, wants } from '../session/listening.ts';
import { Behind } from '../session/session-ports.ts';
import { ProgramStream, whenGone } from './app-stream.ts';
import { isStream, pass } from './http-answers.ts';

interface Subscription {
  readonly request: RequestEnvelope;
  readonly stream: ProgramStream;
}

interface Opening {
  /** Asks the server for its stream. Errors: PosternError. */
  readonly open: () => Promise<Response>;
  /** Aborts when the program no longer listens. */
  readonly signal: AbortSignal;
}

/**
 * What a program listens on by HTTP where there are no sessions. On the newer wire each subscription is a request whose
 * answer is a stream; on the older one a server without sessions may have a stream or none. While the server is away it
 * is ours, so that the program is told when that is over.
 */
export class Subscriptions {
  readonly behind = new Behind();
  /** Of the older wire. */
  readonly stream = new ProgramStream();
  /** Without a handshake nothing has to come before. */
  readonly isReady = true;
  readonly #isAway: (error: unknown) => boolean;
  /** Those whose acknowledgement the program has: nothing may come before it. */
  readonly #open = new Set<Subscription>();
  /** Changes that nobody has heard of. */
  readonly #untold = new Set<string>();
  /** Subscriptions that wait for the server. */
  readonly #waiting = new Set<() => void>();
  readonly #end = new AbortController();
  /** The last one of the program that may be asked again: it changes nothing. */
  #question: RequestEnvelope | undefined;

  constructor(isAway: (error: unknown) => boolean) {
    this.#isAway = isAway;
  }

  /** Notes a handshake or a listing of the program. */
  noteQuestion(request: RequestEnvelope): void {
    this.#question = request;
  }

  /** The server itself has answered. */
  noteAnswer(request: RequestEnvelope, answer: AnswerEnvelope): void {
    this.tell(this.behind.noteAnswer(request, answer));
  }

  /** Answers a subscription. Errors: PosternError. */
  async listen(request: RequestEnvelope, { open, signal }: Opening): Promise<ProgramAnswer> {
    let first: Response | undefined;
    try {
      first = await open();
      if (!isStream(first)) return pass(first);
    } catch (error) {
      if (!this.#isAway(error) || signal.aborted) throw error;
      this.behind.begin();
    }
    const end = AbortSignal.any([signal, this.#end.signal]);
    const subscription = { request, stream: new ProgramStream() };
    whenGone(end, () => this.#open.delete(subscription));
    const source = ReadableStream.from(this.#follow(subscription, first, { open, signal: end }));
    return {
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: subscription.stream.open(Promise.resolve(source)),
    };
  }

  /** Resolves when the server may be there, or nobody listens any more. */
  readonly reached = async (signal: AbortSignal): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    whenGone(signal, resolve);
    await promise;
    this.#waiting.delete(resolve);
  };

  /**
   * The server may be there again: finds out by asking what the program has asked, since without a session every request
   * says all that the server has to know. Never rejects.
   */
  async catchUp(answersAgain: (question: RequestEnvelope) => Promise<boolean>): Promise<void> {
    if (!this.behind.is && this.#waiting.size === 0) return;
    if (!this.#question) return this.#noteReached();
    if (await answersAgain(this.#question).catch(() => false)) this.#announce();
  }

  /** Ends what is open. */
  close(): void {
    this.#end.abort();
    this.stream.close();
  }

  #announce(): void {
    this.tell(this.behind.end());
    this.#noteReached();
  }

  #noteReached(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  tell(changes: Iterable<string>): void {
    for (const change of changes) {
      this.#untold.add(change);
      this.stream.tellChange(notificationText(change));
    }
    for (const change of this.#untold) {
      const concerned = [...this.#open].filter(({ request }) => wants(request, change));
      for (const { request, stream } of concerned) stream.tellChange(notificationOf(request, change));
      if (concerned.length > 0) this.#untold.delete(change);
    }
  }

  /** The messages for one subscription, over as many streams of the server as it takes. */
  async *#follow(
    subscription: Subscription,
    first: Response | undefined,
    { open, signal }: Opening,
  ): AsyncGenerator<Uint8Array> {
    const { request } = subscription;
    let isAcknowledged = false;
    const acknowledge = (): void => {
      isAcknowledged = true;
      if (!signal.aborted) this.#open.add(subscription);
      this.tell([]);
    };
    try {
      if (!first) {
        yield asEvent(acknowledgementOf(request));
        acknowledge();
      }
      for (let response = first; ; response = await this.#openAgain(open, signal)) {
        if (!response) continue;
        // It is there, whatever it says.
        if (isAcknowledged) this.#announce();
        try {
          for await (const data of messagesOf(response)) {
            const message = readEnvelope(data);
            const isAcknowledgement = acknowledgedId(message) !== undefined;
            if (isAcknowledgement && isAcknowledged) continue;
            yield asEvent(data);
            if (isAcknowledgement) acknowledge();
            if (message.kind === 'answer') return;
          }
          return;
        } catch (error) {
          if (signal.aborted || !this.#isAway(error)) throw error;
          this.behind.begin();
        }
      }
    } finally {
      this.#open.delete(subscription);
    }
  }

  /** When the server may be there again; `undefined` where it is not. Errors: PosternError, the reason of the signal. */
  async #openAgain(open: Opening['open'], signal: AbortSignal): Promise<Response | undefined> {
    await this.reached(signal);
    signal.throwIfAborted();
    try {
      return await open();
    } catch (error) {
      if (signal.aborted || !this.#isAway(error)) throw error;
      return undefined;
    }
  }
}

async function* messagesOf(response: Response): AsyncGenerator<Buffer> {
  if (!response.body) return;
  // Another answer than a stream is the last one.
  if (!isStream(response)) return yield await readDocument(response);
  const reader = response.body.getReader();
  try {
    yield* readEvents(reader, {});
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** An event of a stream (WHATWG HTML 9.2.6); JSON may stand on several lines. */
function asEvent(message: Buffer | string): Uint8Array {
  return Buffer.from(`data: ${message.toString().replaceAll('\n', '\ndata: ')}\n\n`);
}
