import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { PassThrough, Writable } from 'node:stream';
import { callbackify } from 'node:util';
import * as z from 'zod/mini';
import type { Endpoint } from '../../gateway-ports.ts';
import { commandSocket, gatewaySession } from '../../limits.ts';
import type { LocalRequest } from '../../local-ports.ts';
import { encodeFrame, FrameReader } from './command-frames.ts';
import type { FrameKind, FramePiece } from './command-frames.ts';
import { parseLine } from './pipe-connection.ts';
import { listenAtPath } from './socket-endpoint.ts';

const text = z.string().check(z.maxLength(commandSocket.request));

/** The first line of a command. */
const requestSchema = z.object({
  postern: z.literal(1),
  secret: text,
  run: z.object({
    /** Identity of the typed executable, and its date format. If it differs from ours, the command runs on its own. */
    identity: z.array(text),
    argv: z.array(text),
    /** The working directory. */
    cwd: z.optional(text),
    /** Environment variables that its result may depend on. */
    env: z.record(z.string(), text),
    /** How the user types `postern`. */
    name: z.optional(text),
    /** Which streams are terminals, and their width. */
    terminals: z.object({
      stdin: z.boolean(),
      stdout: z.boolean(),
      stderr: z.boolean(),
      columns: z.optional(z.int().check(z.positive())),
    }),
  }),
});

export type CommandRequest = z.infer<typeof requestSchema>['run'];

/** The line of another Postern that wants to serve this profile. */
const yieldSchema = z.object({ postern: z.literal(1), control: z.literal('yield'), secret: text });

/** The line of a command that asks about a local server. */
const localSchema = z.object({
  postern: z.literal(1),
  control: z.literal('local'),
  secret: text,
  id: z.string().check(z.maxLength(256)),
  act: z.enum(['status', 'start', 'stop']),
  /** Bytes of output that the command already has. */
  since: z.optional(z.int().check(z.nonnegative())),
}) satisfies z.ZodMiniType<LocalRequest>;

/** A command from another process, as its runner sees it. */
export interface RemoteCommand {
  readonly request: CommandRequest;
  /** Must be called before doing anything. False: the caller is gone, and may run the command itself. */
  readonly begin: () => Promise<boolean>;
  readonly stdout: Writable & { readonly isTTY: boolean };
  readonly stderr: Writable & { readonly isTTY: boolean };
  /** Starts reading its standard input. */
  readonly openStdin: () => PassThrough & { setRawMode: (raw: boolean) => void };
  /** Current width of its terminal. */
  readonly columns: () => number | undefined;
  /** SIGHUP: the caller is gone. */
  readonly onSignal: (listener: (signal: NodeJS.Signals) => void) => void;
}

/** Returns the exit code. `undefined`: nothing was written, and the command must run on its own. Never rejects. */
export type RunRemoteCommand = (command: RemoteCommand) => Promise<number | undefined>;

interface ControlEndpointOptions {
  readonly path: string;
  /** Authenticates commands: stored in a file that only this user can read. */
  readonly secret: string;
  /** Absent: commands run on their own. */
  readonly run?: RunRemoteCommand | undefined;
  /** Queries or controls a local server. The response is JSON. */
  readonly onLocalRequest?: (request: LocalRequest) => Promise<object>;
  /** Another Postern with this secret may ask this one to hand over. */
  readonly handOver?: { readonly secret: string; readonly onAsked: () => void } | undefined;
}

/** The endpoint for other Postern processes of the same user, apart from that of AI apps. Errors of `listen`: CFG_*. */
export function createControlEndpoint({ path, ...options }: ControlEndpointOptions): Endpoint {
  const commands = new Map<Socket, RunningCommand>();
  const server = createServer({ allowHalfOpen: false, noDelay: true }, (socket) => {
    const command = new RunningCommand(socket, options);
    commands.set(socket, command);
    socket.once('close', () => commands.delete(socket));
  });
  // A failed accept (out of file descriptors) does not affect other connections.
  server.on('error', () => {});
  return {
    listen: () => listenAtPath(server, path),
    get isIdle() {
      return commands.size === 0;
    },
    stopAccepting: () => void server.close(),
    async close() {
      server.close();
      for (const command of commands.values()) command.stop();
    },
  };
}

/** Bytes per frame of output. */
const chunkBytes = 64 * 1_024;

class RunningCommand {
  readonly #socket: Socket;
  readonly #frames = new FrameReader();
  readonly #signals: ((signal: NodeJS.Signals) => void)[] = [];
  /** Signals received before there was a listener. */
  readonly #pendingSignals: NodeJS.Signals[] = [];
  #received: Buffer[] = [];
  #stdin: PassThrough | undefined;
  #columns: number | undefined;
  #isRunning = false;
  readonly #hasBegun = Promise.withResolvers<boolean>();

  constructor(socket: Socket, options: Omit<ControlEndpointOptions, 'path'>) {
    this.#socket = socket;
    const timeout = setTimeout(() => socket.destroy(), gatewaySession.helloTimeout);
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      if (this.#isRunning) return this.#receive(chunk);
      this.#received.push(chunk);
      const line = Buffer.concat(this.#received);
      const end = line.indexOf('\n');
      if (end < 0 && line.byteLength <= commandSocket.request) return;
      clearTimeout(timeout);
      const first = end < 0 ? undefined : parseLine(line.subarray(0, end));
      const { run } = options;
      const request = run && readRequest(first, options.secret);
      this.#isRunning = true;
      if (!request) return void respond(socket, first, options);
      this.#received = [];
      this.#receive(line.subarray(end + 1));
      void this.#run(request, run);
    });
    socket.once('close', () => {
      clearTimeout(timeout);
      this.#hasBegun.resolve(false);
      for (const listener of this.#signals) listener('SIGHUP');
      this.#stdin?.end();
    });
  }

  /** This process exits: disconnects the command. */
  stop(): void {
    this.#socket.destroy();
  }

  async #run(request: CommandRequest, run: RunRemoteCommand): Promise<void> {
    const { terminals } = request;
    this.#columns = terminals.columns;
    const code = await run({
      request,
      begin: async () => {
        this.#write(encodeFrame('accepted'));
        return await this.#hasBegun.promise;
      },
      stdout: this.#outputStream('out', terminals.stdout),
      stderr: this.#outputStream('err', terminals.stderr),
      openStdin: () => this.#openStdin(),
      columns: () => this.#columns,
      onSignal: (listener) => {
        this.#signals.push(listener);
        for (const name of this.#pendingSignals.splice(0)) listener(name);
      },
    });
    if (code !== undefined) this.#write(encodeFrame('exit', Uint8Array.of(code)));
    this.#socket.end();
    // Discard further input: a paused socket would never close.
    this.#stdin = undefined;
    this.#socket.resume();
  }

  #receive(chunk: Buffer): void {
    try {
      for (const piece of this.#frames.read(chunk)) this.#handle(piece);
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
    } else if (kind === 'begin') this.#hasBegun.resolve(true);
    else if (kind === 'inputEnd') this.#stdin?.end();
    else if (kind === 'columns') this.#columns = Number(bytes.toString('latin1')) || undefined;
    else if (kind === 'signal') {
      const received = bytes.toString('latin1');
      const name = received === 'SIGTERM' || received === 'SIGHUP' ? received : 'SIGINT';
      if (this.#signals.length === 0) this.#pendingSignals.push(name);
      for (const listener of this.#signals) listener(name);
    }
  }

  #openStdin(): ReturnType<RemoteCommand['openStdin']> {
    const stdin = Object.assign(new PassThrough(), {
      setRawMode: (raw: boolean) => void this.#write(encodeFrame(raw ? 'keys' : 'lines')),
    });
    this.#stdin = stdin;
    this.#write(encodeFrame('read'));
    return stdin;
  }

  #outputStream(kind: FrameKind, isTTY: boolean): Writable & { readonly isTTY: boolean } {
    const stream = new Writable({
      write: callbackify(async (chunk: Buffer, _encoding: string) => await this.#writeChunks(kind, chunk)),
    });
    return Object.assign(stream, { isTTY });
  }

  /** Sends long output in chunks, each when there is room, to avoid buffering it twice. Errors: EPIPE. */
  async #writeChunks(kind: FrameKind, chunk: Buffer): Promise<void> {
    for (let at = 0; at === 0 || at < chunk.byteLength; at += chunkBytes) {
      if (this.#socket.destroyed) throw Object.assign(new Error('gone'), { code: 'EPIPE' });
      if (this.#write(encodeFrame(kind, chunk.subarray(at, at + chunkBytes)))) continue;
      await new Promise<void>((resolve) => {
        const resume = (): void => {
          this.#socket.off('drain', resume).off('close', resume);
          resolve();
        };
        this.#socket.once('drain', resume).once('close', resume);
      });
    }
  }

  /** Returns whether there is room for more. */
  #write(bytes: Buffer): boolean {
    return this.#socket.destroyed || this.#socket.write(bytes);
  }
}

function readRequest(line: unknown, secret: string): CommandRequest | undefined {
  const request = requestSchema.safeParse(line).data;
  return request && isSameSecret(request.secret, secret) ? request.run : undefined;
}

/** Responds to a line that is no command, if it shows the secret, and disconnects. Never rejects. */
async function respond(
  socket: Socket,
  line: unknown,
  { secret, handOver, onLocalRequest }: Omit<ControlEndpointOptions, 'path'>,
): Promise<void> {
  const yielding = yieldSchema.safeParse(line).data;
  if (handOver && yielding && isSameSecret(yielding.secret, handOver.secret)) handOver.onAsked();
  const request = localSchema.safeParse(line).data;
  const isKnown = request && isSameSecret(request.secret, secret);
  const response = isKnown ? await onLocalRequest?.(request).catch(() => undefined) : undefined;
  if (response) socket.end(`${JSON.stringify(response)}\n`, () => socket.destroy());
  else socket.destroy();
}

/** Constant-time comparison. */
function isSameSecret(presented: string, secret: string): boolean {
  const hash = (value: string): Buffer => createHash('sha256').update(value).digest();
  return timingSafeEqual(hash(presented), hash(secret));
}
