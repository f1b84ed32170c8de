import { fork } from 'node:child_process';
import type { Serializable } from 'node:child_process';
import { lstatSync, statSync } from 'node:fs';
import path from 'node:path';
import { PosternError } from '../../errors/postern-error.ts';

/** One child that calls keytar; never more than one request at a time. */
export interface KeychainProcess {
  /** Errors: KC_TIMEOUT, after which the child has been killed; KC_UNAVAILABLE when it died. */
  request(request: KeychainRequest, timeout: number): Promise<KeychainAnswer>;
  readonly alive: boolean;
  /** Resolves when the child is gone, or its end can no longer be stopped. */
  kill(): Promise<void>;
}

/** Forks `childPath` (`keychain-child.ts`, or what it was built to). It ends with this process and does not hold it. */
export function startKeychainProcess(childPath: string): KeychainProcess {
  const child = fork(childPath, {
    // Not the parent's: an inspector port or a loader of its own is nothing for this process.
    execArgv: [],
    env: childEnvironment(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'json',
  });
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    // A child that could not be started at all has no exit.
    child.on('error', () => child.pid === undefined && resolve());
  });
  let alive = true;
  let killed = false;
  void gone.then(() => (alive = false));
  /**
   * While a request is under way the child keeps this process alive, else it does not; a killed one until it is gone.
   */
  const hold = (needed: boolean): void => {
    const method = needed || killed ? 'ref' : 'unref';
    child[method]();
    child.channel?.[method]();
  };
  hold(false);

  return {
    get alive() {
      return alive && child.connected;
    },
    async request(request, timeout) {
      const { promise, resolve, reject } = Promise.withResolvers<KeychainAnswer>();
      const fail = (code: 'KC_TIMEOUT' | 'KC_UNAVAILABLE', cause?: unknown) =>
        reject(new PosternError(code, { stage: 'storage', cause }));
      const onMessage = (answer: Serializable) => resolve(answer as unknown as KeychainAnswer);
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        // That it has ended is told only later, and the next request must not go to it.
        alive = false;
        fail('KC_TIMEOUT');
      }, timeout);
      child.once('message', onMessage);
      void gone.then(() => fail('KC_UNAVAILABLE', new Error('the keychain process died')));
      hold(true);
      child.send(request, (error) => error && fail('KC_UNAVAILABLE', error));
      return promise.finally(() => {
        clearTimeout(timer);
        child.off('message', onMessage);
        hold(false);
      });
    },
    async kill() {
      alive = false;
      killed = true;
      hold(true);
      // Its end takes 4 ms, for which a command has no need to wait.
      if (!child.kill('SIGKILL')) await gone;
    },
  };
}

function childEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, ...environment } = process.env;
  return withSessionBus(environment);
}

/**
 * `environment` with the session bus of this person where it names none: Linux reaches its keychain by it, and programs
 * start commands with little more than HOME and PATH (Codex the one for header fields). `usual`: where the system makes
 * it.
 */
export function withSessionBus(
  environment: NodeJS.ProcessEnv,
  usual = path.join('/run/user', String(process.getuid?.())),
): NodeJS.ProcessEnv {
  const isNamed = environment['DBUS_SESSION_BUS_ADDRESS'] !== undefined || environment['XDG_RUNTIME_DIR'] !== undefined;
  const bus = path.join(usual, 'bus');
  if (process.platform !== 'linux' || isNamed || !isClosed(usual) || !isSocket(bus)) return environment;
  return { ...environment, DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus}` };
}

/** A folder that nobody else can enter: a socket in another one may be anybody's. */
function isClosed(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0;
}

function isSocket(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isSocket() === true;
}

/** What the keychain's process and its parent say to each other. The value travels here only: never argv, never env. */
export interface KeychainRequest {
  readonly operation: 'read' | 'write' | 'delete';
  readonly service: string;
  readonly account: string;
  /** Of `write`. */
  readonly value?: string;
}

/** What the process cannot work without: the module that calls the keychain, its
 * compiled part, or the library of the system that this calls. */
export type MissingPart = 'module' | 'build' | 'libsecret';

export type KeychainAnswer =
  | { readonly ok: true; readonly value: string | null }
  | { readonly ok: false; readonly message: string; readonly code?: string; readonly missing?: MissingPart };
