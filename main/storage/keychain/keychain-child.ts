/**
 * The keychain's own process: an unlock prompt holds a thread without limit, several stop the file system and DNS of
 * the whole process, and `process.exit()` does not return meanwhile. Here it can be killed.
 */
import type { KeychainAnswer, KeychainRequest, MissingPart } from './keychain-process.ts';

interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, value: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

interface ParentPort {
  on(event: 'message', listener: (event: { data: KeychainRequest }) => void): void;
  postMessage(answer: KeychainAnswer): void;
}

/** keytar is an optional dependency: on a machine where it could not be built it is simply not there. */
async function loadKeytar(): Promise<Keytar> {
  const name = 'keytar';
  const loaded = (await import(/* @vite-ignore */ name)) as Keytar & { default?: Keytar };
  return loaded.default ?? loaded;
}

/** Why it could not be loaded. */
function missingPart(error: NodeJS.ErrnoException): MissingPart {
  if (error.code === 'ERR_MODULE_NOT_FOUND') return 'module';
  return error.code === 'ERR_DLOPEN_FAILED' && error.message.includes('libsecret') ? 'libsecret' : 'build';
}

async function carryOut(
  keytar: Keytar,
  { operation, service, account, value = '' }: KeychainRequest,
): Promise<string | null> {
  if (operation === 'read') return keytar.getPassword(service, account);
  if (operation === 'write') await keytar.setPassword(service, account, value);
  // False means that there is no such entry, or that the keychain is locked: the parent finds out which.
  else if (!(await keytar.deletePassword(service, account))) return null;
  return '';
}

async function answer(request: KeychainRequest): Promise<KeychainAnswer> {
  isAsked = true;
  let keytar: Keytar;
  try {
    keytar = await loadKeytar();
  } catch (error) {
    return { ...refuse(error), missing: missingPart(error as NodeJS.ErrnoException) };
  }
  try {
    return { ok: true, value: await carryOut(keytar, request) };
  } catch (error) {
    return refuse(error);
  }
}

function refuse(error: unknown): Extract<KeychainAnswer, { ok: false }> {
  const { message, code } = error as NodeJS.ErrnoException;
  return { ok: false, message, ...(code === undefined ? {} : { code }) };
}

let isAsked = false;

// Until the first request comes: the first talk with a keychain takes several times as long as the next, and asking for
// what nobody has changes nothing and unlocks nothing. Whether it works is told by the answer to that request. One that
// has been sent already is read first: it would have to wait for this.
loadKeytar()
  .then((keytar) => setImmediate(() => void (isAsked ? null : keytar.getPassword('postern', 'none').catch(() => {}))))
  .catch(() => {});

/** Electron's utility process talks by a port instead of Node's channel. */
const { parentPort } = process as { parentPort?: ParentPort };
if (parentPort) {
  parentPort.on('message', ({ data }) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process, not a window
    void answer(data).then((result) => parentPort.postMessage(result));
  });
} else {
  process.on('message', (request: KeychainRequest) => {
    void answer(request).then((result) => process.send?.(result, undefined, undefined, () => {}));
  });
}
// Ctrl-C reaches the whole group; the parent decides when its keychain is no longer needed.
process.on('SIGINT', () => {});
// The parent is gone. Not `process.exit()`: it would wait for a prompt.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
