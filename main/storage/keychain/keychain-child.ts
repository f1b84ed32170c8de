/**
 * A separate process for the keychain: an unlock prompt blocks a thread without limit, several of them block the file
 * system and DNS of the whole process, and `process.exit()` hangs meanwhile. A child can be killed.
 */
import type { KeychainResponse, KeychainRequest, MissingPart } from './keychain-process.ts';

interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, value: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

interface ParentPort {
  on(event: 'message', listener: (event: { data: KeychainRequest }) => void): void;
  postMessage(message: KeychainResponse): void;
}

/** keytar is an optional dependency: it is missing where it could not be built. */
async function loadKeytar(): Promise<Keytar> {
  const name = 'keytar';
  const loaded = (await import(/* @vite-ignore */ name)) as Keytar & { default?: Keytar };
  return loaded.default ?? loaded;
}

/** Why keytar could not be loaded. */
function missingPart(error: NodeJS.ErrnoException): MissingPart {
  if (error.code === 'ERR_MODULE_NOT_FOUND') return 'module';
  return error.code === 'ERR_DLOPEN_FAILED' && error.message.includes('libsecret') ? 'libsecret' : 'build';
}

async function perform(
  keytar: Keytar,
  { operation, service, account, value = '' }: KeychainRequest,
): Promise<string | null> {
  if (operation === 'read') return keytar.getPassword(service, account);
  if (operation === 'write') await keytar.setPassword(service, account, value);
  // False: there is no such entry, or the keychain is locked. The parent checks which.
  else if (!(await keytar.deletePassword(service, account))) return null;
  return '';
}

async function handle(request: KeychainRequest): Promise<KeychainResponse> {
  hasRequest = true;
  let keytar: Keytar;
  try {
    keytar = await loadKeytar();
  } catch (error) {
    return { ...toFailure(error), missing: missingPart(error as NodeJS.ErrnoException) };
  }
  try {
    return { ok: true, value: await perform(keytar, request) };
  } catch (error) {
    return toFailure(error);
  }
}

function toFailure(error: unknown): Extract<KeychainResponse, { ok: false }> {
  const { message, code } = error as NodeJS.ErrnoException;
  return { ok: false, message, ...(code === undefined ? {} : { code }) };
}

let hasRequest = false;

// Warm-up while no request has arrived: the first keychain call is several times slower than later ones, and reading a
// missing entry changes and unlocks nothing. Its outcome is ignored. `setImmediate`: a request that was already sent is
// read first, instead of waiting for the warm-up.
loadKeytar()
  .then((keytar) =>
    setImmediate(() => void (hasRequest ? null : keytar.getPassword('postern', 'none').catch(() => {}))),
  )
  .catch(() => {});

/** Electron's utility process has a port instead of Node's IPC channel. */
const { parentPort } = process as { parentPort?: ParentPort };
if (parentPort) {
  parentPort.on('message', ({ data }) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process, not a window
    void handle(data).then((result) => parentPort.postMessage(result));
  });
} else {
  process.on('message', (request: KeychainRequest) => {
    void handle(request).then((result) => process.send?.(result, undefined, undefined, () => {}));
  });
}
// Ctrl-C reaches the whole process group; the parent decides when the keychain is no longer needed.
process.on('SIGINT', () => {});
// The parent is gone. `process.exit()` would wait for a prompt.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
