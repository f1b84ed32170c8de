import { app, utilityProcess } from 'electron';
import { product } from '../../../../shared/product.ts';
import { PosternError } from '../../../errors/postern-error.ts';
import { channelOf } from '../../../host/installation.ts';
import type { Installation } from '../../../host/installation.ts';
import type { KeychainResponse, KeychainProcess } from '../../../storage/keychain/keychain-process.ts';

/** This installation, on Electron. */
export function thisInstallation(): Installation {
  const { isPackaged } = app;
  const channel = channelOf({ isPackaged, version: product.version });
  // A package cannot fork itself as Node (the RunAsNode fuse is off).
  const resources = isPackaged ? { resources: process.resourcesPath } : {};
  return { isPackaged, channel, startKeychain: startKeychainUtility, ...resources };
}

/**
 * The keychain process on Electron. A packaged app cannot fork itself as Node (the RunAsNode fuse is off), but can
 * start a utility process.
 */
export function startKeychainUtility(childPath: string): KeychainProcess {
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== 'NODE_OPTIONS'));
  const child = utilityProcess.fork(childPath, [], {
    env: environment,
    execArgv: [],
    stdio: 'ignore',
    serviceName: 'Postern keychain',
  });
  let isAlive = true;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void exited.then(() => (isAlive = false));

  /** A process that is still starting has no pid, and `kill()` has no effect on it. */
  const started = new Promise<void>((resolve) => child.once('spawn', () => resolve()));

  function end(): void {
    isAlive = false;
    void Promise.race([started, exited]).then(() => {
      const { pid } = child;
      child.kill();
      if (pid === undefined) return;
      try {
        // `kill()` sends SIGTERM, which a process that blocks in libsecret may not handle.
        process.kill(pid, 'SIGKILL');
      } catch {
        // Already gone.
      }
    });
  }

  return {
    get isAlive() {
      return isAlive;
    },
    async request(request, timeout) {
      const { promise, resolve, reject } = Promise.withResolvers<KeychainResponse>();
      const fail = (code: 'KC_TIMEOUT' | 'KC_UNAVAILABLE'): void =>
        reject(new PosternError(code, { stage: 'storage' }));
      const onMessage = (response: KeychainResponse): void => resolve(response);
      const timer = setTimeout(() => {
        end();
        fail('KC_TIMEOUT');
      }, timeout);
      child.once('message', onMessage);
      void exited.then(() => fail('KC_UNAVAILABLE'));
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process, not a window
      child.postMessage(request);
      return promise.finally(() => {
        clearTimeout(timer);
        child.off('message', onMessage);
      });
    },
    async kill() {
      if (!isAlive) return;
      end();
      await exited;
    },
  };
}
