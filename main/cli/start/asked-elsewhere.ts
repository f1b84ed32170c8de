import { lstatSync } from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import { isatty } from 'node:tty';
import type { KnownDateStyle } from '../../host/date-style.ts';
import { ownCommandName, profileSurroundings } from '../../host/installation.ts';
import type { Installation } from '../../host/installation.ts';
import { frame, FrameReader } from '../../net/endpoint/command-frames.ts';
import type { FramePiece } from '../../net/endpoint/command-frames.ts';
import { commandSocketPath, pipeName } from '../../net/endpoint/socket-path.ts';
import { readPlainFileSync } from '../../plain-file.ts';
import { profilePath } from '../../storage/profile/profile-path.ts';
import { bearsOnAnswer, currentFolder, exitCodes, identityOf, lostAnswer } from './this-process.ts';

/** What its answer looks like there is sent too. */
const ofTerminal = /^(?:TERM|CI|ACCESSIBLE|NO_COLOR|LANG|LC_ALL|LC_CTYPE)$/u;

/** First words of commands that stay what they are: they write what only this process may have, or serve themselves. */
const never: ReadonlySet<string> = new Set(['token', 'exec', 'headers', 'proxy', 'serve', 'watch']);

/** Runs a command to its end: in the Postern that runs for this profile, or in this process. */
export async function runAnywhere(
  argv: readonly string[],
  installation: Installation,
  exit: (code: number) => void,
): Promise<void> {
  const asked = await askElsewhere(argv, installation);
  if (asked.kind === 'ended') return exit(asked.code);
  const isLost = asked.kind === 'lost';
  const { wakeKeychain } = await import('./wake-keychain.ts');
  const keychains = isLost ? undefined : await wakeKeychain(argv, installation);
  const { runProcess } = await import('./run-process.ts');
  await runProcess({ argv, installation, keychains, exit, isLost });
}

/** `not-run`: nothing has been read or written. `lost`: the other process ended in the middle. */
type AskedEnd = { readonly kind: 'not-run' | 'lost' } | { readonly kind: 'ended'; readonly code: number };

/**
 * Has the Postern that runs for this profile run the command, where there is one: its vault is open and its sessions
 * are warm.
 */
async function askElsewhere(argv: readonly string[], installation: Installation): Promise<AskedEnd> {
  const command = argv.find((word) => !word.startsWith('-'));
  if (command === undefined || never.has(command)) return { kind: 'not-run' };
  const place = findPlace(profilePath(profileSurroundings(installation)));
  if (!place) return { kind: 'not-run' };
  const env = Object.entries(process.env).filter(([name]) => bearsOnAnswer(name) || ofTerminal.test(name));
  const run = {
    ...{ identity: identityOf(installation, place.dates), argv, cwd: currentFolder(), env: Object.fromEntries(env) },
    name: ownCommandName(installation, currentFolder()),
    terminals: {
      stdin: isatty(0),
      stdout: isatty(1),
      stderr: isatty(2),
      columns: process.stdout.columns || process.stderr.columns || undefined,
    },
  };
  // An `import` of Node's own would load what loads modules first.
  const { createConnection } = process.getBuiltinModule('node:net');
  return await new AskedCommand(createConnection(place.socket)).run({ postern: 1, secret: place.secret, run });
}

interface Place {
  readonly socket: string;
  readonly secret: string;
  readonly dates: KnownDateStyle | undefined;
}

/** Bytes of the file that says where. */
const endpointSize = 4_096;

/** Nothing where another user could have put it there. */
function findPlace(folder: string): Place | undefined {
  try {
    const file = path.join(folder, 'run', 'endpoint.json');
    const said: unknown = JSON.parse(
      readPlainFileSync(file, { limit: endpointSize, follow: false })?.toString('utf8') ?? '',
    );
    if (!isOwn(path.dirname(file)) || !isOwn(file)) return undefined;
    const { control: secret, commandPipe: pipe, dates } = said as Readonly<Record<string, unknown>>;
    if (typeof secret !== 'string') return undefined;
    const known = isKnownStyle(dates) ? dates : undefined;
    if (process.platform === 'win32')
      return typeof pipe === 'string' && pipeName.test(pipe) ? { socket: pipe, secret, dates: known } : undefined;
    const socket = commandSocketPath(folder, process.env);
    return isOwn(path.dirname(socket)) && isOwn(socket) ? { socket, secret, dates: known } : undefined;
  } catch {
    return undefined;
  }
}

function isKnownStyle(value: unknown): value is KnownDateStyle {
  const { surroundings, locale, timeZone } = (value ?? {}) as Partial<Record<string, unknown>>;
  return [surroundings, locale, timeZone].every((each) => typeof each === 'string');
}

function isOwn(place: string): boolean {
  if (process.getuid === undefined) return true;
  const { uid, mode } = lstatSync(place);
  return uid === process.getuid() && (mode & 0o077) === 0;
}

/** Milliseconds for the other process to take it, and for its end after the first signal: longer than it takes itself. */
const patience = 2_000;
const lastPatience = 6_000;

/** A command whose streams and signals are another process's. */
class AskedCommand {
  readonly #socket: Socket;
  readonly #frames = new FrameReader();
  readonly #ended = Promise.withResolvers<AskedEnd>();
  #isAccepted = false;
  #onAccepted = (): void => {};
  /** Somebody wanted what could not be written. */
  #hasLost = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  async run(request: object): Promise<AskedEnd> {
    const socket = this.#socket;
    const stopPassing = this.#passSignals();
    socket.on('error', () => {});
    socket.once('close', () => this.#ended.resolve(this.#isAccepted ? { kind: 'lost' } : { kind: 'not-run' }));
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const piece of this.#frames.take(chunk)) this.#take(piece);
      } catch {
        socket.destroy();
      }
    });
    for (const stream of [process.stdout, process.stderr])
      stream.on('error', (error: NodeJS.ErrnoException) => {
        if (stream === process.stdout && error.code !== 'EPIPE') this.#hasLost = true;
      });
    // A process that hangs takes connections and answers none.
    const stopWaiting = setTimeout(() => socket.destroy(), patience);
    this.#onAccepted = () => clearTimeout(stopWaiting);
    socket.write(`${JSON.stringify(request)}\n`);
    const ended = await this.#ended.promise;
    clearTimeout(stopWaiting);
    socket.destroy();
    stopPassing();
    return ended.kind === 'ended' ? { kind: 'ended', code: await this.#flush(ended.code) } : ended;
  }

  /** Waits until all has left this process. */
  async #flush(code: number): Promise<number> {
    await Promise.all(
      [process.stdout, process.stderr].map(async (stream) => {
        if (stream.writable) await new Promise<void>((resolve) => void stream.write('', () => setImmediate(resolve)));
      }),
    );
    if (!this.#hasLost) return code;
    process.stderr.write(lostAnswer);
    return code === exitCodes.done ? exitCodes.failed : code;
  }

  #take({ kind, bytes }: FramePiece): void {
    switch (kind) {
      case 'accepted':
        this.#isAccepted = true;
        this.#onAccepted();
        this.#socket.write(frame('begin'));
        return;
      case 'out':
        return this.#write(process.stdout, bytes);
      case 'err':
        return this.#write(process.stderr, bytes);
      case 'exit':
        return this.#ended.resolve({ kind: 'ended', code: bytes[0] ?? exitCodes.failed });
      case 'read':
        return this.#readStdin();
      case 'keys':
      case 'lines':
        process.stdin.setRawMode?.(kind === 'keys');
        return;
      default:
    }
  }

  #write(stream: NodeJS.WriteStream, bytes: Buffer): void {
    // After a full disk nothing more: what is left would be taken for the whole.
    if (!stream.writable || (this.#hasLost && stream === process.stdout) || stream.write(bytes)) return;
    this.#socket.pause();
    const goOn = (): void => {
      stream.off('drain', goOn).off('close', goOn);
      this.#socket.resume();
    };
    stream.on('drain', goOn).on('close', goOn);
  }

  #readStdin(): void {
    const { stdin } = process;
    stdin.on('data', (chunk: Buffer) => {
      if (this.#socket.write(frame('input', chunk))) return;
      stdin.pause();
      this.#socket.once('drain', () => stdin.resume());
    });
    for (const event of ['end', 'close', 'error'] as const)
      stdin.once(event, () => this.#socket.writable && this.#socket.write(frame('inputEnd')));
  }

  #passSignals(): () => void {
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    let stopWaiting: NodeJS.Timeout | undefined;
    const pass = (name: NodeJS.Signals): void => {
      // As if nobody had been asked; and who insists, or waits in vain, is not kept.
      if (!this.#isAccepted || stopWaiting) return process.exit(exitCodes.interrupted);
      this.#socket.write(frame('signal', name));
      stopWaiting = setTimeout(() => process.exit(exitCodes.interrupted), lastPatience).unref();
    };
    const tellColumns = (): void => void this.#socket.write(frame('columns', `${process.stderr.columns}`));
    for (const signal of signals) process.on(signal, pass);
    process.stderr.on('resize', tellColumns);
    return () => {
      clearTimeout(stopWaiting);
      for (const signal of signals) process.off(signal, pass);
      process.stderr.off('resize', tellColumns);
    };
  }
}
