import type { UnusablePart } from '../../../shared/mcp-view.ts';
import type { Holding, ProgramAnswer } from '../../gateway-ports.ts';
import { isAnswer, isMessage, messagesIn, readDocument } from '../../mcp/messages/message-body.ts';
import { meansId, mediaType } from '../../mcp/messages/message-headers.ts';
import { errorText, rpcCode, unusableAnswer } from '../answers/answers.ts';
import { onOneLine, readEnvelope, readInTurn, readOnly } from '../messages/envelope.ts';
import type { Envelope, RequestEnvelope } from '../messages/envelope.ts';
import { repairedAnswer } from '../server/repaired-answer.ts';
import { ProgramStream, whenGone } from './app-stream.ts';
import type { HttpSession } from './http-session.ts';

/** Fields of a server's answer that go on, and more with its body. */
const passedDown = ['cache-control', 'retry-after', 'allow'];
const ofBody = ['content-type', 'content-length'];
/** Bytes; to hand on a stream costs more than to read so many first. */
const shortAnswer = 64 * 1_024;

/** The server's answer as it is; a page or a text in the place of a message may say anything, and ends here. */
export function pass(response: Response): ProgramAnswer {
  const isWhole = isOfMcp(response);
  if (!isWhole) void response.body?.cancel();
  const fields = (isWhole ? [...ofBody, ...passedDown] : passedDown).flatMap((name) => {
    const value = response.headers.get(name);
    // One that was sent twice is one for no app.
    const isTwice = name === 'content-type' && value?.includes(',') === true;
    return value === null ? [] : [[name, isTwice ? mediaType(response) : value] as const];
  });
  const body = isWhole ? (response.body ?? undefined) : undefined;
  return { status: response.status, headers: Object.fromEntries(fields), body };
}

/** The same; a short one is whole. Errors: of reading. */
export async function passOn(response: Response): Promise<ProgramAnswer> {
  const answer = pass(response);
  const length = Number(response.headers.get('content-length') ?? NaN);
  if (answer.body === undefined || isStream(response) || !(length <= shortAnswer)) return answer;
  return { ...answer, body: await readDocument(response, { endsAtLength: true }) };
}

interface Passing {
  readonly onUnusable: (part: UnusablePart) => void;
  /** Of the server's address. */
  readonly host: string;
  readonly holding: Holding;
}

/**
 * The same of an answer whose list or result an app may not be able to use (see `repairedAnswer`): each message is read
 * whole. `holding`: told what is held of it; the last of it is let go by the caller. Errors: of reading,
 * and where the only message of a document is none.
 */
export async function passRepaired(
  response: Response,
  request: RequestEnvelope,
  { onUnusable, host, holding }: Passing,
): Promise<ProgramAnswer> {
  const repair = async (bytes: Buffer, envelope: Envelope): Promise<Buffer> => {
    const isWanted = envelope.kind === 'answer' && meansId(envelope.id, request.id);
    return isWanted ? (await repairedAnswer(request, envelope, onUnusable)).bytes : bytes;
  };
  if (isStream(response) && response.body) {
    const { headers, ...answer } = pass(response);
    return {
      ...answer,
      headers: withoutLength(headers),
      body: repairedEvents(response.body, async (event) => await repair(event, await readInTurn(event)), holding),
    };
  }
  if (!response.ok) return await passOn(response);
  const answer = pass(response);
  if (answer.body === undefined) return answer;
  const body = await readDocument(response, { holding, endsAtLength: true });
  const envelope = await readOnly(body, { id: request.id, host, status: response.status });
  if (envelope.kind === 'unusable') throw unusableAnswer(envelope.reason);
  return withBody(answer, await repair(envelope.bytes, envelope));
}

/** The same response; of an event stream each event once it is whole, with one message in it. */
export function withWholeEvents(response: Response, holding: Holding): Response {
  if (!isStream(response) || !response.body) return response;
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  return new Response(
    repairedEvents(response.body, async (event) => event, holding),
    { status: response.status, headers },
  );
}

function withBody({ headers, ...answer }: ProgramAnswer, body: Buffer): ProgramAnswer {
  return { ...answer, headers: { ...withoutLength(headers), 'content-length': String(body.byteLength) }, body };
}

/** What is repaired may have another one. */
function withoutLength({ 'content-length': _before, ...headers }: ProgramAnswer['headers']): ProgramAnswer['headers'] {
  return headers;
}

export function asJson(body: string | Uint8Array, status = 200, session?: HttpSession): ProgramAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...(session && { 'mcp-session-id': session.id }) },
    body,
  };
}

export function asStream(body: ReadableStream<Uint8Array>): ProgramAnswer {
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, body };
}

/** What programs of both eras take as the sign to begin with `initialize`. */
export function asUnknownMethod(id: string): ProgramAnswer {
  return asJson(errorText(id, rpcCode.unknownMethod, 'Method not found'), 400);
}

export function isStream(response: Response): boolean {
  return response.ok && mediaType(response) === 'text/event-stream';
}

/** Whether a message can be in it, or a stream of them. */
export function isOfMcp(response: Response): boolean {
  return mediaType(response) === 'application/json' || isStream(response);
}

/** What the answer to one POST of the program gets: one message alone as it is, several as a stream. */
interface Waiting {
  readonly first: PromiseWithResolvers<ProgramAnswer>;
  controller: ReadableStreamDefaultController<Uint8Array> | undefined;
}

/**
 * The requests of a session that is ours, by HTTP: what is said goes where the program waits for it, and all else into
 * what it listens on (MCP 2025-11-25, streamable HTTP).
 */
export class Exchanges {
  readonly #stream = new ProgramStream();
  readonly #waiting = new Map<string, Waiting>();

  has(key: string): boolean {
    return this.#waiting.has(key);
  }

  /** The answer to the request that is known by this. */
  wait(key: string, signal: AbortSignal): Promise<ProgramAnswer> {
    const waiting: Waiting = { first: Promise.withResolvers(), controller: undefined };
    this.#waiting.set(key, waiting);
    whenGone(signal, () => {
      if (this.#waiting.get(key) === waiting) this.#waiting.delete(key);
      // For nobody, but whoever waits for it goes on.
      waiting.first.resolve({ status: 404, headers: {} });
    });
    return waiting.first.promise;
  }

  /** What the program listens on. */
  listen(): ProgramAnswer {
    return asStream(this.#stream.open(Promise.resolve(undefined)));
  }

  /** A message for the program. `about`: the request that it belongs to. Never rejects. */
  async tell(message: Buffer | string, about: string | undefined): Promise<void> {
    const waiting = about === undefined ? undefined : this.#waiting.get(about);
    const text = message.toString();
    if (!waiting) {
      // An answer that nobody waits for is for nobody.
      if (about === undefined || readEnvelope(Buffer.from(text)).kind !== 'answer') this.#stream.tell(text);
      return;
    }
    const isLast = readEnvelope(Buffer.from(text)).kind === 'answer';
    if (isLast) this.#waiting.delete(about ?? '');
    if (isLast && !waiting.controller) return waiting.first.resolve(asJson(text));
    if (!waiting.controller) {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          waiting.controller = controller;
        },
        cancel: () => void this.#waiting.delete(about ?? ''),
      });
      waiting.first.resolve(asStream(body));
    }
    waiting.controller?.enqueue(Buffer.from(`event: message\ndata: ${text}\n\n`));
    if (isLast) waiting.controller?.close();
  }

  close(): void {
    this.#stream.close();
    for (const { first, controller } of this.#waiting.values()) {
      first.resolve({ status: 404, headers: {} });
      controller?.close();
    }
    this.#waiting.clear();
  }
}

const lineEnd = /\r\n|\r|\n/u;
/** The end of an event (WHATWG HTML 9.2.6). A return at the end of a chunk may be half of a line end. */
const blankLine = /(?:\r\n|\n|\r(?![\n]|$))(?:\r\n|\n|\r(?![\n]|$))/gu;

/**
 * An event stream with each answer in it repaired, and one message in each event; every other event goes on as it came,
 * once it is whole. Where the stream ends without an empty line, a whole answer gets it.
 */
function repairedEvents(
  body: ReadableStream<Uint8Array>,
  repair: (message: Buffer) => Promise<Buffer>,
  holding: Holding,
): ReadableStream<Uint8Array> {
  let pending: Uint8Array[] = [];
  let length = 0;
  const events = new TransformStream<Uint8Array, Uint8Array>(
    {
      async transform(chunk, controller) {
        const carried = Buffer.concat(pending).subarray(-3);
        const text = Buffer.concat([carried, chunk]).toString('latin1');
        let from = 0;
        for (const { index, 0: blank } of text.matchAll(blankLine)) {
          const end = index + blank.length - carried.byteLength;
          if (end <= from) continue;
          pending.push(chunk.subarray(from, end));
          from = end;
          await give(controller);
        }
        const rest = chunk.subarray(from);
        pending.push(rest);
        length += rest.byteLength;
        if (isComment(pending)) {
          length = 0;
          for (const piece of pending.splice(0)) controller.enqueue(piece);
        }
        await holding.hold(length);
      },
      async flush(controller) {
        const { data, name } = readEvent(Buffer.concat(pending));
        for await (const message of messagesIn(data, name ?? '')) {
          if (!isAnswer(message)) continue;
          pending.push(Buffer.from('\n\n'));
          break;
        }
        await give(controller);
      },
    },
    undefined,
    new ByteLengthQueuingStrategy({ highWaterMark: 1 }),
  );
  return body.pipeThrough(events);

  async function give(controller: TransformStreamDefaultController<Uint8Array>): Promise<void> {
    const event = Buffer.concat(pending);
    pending = [];
    length = 0;
    if (event.byteLength > 0) controller.enqueue(await repairedEvent(event, repair));
  }
}

/** A sign of life, which must not wait for what comes after it. */
function isComment(pending: readonly Uint8Array[]): boolean {
  const [first] = pending;
  if (first?.[0] !== colon || pending.length > 8) return false;
  return /^(?::[^\r\n]*(?:\r\n|\r|\n))+$/u.test(Buffer.concat(pending).toString('latin1'));
}

async function repairedEvent(event: Buffer, repair: (message: Buffer) => Promise<Buffer>): Promise<Buffer> {
  const { data, name, others } = readEvent(event);
  const isNamed = isMessage(name ?? '');
  const repaired: Buffer[] = [];
  for await (const message of messagesIn(data, name ?? '')) repaired.push(await repair(message));
  const last = repaired.at(-1);
  if (!last || (last === data && (isNamed || !isAnswer(data)))) return event;
  const lines = [...others, ...(isNamed && name !== undefined ? [`event: ${name}`] : [])];
  const head = lines.map((line) => `${line}\n`).join('');
  // The last one has the event's id: a stream that is resumed goes on after it.
  return Buffer.concat(repaired.map((message) => asEvent(message, message === last ? head : '')));
}

function asEvent(message: Buffer, head: string): Buffer {
  return Buffer.concat([Buffer.from(`${head}data: `), onOneLine(message), Buffer.from('\n\n')]);
}

interface EventText {
  readonly data: Buffer;
  readonly name: string | undefined;
  /** Its other lines, as they came. */
  readonly others: readonly string[];
}

function readEvent(event: Buffer): EventText {
  const lines = event
    .toString('utf8')
    .replace(/^\ufeff/u, '')
    .split(lineEnd);
  const valueOf = (line: string): string => line.slice(line.indexOf(':') + 1).replace(/^ /u, '');
  const isField = (field: string) => (line: string) => line.startsWith(`${field}:`);
  const named = lines.findLast(isField('event'));
  return {
    data: Buffer.from(lines.filter(isField('data')).map(valueOf).join('\n')),
    name: named === undefined ? undefined : valueOf(named),
    others: lines.filter((line) => line !== '' && !isField('data')(line) && !isField('event')(line)),
  };
}

const colon = 0x3a;
