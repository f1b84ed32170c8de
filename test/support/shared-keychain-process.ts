import { startKeychainProcess } from '../../main/storage/keychain/keychain-process.ts';
import type { KeychainProcess } from '../../main/storage/keychain/keychain-process.ts';

/** What decides which keychain a process reaches: a session bus, or without one what is found from the home folder. */
const surroundings = (): string =>
  [process.env['DBUS_SESSION_BUS_ADDRESS'] === undefined ? 'HOME' : 'DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR']
    .map((name) => process.env[name])
    .join('\n');

const ours = surroundings();
let shared: KeychainProcess | undefined;
let queue: Promise<unknown> = Promise.resolve();

/**
 * The keychain's process for commands inside this one: the first starts it and the next ones take it over, since its
 * start costs more than all else of a short command. One that is to reach another keychain has a process to itself.
 */
export function shareKeychainProcess(childPath: string): KeychainProcess {
  if (surroundings() !== ours) return startKeychainProcess(childPath);
  const child = shared?.alive ? shared : startKeychainProcess(childPath);
  shared = child;
  let isClosed = false;
  let isSound = true;
  return {
    get alive() {
      return child.alive && !isClosed;
    },
    request(request, timeout) {
      // Keychains of several services ask it side by side, and it takes one request at a time.
      const answer = queue.then(async () => {
        const answered = await child.request(request, timeout);
        isSound &&= answered.ok;
        return answered;
      });
      queue = answer.catch(() => {});
      return answer;
    },
    async kill() {
      isClosed = true;
      // A connection to the keychain that broke stays broken in its process.
      if (!isSound) await child.kill();
    },
  };
}
