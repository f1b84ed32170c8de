import { fork } from 'node:child_process';
import type { Serializable } from 'node:child_process';
import { lstatSync, statSync } from 'node:fs';
import path from 'node:path';
import { PosternError } from '../../errors/postern-error.ts';

/** A child process that calls keytar. At most one request at a time. */
export interface KeychainProcess {
  /** Errors: KC_TIMEOUT (the child has been killed), KC_UNAVAILABLE (it died). */
  request(request: KeychainRequest, timeout: number): Promise<KeychainResponse>;
  readonly isAlive: boolean;
  /** Resolves when the child is gone, or certain to be. */
  kill(): Promise<void>;
}

/**
 * Forks `childPath` (`keychain-child.ts` or its build). The child ends with this process and does not keep it alive.
 */
export function startKeychainProcess(childPath: string): KeychainProcess {
  const child = fork(childPath, {
    // Not the parent's: the child must not inherit an inspector port or a loader.
    execArgv: [],
    env: childEnvironment(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'json',
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    // A child that failed to start emits no `exit`.
    child.on('error', () => child.pid === undefined && resolve());
  });
  let isAlive = true;
  let isKilled = false;
  void exited.then(() => (isAlive = false));
  /** The child keeps this process alive only during a request, and between a kill and its exit. */
  const setReferenced = (isNeeded: boolean): void => {
    const method = isNeeded || isKilled ? 'ref' : 'unref';
    child[method]();
    child.channel?.[method]();
  };
  setReferenced(false);

  return {
    get isAlive() {
      return isAlive && child.connected;
    },
    async request(request, timeout) {
      const { promise, resolve, reject } = Promise.withResolvers<KeychainResponse>();
      const fail = (code: 'KC_TIMEOUT' | 'KC_UNAVAILABLE', cause?: unknown) =>
        reject(new PosternError(code, { stage: 'storage', cause }));
      const onMessage = (message: Serializable) => resolve(message as unknown as KeychainResponse);
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        // `exit` comes later, and the next request must not go to this child.
        isAlive = false;
        fail('KC_TIMEOUT');
      }, timeout);
      child.once('message', onMessage);
      void exited.then(() => fail('KC_UNAVAILABLE', new Error('the keychain process died')));
      setReferenced(true);
      child.send(request, (error) => error && fail('KC_UNAVAILABLE', error));
      return promise.finally(() => {
        clearTimeout(timer);
        child.off('message', onMessage);
        setReferenced(false);
      });
    },
    async kill() {
      isAlive = false;
      isKilled = true;
      setReferenced(true);
      // Exiting takes 4 ms, which a command need not wait for.
      if (!child.kill('SIGKILL')) await exited;
    },
  };
}

function childEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, ...environment } = process.env;
  return withSessionBus(environment);
}

/**
 * Adds the user's D-Bus session bus to `environment` if it names none: on Linux the keychain is reached through it, and
 * apps start commands with little more than HOME and PATH (Codex does for its header command). `usual`: the standard
 * runtime folder.
 */
export function withSessionBus(
  environment: NodeJS.ProcessEnv,
  runtimeFolder = path.join('/run/user', String(process.getuid?.())),
): NodeJS.ProcessEnv {
  const isNamed = environment['DBUS_SESSION_BUS_ADDRESS'] !== undefined || environment['XDG_RUNTIME_DIR'] !== undefined;
  const bus = path.join(runtimeFolder, 'bus');
  if (process.platform !== 'linux' || isNamed || !isPrivateFolder(runtimeFolder) || !isSocket(bus)) return environment;
  return { ...environment, DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus}` };
}

/** True for a folder that only this user can enter. Elsewhere, a socket might belong to anyone. */
function isPrivateFolder(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0;
}

function isSocket(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isSocket() === true;
}

/** Messages between the keychain process and its parent. Secrets travel only here: never in argv or env. */
export interface KeychainRequest {
  readonly operation: 'read' | 'write' | 'delete';
  readonly service: string;
  readonly account: string;
  /** For `write`. */
  readonly value?: string;
}

/** What is not installed: the keytar module, its native build, or the system library that it calls. */
export type MissingPart = 'module' | 'build' | 'libsecret';

export type KeychainResponse =
  | { readonly ok: true; readonly value: string | null }
  | { readonly ok: false; readonly message: string; readonly code?: string; readonly missing?: MissingPart };
