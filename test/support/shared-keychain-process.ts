import { startKeychainProcess } from '../../main/storage/keychain/keychain-process.ts';
import type { KeychainProcess } from '../../main/storage/keychain/keychain-process.ts';

/** Determines which keychain a process reaches: the session bus, or otherwise the home folder. */
const keychainIdentity = (): string =>
  [process.env['DBUS_SESSION_BUS_ADDRESS'] === undefined ? 'HOME' : 'DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR']
    .map((name) => process.env[name])
    .join('\n');

const ours = keychainIdentity();
let shared: KeychainProcess | undefined;
let queue: Promise<unknown> = Promise.resolve();

/**
 * One keychain process for commands that run in this process: the first starts it and later ones reuse it, because its
 * start costs more than the rest of a short command. A command with another keychain gets its own process.
 */
export function shareKeychainProcess(childPath: string): KeychainProcess {
  if (keychainIdentity() !== ours) return startKeychainProcess(childPath);
  const child = shared?.isAlive ? shared : startKeychainProcess(childPath);
  shared = child;
  let isClosed = false;
  let isSound = true;
  return {
    get isAlive() {
      return child.isAlive && !isClosed;
    },
    request(request, timeout) {
      // Keychains of several services use it concurrently, but it handles one request at a time.
      const reply = queue.then(async () => {
        const response = await child.request(request, timeout);
        isSound &&= response.ok;
        return response;
      });
      queue = reply.catch(() => {});
      return reply;
    },
    async kill() {
      isClosed = true;
      // A broken keychain connection stays broken in its process.
      if (!isSound) await child.kill();
    },
  };
}
