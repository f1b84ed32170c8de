import { lstatSync } from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import { isatty } from 'node:tty';
import type { KnownDateStyle } from '../../host/date-style.ts';
import { ownCommandName, profileEnvironment } from '../../host/installation.ts';
import type { Installation } from '../../host/installation.ts';
import { encodeFrame, FrameReader } from '../../net/endpoint/command-frames.ts';
import type { FramePiece } from '../../net/endpoint/command-frames.ts';
import { controlSocketPath, pipeName } from '../../net/endpoint/socket-path.ts';
import { readPlainFileSync } from '../../plain-file.ts';
import { profilePath } from '../../storage/profile/profile-path.ts';
import { affectsResult, currentFolder, exitCodes, processIdentity, outputLostMessage } from './this-process.ts';

/** Variables that change how a result is displayed are sent too. */
const terminalVariables = /^(?:TERM|CI|ACCESSIBLE|NO_COLOR|LANG|LC_ALL|LC_CTYPE)$/u;

/** Commands that are never delegated: they handle secrets meant for this process, or serve themselves. */
const neverDelegated: ReadonlySet<string> = new Set(['token', 'exec', 'headers', 'proxy', 'serve', 'watch']);

/** Runs a command: delegated to the Postern process that serves this profile, or in this process. */
export async function runOrDelegate(
  argv: readonly string[],
  installation: Installation,
  exit: (code: number) => void,
): Promise<void> {
  const outcome = await delegate(argv, installation);
  if (outcome.kind === 'ended') return exit(outcome.code);
  const isLost = outcome.kind === 'lost';
  const { wakeKeychain } = await import('./wake-keychain.ts');
  const keychains = isLost ? undefined : await wakeKeychain(argv, installation);
  const { runProcess } = await import('./run-process.ts');
  await runProcess({ argv, installation, keychains, exit, isLost });
}

/** `not-run`: nothing was read or written. `lost`: the other process died while running the command. */
type DelegationOutcome = { readonly kind: 'not-run' | 'lost' } | { readonly kind: 'ended'; readonly code: number };

/** Delegates the command to a running Postern, if there is one: its vault is open and its sessions are warm. */
async function delegate(argv: readonly string[], installation: Installation): Promise<DelegationOutcome> {
  const command = argv.find((word) => !word.startsWith('-'));
  if (command === undefined || neverDelegated.has(command)) return { kind: 'not-run' };
  const endpoint = findEndpoint(profilePath(profileEnvironment(installation)));
  if (!endpoint) return { kind: 'not-run' };
  const env = Object.entries(process.env).filter(([name]) => affectsResult(name) || terminalVariables.test(name));
  const run = {
    ...{
      identity: processIdentity(installation, endpoint.dates),
      argv,
      cwd: currentFolder(),
      env: Object.fromEntries(env),
    },
    name: ownCommandName(installation, currentFolder()),
    terminals: {
      stdin: isatty(0),
      stdout: isatty(1),
      stderr: isatty(2),
      columns: process.stdout.columns || process.stderr.columns || undefined,
    },
  };
  // An `import` of a built-in would load the module loader first.
  const { createConnection } = process.getBuiltinModule('node:net');
  return await new DelegatedCommand(createConnection(endpoint.socket)).run({
    postern: 1,
    secret: endpoint.secret,
    run,
  });
}

interface Endpoint {
  readonly socket: string;
  readonly secret: string;
  readonly dates: KnownDateStyle | undefined;
}

/** Maximum bytes of `endpoint.json`. */
const endpointSize = 4_096;

/** `undefined` if another user could have written the file. */
function findEndpoint(folder: string): Endpoint | undefined {
  try {
    const file = path.join(folder, 'run', 'endpoint.json');
    const parsed: unknown = JSON.parse(
      readPlainFileSync(file, { limit: endpointSize, follow: false })?.toString('utf8') ?? '',
    );
    if (!isOwn(path.dirname(file)) || !isOwn(file)) return undefined;
    const { control: secret, controlPipe: pipe, dates } = parsed as Readonly<Record<string, unknown>>;
    if (typeof secret !== 'string') return undefined;
    const dateStyle = isKnownDateStyle(dates) ? dates : undefined;
    if (process.platform === 'win32')
      return typeof pipe === 'string' && pipeName.test(pipe) ? { socket: pipe, secret, dates: dateStyle } : undefined;
    const socket = controlSocketPath(folder, process.env);
    return isOwn(path.dirname(socket)) && isOwn(socket) ? { socket, secret, dates: dateStyle } : undefined;
  } catch {
    return undefined;
  }
}

function isKnownDateStyle(value: unknown): value is KnownDateStyle {
  const { surroundings, locale, timeZone } = (value ?? {}) as Partial<Record<string, unknown>>;
  return [surroundings, locale, timeZone].every((each) => typeof each === 'string');
}

function isOwn(file: string): boolean {
  if (process.getuid === undefined) return true;
  const { uid, mode } = lstatSync(file);
  return uid === process.getuid() && (mode & 0o077) === 0;
}

/** Milliseconds for the other process to accept, and to end after the first signal (longer than its own grace). */
const acceptTimeout = 2_000;
const signalTimeout = 6_000;

/** A delegated command: forwards its streams and signals. */
class DelegatedCommand {
  readonly #socket: Socket;
  readonly #frames = new FrameReader();
  readonly #ended = Promise.withResolvers<DelegationOutcome>();
  #isAccepted = false;
  #onAccepted = (): void => {};
  /** Output was lost, other than to a closed reader. */
  #hasLostOutput = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  async run(request: object): Promise<DelegationOutcome> {
    const socket = this.#socket;
    const stopForwarding = this.#forwardSignals();
    socket.on('error', () => {});
    socket.once('close', () => this.#ended.resolve(this.#isAccepted ? { kind: 'lost' } : { kind: 'not-run' }));
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const piece of this.#frames.read(chunk)) this.#handle(piece);
      } catch {
        socket.destroy();
      }
    });
    for (const stream of [process.stdout, process.stderr])
      stream.on('error', (error: NodeJS.ErrnoException) => {
        if (stream === process.stdout && error.code !== 'EPIPE') this.#hasLostOutput = true;
      });
    // A hung process accepts connections but never responds.
    const acceptTimer = setTimeout(() => socket.destroy(), acceptTimeout);
    this.#onAccepted = () => clearTimeout(acceptTimer);
    socket.write(`${JSON.stringify(request)}\n`);
    const ended = await this.#ended.promise;
    clearTimeout(acceptTimer);
    socket.destroy();
    stopForwarding();
    return ended.kind === 'ended' ? { kind: 'ended', code: await this.#flush(ended.code) } : ended;
  }

  /** Waits until all output is written. */
  async #flush(code: number): Promise<number> {
    await Promise.all(
      [process.stdout, process.stderr].map(async (stream) => {
        if (stream.writable) await new Promise<void>((resolve) => void stream.write('', () => setImmediate(resolve)));
      }),
    );
    if (!this.#hasLostOutput) return code;
    process.stderr.write(outputLostMessage);
    return code === exitCodes.done ? exitCodes.failed : code;
  }

  #handle({ kind, bytes }: FramePiece): void {
    switch (kind) {
      case 'accepted':
        this.#isAccepted = true;
        this.#onAccepted();
        this.#socket.write(encodeFrame('begin'));
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
    // After an error such as a full disk, write nothing more to standard output.
    if (!stream.writable || (this.#hasLostOutput && stream === process.stdout) || stream.write(bytes)) return;
    this.#socket.pause();
    const resume = (): void => {
      stream.off('drain', resume).off('close', resume);
      this.#socket.resume();
    };
    stream.on('drain', resume).on('close', resume);
  }

  #readStdin(): void {
    const { stdin } = process;
    stdin.on('data', (chunk: Buffer) => {
      if (this.#socket.write(encodeFrame('input', chunk))) return;
      stdin.pause();
      this.#socket.once('drain', () => stdin.resume());
    });
    for (const event of ['end', 'close', 'error'] as const)
      stdin.once(event, () => this.#socket.writable && this.#socket.write(encodeFrame('inputEnd')));
  }

  #forwardSignals(): () => void {
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    let exitTimer: NodeJS.Timeout | undefined;
    const forward = (name: NodeJS.Signals): void => {
      // Exit at once if the command was not accepted yet, or on the second signal.
      if (!this.#isAccepted || exitTimer) return process.exit(exitCodes.interrupted);
      this.#socket.write(encodeFrame('signal', name));
      exitTimer = setTimeout(() => process.exit(exitCodes.interrupted), signalTimeout).unref();
    };
    const sendColumns = (): void => void this.#socket.write(encodeFrame('columns', `${process.stderr.columns}`));
    for (const signal of signals) process.on(signal, forward);
    process.stderr.on('resize', sendColumns);
    return () => {
      clearTimeout(exitTimer);
      for (const signal of signals) process.off(signal, forward);
      process.stderr.off('resize', sendColumns);
    };
  }
}
