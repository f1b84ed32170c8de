import { fork, type Serializable } from 'node:child_process';
import { PosternError } from '../../postern-error.ts';
import type { KeychainAnswer, KeychainRequest } from './keychain-messages.ts';
import { withSessionBus } from './session-bus.ts';

/** One child that calls keytar; never more than one request at a time. */
export interface KeychainProcess {
  /** Errors: KC_TIMEOUT, after which the child has been killed; KC_UNAVAILABLE when it died. */
  request(request: KeychainRequest, timeout: number): Promise<KeychainAnswer>;
  readonly alive: boolean;
  /** Resolves when the child is gone. */
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
        // Its end is told later; the next request must not go to it.
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
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function childEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, ...environment } = process.env;
  return withSessionBus(environment);
}
