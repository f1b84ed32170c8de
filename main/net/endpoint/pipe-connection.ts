import { once } from 'node:events';
import type { Socket } from 'node:net';
import * as z from 'zod/mini';
import { yieldIfBusy, runAsOwner } from '../../yield-if-busy.ts';
import { pipeProtocol } from '../../gateway-ports.ts';
import type { Hello, OpenSession, GatewaySession, Send } from '../../gateway-ports.ts';
import { gatewayMessage, gatewaySession } from '../../limits.ts';
import { MessageLines } from '../../message-lines.ts';
import type { Line } from '../../message-lines.ts';

/** Milliseconds for pending output to reach the app. */
const flushTimeout = 500;

/** Milliseconds between heartbeats while the pipe's lines have to wait; it disconnects after 8 s of silence. */
const heartbeatInterval = 2_000;

/** The connection of one pipe. */
export class PipeConnection {
  readonly #socket: Socket;
  readonly #openSession: OpenSession;
  readonly #write: (...chunks: readonly (Buffer | string)[]) => Promise<void>;
  #session: GatewaySession | undefined;
  /** The record ID that it claims. */
  #app: string | undefined;
  /** A line is still being handled, so an `ask` of the pipe would not be read. */
  #isProcessing = false;
  #isPauseRequested = false;
  #isPauseConfirmed = false;

  constructor(socket: Socket, openSession: OpenSession) {
    this.#socket = socket;
    this.#openSession = openSession;
    this.#write = createLineWriter(socket);
    // An error also ends the read loop.
    socket.on('error', () => {});
  }

  /** Whether no request is in flight, and the pipe sends no more. */
  get isPaused(): boolean {
    return this.#isPauseConfirmed && this.#session?.isIdle === true;
  }

  /** Serves until the connection ends. Errors: those of the socket. */
  async serve(): Promise<void> {
    const lines = new MessageLines(gatewayMessage.size);
    const helloTimer = setTimeout(() => this.#socket.destroy(), gatewaySession.helloTimeout);
    let stopHeartbeat: (() => void) | undefined;
    try {
      for await (const chunk of this.#socket) {
        this.#isProcessing = true;
        await this.#reserve(lines.length + (chunk as Buffer).byteLength);
        for (const line of lines.feed(chunk as Buffer)) {
          const session = this.#session;
          if (session) await runAsOwner(this.#app, () => this.#handleInTurn(session, line));
          else {
            const hello = readHello(line.bytes);
            clearTimeout(helloTimer);
            if (!hello) return;
            if (hello.awaitsHere) stopHeartbeat = this.#startHeartbeat();
            this.#app = hello.app;
            await runAsOwner(this.#app, () => this.#open(hello));
          }
        }
        void this.#reserve(lines.length);
        this.#isProcessing = false;
        if (!this.#session && lines.length > gatewaySession.helloSize) return;
      }
    } finally {
      clearTimeout(helloTimer);
      void this.#session?.reading.reserve(0);
      stopHeartbeat?.();
      await this.#session?.close();
      this.#socket.destroy();
    }
  }

  /** Asks the pipe to send no more requests; requests that still arrive or were not sent yet are returned to it. */
  pause(): void {
    if (this.#isPauseRequested) return;
    this.#isPauseRequested = true;
    void this.#requestPause();
  }

  /** Flushes pending output if the other side reads it in time. Never rejects. */
  async end(): Promise<void> {
    if (this.isPaused && !this.#socket.destroyed) {
      this.#socket.end();
      const timeout = AbortSignal.timeout(flushTimeout);
      await once(this.#socket, 'close', { signal: timeout }).catch(() => {});
    }
    this.#socket.destroy();
    await this.#session?.close();
  }

  /** Reserves memory for unread bytes. A single small chunk is not counted, so it never waits. */
  async #reserve(bytes: number): Promise<void> {
    if (!this.#session || this.#socket.destroyed) return;
    await this.#session.reading.reserve(
      bytes > gatewaySession.uncountedBytes ? Math.min(bytes, gatewayMessage.size) : 0,
    );
  }

  async #open(hello: Parameters<OpenSession>[0]): Promise<void> {
    const session = await this.#openSession(hello, {
      send: (message) => this.#write(message),
      requeue: (message) => this.#write(controlLines.back, message),
      hangUp: () => void this.#socket.destroy(),
    });
    this.#session = session;
    // Also notices the close while a message waits for its turn.
    this.#socket.once('close', () => {
      // Stop waiting for memory.
      void session.reading.reserve(0);
      void session.close();
    });
    if (this.#isPauseRequested) await this.#requestPause();
  }

  async #handleInTurn(session: GatewaySession, line: Line): Promise<void> {
    await this.#handleLine(session, line);
    await yieldIfBusy();
  }

  async #handleLine(session: GatewaySession, { bytes, isTooLong }: Line): Promise<void> {
    if (this.#isPauseRequested && bytes.equals(controlLines.resting)) this.#isPauseConfirmed = true;
    else if (bytes.equals(controlLines.ask)) void this.#write(controlLines.here);
    else await (isTooLong ? session.refuseOversized(bytes) : session.receive(bytes));
  }

  /** Sends `here` at once, and again while we do not read. Returns how to stop. */
  #startHeartbeat(): () => void {
    void this.#write(controlLines.here);
    const sendHeartbeat = (): void => {
      // Unread bytes in its buffer also show the pipe that we are alive.
      if (this.#isProcessing && this.#socket.writableLength === 0) void this.#write(controlLines.here);
    };
    const timer = setInterval(sendHeartbeat, heartbeatInterval).unref();
    return () => clearInterval(timer);
  }

  /** A pipe that has not sent its hello gets the request right after it. */
  async #requestPause(): Promise<void> {
    if (!this.#session) return;
    void this.#write(controlLines.rest);
    await this.#session.drain();
  }
}

/** Writes lines in order, each when there is room, so that an app that does not read causes backpressure. */
function createLineWriter(socket: Socket): (...lines: readonly (Buffer | string)[]) => ReturnType<Send> {
  let last = Promise.resolve();
  return (...lines) => (last = last.then(() => write(socket, lines)));
}

async function write(socket: Socket, lines: readonly (Buffer | string)[]): Promise<void> {
  if (socket.destroyed) return;
  let hasRoom = true;
  socket.cork();
  for (const line of lines) {
    socket.write(line);
    hasRoom = socket.write('\n');
  }
  socket.uncork();
  if (hasRoom) return;
  const settled = new AbortController();
  const { signal } = settled;
  await Promise.race([once(socket, 'drain', { signal }), once(socket, 'close', { signal })]).catch(() => {});
  // The socket is long-lived, so remove the listeners each time.
  settled.abort();
}

/**
 * Control lines between a pipe and its gateway, compared byte for byte. They cannot be confused with messages, which
 * have `jsonrpc` and a method, a result or an error.
 */
export const controlLines = {
  /**
   * To the pipe, first and in reply to each `ask`: we read its lines. A hung process accepts connections but reads
   * nothing.
   */
  here: Buffer.from('{"postern":1,"control":"here"}'),
  /** From the pipe: are you alive? Its app is waiting for a response. */
  ask: Buffer.from('{"postern":1,"control":"ask"}'),
  /** To the pipe: send no more requests on this connection. */
  rest: Buffer.from('{"postern":1,"control":"rest"}'),
  /** From the pipe: no more requests follow. */
  resting: Buffer.from('{"postern":1,"control":"resting"}'),
  /** To the pipe: the next line was not sent to the server; resend it on the next connection. */
  back: Buffer.from('{"postern":1,"control":"back"}'),
} as const;

const shortText = z.string().check(z.maxLength(256));

/** The first line of a pipe. Everything but `server` and `app` is for display only. */
const helloSchema = z.object({
  postern: z.literal(pipeProtocol),
  open: z.object({
    server: shortText.check(z.minLength(1)),
    app: z.optional(shortText),
    pipe: z.optional(shortText),
    pid: z.optional(z.int()),
    parent: z.optional(shortText),
    cwd: z.optional(z.string().check(z.maxLength(4_096))),
    /** It expects `here`, and asks for it. */
    awaitsHere: z.optional(z.boolean()),
  }),
});

/** A hello of another protocol version, to report the mismatch to the pipe. Other members are unknown. */
const otherHelloSchema = z.object({
  postern: z.int(),
  open: z.looseObject({
    server: z.catch(shortText.check(z.minLength(1)), 'Postern'),
    awaitsHere: z.catch(z.optional(z.boolean()), undefined),
  }),
});

interface PipeHello extends Hello {
  /** The pipe expects `here`, and asks for it. */
  readonly awaitsHere?: boolean | undefined;
}

/** `undefined` if the line is not a hello. */
function readHello(line: Buffer): PipeHello | undefined {
  if (line.byteLength > gatewaySession.helloSize) return undefined;
  const parsed = parseLine(line);
  const hello = helloSchema.safeParse(parsed).data;
  if (hello) return { ...hello.open, protocol: pipeProtocol };
  const other = otherHelloSchema.safeParse(parsed).data;
  if (!other || other.postern === pipeProtocol) return undefined;
  const { server, awaitsHere } = other.open;
  return { server, awaitsHere, protocol: other.postern };
}

/** `undefined` if the line is not JSON. */
export function parseLine(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    return undefined;
  }
}
