import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import * as z from 'zod/mini';
import { fairTurn, inTurnsOf } from '../../fair-turn.ts';
import { pipeProtocol } from '../../gateway-ports.ts';
import type { Hello, OpenSession, ProgramSession, Send } from '../../gateway-ports.ts';
import { gatewayMessage, gatewaySession } from '../../limits.ts';
import type { LocalAsk } from '../../local-ports.ts';
import { MessageLines } from '../../message-lines.ts';
import type { Line } from '../../message-lines.ts';

/** Milliseconds for what has been said to go out to a program. */
const lastWords = 500;

/** Milliseconds between two words to a pipe whose lines have to wait; it hangs up on whoever says nothing for 8 s. */
const hereAgain = 2_000;

interface PipeConnectionOptions {
  readonly open: OpenSession;
  /** The first line is no hello. Answers what is said to it. */
  readonly onOther: (line: Line) => Promise<string | undefined>;
}

/** One pipe, from its first line to its end. */
export class PipeConnection {
  readonly #socket: Socket;
  readonly #options: PipeConnectionOptions;
  readonly #write: (...lines: readonly (Buffer | string)[]) => Promise<void>;
  #session: ProgramSession | undefined;
  /** The id of its record, as it says. */
  #app: string | undefined;
  /** A line has been read that is still to be taken: meanwhile nobody reads whether the pipe asks. */
  #isTaking = false;
  #isAskedToRest = false;
  #isResting = false;

  constructor(socket: Socket, options: PipeConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#write = writeTo(socket);
    // Whatever goes wrong with it ends the reading.
    socket.on('error', () => {});
  }

  /** Whether no request is under way, and none on its way here. */
  get isAtRest(): boolean {
    return this.#isResting && this.#session?.isIdle === true;
  }

  /** Reads it to its end. Errors: those of the socket. */
  async serve(): Promise<void> {
    const lines = new MessageLines(gatewayMessage.size);
    const tooSlow = setTimeout(() => this.#socket.destroy(), gatewaySession.helloTime);
    let stopSayingHere: (() => void) | undefined;
    try {
      for await (const chunk of this.#socket) {
        this.#isTaking = true;
        await this.#hold(lines.length + (chunk as Buffer).byteLength);
        for (const line of lines.take(chunk as Buffer)) {
          const session = this.#session;
          if (session) await inTurnsOf(this.#app, () => this.#takeInTurn(session, line));
          else {
            const hello = readHello(line.bytes);
            // What it asks may take its time, as the end of a server does.
            clearTimeout(tooSlow);
            if (!hello) return await this.#answerOther(line);
            if (hello.awaitsHere) stopSayingHere = this.#sayHere();
            this.#app = hello.program;
            await inTurnsOf(this.#app, () => this.#open(hello));
          }
        }
        void this.#hold(lines.length);
        this.#isTaking = false;
        if (!this.#session && lines.length > gatewaySession.helloSize) return;
      }
    } finally {
      clearTimeout(tooSlow);
      void this.#session?.reading.hold(0);
      stopSayingHere?.();
      await this.#session?.close();
      this.#socket.destroy();
    }
  }

  /** Asks the pipe for no further request; what comes all the same, and what has not left, goes back to it. */
  rest(): void {
    if (this.#isAskedToRest) return;
    this.#isAskedToRest = true;
    void this.#tellToRest();
  }

  /** What has been said goes out first where the other side takes it in time. Never rejects. */
  async end(): Promise<void> {
    if (this.isAtRest && !this.#socket.destroyed) {
      this.#socket.end();
      const inTime = AbortSignal.timeout(lastWords);
      await once(this.#socket, 'close', { signal: inTime }).catch(() => {});
    }
    this.#socket.destroy();
    await this.#session?.close();
  }

  /** What is as short as one piece that comes at once is not counted: it waits for nobody. */
  async #hold(bytes: number): Promise<void> {
    if (!this.#session || this.#socket.destroyed) return;
    await this.#session.reading.hold(bytes > gatewaySession.piece ? Math.min(bytes, gatewayMessage.size) : 0);
  }

  async #answerOther(line: Line): Promise<void> {
    const answer = await this.#options.onOther(line);
    if (answer !== undefined) await new Promise<void>((resolve) => void this.#socket.end(`${answer}\n`, resolve));
  }

  async #open(hello: Parameters<OpenSession>[0]): Promise<void> {
    const session = await this.#options.open(hello, {
      send: (message) => this.#write(message),
      giveBack: (message) => this.#write(pipeWords.back, message),
      hangUp: () => void this.#socket.destroy(),
    });
    this.#session = session;
    // Also while a message waits for its turn.
    this.#socket.once('close', () => {
      // Nor is there more to wait for.
      void session.reading.hold(0);
      void session.close();
    });
    if (this.#isAskedToRest) await this.#tellToRest();
  }

  async #takeInTurn(session: ProgramSession, line: Line): Promise<void> {
    await this.#take(session, line);
    await fairTurn();
  }

  async #take(session: ProgramSession, { bytes, isTooLong }: Line): Promise<void> {
    if (this.#isAskedToRest && bytes.equals(pipeWords.resting)) this.#isResting = true;
    else if (bytes.equals(pipeWords.ask)) void this.#write(pipeWords.here);
    else await (isTooLong ? session.refuseLong(bytes) : session.receive(bytes));
  }

  /** At once, and as long as what it asks is not read. */
  #sayHere(): () => void {
    void this.#write(pipeWords.here);
    const say = (): void => {
      // Bytes that the pipe has still to read tell it as well that somebody is here.
      if (this.#isTaking && this.#socket.writableLength === 0) void this.#write(pipeWords.here);
    };
    const timer = setInterval(say, hereAgain).unref();
    return () => clearInterval(timer);
  }

  /** A pipe that has said nothing yet is told as soon as it has. */
  async #tellToRest(): Promise<void> {
    if (!this.#session) return;
    void this.#write(pipeWords.rest);
    await this.#session.rest();
  }
}

/**
 * Writes lines one after the other, each when there is room: what a program does not read stays where it comes from.
 */
function writeTo(socket: Socket): (...lines: readonly (Buffer | string)[]) => ReturnType<Send> {
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
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([once(socket, 'drain', { signal }), once(socket, 'close', { signal })]).catch(() => {});
  // A socket lives as long as its program, and keeps no listener of each time.
  over.abort();
}

/**
 * What stands on a line of its own between a pipe and its gateway, to the byte. No message of a program or server is
 * like it: they have `jsonrpc` and a method, a result or an error.
 */
export const pipeWords = {
  /**
   * To the pipe, before all else and whenever it asks: its lines are read. A process that hangs takes connections and
   * reads none.
   */
  here: Buffer.from('{"postern":1,"control":"here"}'),
  /** Of the pipe, whose program waits for something while nothing comes. */
  ask: Buffer.from('{"postern":1,"control":"ask"}'),
  /** To the pipe: requests are not sent any more, until the next connection. */
  rest: Buffer.from('{"postern":1,"control":"rest"}'),
  /** Of the pipe: no request comes after this. */
  resting: Buffer.from('{"postern":1,"control":"resting"}'),
  /** To the pipe: the next line has not left for the server, and is for the next connection. */
  back: Buffer.from('{"postern":1,"control":"back"}'),
} as const;

const short = z.string().check(z.maxLength(256));

/** The first line of a pipe. What it says of itself beside names is for showing alone. */
const helloSchema = z.object({
  postern: z.literal(pipeProtocol),
  open: z.object({
    server: short.check(z.minLength(1)),
    program: z.optional(short),
    pipe: z.optional(short),
    pid: z.optional(z.int()),
    parent: z.optional(short),
    cwd: z.optional(z.string().check(z.maxLength(4_096))),
    /** It waits for `here`, and asks for it. */
    awaitsHere: z.optional(z.boolean()),
  }),
});

/** The same of a pipe of another version, which is told to be outdated once it speaks; what else it says is not known. */
const otherHelloSchema = z.object({
  postern: z.int(),
  open: z.looseObject({
    server: z.catch(short.check(z.minLength(1)), 'Postern'),
    awaitsHere: z.catch(z.optional(z.boolean()), undefined),
  }),
});

/** Instead: another Postern of the same person asks this one to make room. */
const yieldSchema = z.object({ postern: z.literal(1), control: z.literal('yield'), secret: short });

interface PipeHello extends Hello {
  /** The pipe waits for `here`, and asks for it. */
  readonly awaitsHere?: boolean | undefined;
}

/** `undefined`: the line is none. */
function readHello(line: Buffer): PipeHello | undefined {
  if (line.byteLength > gatewaySession.helloSize) return undefined;
  const said = parseLine(line);
  const hello = helloSchema.safeParse(said).data;
  if (hello) return { ...hello.open, protocol: pipeProtocol };
  const other = otherHelloSchema.safeParse(said).data;
  if (!other || other.postern === pipeProtocol) return undefined;
  const { server, awaitsHere } = other.open;
  return { server, awaitsHere, protocol: other.postern };
}

/** Or a command of the same person asks about a server on this computer. */
const controlSchema = z.object({
  postern: z.literal(1),
  control: z.literal('local'),
  secret: short,
  id: short,
  act: z.enum(['status', 'start', 'stop']),
  /** Bytes of the output that are known already. */
  since: z.optional(z.int().check(z.nonnegative())),
});

/** What is asked by whoever shows the secret. */
export function readControl(line: Buffer, secret: string): LocalAsk | undefined {
  const asked = controlSchema.safeParse(parseLine(line)).data;
  return asked && isSameSecret(asked.secret, secret) ? asked : undefined;
}

/** Whether the line shows the secret of this gateway. */
export function asksToYield(line: Buffer, secret: string): boolean {
  const shown = yieldSchema.safeParse(parseLine(line)).data?.secret;
  return shown !== undefined && isSameSecret(shown, secret);
}

/** Takes as long for every wrong one. */
export function isSameSecret(shown: string, secret: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(shown), hash(secret));
}

/** A line that is no JSON says nothing. */
export function parseLine(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    return undefined;
  }
}
