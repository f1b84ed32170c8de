import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { PassThrough, Writable } from 'node:stream';
import { callbackify } from 'node:util';
import * as z from 'zod/mini';
import type { Endpoint } from '../../gateway-ports.ts';
import { commandSocket, gatewaySession } from '../../limits.ts';
import { frame, FrameReader } from './command-frames.ts';
import type { FrameKind, FramePiece } from './command-frames.ts';
import { isSameSecret, parseLine } from './pipe-connection.ts';
import { listenAtPath } from './socket-endpoint.ts';

const text = z.string().check(z.maxLength(commandSocket.request));

/** The first line of a command. */
const requestSchema = z.object({
  postern: z.literal(1),
  secret: text,
  run: z.object({
    /** Of the program that was typed, and how it writes dates: what differs is run by itself. */
    identity: z.array(text),
    argv: z.array(text),
    /** The folder that it was typed in. */
    cwd: z.optional(text),
    /** Variables that its answer may depend on. */
    env: z.record(z.string(), text),
    /** How the user types `postern`. */
    name: z.optional(text),
    /** Which of its streams are terminals, and how wide they are. */
    terminals: z.object({
      stdin: z.boolean(),
      stdout: z.boolean(),
      stderr: z.boolean(),
      columns: z.optional(z.int().check(z.positive())),
    }),
  }),
});

export type CommandRequest = z.infer<typeof requestSchema>['run'];

/** A command that was typed elsewhere, as whoever runs it has it. */
export interface RemoteCommand {
  readonly request: CommandRequest;
  /** To be called before anything is done. False: nobody waits for it, and it may run elsewhere. */
  readonly begin: () => Promise<boolean>;
  readonly stdout: Writable & { readonly isTTY: boolean };
  readonly stderr: Writable & { readonly isTTY: boolean };
  /** Its standard input, which is read from here on. */
  readonly openStdin: () => PassThrough & { setRawMode: (raw: boolean) => void };
  /** Columns of its terminal now. */
  readonly columns: () => number | undefined;
  /** SIGHUP: nobody waits for it any more. */
  readonly onSignal: (listener: (signal: NodeJS.Signals) => void) => void;
}

/** Answers the exit code. `undefined`: the command is to run by itself, and nothing has been written. Never rejects. */
export type RunRemoteCommand = (command: RemoteCommand) => Promise<number | undefined>;

export interface CommandEndpointOptions {
  readonly path: string;
  /** What a command has to show: it stands in a file of this user alone. */
  readonly secret: string;
  readonly run: RunRemoteCommand;
}

/** Where commands of the same user come in. `listen` errors with CFG_*. */
export function createCommandEndpoint({ path, secret, run }: CommandEndpointOptions): Endpoint {
  const open = new Map<Socket, RunningCommand>();
  const server = createServer({ allowHalfOpen: false, noDelay: true }, (socket) => {
    const running = new RunningCommand(socket, secret, run);
    open.set(socket, running);
    socket.once('close', () => open.delete(socket));
  });
  // A connection that could not be taken (no descriptor left) concerns no other.
  server.on('error', () => {});
  return {
    listen: () => listenAtPath(server, path),
    get isIdle() {
      return open.size === 0;
    },
    stopAccepting: () => void server.close(),
    async close() {
      server.close();
      for (const running of open.values()) running.stop();
    },
  };
}

/** Bytes of a text that go out at once. */
const pieceBytes = 64 * 1_024;

class RunningCommand {
  readonly #socket: Socket;
  readonly #frames = new FrameReader();
  readonly #signals: ((signal: NodeJS.Signals) => void)[] = [];
  /** Those that came before anybody heard them. */
  readonly #early: NodeJS.Signals[] = [];
  #first: Buffer[] = [];
  #stdin: PassThrough | undefined;
  #columns: number | undefined;
  #isRunning = false;
  readonly #begun = Promise.withResolvers<boolean>();

  constructor(socket: Socket, secret: string, run: RunRemoteCommand) {
    this.#socket = socket;
    const tooSlow = setTimeout(() => socket.destroy(), gatewaySession.helloTime);
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      if (this.#isRunning) return this.#take(chunk);
      this.#first.push(chunk);
      const line = Buffer.concat(this.#first);
      const end = line.indexOf('\n');
      if (end < 0 && line.byteLength <= commandSocket.request) return;
      clearTimeout(tooSlow);
      const request = end < 0 ? undefined : readRequest(line.subarray(0, end), secret);
      if (!request) return void socket.destroy();
      this.#isRunning = true;
      this.#first = [];
      this.#take(line.subarray(end + 1));
      void this.#run(request, run);
    });
    socket.once('close', () => {
      clearTimeout(tooSlow);
      this.#begun.resolve(false);
      for (const tell of this.#signals) tell('SIGHUP');
      this.#stdin?.end();
    });
  }

  /** This process ends: the command learns that nothing more comes. */
  stop(): void {
    this.#socket.destroy();
  }

  async #run(request: CommandRequest, run: RunRemoteCommand): Promise<void> {
    const { terminals } = request;
    this.#columns = terminals.columns;
    const code = await run({
      request,
      begin: async () => {
        this.#write(frame('accepted'));
        return await this.#begun.promise;
      },
      stdout: this.#sink('out', terminals.stdout),
      stderr: this.#sink('err', terminals.stderr),
      openStdin: () => this.#openStdin(),
      columns: () => this.#columns,
      onSignal: (listener) => {
        this.#signals.push(listener);
        for (const name of this.#early.splice(0)) listener(name);
      },
    });
    if (code !== undefined) this.#write(frame('exit', Uint8Array.of(code)));
    this.#socket.end();
    // Nobody reads what it may still type, and a socket that waits for that never closes.
    this.#stdin = undefined;
    this.#socket.resume();
  }

  #take(chunk: Buffer): void {
    try {
      for (const piece of this.#frames.take(chunk)) this.#handle(piece);
    } catch {
      this.#socket.destroy();
    }
  }

  #handle({ kind, bytes }: FramePiece): void {
    if (kind === 'input') {
      if (this.#stdin?.write(bytes) === false) {
        this.#socket.pause();
        this.#stdin.once('drain', () => this.#socket.resume());
      }
    } else if (kind === 'begin') this.#begun.resolve(true);
    else if (kind === 'inputEnd') this.#stdin?.end();
    else if (kind === 'columns') this.#columns = Number(bytes.toString('latin1')) || undefined;
    else if (kind === 'signal') {
      const said = bytes.toString('latin1');
      const name = said === 'SIGTERM' || said === 'SIGHUP' ? said : 'SIGINT';
      if (this.#signals.length === 0) this.#early.push(name);
      for (const tell of this.#signals) tell(name);
    }
  }

  #openStdin(): ReturnType<RemoteCommand['openStdin']> {
    const stdin = Object.assign(new PassThrough(), {
      setRawMode: (raw: boolean) => void this.#write(frame(raw ? 'keys' : 'lines')),
    });
    this.#stdin = stdin;
    this.#write(frame('read'));
    return stdin;
  }

  #sink(kind: FrameKind, isTTY: boolean): Writable & { readonly isTTY: boolean } {
    const stream = new Writable({
      write: callbackify(async (chunk: Buffer, _encoding: string) => await this.#pass(kind, chunk)),
    });
    return Object.assign(stream, { isTTY });
  }

  /** A long text goes out piece by piece, each when there is room: nothing of it is held twice. Errors: EPIPE. */
  async #pass(kind: FrameKind, chunk: Buffer): Promise<void> {
    for (let at = 0; at === 0 || at < chunk.byteLength; at += pieceBytes) {
      if (this.#socket.destroyed) throw Object.assign(new Error('gone'), { code: 'EPIPE' });
      if (this.#write(frame(kind, chunk.subarray(at, at + pieceBytes)))) continue;
      await new Promise<void>((resolve) => {
        const goOn = (): void => {
          this.#socket.off('drain', goOn).off('close', goOn);
          resolve();
        };
        this.#socket.once('drain', goOn).once('close', goOn);
      });
    }
  }

  /** Answers whether there is room for more. */
  #write(bytes: Buffer): boolean {
    return this.#socket.destroyed || this.#socket.write(bytes);
  }
}

function readRequest(line: Buffer, secret: string): CommandRequest | undefined {
  const asked = requestSchema.safeParse(parseLine(line)).data;
  return asked && isSameSecret(asked.secret, secret) ? asked.run : undefined;
}
