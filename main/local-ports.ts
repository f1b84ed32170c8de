import type { LocalCommand } from '../shared/local-command.ts';
import type { PosternError } from './errors/postern-error.ts';

/** A local server, ready to run: the command that the user allowed, plus its secrets from the vault. */
export interface RunnableServer {
  /** Id of the integration. */
  readonly id: string;
  readonly command: LocalCommand;
  /** Values of the variables that the command names, and of its sealed arguments (`main/secret.ts`). */
  readonly values: Readonly<Record<string, string>>;
}

/** A server to start. `read` is called after the last back-off delay, since consent may be withdrawn by then. */
export interface ServerToStart {
  readonly id: string;
  read(): Promise<RunnableServer>;
}

type PreparedCommand = Pick<LocalCommand, 'command' | 'path' | 'arguments' | 'folder'>;

/** Receives the output of a process, and its end. */
export interface LocalProcessListener {
  /** A line of standard output; reading resumes when this resolves. `noise`: the line is not a message. */
  onLine(bytes: Buffer): Promise<'message' | 'noise'>;
  /** The beginning of a line that exceeds the message limit. */
  onTooLong(beginning: Buffer): void;
  /** Called once, after all output. */
  onEnd(error: PosternError): void;
}

/** One process of a server. */
export interface LocalProcess {
  /** Writes one line; resolves when there is room for another. Never rejects: the listener gets `onEnd`. */
  send(line: string): Promise<void>;
  /** Stops it and its child processes. Never rejects. */
  stop(): Promise<void>;
}

/** `waiting`: it ended and will be restarted. `failed`: it ended too often. */
export type LocalState = 'off' | 'starting' | 'running' | 'waiting' | 'failed' | 'stopped';

export interface LocalStatus {
  readonly state: LocalState;
  readonly processes: readonly { readonly pid: number; readonly startedAt: number }[];
  /** Present if `state` is `failed`. */
  readonly failure?: PosternError | undefined;
}

/** A request from a `postern` command to the process that runs the gateway. */
export interface LocalRequest {
  readonly id: string;
  readonly act: 'status' | 'start' | 'stop';
  readonly since?: number | undefined;
}

/** The result of a `LocalRequest`. `output`: the last part of the `total` bytes that its processes have written. */
export interface LocalReport extends Pick<LocalStatus, 'state' | 'processes'> {
  readonly output: string;
  readonly total: number;
}

/** The latest output after the bytes that the caller already has. `total`: bytes written in all. */
export interface LocalOutput {
  readonly text: string;
  readonly total: number;
}

/** A process that several sessions share, running or starting. `waiting`: sessions that wait for the start. */
export interface SharedServer {
  readonly hash: string;
  readonly process: {
    readonly isOver: boolean;
    readonly hasSessions: boolean;
    join(listener: LocalProcessListener): LocalProcess;
    stop(): Promise<void>;
  };
  readonly started: Promise<void>;
  readonly abandon: AbortController;
  waiting: number;
}

/** Runs local servers. It starts whatever it is given: callers check the user's consent first. */
export interface LocalServers {
  /** By server id, for sessions that join a running process. */
  readonly shared: Map<string, SharedServer>;
  /**
   * Resolves a command that was typed or imported: `~` is the home folder, and relative folders start there.
   * `workingFolder`: that of a shell, which has already expanded `~`; relative paths start there instead.
   * Errors: LOCAL_NOT_FOUND.
   */
  prepare(words: readonly string[], folder: string | undefined, workingFolder?: string): Promise<PreparedCommand>;
  /** The file that a command runs, to show it to the user. Errors: LOCAL_NOT_FOUND. */
  resolve(command: string, folder: string | undefined): Promise<string>;
  /** Names of network-related variables that are withheld from a command that downloads code. */
  withheldVariables(command: LocalCommand): readonly string[];
  /**
   * Starts a process, after a back-off if it has just ended. Errors: those of `read`; the reason of `signal`; and as
   * `UnsentRequest`s LOCAL_NOT_FOUND, LOCAL_EXITED (it ended too often), LOCAL_STOPPED, GATEWAY_BUSY.
   */
  start(server: ServerToStart, listener: LocalProcessListener, signal: AbortSignal): Promise<LocalProcess>;
  status(id: string): LocalStatus;
  /** The latest standard error of its processes, and standard output that was not a message. */
  output(id: string, since?: number): LocalOutput;
  /** Clears a stop or failure, so that it may start again. Never rejects. */
  allow(id: string): Promise<void>;
  /** Called on each `allow`, which awaits it. Returns how to unsubscribe. */
  onAllow(listener: (id: string) => void | Promise<void>): () => void;
  /** Stops its processes, and starts none until `allow`. Never rejects. */
  stop(id: string): Promise<void>;
  /** Called with the id on each change of status. Returns how to unsubscribe. */
  onChange(listener: (id: string) => void): () => void;
  /** This process exits soon: its servers get less time to stop. */
  hurry(): void;
  /** Stops all servers. Never rejects. */
  close(): Promise<void>;
}

/** Runs in the process that owns the servers. Returns the state afterwards. */
export async function handleLocalRequest(
  local: Pick<LocalServers, 'stop' | 'allow' | 'output' | 'status'>,
  { id, act, since }: LocalRequest,
): Promise<LocalReport> {
  if (act === 'stop') await local.stop(id);
  if (act === 'start') await local.allow(id);
  const { text: output, total } = local.output(id, since);
  const { state, processes } = local.status(id);
  return { state, processes, output, total };
}

/** Loaded on demand: code that reads any server list imports this module, but few lists contain a command. */
const crypto = () => process.getBuiltinModule('node:crypto');

/** Hex SHA-256 of everything that decides what runs; not of who shares the process or where the command came from. */
export function commandHash({ from: _from, lifetime: _lifetime, ...command }: LocalCommand): string {
  const { command: typed, path, arguments: words, folder = null, variables, sealed } = command;
  const text = JSON.stringify([
    'postern-command-1',
    typed,
    path,
    words,
    folder,
    variables,
    ...(sealed ? [sealed] : []),
  ]);
  return crypto().createHash('sha256').update(text).digest('hex');
}

const kibibyte = 1_024;

/** Limits for local servers. Bytes, and milliseconds. */
export const localServerLimits = {
  /** Processes running at a time. */
  running: 50,
  /** Standard error that is retained per server. */
  output: 1_024 * kibibyte,
  /** Non-message lines: bytes allowed `within` a second, with each line counting as at least `line` bytes. */
  noise: { bytes: 256 * kibibyte, line: 32, within: 1_000 },
  /** A prompt on standard error before any message: how long it may stay unanswered, and characters of it. */
  prompt: { patience: 2_000, length: 500 },
  /** After this many unexpected exits within this time, it is not restarted. */
  crashes: { count: 5, within: 300_000 },
  backOff: { first: 1_000, longest: 60_000 },
  /**
   * Time to exit: on its own, after a request, after a kill; `hurried` replaces the first two if Postern is exiting.
   */
  stop: { voluntary: 2_000, requested: 3_000, killed: 2_000, hurried: 500 },
  /** Time to read the remaining output after an exit. */
  finalOutput: 200,
  /** Time for the system to list the running processes. */
  systemQuery: 10_000,
  /** The user's shell: time to report its environment, time until it is asked again, and characters of its output. */
  shell: 2_000,
  shellRetry: 60_000,
  shellOutput: 256 * kibibyte,
} as const;
