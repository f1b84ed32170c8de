import type { LocalCommand } from '../shared/local-command.ts';
import type { PosternError } from './errors/postern-error.ts';

/** A server on this computer as it is to run: what was consented to, and what only the vault knows. */
export interface RunnableServer {
  /** Id of the integration. */
  readonly id: string;
  readonly command: LocalCommand;
  /** Of the variables that the command names, and of its sealed arguments (`main/secret.ts`). */
  readonly values: Readonly<Record<string, string>>;
}

/** A server to be started. `read`: what may run; asked after the last rest, since a yes may be gone by then. */
export interface ServerToStart {
  readonly id: string;
  read(): Promise<RunnableServer>;
}

type PreparedWords = Pick<LocalCommand, 'command' | 'path' | 'arguments' | 'folder'>;

/** What a process says, and its end. */
export interface LocalHearing {
  /** A line of its standard output; reading goes on when it has been taken. `noise`: it is no message. */
  onLine(bytes: Buffer): Promise<'message' | 'noise'>;
  /** The beginning of a line that is longer than a message may be. */
  onTooLong(beginning: Buffer): void;
  /** Told once, when nothing more comes. */
  onEnd(error: PosternError): void;
}

/** One process of a server. */
export interface LocalProcess {
  /** Writes one line; resolves when there is room for another. Never rejects: its end is told. */
  send(line: string): Promise<void>;
  /** Ends it, with all that it has started. Never rejects. */
  stop(): Promise<void>;
}

/** How it is with a server: `waiting` for the next start after it ended; `failed`: it ended too often. */
export type LocalState = 'off' | 'starting' | 'running' | 'waiting' | 'failed' | 'stopped';

export interface LocalStatus {
  readonly state: LocalState;
  readonly processes: readonly { readonly pid: number; readonly startedAt: number }[];
  /** Why it is `failed`. */
  readonly failure?: PosternError | undefined;
}

/** What a command of the person asks of whoever serves their programs. */
export interface LocalAsk {
  readonly id: string;
  readonly act: 'status' | 'start' | 'stop';
  readonly since?: number | undefined;
}

/** The answer to that. `output`: the end of what its processes have written, of `total` bytes. */
export interface LocalReport extends Pick<LocalStatus, 'state' | 'processes'> {
  readonly output: string;
  readonly total: number;
}

/** The end of what was written, after the bytes that are known; `total`: bytes in all. */
export interface LocalOutput {
  readonly text: string;
  readonly total: number;
}

/** A process that several sessions share: it runs, or is being started, and `waiting` sessions wait for that. */
export interface SharedServer {
  readonly hash: string;
  readonly process: {
    readonly isOver: boolean;
    readonly isUsed: boolean;
    join(hearing: LocalHearing): LocalProcess;
    stop(): Promise<void>;
  };
  readonly started: Promise<void>;
  readonly giveUp: AbortController;
  waiting: number;
}

/** Runs servers on this computer. It starts what it is told to; that a person has allowed it is asked before. */
export interface LocalServers {
  /** By the id of the server, for whoever joins one. */
  readonly shared: Map<string, SharedServer>;
  /**
   * What words mean that were typed or listed: `~` is the home folder, a relative folder is in it. `writtenIn`: the folder
   * of a shell, which has replaced `~` already, and where relative paths begin. Errors: LOCAL_NOT_FOUND.
   */
  prepare(words: readonly string[], folder: string | undefined, writtenIn?: string): Promise<PreparedWords>;
  /** The file that a command means, for a person to see. Errors: LOCAL_NOT_FOUND. */
  resolve(command: string, folder: string | undefined): Promise<string>;
  /** Names of variables that lead to the network here, and that a command which fetches code is not given. */
  notGiven(command: LocalCommand): readonly string[];
  /**
   * Starts a process, after its time to rest where it has just ended. Errors: those of `read`; as `UnsentRequest`s
   * LOCAL_NOT_FOUND, LOCAL_EXITED where it ended too often, LOCAL_STOPPED, GATEWAY_BUSY; the reason of `signal`.
   */
  start(server: ServerToStart, hearing: LocalHearing, signal: AbortSignal): Promise<LocalProcess>;
  status(id: string): LocalStatus;
  /** The end of what its processes have written to their standard error, and of what was no message. */
  output(id: string, since?: number): LocalOutput;
  /** It may start again: what ended it is forgotten. Never rejects. */
  allow(id: string): Promise<void>;
  /** Told when a server may start again, whoever asked for it; `allow` waits for that. Answers its end. */
  onAllow(tell: (id: string) => void | Promise<void>): () => void;
  /** Ends its processes, and starts none until it is allowed. Never rejects. */
  stop(id: string): Promise<void>;
  /** Told of each change of status, with the id. Answers its end. */
  onChange(tell: (id: string) => void): () => void;
  /** This process ends soon: its servers get little time for their end. */
  hurry(): void;
  /** Ends all. Never rejects. */
  close(): Promise<void>;
}

/** Does what is asked in the process whose servers they are, and answers how it is then. */
export async function answerLocal(
  local: Pick<LocalServers, 'stop' | 'allow' | 'output' | 'status'>,
  { id, act, since }: LocalAsk,
): Promise<LocalReport> {
  if (act === 'stop') await local.stop(id);
  if (act === 'start') await local.allow(id);
  const { text: output, total } = local.output(id, since);
  const { state, processes } = local.status(id);
  return { state, processes, output, total };
}

/** Loaded for the first command: every list is read by what needs this, and few hold one. */
const crypto = () => process.getBuiltinModule('node:crypto');

/** SHA-256 over everything that decides what runs, and not who shares it or where it came from. */
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

/** Of servers that run on this computer; bytes, and times in milliseconds. */
export const localServers = {
  /** Processes at once. */
  running: 50,
  /** The end of what one has written to its standard error. */
  output: 1_024 * kibibyte,
  /** Lines that are no message: bytes of them in one second, of each at least so many. */
  noise: { bytes: 256 * kibibyte, line: 32, within: 1_000 },
  /** How long a question of a command stands unanswered that has said nothing else yet; characters of one. */
  asking: { patience: 2_000, length: 500 },
  /** Ends that nobody asked for: so many within that time, and it is not started again. */
  ends: { count: 5, within: 300_000 },
  backOff: { first: 1_000, longest: 60_000 },
  /**
   * How long it may take to end: by itself, once it is told to, and once it is killed; either of the first two, where
   * Postern itself is about to end.
   */
  stop: { byItself: 2_000, told: 3_000, killed: 2_000, hurried: 500 },
  /** For what it has still said when it ended. */
  lastWords: 200,
  /** For the system to say which processes run. */
  systemQuery: 10_000,
  /** For the answer of the user's shell, and before it is asked again; characters of what its files print. */
  shell: 2_000,
  shellAgain: 60_000,
  shellOutput: 256 * kibibyte,
} as const;
